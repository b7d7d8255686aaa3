/**
 * Somebody without a role in an activity: together with all others like it, the network of one more system. A vote names
 * the step after which it is given, so one that comes too late counts for nothing. Draws.
 */

import { all, as, data, json, one, refocused } from "../page.js";
import { html } from "../svg.js";
import { words as wordsOf } from "../words.js";
import { listen, say } from "./line.js";
import { verdict } from "./verdict.js";
import { happens, lately, stage } from "./wall.js";

/**
 * @typedef {import("./wall.js").Card & import("./wall.js").Crowd & {version: number, round: number, again: number,
 *   stage: string, frozen: boolean, options: import("./wall.js").Event[]}} Table
 * @typedef {{step: number, action: string, turn: number, verdict: string}} Mine what this seat has voted
 */

const { code, document: first, mine: voted } = json("data-crowd");
const known = wordsOf(json("data-words"), document.documentElement.lang.slice(0, 2), {});
const path = `/r/${code}`;
const status = one("table-status");
/** @type {Table} */
let table = first;
/** @type {Mine} */
let mine = voted;
let drawn = "";

/** @type {import("../types.js").Word} */
const word = (key, values) => known.word(`table.says.${key}`, values);
/** @type {import("../types.js").Word} */
const room = (key, values) => known.word(`room.says.${key}`, values);

/** Vote; a request that is lost is repeated, and counts once. @param {object} said */
async function vote(said) {
  const { status: answer, told } = await say(`${path}/crowd`, said, (why) => {
    status.textContent = word(why ? "unkept" : "lost");
  });
  if (answer === 200) mine = told;
  draw(table);
}

/** What may happen next, and what of it is one's own vote. */
function options() {
  const own = mine.step === table.steps ? mine.action : "";
  return table.options.map((each) => {
    const pressed = { "aria-disabled": String(Boolean(own)), "aria-pressed": String(each.text === own) };
    const look = { type: "button", class: "button", "data-action": each.text, ...pressed };
    return html("button", look, happens(each, room));
  });
}

/** @param {Table} next */
function draw(next) {
  const over = next.stage === "over" && (table.stage !== "over" || table.end !== next.end || !drawn);
  if (next.round !== table.round || next.again !== table.again) mine = { step: -1, action: "", turn: 0, verdict: "" };
  table = next;
  drawn = table.stage;
  const key = table.frozen ? "frozen" : table.stage;
  status.textContent = word(key);
  status.dataset.stage = key;
  one("crowd-stage").replaceChildren(stage(table));
  one("crowd-last").textContent = lately(table.last ?? null, room);
  const played = table.stage !== "over";
  for (const each of all(document, ".table-mine")) each.hidden = !played;
  refocused(one("crowd-next"), "action", () =>
    one("crowd-next").replaceChildren(...(table.options.length ? options() : [known.word("net.says.nothing")])),
  );
  for (const each of all(one("crowd-verdict"), "[data-verdict]", HTMLButtonElement))
    each.setAttribute("aria-pressed", String(data(each, "verdict") === mine.verdict));
  one("table-result").hidden = played;
  if (over) verdict(one("table-result"), `${path}/table/result`, word, room);
}

one("crowd-page").addEventListener("click", ({ target }) => {
  const pressed = as(target, HTMLButtonElement);
  if (pressed?.dataset.action && pressed.getAttribute("aria-disabled") !== "true")
    vote({ action: pressed.dataset.action, step: table.steps });
  if (pressed?.dataset.verdict) vote({ verdict: pressed.dataset.verdict, turn: mine.turn + 1 });
});
listen(`${path}/table/live`, {
  room: (next) => draw(/** @type {any} */ (next)),
  line: (on) => {
    if (!on) status.textContent = word("lost");
  },
});
draw(first);
