/**
 * The timeline: a slider over all steps with marks for recordings, markers, messages, completions and rollbacks, and
 * with the phases of the selected snapshot. Draws.
 */

import { phaseAt, span } from "../run/phases.js";
import { html, set, svg } from "../svg.js";

/** @import { Phase, Words } from "../types.js" */

/**
 * @typedef {ReturnType<typeof build>} Parts the elements
 *
 * @typedef {object} State
 * @property {number} steps of the run, as far as known
 * @property {number} width in pixels
 * @property {number} held how many steps can be shown
 * @property {number} now the step shown
 * @property {Phase[]} phases of the selected snapshot
 * @property {string | null} only the kind that is marked, null for all
 *
 * @typedef {object} Steps what is known of the steps
 * @property {(step: number) => void} seek @property {(step: number) => string[]} kinds
 * @property {(step: number) => number} hue the colour of the snapshot that it is about
 * @property {(step: number) => string} said what happens in it
 */

/** Space at both ends, in pixels, and between two marks. */
const SIDE = 16;
const DENSE = 12;
/** The room for the numbers of the first and the last step, in pixels. */
const END = 56;
/** The room beside the words of the step, in pixels. */
const BESIDE = 4;
/** The kinds that are marked, the rarest first: if a step has several, the first is large, the next small. */
const MARKS = ["restore", "complete", "record", "marker", "message"];

/** Where a step is, in pixels. @param {State} state @returns {(step: number) => number} */
const across =
  ({ steps, width }) =>
  (step) =>
    SIDE + (steps ? step / steps : 0) * (width - 2 * SIDE);

/**
 * Choose the marks so that no two touch, and the rarest kinds come first: ten thousand steps stay readable.
 * @param {Map<string, number[]>} stepsOf by kind, the rarest first @param {(step: number) => string[]} kinds
 * @param {(step: number) => number} x @param {number} width
 */
function spread(stepsOf, kinds, x, width) {
  const taken = new Uint8Array(Math.ceil(width) + 1);
  const found = [];
  for (const [kind, steps] of stepsOf) {
    for (const step of steps) {
      const at = Math.round(x(step));
      if (taken[at]) continue;
      taken.fill(1, Math.max(0, at - DENSE + 1), at + DENSE);
      const others = kinds(step);
      found.push({ kind, second: MARKS.find((each) => each !== kind && others.includes(each)), at, step });
    }
  }
  return found;
}

/** The shape of a kind. @param {string} look @param {string} transform @param {string} kind */
function mark(look, transform, kind) {
  const at = { transform, class: `mark ${look}` };
  if (kind === "record") return svg("rect", { ...at, x: -6, y: -5.5, width: 12, height: 11, rx: 3 });
  if (kind === "marker") return svg("path", { ...at, d: "M0 -7L7 0L0 7L-7 0z" });
  if (kind === "restore") return svg("path", { ...at, d: "M5 -6.5L-6.5 0L5 6.5z" });
  if (kind === "complete") return svg("rect", { ...at, x: -6.5, y: -5.5, width: 13, height: 11, rx: 3 });
  return svg("circle", { ...at, r: 3.5 });
}

/**
 * A phase below the track, which says what it is.
 * @param {Phase} phase @param {(step: number) => number} x @param {number} steps @param {Words} words
 */
function band(phase, x, steps, words) {
  const [name, first, last, end] = phase;
  const [left, right] = [x(Math.max(0, first - 1)), x(Math.min(steps, last))];
  const box = { x: left + 1, y: 32, width: Math.max(2, right - left - 2), height: 5, rx: 2 };
  const made = svg("rect", { class: `band ${name}${end === "ends" ? "" : " torn"}`, ...box });
  const about = words.word(`phase.${name}.about`);
  svg("title", {}, made).textContent = words.word("phase.said", { phase: span(words.word, phase, steps), about });
  return made;
}

/** The elements of the slider. @param {HTMLElement} host @param {number} steps */
function build(host, steps) {
  const drawing = svg("svg", { class: "track", "aria-hidden": "true" });
  const [whole, loaded, done] = ["whole", "loaded", "done"].map((name) => svg("path", { class: name }, drawing));
  const [marks, bands] = ["marks", "bands"].map((name) => svg("g", { class: name }, drawing));
  const knob = svg("circle", { class: "knob", r: 9 }, drawing);
  const label = html("b", "now");
  const last = html("span", "", String(steps));
  host.replaceChildren(drawing, html("div", "ends", html("span", "", "0"), label, last));
  return { drawing, whole, loaded, done, marks, bands, knob, label, last };
}

/** A function that says whether a part is to be drawn from other values than the last time. */
function watch() {
  /** @type {Map<string, string>} */
  const signatures = new Map();
  return (/** @type {string} */ part, /** @type {unknown[]} */ values) => {
    const signature = values.join(":");
    if (signatures.get(part) === signature) return false;
    signatures.set(part, signature);
    return true;
  };
}

/**
 * The sentence of the step under a pointer that only looks.
 * @param {HTMLElement} host @param {(event: PointerEvent) => {at: number, text: string} | null} found
 */
function hint(host, found) {
  const tip = html("p", { class: "timeline-hint", hidden: true });
  host.append(tip);
  host.addEventListener("pointermove", (event) => {
    const told = event.pointerType === "mouse" && !event.buttons ? found(event) : null;
    tip.hidden = !told;
    if (!told) return;
    tip.textContent = told.text;
    tip.style.left = `${told.at}px`;
  });
  for (const end of ["pointerleave", "pointerdown"]) host.addEventListener(end, () => (tip.hidden = true));
}

/**
 * Let pointer and keys choose a step.
 * @param {HTMLElement} host @param {(event: PointerEvent) => void} seek @param {(by: number) => void} move
 */
function listen(host, seek, move) {
  host.addEventListener("pointerdown", (event) => {
    if (event.button) return;
    host.setPointerCapture(event.pointerId);
    host.classList.add("dragged");
    seek(event);
  });
  host.addEventListener("pointermove", (event) => {
    if (host.hasPointerCapture(event.pointerId)) seek(event);
  });
  for (const end of ["pointerup", "pointercancel"]) host.addEventListener(end, () => host.classList.remove("dragged"));
  host.addEventListener("keydown", (event) => {
    const by = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    move(by);
  });
}

/** @type {CanvasRenderingContext2D | null} */
let ruler = null;

/** How wide a text is in the type of an element. @param {string} text @param {HTMLElement} like */
function widthOf(text, like) {
  if (!ruler) {
    ruler = document.createElement("canvas").getContext("2d");
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(like);
    if (ruler) ruler.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  }
  return ruler?.measureText(text).width ?? 0;
}

/**
 * The number of the step and its phase, below the knob.
 * @param {HTMLElement} host @param {Parts} parts @param {State} state @param {Words} words
 */
function drawLabel(host, { label }, state, words) {
  const { width, now, steps, phases } = state;
  const phase = phaseAt(phases, now);
  const step = words.word("player.step", { step: now, steps });
  const text = phase ? `${step} · ${words.word(`phase.${phase[0]}`)}` : step;
  // Measuring on the page would slow down a drag.
  const shown = widthOf(text, label) > width ? step : text;
  label.textContent = shown;
  const half = Math.min(widthOf(shown, label) / 2 + BESIDE, width / 2);
  const at = Math.min(Math.max(across(state)(now), half), width - half);
  label.style.left = `${at}px`;
  host.classList.toggle("near-start", at - half < END);
  host.classList.toggle("near-end", at + half > width - END);
  host.setAttribute("aria-valuenow", String(now));
  host.setAttribute("aria-valuetext", text);
}

/** The line and the knob on it. @param {Parts} parts @param {State} state */
function drawTrack({ whole, loaded, done, knob }, state) {
  const x = across(state);
  set(whole, "d", `M${SIDE} 26H${state.width - SIDE}`);
  set(loaded, "d", `M${SIDE} 26H${x(state.held)}`);
  set(done, "d", `M${SIDE} 26H${x(state.now)}`);
  set(knob, "cx", x(state.now));
  set(knob, "cy", 26);
}

/** @param {Parts} parts @param {Map<string, number[]>} stepsOf @param {State} state @param {Steps} does */
function drawMarks({ marks }, stepsOf, state, { kinds, hue }) {
  const { only, width } = state;
  const shown = only ? new Map([[only, stepsOf.get(only) ?? []]]) : stepsOf;
  const drawn = spread(shown, only ? () => [] : kinds, across(state), width).flatMap(({ kind, second, at, step }) => {
    const own = hue(step) === 2 ? " hue2" : "";
    const large = mark(`${kind}${own}`, `translate(${at} ${second ? 8 : 10})`, kind);
    return second ? [large, mark(`${second}${own}`, `translate(${at} 18.5) scale(0.45)`, second)] : [large];
  });
  marks.replaceChildren(...drawn);
}

/**
 * @param {HTMLElement} host @param {Words} words @param {number} announced how many steps the run has, as far as known
 * @param {Steps} does
 */
export function timeline(host, words, announced, does) {
  const parts = build(host, announced);
  const changed = watch();
  /** @type {Map<string, number[]>} */
  const stepsOf = new Map(MARKS.map((kind) => [kind, []]));
  /** @type {State} */
  const state = { steps: announced, width: 0, held: 0, now: 0, phases: [], only: null };

  function draw() {
    const { width } = state;
    if (!width) return;
    drawTrack(parts, state);
    drawLabel(host, parts, state, words);
    if (changed("marks", [width, state.held, state.steps, state.only])) drawMarks(parts, stepsOf, state, does);
    if (changed("bands", [width, state.steps, state.phases])) {
      const x = across(state);
      parts.bands.replaceChildren(...state.phases.map((phase) => band(phase, x, state.steps, words)));
    }
  }

  /** @param {PointerEvent} event */
  function stepAt(event) {
    const box = host.getBoundingClientRect();
    const part = (event.clientX - box.left - SIDE) / (state.width - 2 * SIDE);
    return Math.round(Math.max(0, Math.min(1, part)) * state.steps);
  }

  hint(host, (event) => {
    const step = stepAt(event);
    return step && step <= state.held ? { at: across(state)(step), text: `${step} · ${does.said(step)}` } : null;
  });
  listen(
    host,
    (event) => does.seek(stepAt(event)),
    (by) => does.seek(state.now + by),
  );
  new ResizeObserver(() => {
    state.width = host.clientWidth;
    set(parts.drawing, "width", state.width);
    set(parts.drawing, "height", 40);
    draw();
  }).observe(host);

  return {
    /** Steps up to `count` can be shown; the run may be longer than announced. @param {number} count */
    grow(count) {
      if (count > state.steps) {
        state.steps = count;
        parts.last.textContent = String(count);
        host.setAttribute("aria-valuemax", String(count));
      }
      for (let step = state.held + 1; step <= count; step += 1) {
        for (const kind of does.kinds(step)) stepsOf.get(kind)?.push(step);
      }
      state.held = count;
      draw();
    },
    /** Mark one kind only, or all. @param {string | null} kind */
    only(kind) {
      state.only = kind;
      draw();
    },
    /** @param {number} step @param {Phase[]} [known] the phases of the selected snapshot */
    show(step, known = []) {
      state.now = step;
      state.phases = known;
      draw();
    },
  };
}
