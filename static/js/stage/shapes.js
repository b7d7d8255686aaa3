/** Small shapes that the parts of the stage are made of. Draws. */

import { anew, say, set, svg } from "../svg.js";

/** @import { Point, Value } from "./types.js" */

/**
 * Draw the content of a group anew if it is to show something else.
 * @param {Element & {shown?: string}} group @param {unknown} content what it is to show, as JSON @param {() => void} draw
 */
export function redraw(group, content, draw) {
  const signature = typeof content === "string" ? content : JSON.stringify(content);
  if (group.shown === signature) return;
  group.shown = signature;
  anew(group, draw);
}

/**
 * A shape that is made when it is to be seen for the first time: of what a stage could show, it shows little.
 * @template {SVGElement} S
 * @param {() => S} make @returns {(seen: boolean) => S | null}
 */
export function ifSeen(make) {
  /** @type {S | null} */
  let made = null;
  return (seen) => {
    if (seen) made ??= make();
    if (made) set(made, "visibility", seen ? "visible" : "hidden");
    return made;
  };
}

/**
 * A text that starts at x, y.
 * @param {Element} parent @param {string} said @param {number} x @param {number} y @param {number} size
 * @param {Record<string, Value>} [how] more attributes
 */
export function text(parent, said, x, y, size, how) {
  const shape = svg("text", { x, y, "font-size": size, ...how }, parent);
  say(shape, said);
  return shape;
}

/**
 * A text in the middle of x, its baseline at y.
 * @param {Element} parent @param {string} said @param {number} x @param {number} y @param {number} size
 * @param {Record<string, Value>} [how]
 */
export function centred(parent, said, x, y, size, how) {
  return text(parent, said, x, y, size, { "text-anchor": "middle", ...how });
}

/**
 * A rectangle around 0, 0.
 * @param {Element} parent @param {string} className @param {number} w @param {number} h @param {number} round
 */
export function box(parent, className, w, h, round) {
  return svg("rect", { ...(className && { class: className }), ...around(w, h, round) }, parent);
}

/** The attributes of a rectangle around 0, 0. @param {number} w @param {number} h @param {number} round */
export function around(w, h, round) {
  return { x: -w / 2, y: -h / 2, width: w, height: h, rx: round };
}

/** A cross, centred on x, 0. @param {Element} parent @param {number} x @param {number} reach */
export function cross(parent, x, reach) {
  const [left, right] = [x - reach, x + reach];
  const d = `M${left} ${-reach}L${right} ${reach}M${left} ${reach}L${right} ${-reach}`;
  return svg("path", { class: "cross", d }, parent);
}

/**
 * A bolt, centred on x, 0: the channel is partitioned.
 * @param {Element} parent @param {number} x @param {number} reach
 */
export function bolt(parent, x, reach) {
  const r = reach * 1.3;
  const d = `M${x + r * 0.35} ${-r}L${x - r * 0.5} ${r * 0.15}H${x + r * 0.5}L${x - r * 0.35} ${r}`;
  return svg("path", { class: "cross bolt", d }, parent);
}

/** The transformation that moves a shape to a point. @param {Point} to */
export function moved({ x, y }) {
  return `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
}

/** The class of what has the colour of the selected snapshot. @param {number} hue */
export function hued(hue) {
  return hue === 2 && "hue2";
}

/** The class of a shape. @param {unknown[]} names without what is not there */
export function classes(...names) {
  let all = "";
  for (const name of names) if (name) all = all ? `${all} ${name}` : `${name}`;
  return all;
}

/** Is everything in `b` the same in `a`? @param {Record<string, unknown>} a @param {Record<string, unknown>} b */
export function isSame(a, b) {
  for (const key in b) if (a[key] !== b[key]) return false;
  return true;
}
