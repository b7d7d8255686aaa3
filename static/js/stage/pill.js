/** Messages, markers, control messages and what travels beside the channels, as shapes. Draws. */

import { spoken } from "../run/sign.js";
import { set, say, svg } from "../svg.js";
import { fit, measure } from "./letters.js";
import { tagged } from "./tag.js";

/** How wide a label may be, by look; on wires it depends on the plan. */
const WIDE = { row: 84, circle: 46 };

/** How much smaller the word of a control message may be, so that it is not shortened. */
const SMALLER = 0.64;

/** The text on a message, shortened to fit into a tube. */
export function label(message, plan, words) {
  return lettering(message, plan, words).said;
}

/** The same, with its size. A word with hardly anything left is omitted: the tip has it whole. */
function lettering(message, plan, words) {
  if (plan.look === "grid") return { said: "", size: plan.font };
  const asked = message.kind === "control";
  const text = words.readable(asked ? spoken(message.payload) : message.payload);
  const room = (WIDE[plan.look] ?? plan.wide - (asked ? 6 : 9)) - (plan.look === "wires" ? tagRoom(message, plan) : 0);
  // An item with its key is as long as a word.
  if (!asked && !plan.base?.roles?.[plan.base.names[0]]) return { said: fit(text, plan.font, room), size: plan.font };
  const size = plan.font * Math.max(SMALLER, Math.min(1, room / measure(text, plan.font)));
  const said = fit(text, size, room);
  return { said: said === text || said.length > 4 ? said : "…", size };
}

/** How much room the tag of a message takes. */
function tagRoom(message, plan) {
  return message.tag === null || message.kind !== "app" || plan.look === "grid" ? 0 : plan.look === "row" ? 20 : 14;
}

/** How wide a message is in a tube. */
export function width(message, plan, words) {
  if (message.kind === "marker") return plan.base?.barriers ? barrierWidth(plan) + 2 : plan.pill + (plan.look === "row" ? 8 : 4);
  if (message.kind === "part" || message.kind === "word") return plan.look === "row" ? Math.max(44, measure(aside(message, words), 12) + 24) : 16;
  if (plan.look === "grid") return plan.pill;
  const { said, size } = lettering(message, plan, words);
  const long = measure(said, size) + tagRoom(message, plan);
  if (plan.look === "wires") return Math.min(plan.wide, Math.max(plan.pill + 4, long + 9));
  return Math.max(plan.pill + 6, long + (plan.look === "row" ? 20 : 12));
}

/** The text beside a message that travels outside the channels. */
function aside(message, words) {
  return fit(message.kind === "word" ? words.readable(spoken(message.payload[2])) : String(message.payload), 12, 84);
}

/** A key that is equal for messages that look the same. */
export function signature(message, plan, words) {
  return `${message.kind}|${label(message, plan, words)}|${message.snapshot}|${JSON.stringify(message.tag)}`;
}

/**
 * One message, centred on 0, 0. It is a link, so that a click on it can make it arrive.
 * @returns {SVGElement}
 */
export function pill(message, plan, words) {
  const link = svg("a", { class: `message ${message.kind}` });
  const shape = svg("g", {}, link);
  if (message.kind === "marker") marker(shape, message, plan);
  else if (message.kind === "control") control(shape, message, plan, words);
  else if (message.kind === "part") part(shape, message, plan);
  else if (message.kind === "word") word(shape, message, plan, words);
  else app(shape, message, plan, words);
  return link;
}

function app(shape, message, plan, words) {
  const w = width(message, plan, words);
  const h = plan.pill;
  svg("rect", { class: "halo", x: -w / 2 - 3, y: -h / 2 - 3, width: w + 6, height: h + 6, rx: h / 2 + 3 }, shape);
  svg("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: h / 2 }, shape);
  if (plan.look === "grid") return;
  const room = tagRoom(message, plan);
  const said = text(shape, label(message, plan, words), plan.font);
  if (!room) return;
  said.setAttribute("x", room / 2 - 1);
  ring(shape, message.tag, -w / 2 + h / 2 - (plan.look === "row" ? 0 : 1), plan);
}

/** What a message carries: a ring with a letter or a number, striped if the colour is red. */
function ring(shape, tag, x, plan) {
  const { text: said, red } = tagged(tag, plan.base);
  const r = plan.look === "row" ? 9 : Math.min(6.5, plan.pill / 2 - 2);
  const group = svg("g", { class: `tag${red ? " red" : ""}`, transform: `translate(${x} 0)` }, shape);
  svg("circle", { r }, group);
  if (red) svg("path", { d: `M${-r * 0.86} ${-r * 0.5}L${r * 0.5} ${r * 0.86}` }, group);
  text(group, said, r * (said.length > 1 ? 1 : 1.25));
}

function marker(shape, message, plan) {
  if (plan.base?.barriers) {
    barrier(shape, message, plan);
    return;
  }
  const reach = plan.pill / 2 + { row: 3, circle: 1.5, wires: 0, grid: 0.5 }[plan.look];
  svg("path", { class: "halo", d: diamond(reach + 4) }, shape);
  svg("path", { class: "body", d: diamond(reach) }, shape);
  if (plan.look !== "grid" && message.snapshot !== null) text(shape, String(message.snapshot), Math.min(plan.font, plan.look === "wires" ? plan.pill * 0.6 : 13));
}

/** A barrier of a dataflow: an upright bar with the number of its snapshot. */
function barrier(shape, message, plan) {
  const h = plan.pill + { row: 8, circle: 6, wires: 5, grid: 2 }[plan.look];
  const w = barrierWidth(plan);
  svg("rect", { class: "halo", x: -w / 2 - 3, y: -h / 2 - 3, width: w + 6, height: h + 6, rx: 3 }, shape);
  svg("rect", { class: "body bar", x: -w / 2, y: -h / 2, width: w, height: h, rx: 2 }, shape);
  if (plan.look === "grid" || message.snapshot === null) return;
  const said = String(message.snapshot);
  text(shape, said, Math.min(plan.look === "row" ? 14 : 12, (w - 2) / measure(said, 1)));
}

function barrierWidth(plan) {
  return { row: 15, circle: 13, wires: 12, grid: 4 }[plan.look];
}

/** A control message other than a marker: a ticket with pointed ends, and its word. */
function control(shape, message, plan, words) {
  const w = width(message, plan, words);
  const h = plan.pill - (plan.look === "row" ? 4 : 1);
  svg("path", { class: "halo", d: ticket(w + 6, h + 6) }, shape);
  svg("path", { class: "body", d: ticket(w, h) }, shape);
  const { said, size } = lettering(message, plan, words);
  text(shape, said, size);
}

/** A recorded state on its way: a blue sheet with a folded corner. */
function part(shape, message, plan) {
  const big = plan.look === "row";
  const s = big ? 1 : plan.look === "grid" ? 0.5 : 0.75;
  const x = big ? -20 : -6 * s;
  svg("path", { class: "sheet", d: `M${x} ${-9 * s}h${9 * s}l${5 * s} ${5 * s}v${13 * s}h${-14 * s}z` }, shape);
  svg("path", { class: "lines", d: `M${x + 3 * s} ${-1 * s}h${8 * s}M${x + 3 * s} ${3.5 * s}h${8 * s}` }, shape);
  if (big) beside(shape, aside(message));
}

/** What one process tells another: a balloon. */
function word(shape, message, plan, words) {
  const big = plan.look === "row";
  const s = big ? 1 : plan.look === "grid" ? 0.5 : 0.75;
  const x = big ? -20 : -7 * s;
  svg("path", { class: "sheet", d: `M${x} ${-8 * s}h${15 * s}v${11 * s}h${-8 * s}l${-4 * s} ${5 * s}v${-5 * s}h${-3 * s}z` }, shape);
  svg("path", { class: "lines", d: `M${x + 3 * s} ${-4.5 * s}h${9 * s}M${x + 3 * s} ${-1 * s}h${6 * s}` }, shape);
  if (big) beside(shape, aside(message, words));
}

function beside(shape, said) {
  const name = text(shape, said, 12);
  name.setAttribute("x", 0);
  name.setAttribute("text-anchor", "start");
}

function diamond(reach) {
  return `M0 ${-reach}L${reach} 0L0 ${reach}L${-reach} 0z`;
}

/** A box with pointed ends. */
function ticket(w, h) {
  const tip = Math.min(h / 2, w / 2, 6);
  return `M${-w / 2} 0L${-w / 2 + tip} ${-h / 2}H${w / 2 - tip}L${w / 2} 0L${w / 2 - tip} ${h / 2}H${-w / 2 + tip}z`;
}

function text(parent, said, size) {
  const element = svg("text", { y: size * 0.36, "font-size": size, "text-anchor": "middle" }, parent);
  say(element, said);
  return element;
}

/** A small cross, centred on x, 0. */
export function cross(parent, x, reach) {
  return svg("path", { class: "cross", d: `M${x - reach} ${-reach}L${x + reach} ${reach}M${x - reach} ${reach}L${x + reach} ${-reach}` }, parent);
}

/** A small bolt, centred on x, 0: the channel is partitioned. */
export function bolt(parent, x, reach) {
  const r = reach * 1.3;
  return svg("path", { class: "cross bolt", d: `M${x + r * 0.35} ${-r}L${x - r * 0.5} ${r * 0.15}H${x + r * 0.5}L${x - r * 0.35} ${r}` }, parent);
}

/** Put a message where it is. */
export function place(link, at, shade, scale = 1) {
  set(link, "transform", `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})${scale === 1 ? "" : ` scale(${scale.toFixed(3)})`}`);
  set(link, "opacity", shade >= 1 ? null : shade.toFixed(2));
}
