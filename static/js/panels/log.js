/** The event log: a line for each step, a click jumps there. Only the lines in view exist. Draws. */

import { html } from "../svg.js";

/** @import { Scene, Sentence, Words } from "../types.js" */

/** The height of a line, in pixels, as in the style sheet. */
const LINE = 28;
/** Up to so many lines the list is as long as they are; a longer one is seen through a window. */
const SHORT = 40;
/** What marks a line, the rarest first. */
const MARKS = ["fault", "restore", "complete", "record", "close", "marker", "message"];

/**
 * @param {HTMLElement} host @param {Words} words @param {(step: number) => void} jump
 * @param {(step: number) => Scene} sceneAt
 */
export function log(host, words, jump, sceneAt) {
  const list = html("ol", "lines");
  host.replaceChildren(list);
  let count = 0;
  let now = 0;
  /** @type {Map<number, {item: HTMLElement, go: HTMLElement}>} by step */
  let lines = new Map();
  // Reading these from the page would force a layout each time.
  let top = 0;
  let height = 0;

  function draw() {
    if (!height) return;
    const first = Math.max(1, Math.floor(top / LINE) - 4);
    const last = Math.min(count, first + Math.ceil(height / LINE) + 8);
    const kept = new Map();
    for (let step = first; step <= last; step += 1)
      kept.set(step, lines.get(step) ?? line(sceneAt(step), count, words, jump));
    for (const [step, { item }] of lines) if (!kept.has(step)) item.remove();
    for (const [step, { item, go }] of kept) {
      if (!item.parentNode) list.append(item);
      const here = step === now;
      item.classList.toggle("now", here);
      item.classList.toggle("later", step > now);
      if (here) go.setAttribute("aria-current", "step");
      else go.removeAttribute("aria-current");
    }
    lines = kept;
  }

  /** Draw, with the current line in view. */
  function follow() {
    const line = (now - 1) * LINE;
    if (!height || (line >= top + LINE && line <= top + height - 2 * LINE)) return draw();
    top = Math.max(0, Math.min(count * LINE - height, line - height / 2 + LINE));
    draw();
    host.scrollTop = top; // it forces a layout: when everything is drawn
  }

  function scrolled() {
    if (Math.abs(host.scrollTop - top) < 1) return;
    top = host.scrollTop;
    draw();
  }

  host.addEventListener("scroll", scrolled, { passive: true });
  new ResizeObserver(([entry]) => {
    const shown = entry.contentRect.height;
    if (shown === height) return;
    height = shown;
    follow();
  }).observe(host);

  return {
    /** @param {number} held how many steps can be shown */
    grow(held) {
      count = held;
      list.style.height = `${count * LINE}px`;
      host.classList.toggle("short", count <= SHORT);
      draw();
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
 * The line of a step.
 * @param {Scene} scene @param {number} count of all steps @param {Words} words
 * @param {(step: number) => void} jump
 */
function line({ step, happening }, count, words, jump) {
  if (!happening) throw new Error("nothing has happened before the first step");
  const { frame, kinds } = happening;
  const [said] = /** @type {Sentence[]} */ (frame.s);
  const text = said ? words.told([said]) : frame.a;
  const mark = MARKS.find((kind) => kinds.includes(kind)) ?? "other";
  const go = html(
    "button",
    "",
    html("span", "number", String(step)),
    html("span", `mark ${mark}`),
    html("span", "text", text),
  );
  go.type = "button";
  go.title = text;
  go.addEventListener("click", () => jump(step));
  const item = html("li", "", go);
  item.style.top = `${(step - 1) * LINE}px`;
  item.setAttribute("aria-posinset", String(step));
  item.setAttribute("aria-setsize", String(count));
  return { item, go };
}
