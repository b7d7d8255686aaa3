/** Cells side by side, at the foot of a process. Draws. */

import { svg } from "../svg.js";
import { TIGHT, fit, measure, total } from "./letters.js";
import { centred, text } from "./shapes.js";

/** @import { Cell, Ground } from "./types.js" */

/** Between two cells. */
export const AIR = 2;

/** @param {Ground} ground @param {Cell} cell */
function widthOf({ font }, { text: said }) {
  return Math.max(font + 2, Math.min(44, measure(said, font) + 6));
}

/** @param {Ground} ground */
function baseline({ place, font }) {
  return place.y + place.h / 2 + font * 0.36 + 0.5;
}

/** Draw one cell. @param {Ground} ground @param {Cell} cell @param {number} x @param {number} w */
function draw(ground, { text: said, how }, x, w) {
  const { group, place, font } = ground;
  const shape = svg("g", { class: `cell ${how}` }, group);
  const height = place.h - 1;
  const round = how === "pending" || how === "unheard" ? height / 2 : 2;
  svg("rect", { x, y: place.y + 1, width: w, height, rx: round }, shape);
  centred(shape, fit(said, font, (w - 3) / TIGHT), x + w / 2, baseline(ground), font);
}

/** Draw a word in the middle. @param {Ground} ground @param {string} said */
export function word(ground, said) {
  const { group, place, font } = ground;
  centred(group, fit(said, font, place.w), place.x + place.w / 2, baseline(ground), font, { class: "does" });
}

/**
 * Draw the last cells; before them a heading, and the number of omitted ones.
 * @param {Ground} ground @param {Cell[]} all @param {string} [heading]
 */
export function lastCells(ground, all, heading = "") {
  const { group, place, font } = ground;
  const wide = all.map((cell) => widthOf(ground, cell));
  let hidden = all.length;
  let room = place.w - (heading ? measure(heading, font) + 4 : 0);
  while (hidden > 0 && wide[hidden - 1] + AIR <= room - (hidden > 1 ? 18 : 0)) room -= wide[(hidden -= 1)] + AIR;
  if (hidden && hidden === all.length) hidden -= 1;
  const widths = wide.slice(hidden).map((w) => Math.min(w, place.w - 20));
  const before = [heading, hidden ? `+${hidden}` : ""].filter(Boolean).join(" ");
  const long = before ? measure(before, font) + 4 : 0;
  let x = place.x + (place.w - total(widths, AIR) + AIR - long) / 2;
  if (before) text(group, before, x, baseline(ground), font, { class: "hidden" });
  x += long;
  widths.forEach((w, i) => {
    draw(ground, all[hidden + i], x, w);
    x += w + AIR;
  });
}

/**
 * Draw as many cells as fit, including the last one read; a bar is before the next, dots are where there are more.
 * @param {Ground} ground @param {Cell[]} all @param {number} offset how many are read
 */
export function readCells(ground, all, offset) {
  const { group, place, font } = ground;
  const wide = all.map((cell) => widthOf(ground, cell));
  let first = Math.max(0, Math.min(offset, all.length) - 1);
  let end = first + 1;
  let room = place.w - 2 * font - (wide[first] ?? 0);
  while (end < all.length && wide[end] + AIR <= room) room -= wide[(end += 1) - 1] + AIR;
  while (first > 0 && wide[first - 1] + AIR <= room) room -= wide[(first -= 1)] + AIR;
  const long = total(wide.slice(first, end), AIR) - AIR;
  let x = place.x + (place.w - long) / 2;
  if (first > 0) dots(ground, x - 2, "end");
  if (end < all.length) dots(ground, x + long + 2, "start");
  for (let i = first; i < Math.min(end, all.length); i += 1) {
    if (i === offset) bar();
    draw(ground, all[i], x, wide[i]);
    x += wide[i] + AIR;
  }
  if (end === all.length && offset >= end) bar();

  function bar() {
    svg("path", { class: "offset", d: `M${x - AIR / 2} ${place.y - 1}V${place.y + place.h + 2}` }, group);
  }
}

/** @param {Ground} ground @param {number} x @param {string} anchor */
function dots(ground, x, anchor) {
  text(ground.group, "…", x, baseline(ground), ground.font, { class: "hidden", "text-anchor": anchor });
}
