/** The rubber band: the control that straightens the cut, and the words beside it. Draws. */

import { button, html } from "../svg.js";

/** How long the cut takes to become straight, in milliseconds. */
const LASTS = 900;

/**
 * @param {HTMLElement} host
 * @param {{words: import("../types.js").Word, onChange: (part: number) => void}} does
 * `onChange` is called with how straight the cut should be, 0–1
 */
export function rubber(host, { words, onChange }) {
  const of = { for: "rubber-slider" };
  const label = html("label", of, words("spacetime.straighten"));
  const output = html("output", { ...of, "aria-live": "off" }, "0%");
  const note = html("p", { class: "rubber-note", id: "rubber-note" });
  // Without room the label is hidden.
  const named = { "aria-describedby": note.id, "aria-label": label.textContent };
  const slider = html("input", { type: "range", min: 0, max: 100, step: 1, value: 0, id: of.for, ...named });
  const go = button("button", turn, words("spacetime.straighten.go"));
  host.classList.add("rubber");
  host.replaceChildren(html("div", "rubber-row", label, slider, output, go), note);
  let frame = 0;

  /** @param {number} percent */
  function set(percent) {
    slider.value = String(percent);
    output.textContent = `${Math.round(percent)}%`;
    go.textContent = words(percent >= 50 ? "spacetime.straighten.back" : "spacetime.straighten.go");
    onChange(percent / 100);
  }

  slider.addEventListener("input", () => {
    cancelAnimationFrame(frame);
    set(Number(slider.value));
  });
  slider.addEventListener("keydown", (event) => {
    event.stopPropagation();
    if (event.key === "Escape") letGo();
  });
  // After a drag the arrow keys step again.
  slider.addEventListener("pointerup", () => slider.blur());

  /** @param {number} to percent */
  function move(to) {
    cancelAnimationFrame(frame);
    frame = slide(Number(slider.value), to, set, (next) => (frame = next));
  }

  /** Straighten the cut, or bend it again. */
  function turn() {
    move(Number(slider.value) >= 50 ? 0 : 100);
  }

  function letGo() {
    if (Number(slider.value)) move(0);
    else cancelAnimationFrame(frame);
  }

  return {
    /** @param {string | null} reason why the cut cannot be straightened @param {boolean} wrong is that a fault? */
    offer(reason, wrong) {
      slider.disabled = go.disabled = reason !== null;
      if (reason !== null) this.tell(reason, wrong);
    },
    letGo,
    /** @param {string} text @param {boolean} wrong */
    tell(text, wrong) {
      if (note.textContent !== text) note.textContent = text;
      note.classList.toggle("rubber-wrong", wrong);
    },
    release() {
      cancelAnimationFrame(frame);
      if (Number(slider.value)) set(0);
    },
  };
}

/**
 * Go from one value to another, slowly at both ends; at once if motion is not wanted.
 * @param {number} from @param {number} to @param {(value: number) => void} set @param {(frame: number) => void} next
 */
function slide(from, to, set, next) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
    set(to);
    return 0;
  }
  /** @type {number | null} */
  let began = null;
  const tick = (/** @type {number} */ time) => {
    began ??= time;
    const part = Math.min(1, (time - began) / LASTS);
    const eased = part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;
    set(from + (to - from) * eased);
    if (part < 1) next(requestAnimationFrame(tick));
  };
  return requestAnimationFrame(tick);
}
