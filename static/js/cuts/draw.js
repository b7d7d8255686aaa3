/** A cut in the server's space-time diagram: moves it, and colours its effects. Draws. */

import { set, svg } from "../svg.js";

const INK = "#1b1f24";
const FADED = "0.25";
/** How a message looks by its relation to the cut: stroke, width and dashes, ink and weight of its words. */
const FATES = {
  plain: [INK, "1.5", null, INK, "400"],
  crossing: ["#0072B2", "4", null, "#0069a5", "700"],
  orphan: ["#D55E00", "4", "9 5", "#a84a00", "700"],
};

/** @param {SVGElement} picture the diagram of `_spacetime.svg` with `_cut_layer.svg` */
export function drawing(picture) {
  const inner = picture.querySelector("svg");
  const clocks = picture.querySelector("[data-clocks]");
  const sides = picture.querySelector("[data-sides]");
  const past = picture.querySelector("[data-past]");
  const line = picture.querySelector("[data-cut] path:last-child");
  const unit = Number(clocks.dataset.unit);
  const [top, bottom] = [Number(clocks.dataset.top), Number(clocks.dataset.bottom)];
  const handles = [...picture.querySelectorAll("[data-handle]")];
  const ys = handles.map((handle) => Number(handle.dataset.y));
  const arrows = [...picture.querySelectorAll("[data-identity]")];
  const said = [...picture.querySelectorAll("[data-said]")];
  const events = [...picture.querySelectorAll("[data-event]")];
  for (const arrow of arrows) arrow.crossed = arrow.querySelector("path[transform]");
  for (const text of said) text.dataset.fate = arrows.find(({ dataset }) => dataset.identity === text.dataset.said).dataset.fate;

  // If the diagram is wider than its frame, the names stay in view.
  const names = picture.querySelector(":scope > g");
  const { width, height } = picture.viewBox.baseVal;
  names.prepend(svg("rect", { x: -20, width: 20 + Number(inner.getAttribute("x")), height, fill: "#ffffff" }));
  picture.append(names);
  picture.parentElement.addEventListener("scroll", ({ target }) => {
    set(names, "transform", `translate(${(target.scrollLeft * width) / picture.getBoundingClientRect().width} 0)`);
  });

  /** Where a pointer is, in steps. @param {PointerEvent} event */
  function at(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(inner.getScreenCTM().inverse());
    return point.x / unit;
  }

  /** @param {number[]} places where the cut meets the lines, in steps */
  function move(places) {
    const xs = places.map((place) => Math.round(place * unit * 100) / 100);
    let way = `V${ys[0]}`;
    for (let i = 1; i < xs.length; i += 1) {
      const middle = (ys[i - 1] + ys[i]) / 2;
      way += `C${xs[i - 1]} ${middle} ${xs[i]} ${middle} ${xs[i]} ${ys[i]}`;
    }
    way += `V${bottom}`;
    set(line, "d", `M${xs[0]} ${top}${way}`);
    set(past, "d", `M-200 ${top}H${xs[0]}${way}H-200Z`);
    set(sides, "transform", `translate(${xs[0]} 0)`);
    set(sides.firstElementChild, "display", xs[0] < 60 ? "none" : null);
    handles.forEach((handle, row) => set(handle, "transform", `translate(${xs[row]} ${ys[row]})`));
  }

  /** @param {Map<number, "crossing"|"orphan">} fates by the id of the message */
  function colour(fates) {
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
      arrow.crossed?.remove();
      arrow.crossed = null;
      if (fate === "orphan") {
        const place = `translate(${arrow.dataset.tip})`;
        arrow.crossed = svg("path", { transform: place, d: "M-6 -6L6 6M-6 6L6 -6", stroke: ink, "stroke-width": 3.5, "stroke-linecap": "round" }, arrow);
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
  }

  /** Fade all events and messages except these. @param {Set<string>} names @param {Set<number>} ids */
  function fade(names, ids) {
    for (const event of [...events, ...clocks.children]) set(event, "opacity", names.has(event.dataset.event ?? event.dataset.clock) ? FADED : null);
    for (const arrow of [...arrows, ...said]) set(arrow, "opacity", ids.has(Number(arrow.dataset.identity ?? arrow.dataset.said)) ? FADED : null);
  }

  /** Bring the whole cut into view if the diagram is wider than its frame. */
  function show() {
    const frame = picture.parentElement;
    const boxes = handles.map((handle) => handle.getBoundingClientRect());
    const middle = (Math.min(...boxes.map(({ left }) => left)) + Math.max(...boxes.map(({ right }) => right))) / 2;
    const around = frame.getBoundingClientRect();
    frame.scrollLeft += middle - (around.left + around.right) / 2;
  }

  return {
    at,
    show,
    move,
    colour,
    fade,
    handles,
    events,
    clocks: (shown) => set(clocks, "display", shown ? null : "none"),
  };
}
