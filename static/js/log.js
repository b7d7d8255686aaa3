/** The event log: a line for each step, a click jumps there. Only the lines in view exist. Draws. */

import { html } from "./svg.js";

/** The height of a line, in pixels; the style sheet has the same. */
const LINE = 28;

/**
 * @param {HTMLElement} host @param {Object} words @param {(step: number) => void} jump
 * @param {(step: number) => import("./scene.js").Scene} sceneAt
 */
export function log(host, words, jump, sceneAt) {
  const list = html("ol", "lines");
  host.replaceChildren(list);
  let count = 0;
  let now = 0;
  let lines = new Map();

  function draw() {
    list.style.height = `${count * LINE}px`;
    const first = Math.max(1, Math.floor(host.scrollTop / LINE) - 4);
    const last = Math.min(count, first + Math.ceil((host.clientHeight || 320) / LINE) + 8);
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
    return ["complete", "record", "close", "marker", "message"].find((kind) => kinds.includes(kind)) ?? "other";
  }

  host.addEventListener("scroll", draw, { passive: true });
  new ResizeObserver(draw).observe(host);

  return {
    grow(held) {
      count = held;
      draw();
    },
    show(step) {
      if (step === now && lines.size) return;
      now = step;
      const top = (step - 1) * LINE;
      const height = host.clientHeight;
      if (height && (top < host.scrollTop + LINE || top > host.scrollTop + height - 2 * LINE)) host.scrollTop = top - height / 2 + LINE;
      draw();
    },
  };
}
