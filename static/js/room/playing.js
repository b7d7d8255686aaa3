/** The presenter's part of an activity: the buttons from round to round, and the wall. Wires. */

import { all, around, data, one, refocused, site } from "../page.js";
import { words as wordsOf } from "../words.js";
import { say } from "./line.js";
import { wall } from "./wall.js";

/** @import { Room } from "./line.js" */

/** The buttons of each stage. @type {Record<string, string[]>} */
const ABLE = {
  play: ["now", "freeze", "stop", "undo"],
  snapshot: ["over", "freeze", "stop", "undo"],
  over: ["next", "stop", "undo"],
};

/**
 * @param {string} path of the room @param {Record<string, string>} words
 * @param {{open: (address: string) => void, refused: (why: string) => void}} on
 */
export function playing(path, words, on) {
  const host = one("room-wall");
  const again = one("room-again", HTMLButtonElement);
  /** @type {(Room["playing"] & {frozen: boolean}) | null} what the presenter sees */
  let seen = null;
  const known = wordsOf(words, document.documentElement.lang.slice(0, 2), {});
  /** @type {{run: string, rule: string, step: number | null} | null} the run that was opened, and the one by the rule */
  let opened = null;
  let walled = true;

  /** @type {import("../types.js").Word} */
  const word = (key, values) => known.word(`room.says.${key}`, values);

  /** @param {string} address */
  function show(address) {
    walled = false;
    on.open(site(`${address}&presenter=1`));
  }

  /** Lead on. @param {string} act @param {string} [name] */
  async function lead(act, name = "") {
    if (act === "wall") {
      walled = true;
      return;
    }
    if (act === "rule") return opened && show(opened.rule);
    walled = true;
    opened = null;
    const then = seen ? { seen: [seen.round, seen.stage], frozen: seen.frozen, again: seen.again } : {};
    const said = { do: act, name, begun: seen?.begun ?? 0, ...then };
    const { status, told } = await say(`${path}/activity`, said, (why) => why && on.refused(why));
    if (status !== 200) on.refused(told?.error ?? "");
  }

  host.addEventListener("click", async ({ target }) => {
    const card = around(target, ".wall-open") && around(target, "[data-group]");
    if (!card) return;
    const answer = await fetch(site(`${path}/table/result?group=${data(card, "group")}`)).catch(() => null);
    if (!answer?.ok) return;
    opened = await answer.json();
    if (opened) show(opened.run + (opened.step ? `&step=${opened.step}` : ""));
    host.hidden = true;
  });
  for (const button of all(document, "[data-begin]"))
    button.addEventListener("click", () => {
      one("room-menu").hidePopover();
      lead("begin", data(button, "begin"));
    });
  again.addEventListener("click", () => {
    one("room-menu").hidePopover();
    lead("again");
  });

  return {
    lead,
    /** Draw, and say what can be done. @param {Room} room @returns {string[] | null} null without an activity */
    draw(room) {
      const now = room.poll ? null : room.playing;
      seen = room.playing && { ...room.playing, frozen: Boolean(room.frozen) };
      again.hidden = !now;
      host.hidden = !now || !walled;
      one("room-frame").hidden = !host.hidden;
      if (!now) return null;
      refocused(host, "open", () => wall(host, room.wall ?? [], word));
      one("room-phase").textContent = word(room.frozen ? "frozen" : now.stage, { round: now.round + 1 });
      one("room-freeze").textContent = word(room.frozen ? "thaw" : "freeze");
      const able = ABLE[now.stage].filter((act) => (act !== "next" || !now.last) && (act !== "undo" || now.undo));
      return [...able, ...(walled ? [] : ["wall"]), ...(opened && !walled ? ["rule"] : [])];
    },
  };
}
