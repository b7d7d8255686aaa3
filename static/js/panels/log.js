/** The event log: a line for each step, a click jumps there. Of a long run it shows a part. Draws. */

import { button, html, set } from "../svg.js";

/** @import { Scene, Sentence, Words } from "../types.js" */

/** Up to so many lines the list is whole; of more, it shows a part. */
const WHOLE = 40;
const PART = 20;
/** What marks a line, the rarest first. */
const MARKS = ["fault", "restore", "complete", "record", "close", "marker", "message"];

/**
 * @param {HTMLElement} host @param {Words} words @param {(step: number) => void} jump
 * @param {(step: number) => Scene} sceneAt
 */
export function log(host, words, jump, sceneAt) {
  const list = html("ol", "lines");
  const place = html("span", "place");
  const earlier = button("button", () => turn(first - PART), words.word("player.log.earlier"));
  const later = button("button", () => turn(first + PART), words.word("player.log.later"));
  const walk = html("div", "log-walk", earlier, place, later);
  let count = 0;
  let now = 0;
  /** The first step of the part. */
  let first = 1;
  /** @type {Map<number, {item: HTMLElement, go: HTMLElement}>} by step */
  let lines = new Map();

  function draw() {
    const last = count > WHOLE ? Math.min(count, first + PART - 1) : count;
    const kept = new Map();
    for (let step = first; step <= last; step += 1) kept.set(step, lines.get(step) ?? line(sceneAt(step), words, jump));
    const changed = kept.size !== lines.size || !lines.has(first);
    for (const [step, { item, go }] of kept) {
      const here = step === now;
      item.classList.toggle("now", here);
      item.classList.toggle("later", step > now);
      set(go, "aria-current", here ? "step" : null);
    }
    lines = kept;
    if (!changed) return;
    list.replaceChildren(...[...kept.values()].map(({ item }) => item));
    for (const { item } of kept.values()) item.setAttribute("aria-setsize", String(count));
    walk.hidden = count <= WHOLE;
    place.textContent = words.word("player.log.place", { first, last, count });
    earlier.toggleAttribute("disabled", first === 1);
    later.toggleAttribute("disabled", last === count);
  }

  /** Show the part with a step. @param {number} step */
  function turn(step) {
    first = count > WHOLE ? Math.floor((Math.max(1, Math.min(step, count)) - 1) / PART) * PART + 1 : 1;
    draw();
  }

  host.replaceChildren(walk, list);

  return {
    /** @param {number} held how many steps can be shown */
    grow(held) {
      count = held;
      turn(now);
    },
    /** @param {number} step */
    show(step) {
      if (step === now && lines.size) return;
      now = step;
      turn(step);
    },
  };
}

/** The line of a step. @param {Scene} scene @param {Words} words @param {(step: number) => void} jump */
function line({ step, happening }, words, jump) {
  if (!happening) throw new Error("nothing has happened before the first step");
  const { frame, kinds } = happening;
  const [said] = /** @type {Sentence[]} */ (frame.s);
  const text = said ? words.told([said]) : frame.a;
  const mark = MARKS.find((kind) => kinds.includes(kind)) ?? "other";
  const number = html("span", "number", String(step));
  const parts = [number, html("span", `mark ${mark}`), html("span", "text", text)];
  const go = button({ title: text }, () => jump(step), ...parts);
  return { item: html("li", { "aria-posinset": step }, go), go };
}
