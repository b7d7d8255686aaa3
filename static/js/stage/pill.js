/** Messages, markers and recorded parts as shapes. Draws. */

import { set, say, svg } from "../svg.js";
import { fit, measure } from "./letters.js";

/** What is written on a message, cut to what a tube can carry. */
export function label(message, plan, words) {
  if (plan.look === "grid") return "";
  const text = words.readable(message.payload);
  return fit(text, plan.font, plan.look === "row" ? 84 : plan.look === "wires" ? plan.wide - 9 : 46);
}

/** How wide a message is in a tube. */
export function width(message, plan, words) {
  if (message.kind === "marker") return plan.pill + (plan.look === "row" ? 8 : 4);
  if (message.kind === "part") return plan.look === "row" ? 44 : 16;
  if (plan.look === "grid") return plan.pill;
  if (plan.look === "wires") return Math.min(plan.wide, Math.max(plan.pill + 4, measure(label(message, plan, words), plan.font) + 9));
  return Math.max(plan.pill + 6, measure(label(message, plan, words), plan.font) + (plan.look === "row" ? 20 : 12));
}

/**
 * One message, centred on 0, 0. It is a link, so that a click on it can make it arrive.
 * @returns {SVGElement}
 */
export function pill(message, plan, words) {
  const link = svg("a", { class: `message ${message.kind}`, "data-message": message.id });
  const shape = svg("g", {}, link);
  if (message.kind === "marker") marker(shape, message, plan);
  else if (message.kind === "part") part(shape, message, plan);
  else app(shape, message, plan, words);
  return link;
}

function app(shape, message, plan, words) {
  const w = width(message, plan, words);
  const h = plan.pill;
  svg("rect", { class: "halo", x: -w / 2 - 3, y: -h / 2 - 3, width: w + 6, height: h + 6, rx: h / 2 + 3 }, shape);
  svg("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: h / 2 }, shape);
  if (plan.look !== "grid") text(shape, label(message, plan, words), plan.font);
}

function marker(shape, message, plan) {
  const reach = plan.pill / 2 + { row: 3, circle: 1.5, wires: 0, grid: 0.5 }[plan.look];
  svg("path", { class: "halo", d: diamond(reach + 4) }, shape);
  svg("path", { class: "body", d: diamond(reach) }, shape);
  if (plan.look !== "grid" && message.snapshot !== null) text(shape, String(message.snapshot), Math.min(plan.font, plan.look === "wires" ? plan.pill * 0.6 : 13));
}

/** A recorded state on its way: a blue sheet with a folded corner. */
function part(shape, message, plan) {
  const big = plan.look === "row";
  const s = big ? 1 : plan.look === "grid" ? 0.5 : 0.75;
  const x = big ? -20 : -6 * s;
  svg("path", { class: "sheet", d: `M${x} ${-9 * s}h${9 * s}l${5 * s} ${5 * s}v${13 * s}h${-14 * s}z` }, shape);
  svg("path", { class: "lines", d: `M${x + 3 * s} ${-1 * s}h${8 * s}M${x + 3 * s} ${3.5 * s}h${8 * s}` }, shape);
  if (big) {
    const name = text(shape, fit(String(message.payload), 12, 40), 12);
    name.setAttribute("x", 0);
    name.setAttribute("text-anchor", "start");
  }
}

function diamond(reach) {
  return `M0 ${-reach}L${reach} 0L0 ${reach}L${-reach} 0z`;
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

/** Put a message where it is. */
export function place(link, at, shade, scale = 1) {
  set(link, "transform", `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})${scale === 1 ? "" : ` scale(${scale.toFixed(3)})`}`);
  set(link, "opacity", shade >= 1 ? null : shade.toFixed(2));
}
