/** The event log: a line for each step, a click jumps there. Only the lines in view exist. Draws. */

import { html } from "../svg.js";

/** The height of a line, in pixels, as in the style sheet. */
const LINE = 28;

/**
 * @param {HTMLElement} host @param {Object} words @param {(step: number) => void} jump
 * @param {(step: number) => import("../run/scene.js").Scene} sceneAt
 */
export function log(host, words, jump, sceneAt) {
  const list = html("ol", "lines");
  host.replaceChildren(list);
  let count = 0;
  let now = 0;
  let lines = new Map();
  // Reading these from the page would force a layout each time.
  let top = 0;
  let height = 0;

  function draw() {
    if (!height) return;
    const first = Math.max(1, Math.floor(top / LINE) - 4);
    const last = Math.min(count, first + Math.ceil(height / LINE) + 8);
    const kept = new Map();
    for (let step = first; step <= last; step += 1) kept.set(step, lines.get(step) ?? line(step));
    for (const [step, element] of lines) if (!kept.has(step)) element.remove();
    for (const [step, element] of kept) {
      if (!element.parentNode) list.append(element);
      const here = step === now;
      element.classList.toggle("now", here);
      element.classList.toggle("later", step > now);
      if (here) element.firstChild.setAttribute("aria-current", "step");
      else element.firstChild.removeAttribute("aria-current");
    }
    lines = kept;
  }

  function line(step) {
    const { frame, kinds } = sceneAt(step).happening;
    const text = frame.s.length ? words.told(frame.s.slice(0, 1)) : frame.a;
    const go = html("button", "", html("span", "number", String(step)), html("span", `mark ${mark(kinds)}`), html("span", "text", text));
    go.type = "button";
    go.title = text;
    go.addEventListener("click", () => jump(step));
    const element = html("li", "", go);
    element.style.top = `${(step - 1) * LINE}px`;
    element.setAttribute("aria-posinset", step);
    element.setAttribute("aria-setsize", count);
    return element;
  }

  function mark(kinds) {
    return ["fault", "restore", "complete", "record", "close", "marker", "message"].find((kind) => kinds.includes(kind)) ?? "other";
  }

  /** Bring the current line into view. */
  function follow() {
    const line = (now - 1) * LINE;
    if (!height || (line >= top + LINE && line <= top + height - 2 * LINE)) return;
    top = Math.max(0, Math.min(count * LINE - height, line - height / 2 + LINE));
    host.scrollTop = top;
  }

  host.addEventListener(
    "scroll",
    () => {
      if (Math.abs(host.scrollTop - top) < 1) return;
      top = host.scrollTop;
      draw();
    },
    { passive: true },
  );
  new ResizeObserver(([entry]) => {
    const shown = entry.contentRect.height;
    if (shown === height) return;
    height = shown;
    follow();
    draw();
  }).observe(host);

  return {
    grow(held) {
      count = held;
      list.style.height = `${count * LINE}px`;
      draw();
    },
    show(step) {
      if (step === now && lines.size) return;
      now = step;
      follow();
      draw();
    },
  };
}
