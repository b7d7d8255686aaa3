/** The event log: a line for each step, a click jumps there. Of a long run it shows a part, and finds words. Draws. */

import { button, html, say, set } from "../svg.js";

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
  const walk = bar(words, find, (parts) => turn(first + parts * PART));
  let count = 0;
  let now = 0;
  /** The steps in which every word of the box occurs. @type {number[]} */
  let found = [];
  /** Where among them the part begins. */
  let first = 0;
  /** @type {Map<number, {item: HTMLElement, go: HTMLElement}>} by step */
  let lines = new Map();

  function draw() {
    const part = found.slice(first, count > WHOLE ? first + PART : count);
    const kept = new Map(part.map((step) => [step, lines.get(step) ?? line(sceneAt(step), words, jump)]));
    const changed = kept.size !== lines.size || part.some((step) => !lines.has(step));
    for (const [step, { item, go }] of kept) {
      const here = step === now;
      item.classList.toggle("now", here);
      item.classList.toggle("later", step > now);
      set(go, "aria-current", here ? "step" : null);
    }
    lines = kept;
    walk.element.hidden = count <= WHOLE;
    walk.tell(first, first + part.length, found.length);
    if (!changed) return;
    list.replaceChildren(...[...kept.values()].map(({ item }) => item));
    for (const { item } of kept.values()) item.setAttribute("aria-setsize", String(count));
  }

  /** Show the part with a place among what is found. @param {number} at */
  function turn(at) {
    first = count > WHOLE ? Math.floor(Math.max(0, Math.min(at, found.length - 1)) / PART) * PART : 0;
    draw();
  }

  /** Show the part with the present step, or with the next that is found. */
  function follow() {
    const at = found.findIndex((step) => step >= now);
    turn(at < 0 ? found.length : at);
  }

  function find() {
    const wanted = walk.wanted();
    const fits = (/** @type {string} */ text) => wanted.every((word) => text.includes(word));
    found = Array.from({ length: count }, (_, i) => i + 1);
    if (wanted.length) found = found.filter((step) => fits(textOf(sceneAt(step), words).toLowerCase()));
    follow();
  }

  host.replaceChildren(walk.element, list);

  return {
    /** @param {number} held how many steps can be shown */
    grow(held) {
      count = held;
      find();
    },
    /** @param {number} step */
    show(step) {
      if (step === now && lines.size) return;
      now = step;
      follow();
    },
  };
}

/**
 * The box of a long log, and the way to its other parts.
 * @param {Words} words @param {() => void} find @param {(parts: 1 | -1) => void} turn
 */
function bar(words, find, turn) {
  const label = words.word("player.log.find");
  const box = html("input", { type: "search", placeholder: label, "aria-label": label, autocomplete: "off" });
  const earlier = button("button", () => turn(-1), words.word("player.log.earlier"));
  const later = button("button", () => turn(1), words.word("player.log.later"));
  const place = html("span", "place");
  const wanted = () => box.value.toLowerCase().split(/\s+/).filter(Boolean);
  box.addEventListener("input", find);
  return {
    element: html("div", "log-walk", box, earlier, place, later),
    wanted,
    /** @param {number} first @param {number} last @param {number} count */
    tell(first, last, count) {
      const finds = wanted().length > 0;
      set(place, "role", finds ? "status" : null);
      say(place, words.word(finds ? "player.log.found" : "player.log.place", { first: first + 1, last, count }));
      earlier.toggleAttribute("disabled", first === 0);
      later.toggleAttribute("disabled", last >= count);
    },
  };
}

/** What a step says. @param {Scene} scene @param {Words} words */
function textOf({ happening }, words) {
  const [said] = /** @type {Sentence[]} */ (happening?.frame.s ?? []);
  return said ? words.told([said]) : (happening?.frame.a ?? "");
}

/** The line of a step. @param {Scene} scene @param {Words} words @param {(step: number) => void} jump */
function line(scene, words, jump) {
  const { step, happening } = scene;
  if (!happening) throw new Error("nothing has happened before the first step");
  const text = textOf(scene, words);
  const mark = MARKS.find((kind) => happening.kinds.includes(kind)) ?? "other";
  const number = html("span", "number", String(step));
  const parts = [number, html("span", `mark ${mark}`), html("span", "text", text)];
  const go = button({ title: text }, () => jump(step), ...parts);
  return { item: html("li", { "aria-posinset": step }, go), go };
}
