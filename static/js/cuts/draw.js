/** A cut in the server's space-time diagram: moves it, and colours its effects. Draws. */

import { bent, piece } from "../cut_curve.js";
import { all, data, first } from "../page.js";
import { set, svg } from "../svg.js";

/** @import { Line } from "../cut_curve.js" */
/** @import { Point } from "../time/scale.js" */

const INK = "#1b1f24";
const FADED = "0.25";
/**
 * How a message looks by its relation to the cut: stroke, width and dashes, ink and weight of its words.
 * @type {Record<string, [stroke: string, width: string, dashes: string | null, ink: string, weight: string]>}
 */
const FATES = {
  plain: [INK, "1.5", null, INK, "400"],
  crossing: ["#0072B2", "2.5", null, "#0069a5", "700"],
  orphan: ["#D55E00", "2.5", "9 5", "#a84a00", "700"],
};

/**
 * Colours the messages by what a cut does to them.
 * @param {SVGElement[]} arrows @param {SVGElement[]} said their words
 */
function painter(arrows, said) {
  /** The cross on each orphan. */
  const crosses = new Map(arrows.map((arrow) => [arrow, arrow.querySelector("path[transform]")]));
  for (const text of said)
    text.dataset.fate = arrows.find(({ dataset }) => dataset.identity === text.dataset.said)?.dataset.fate;

  /** @param {Map<number, "crossing"|"orphan">} fates by the id of the message */
  return (fates) => {
    for (const arrow of arrows) {
      const fate = fates.get(Number(arrow.dataset.identity)) ?? "plain";
      if (arrow.dataset.fate === fate) continue;
      arrow.dataset.fate = fate;
      const [ink, width, dashes] = FATES[fate];
      for (const part of arrow.querySelectorAll("path:not([transform])")) {
        if (part.hasAttribute("fill")) set(part, "fill", ink);
        else {
          set(part, "stroke", ink);
          set(part, "stroke-width", width);
          if (!part.hasAttribute("stroke-opacity")) set(part, "stroke-dasharray", dashes);
        }
      }
      crosses.get(arrow)?.remove();
      crosses.delete(arrow);
      if (fate === "orphan") {
        const place = `translate(${arrow.dataset.tip})`;
        const cross = svg(
          "path",
          { transform: place, d: "M-6 -6L6 6M-6 6L6 -6", stroke: ink, "stroke-width": 3.5, "stroke-linecap": "round" },
          arrow,
        );
        crosses.set(arrow, cross);
      }
    }
    for (const text of said) {
      const fate = fates.get(Number(text.dataset.said)) ?? "plain";
      if (text.dataset.fate === fate) continue;
      text.dataset.fate = fate;
      const [, , , ink, weight] = FATES[fate];
      set(text, "fill", ink);
      set(text, "font-weight", weight);
    }
  };
}

/** Where the lines begin: PAST may stand above the names. */
const HEAD = 26;

/**
 * Keep the names in view if the diagram is wider than its frame.
 * @param {SVGSVGElement} picture @param {HTMLElement} frame @param {number} room left of the diagram
 */
function holdNames(picture, frame, room) {
  const names = first(picture, ":scope > g", SVGElement);
  const { width, height } = picture.viewBox.baseVal;
  names.prepend(svg("rect", { x: -20, y: HEAD, width: 20 + room, height: height - HEAD, fill: "#ffffff" }));
  picture.append(names);
  frame.addEventListener("scroll", () => {
    set(names, "transform", `translate(${(frame.scrollLeft * width) / picture.getBoundingClientRect().width} 0)`);
  });
}

/** Move PAST and FUTURE with the cut; the edges hide what has no room. @param {SVGElement} sides @param {number} x */
function beside(sides, x) {
  const [before, after] = all(sides, ":scope > *", SVGElement);
  const { least, most } = sides.dataset;
  set(sides, "transform", `translate(${x} 0)`);
  set(before, "display", x < Number(least) ? "none" : null);
  set(after, "display", x > Number(most) ? "none" : null);
}

/** The whole ways of all messages, from which the cut keeps away. @param {string} text @returns {Line[]} */
function linesOf(text) {
  const ways = text ? text.split(",").map((way) => way.split(" ").map(Number)) : [];
  return ways.map(([left, top, right, bottom]) => [
    [left, top],
    [right, bottom],
  ]);
}

/** @param {SVGSVGElement} picture the diagram of `_spacetime.svg` with `_cut_handles.svg` */
export function drawing(picture) {
  const inner = first(picture, "svg", SVGSVGElement);
  const clocks = first(picture, "[data-clocks]", SVGElement);
  const sides = first(picture, "[data-sides]", SVGElement);
  const past = first(picture, "[data-past]", SVGElement);
  // The halo, the line and its core are one stroke.
  const strokes = all(picture, '[data-cut="0"] path:not([stroke-dasharray])', SVGElement);
  const unit = Number(clocks.dataset.unit);
  const [top, bottom] = [Number(clocks.dataset.top), Number(clocks.dataset.bottom)];
  const handles = all(picture, "[data-handle]", SVGElement);
  const ys = handles.map((handle) => Number(handle.dataset.y));
  const lines = linesOf(data(clocks, "ways"));
  const arrows = all(picture, "[data-identity]", SVGElement);
  const said = all(picture, "[data-said]", SVGElement);
  const events = all(picture, "[data-event]", SVGElement);

  const frame = /** @type {HTMLElement} */ (picture.parentElement);
  holdNames(picture, frame, Number(inner.getAttribute("x")));

  /** Where a pointer is, in steps. @param {PointerEvent} event */
  function at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(inner.getScreenCTM()?.inverse());
    return point.x / unit;
  }

  /** @param {number[]} places where the cut meets the lines, in steps */
  function move(places) {
    /** @type {Point[]} */
    const meets = places.map((step, row) => [Math.round(step * unit * 1000) / 1000, ys[row]]);
    const [x] = meets[0];
    const pieces = bent(meets, lines).map((bend, row) => piece(meets[row], meets[row + 1], bend));
    const way = `V${ys[0]}${pieces.join("")}V${bottom}`;
    for (const stroke of strokes) set(stroke, "d", `M${x} ${top}${way}`);
    set(past, "d", `M-200 ${top}H${x}${way}H-200Z`);
    beside(sides, x);
    handles.forEach((handle, row) => set(handle, "transform", `translate(${meets[row].join(" ")})`));
  }

  /** Fade all events and messages except these. @param {Set<string>} names @param {Set<number>} ids */
  function fade(names, ids) {
    for (const event of [...events, ...all(clocks, ":scope > *", SVGElement)])
      set(event, "opacity", names.has(event.dataset.event ?? event.dataset.clock ?? "") ? FADED : null);
    for (const arrow of [...arrows, ...said])
      set(arrow, "opacity", ids.has(Number(arrow.dataset.identity ?? arrow.dataset.said)) ? FADED : null);
  }

  /** Bring the whole cut into view if the diagram is wider than its frame. */
  function show() {
    const boxes = handles.map((handle) => handle.getBoundingClientRect());
    const middle = (Math.min(...boxes.map(({ left }) => left)) + Math.max(...boxes.map(({ right }) => right))) / 2;
    const around = frame.getBoundingClientRect();
    frame.scrollLeft += middle - (around.left + around.right) / 2;
  }

  return {
    at,
    show,
    move,
    colour: painter(arrows, said),
    fade,
    handles,
    events,
    clocks: (/** @type {boolean} */ shown) => set(clocks, "display", shown ? null : "none"),
  };
}
