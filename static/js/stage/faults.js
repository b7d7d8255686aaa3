/** Faults that a check found in a channel: dashed, with a cross and a word. Draws. */

import { svg } from "../svg.js";
import { named } from "./labels.js";
import { fit, measure } from "./letters.js";
import { bolt, box, cross, text } from "./shapes.js";

/** @import { Fault, Mark, Worded, Words } from "./types.js" */

/**
 * A fault with its word.
 * @param {Fault} fault @param {number} size @param {{barriers: boolean}} channel @param {Words} words @returns {Worded}
 */
export function worded({ kind, message }, size, channel, words) {
  const inside = message ? fit(named(message, channel, words), size, 60) : "";
  const word = words.word(`player.stage.fault.${kind}`);
  const w = inside ? measure(inside, size) + 30 : 20;
  return { kind, text: inside, word, size, w, wide: w + 6 + measure(word, size) + 10 };
}

/**
 * The message of a fault and the word for it, or as much of that as fits.
 * @param {Fault} fault @param {number} size @param {number} room @param {{barriers: boolean}} channel
 * @param {Words} words
 */
export function brief({ kind, message }, size, room, channel, words) {
  const word = words.word(`player.stage.fault.${kind}`);
  if (!message) return measure(word, size) <= room ? word : "";
  const name = named(message, channel, words);
  const whole = `${name} ${word}`;
  return measure(whole, size) <= room ? whole : fit(name, size, room);
}

/**
 * Draw faults with their words, from x on.
 * @param {Element} parent @param {Worded[]} marks @param {number} x @param {number} y
 */
export function faultLine(parent, marks, x, y) {
  let next = x;
  for (const each of marks) {
    faultMark(parent, each, next + each.w / 2, y, 20);
    if (each.word) text(parent, each.word, next + each.w + 6, y + each.size * 0.36, each.size, { class: "wrong-word" });
    next += each.wide;
  }
}

/**
 * Draw a dashed outline with a cross and a text.
 * @param {Element} parent @param {Mark} mark @param {number} x @param {number} y @param {number} h
 */
export function faultMark(parent, { kind, text: inside, size, w }, x, y, h) {
  const shape = svg("g", { class: "fault", transform: `translate(${x} ${y})` }, parent);
  box(shape, "", w, h, h / 2);
  const left = (h - w) / 2;
  (kind === "partitioned" ? bolt : cross)(shape, inside ? left : 0, Math.min(4, h / 4));
  if (inside) text(shape, inside, left + 9, size * 0.36, size);
}
