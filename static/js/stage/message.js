/** Messages, markers, control messages and what travels beside the channels, as shapes. Draws. */

import { set, svg } from "../svg.js";
import { face } from "./coin.js";
import { aside, barred, label, marked, ring, tagRoom, width } from "./labels.js";
import { box, centred, moved, text } from "./shapes.js";
import { tagged } from "./tag.js";

/** @import { Message, Point, Setting } from "./types.js" */

/**
 * @typedef {(shape: SVGGElement, message: Message, setting: Setting) => void} Draw
 * @typedef {(x: number, scale: number) => string} Outline the path of a sheet, from its left
 */

/** A letter that would have to be so much larger does not fit into its message. */
const MOST = 1.7;

/** @type {Record<Message["kind"], Draw>} */
const KINDS = {
  app,
  control,
  marker: (shape, message, setting) => (setting.base.barriers ? barrier : marker)(shape, message, setting),
  // A recorded state on its way: a blue sheet with a folded corner.
  part: sheet(
    6,
    (x, s) => `M${x} ${-9 * s}h${9 * s}l${5 * s} ${5 * s}v${13 * s}h${-14 * s}z`,
    (x, s) => `M${x} ${-1 * s}h${8 * s}M${x} ${3.5 * s}h${8 * s}`,
  ),
  // What one process tells another: a balloon.
  word: sheet(
    7,
    (x, s) => `M${x} ${-8 * s}h${15 * s}v${11 * s}h${-8 * s}l${-4 * s} ${5 * s}v${-5 * s}h${-3 * s}z`,
    (x, s) => `M${x} ${-4.5 * s}h${9 * s}M${x} ${-1 * s}h${6 * s}`,
  ),
};

/**
 * One message, centred on 0, 0. It is a link, so that a click on it can make it arrive.
 * @param {Message} message @param {Setting} setting
 */
export function shapeOf(message, setting) {
  const link = svg("a", { class: `message ${message.kind}` });
  KINDS[message.kind](svg("g", {}, link), message, setting);
  return link;
}

/** @type {Draw} */
function app(shape, message, setting) {
  const { look, pill } = setting;
  const w = width(message, setting);
  if (look === "row" || look === "circle") box(shape, "halo", w + 6, pill + 6, pill / 2 + 3);
  box(shape, "body", w, pill, pill / 2);
  if (look === "grid") return;
  const room = tagRoom(message, setting);
  if (setting.base.tokens) face(shape, (w - pill) / 2, 0, pill / 2, setting);
  else {
    const { said, size } = label(message, setting);
    written(shape, said, size, room ? room / 2 - 1 : 0);
  }
  if (room) tag(shape, message.tag, (pill - w) / 2 - (look === "row" ? 0 : 1), setting);
}

/**
 * What a message carries: a ring with a letter or a number, striped if the colour is red.
 * @param {Element} shape @param {any} carried @param {number} x @param {Setting} setting
 */
function tag(shape, carried, x, setting) {
  const { text: said, red } = tagged(carried, setting.base);
  const { r, half, size } = ring(said, setting);
  const group = svg("g", { class: red ? "tag red" : "tag", transform: `translate(${x - r + half} 0)` }, shape);
  box(group, "", 2 * half, 2 * r, r);
  if (red) svg("path", { d: `M${-r * 0.86} ${-r * 0.5}L${r * 0.5} ${r * 0.86}` }, group);
  written(group, said, size);
}

/** @type {Draw} */
function marker(shape, message, setting) {
  const { look, pill } = setting;
  const reach = pill / 2 + { row: 3, circle: 1.5, wires: 0, grid: 0.5 }[look];
  svg("path", { class: "body", d: diamond(reach) }, shape);
  if (look === "grid" || message.snapshot === null) return;
  written(shape, String(message.snapshot), marked(message, setting));
}

/** A barrier of a dataflow: an upright bar with the number of its snapshot. @type {Draw} */
function barrier(shape, message, setting) {
  const { look, pill, loud } = setting;
  const h = pill + { row: 8, circle: 6, wires: 5, grid: 2 }[look];
  const w = barred(look, loud);
  box(shape, "body bar", w, h, 2);
  if (look === "grid" || message.snapshot === null) return;
  written(shape, String(message.snapshot), marked(message, setting));
}

/** A control message other than a marker: a ticket with pointed ends, and its word. @type {Draw} */
function control(shape, message, setting) {
  const w = width(message, setting);
  const h = setting.pill - (setting.look === "row" ? 4 : 1);
  svg("path", { class: "body", d: ticket(w, h) }, shape);
  const { said, size } = label(message, setting);
  written(shape, said, size);
}

/**
 * A sheet with two lines of writing, and in a row its text beside it.
 * @param {number} left how far it reaches to the left @param {Outline} outline @param {Outline} lines
 * @returns {Draw}
 */
function sheet(left, outline, lines) {
  return (shape, message, setting) => {
    const { look, small } = setting;
    const big = look === "row";
    const scale = big ? 1 : look === "grid" ? 0.5 : 0.75;
    const x = big ? -20 : -left * scale;
    svg("path", { class: "sheet", d: outline(x, scale) }, shape);
    svg("path", { class: "lines", d: lines(x + 3 * scale, scale) }, shape);
    if (big) text(shape, aside(message, setting), 0, small * 0.36, small, { "text-anchor": "start" });
  };
}

/** @param {number} reach */
function diamond(reach) {
  return `M0 ${-reach}L${reach} 0L0 ${reach}L${-reach} 0z`;
}

/** A box with pointed ends. @param {number} w @param {number} h */
function ticket(w, h) {
  const tip = Math.min(h / 2, w / 2, 6);
  return `M${-w / 2} 0L${-w / 2 + tip} ${-h / 2}H${w / 2 - tip}L${w / 2} 0L${w / 2 - tip} ${h / 2}H${-w / 2 + tip}z`;
}

/** @param {Element} parent @param {string} said @param {number} size @param {number} [x] */
function written(parent, said, size, x = 0) {
  centred(parent, said, x, size * 0.36, size);
}

/**
 * Put a message where it is.
 * @param {SVGAElement} link @param {Point} at @param {number} shade how visible it is
 * @param {number} [scale] @param {number} [least] the size of the smallest letters: they do not shrink further
 */
export function place(link, at, shade, scale = 1, least = 0) {
  set(link, "transform", `${moved(at)}${scale === 1 ? "" : ` scale(${scale.toFixed(3)})`}`);
  set(link, "opacity", shade >= 1 ? null : shade.toFixed(2));
  if (!least || (scale === 1 && !link.dataset.small)) return;
  for (const each of link.querySelectorAll("text")) {
    const larger = Math.max(1, least / scale / Number(each.getAttribute("font-size")));
    const x = Number(each.getAttribute("x")) * (1 - larger);
    set(each, "transform", larger > 1 ? `translate(${x} 0) scale(${larger.toFixed(3)})` : null);
    // Alone, without its message, a letter says nothing.
    set(each, "visibility", larger > MOST && !each.closest(".tag") ? "hidden" : null);
  }
  if (scale === 1) delete link.dataset.small;
  else link.dataset.small = "";
}
