/** A blank screen, so that a class looks at the lecturer; any key or click brings the picture back. Draws. */

import { as, first, one } from "./page.js";
import { button, html } from "./svg.js";

/** @param {import("./types.js").Words} words */
export function blank(words) {
  const says = html("span", "unseen", words.word("player.blank"));
  const sheet = button({ class: "blank", hidden: true }, turn, says, html("kbd", "", "b"));
  first(document, "main").append(sheet);
  /** @type {HTMLElement | SVGElement | null} */
  let before = null;

  function turn() {
    if (sheet.hidden) before = as(document.activeElement) ?? as(document.activeElement, SVGElement);
    sheet.hidden = !sheet.hidden;
    if (sheet.hidden) before?.focus();
    else sheet.focus();
  }

  sheet.addEventListener("keydown", (event) => {
    event.preventDefault();
    event.stopPropagation();
    turn();
  });
  return turn;
}

/**
 * What the keys of a page do that has another size: its link leads there, and back.
 * @param {import("./types.js").Words} words @returns {Record<string, () => unknown>}
 */
export function sizes(words) {
  const turn = () => one("presenter").click();
  const dark = blank(words);
  const back = document.body.classList.contains("presenter") && { Escape: turn };
  return { p: turn, b: dark, ".": dark, ...back }; // clickers send the dot
}
