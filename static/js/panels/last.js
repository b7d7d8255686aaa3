/** The end card: the verdict on a run, the sum, and what was recorded. Draws. */

import { html, icon } from "../svg.js";
import { pieces } from "../words.js";

/** @import { Card, Words } from "../types.js" */

/** The sign of each tone. */
const SIGNS = { right: "holds", wrong: "fails", waiting: "waiting", "given-up": "given-up" };

/**
 * The parts of a card, its headline first. Where the author has the last word, what holds for every right run is left out.
 * @param {Card} card @param {Words} words @param {boolean} noted @returns {HTMLElement[]}
 */
export function lastWord(card, words, noted) {
  const told = pieces(words.marked(card.said));
  const strong = told.findIndex((piece) => piece.strong);
  const headline = html("p", "verdict-line");
  headline.dataset.tone = card.tone;
  const sign = SIGNS[/** @type {keyof typeof SIGNS} */ (card.tone)];
  if (sign) headline.append(icon(sign));
  headline.append(html("strong", "", told[strong].text.trim()));
  const why = told
    .filter((_, i) => i !== strong)
    .map((piece) => piece.text)
    .join("")
    .trim();
  const parts = [headline];
  for (const [text, right] of card.sums) parts.push(sum(text, right));
  if (why && !(noted && card.tone === "right")) parts.push(html("p", "verdict-why", why));
  if (card.recorded) parts.push(html("p", "verdict-recorded", words.told([card.recorded])));
  return parts;
}

/** A sum, with whether it comes out. @param {string} text @param {boolean} right */
function sum(text, right) {
  const at = text.lastIndexOf(" = ");
  const made = html("p", "verdict-sum", text.slice(0, at));
  // The end of a sum never breaks: “= 2 ≠ 1” is what counts.
  const end = html("b", right ? "" : "wrong", text.slice(at).replaceAll(" ", "\u00a0"));
  end.append(icon(right ? "holds" : "fails"));
  made.append(end);
  return made;
}

/** Show a card, or hide it; its last child, the moves, stays. @param {HTMLElement} host @param {HTMLElement[] | null} parts */
export function fill(host, parts) {
  host.replaceChildren(...(parts ?? []), ...host.querySelectorAll(".moves"));
  host.hidden = !parts;
}
