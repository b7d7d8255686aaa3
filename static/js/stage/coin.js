/** Tokens, as coins: a letter inside a rim. Draws. The same as app/pictures/stage/coins.py. */

import { svg } from "../svg.js";
import { measure } from "./letters.js";
import { centred, text } from "./shapes.js";

/** The letter on a coin: what the program calls a token. */
const SIGN = "T";
/** More than so many are counted. */
const MOST = 3;
/** In radii of the coin: of its rim, and of the count beside it. */
const RIM = 0.74;
const COUNT = 1.1;
/** The most radii that a letter has, and in a lecture; and the size that it has on small coins if it can. */
const LETTER = 1.35;
const LOUD = 1.5;
const BRIEF = 13;
/** Between two coins. */
const APART = 3;

/**
 * What is on a coin.
 * @param {Element} parent @param {number} x @param {number} y @param {number} r
 * @param {{loud: number, least: number}} [lecture] in which letters on channels are larger
 */
export function face(parent, x, y, r, lecture) {
  const group = svg("g", { class: "coin", transform: `translate(${x} ${y})` }, parent);
  svg("circle", { class: "rim", r: r * RIM }, group);
  const loud = lecture && lecture.loud > lecture.least ? Math.min(lecture.loud, r * LOUD) : 0;
  const size = Math.max(r, Math.min(BRIEF, r * LETTER), loud);
  centred(group, SIGN, 0, size * 0.36, size);
}

/** How wide so many coins are. @param {number} count @param {number} r */
export function wide(count, r) {
  const shown = count > MOST ? 1 : Math.max(1, count);
  return (
    shown * (2 * r + APART) - APART + (count > MOST ? APART + measure(`×${count}`, Math.max(BRIEF, r * COUNT)) : 0)
  );
}

/**
 * Coins side by side; the place of a coin if there is none.
 * @param {Element} parent @param {number} count @param {number} left @param {number} y @param {number} r
 */
export function coins(parent, count, left, y, r) {
  const shown = count > MOST ? 1 : Math.max(1, count);
  for (let i = 0; i < shown; i += 1) {
    const x = left + r + i * (2 * r + APART);
    svg("circle", { class: count ? "piece" : "piece none", cx: x, cy: y, r }, parent);
    if (count) face(parent, x, y, r);
  }
  const size = Math.max(BRIEF, r * COUNT);
  if (count > MOST) text(parent, `×${count}`, left + 2 * r + APART, y + size * 0.36, size, { class: "value" });
}
