/**
 * The timeline: a slider over all steps with marks for recordings, markers, messages, completions and rollbacks, and
 * with the phases of the selected snapshot. Draws.
 */

import { phaseAt, span } from "../run/phases.js";
import { html, set, svg } from "../svg.js";

/** Space at both ends, in pixels, and between two marks. */
const SIDE = 16;
const DENSE = 12;
/** The room for the numbers of the first and the last step, in pixels. */
const END = 56;
/** About how wide a letter is. */
const LETTER = { en: 8, zh: 12 };
/** The kinds that are marked, the rarest first: if a step has several, the first is large, the next small. */
const MARKS = ["restore", "complete", "record", "marker", "message"];

/**
 * @param {HTMLElement} host @param {Object} words @param {number} steps
 * @param {{seek: (step: number) => void, kinds: (step: number) => string[]}} does
 */
export function timeline(host, words, steps, does) {
  const drawing = svg("svg", { class: "track", "aria-hidden": "true" });
  const whole = svg("path", { class: "whole" }, drawing);
  const loaded = svg("path", { class: "loaded" }, drawing);
  const done = svg("path", { class: "done" }, drawing);
  const marks = svg("g", { class: "marks" }, drawing);
  const bands = svg("g", { class: "bands" }, drawing);
  const knob = svg("circle", { class: "knob", r: 9 }, drawing);
  const texts = html("div", "ends", html("span", "", "0"), html("b", "now"), html("span", "", String(steps)));
  host.replaceChildren(drawing, texts);
  const label = texts.querySelector("b");
  const stepsOf = new Map(MARKS.map((kind) => [kind, []]));
  let width = 0;
  let held = 0;
  let marked = "";
  let now = 0;
  let phases = [];
  let banded = "";

  const x = (step) => SIDE + (steps ? step / steps : 0) * (width - 2 * SIDE);

  function draw() {
    if (!width) return;
    set(whole, "d", `M${SIDE} 26H${width - SIDE}`);
    set(loaded, "d", `M${SIDE} 26H${x(held)}`);
    set(done, "d", `M${SIDE} 26H${x(now)}`);
    set(knob, "cx", x(now));
    set(knob, "cy", 26);
    const phase = phaseAt(phases, now);
    label.textContent = [words.word("player.step", { step: now, steps }), ...(phase ? [words.word(`phase.${phase[0]}`)] : [])].join(" · ");
    // Measuring would slow down a drag.
    const half = Math.min((label.textContent.length * LETTER[words.lang]) / 2 + 12, width / 2);
    const at = Math.min(Math.max(x(now), half), width - half);
    label.style.left = `${at}px`;
    host.classList.toggle("near-start", at - half < END);
    host.classList.toggle("near-end", at + half > width - END);
    host.setAttribute("aria-valuenow", now);
    host.setAttribute("aria-valuetext", label.textContent);
    marksOf();
    bandsOf();
  }

  /** The phases, below the track; each says what it is. */
  function bandsOf() {
    const signature = `${width}:${steps}:${phases}`;
    if (signature === banded) return;
    banded = signature;
    const drawn = phases.map((phase) => {
      const [name, first, last, end] = phase;
      const [left, right] = [x(Math.max(0, first - 1)), x(Math.min(steps, last))];
      const band = svg("rect", { class: `band ${name}${end === "ends" ? "" : " torn"}`, x: left + 1, y: 32, width: Math.max(2, right - left - 2), height: 5, rx: 2 });
      svg("title", {}, band).textContent = words.word("phase.said", { phase: span(words.word, phase, steps), about: words.word(`phase.${name}.about`) });
      return band;
    });
    bands.replaceChildren(...drawn);
  }

  /** No two marks touch, and the rarest kinds come first: ten thousand steps stay readable. */
  function marksOf() {
    const signature = `${width}:${held}`;
    if (signature === marked) return;
    marked = signature;
    const taken = new Uint8Array(Math.ceil(width) + 1);
    const found = [];
    for (const [kind, marked] of stepsOf) {
      for (const step of marked) {
        const place = Math.round(x(step));
        if (taken[place]) continue;
        taken.fill(1, Math.max(0, place - DENSE + 1), place + DENSE);
        const kinds = does.kinds(step);
        const second = MARKS.find((each) => each !== kind && kinds.includes(each));
        found.push(mark(kind, `translate(${place} ${second ? 8 : 10})`));
        if (second) found.push(mark(second, `translate(${place} 18.5) scale(0.45)`));
      }
    }
    marks.replaceChildren(...found);
  }

  /** The run has become longer than announced. */
  function longer(count) {
    steps = count;
    texts.lastChild.textContent = String(steps);
    host.setAttribute("aria-valuemax", steps);
    marked = "";
  }

  /** Remember what to mark in the new steps. */
  function learn(count) {
    for (let step = held + 1; step <= count; step += 1) {
      for (const kind of does.kinds(step)) stepsOf.get(kind)?.push(step);
    }
    held = count;
  }

  function mark(kind, transform) {
    const at = { transform, class: `mark ${kind}` };
    if (kind === "record") return svg("rect", { ...at, x: -6, y: -5.5, width: 12, height: 11, rx: 3 });
    if (kind === "marker") return svg("path", { ...at, d: "M0 -7L7 0L0 7L-7 0z" });
    if (kind === "restore") return svg("path", { ...at, d: "M5 -6.5L-6.5 0L5 6.5z" });
    if (kind === "complete") return svg("rect", { ...at, x: -6.5, y: -5.5, width: 13, height: 11, rx: 3 });
    return svg("circle", { ...at, r: 3.5 });
  }

  function stepAt(event) {
    const box = host.getBoundingClientRect();
    const part = (event.clientX - box.left - SIDE) / (width - 2 * SIDE);
    return Math.round(Math.max(0, Math.min(1, part)) * steps);
  }

  host.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    host.setPointerCapture(event.pointerId);
    host.classList.add("dragged");
    does.seek(stepAt(event));
  });
  host.addEventListener("pointermove", (event) => {
    if (host.hasPointerCapture(event.pointerId)) does.seek(stepAt(event));
  });
  for (const end of ["pointerup", "pointercancel"]) host.addEventListener(end, () => host.classList.remove("dragged"));
  host.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    does.seek(now + by);
  });

  new ResizeObserver(() => {
    width = host.clientWidth;
    set(drawing, "width", width);
    set(drawing, "height", 40);
    draw();
  }).observe(host);

  return {
    grow(count) {
      if (count > steps) longer(count);
      learn(count);
      draw();
    },
    show(step, known = []) {
      now = step;
      phases = known;
      draw();
    },
  };
}
