/** The axes of a figure: lines, ticks, titles. Draws. */

import { svg } from "../svg.js";

/** @import { Figure } from "../types.js" */
/** @import { Frame } from "./frame.js" */

/** @param {Element} parent @param {Figure} figure @param {Frame} frame */
export function drawAxes(parent, figure, frame) {
  const group = svg("g", { class: "axes", "aria-hidden": "true" }, parent);
  if (frame.edges) {
    drawRows(group, figure, frame);
    return;
  }
  for (const { at, text } of frame.up) {
    svg("line", { class: "grid", x1: frame.left, x2: frame.right, y1: at, y2: at }, group);
    svg("text", { class: "tick", x: frame.left - 8, y: at, dy: "0.35em", "text-anchor": "end" }, group).textContent =
      text;
  }
  for (const { at, text } of frame.across) {
    const named = figure.x.scale === "names";
    if (!named) svg("line", { class: "grid", x1: at, x2: at, y1: frame.top, y2: frame.bottom }, group);
    const y = frame.bottom + 18;
    const turned = frame.slanted
      ? { transform: `rotate(-35 ${at + 4} ${y})`, "text-anchor": "end", x: at + 4 }
      : { "text-anchor": "middle", x: at };
    svg("text", { class: "tick", y, ...turned }, group).textContent = text;
  }
  svg("line", { class: "axis", x1: frame.left, x2: frame.right, y1: frame.bottom, y2: frame.bottom }, group);
  svg("text", { class: "title", x: 0, y: 16 }, group).textContent = figure.y.label;
  svg("text", { class: "title", x: frame.right, y: frame.height - 8, "text-anchor": "end" }, group).textContent =
    figure.x.label;
}

/**
 * The same for figures with names as rows. The scale is above them, where it is seen first.
 * @param {Element} group @param {Figure} figure @param {Frame} frame
 */
function drawRows(group, figure, frame) {
  for (const y of [...(frame.edges ?? []), frame.bottom])
    svg("line", { class: "grid", x1: 0, x2: frame.right, y1: y, y2: y }, group);
  for (const { at, text } of frame.across) {
    svg("line", { class: "grid", x1: at, x2: at, y1: frame.top, y2: frame.bottom }, group);
    svg("text", { class: "tick", x: at, y: frame.top - 8, "text-anchor": "middle" }, group).textContent = text;
  }
  svg("line", { class: "axis", x1: frame.left, x2: frame.right, y1: frame.top, y2: frame.top }, group);
  for (const { at, text, note, below } of frame.up) {
    const apart = note && !frame.above;
    const name = svg("text", { class: "row", x: 0, y: at, dy: frame.above ? 0 : apart ? "-0.2em" : "0.35em" }, group);
    svg("tspan", {}, name).textContent = text;
    if (note)
      svg("tspan", { class: "row-note", ...(below ? { x: 0, dy: "1.3em" } : { dx: 8 }) }, name).textContent = note;
  }
  svg("text", { class: "title", x: frame.left, y: 20 }, group).textContent = figure.x.label;
}
