/** A blank screen, so that a class looks at the lecturer; any key or click brings the picture back. Draws. */

import { as, first } from "./page.js";
import { html } from "./svg.js";

/** @param {import("./types.js").Words} words */
export function blank(words) {
  const sheet = html("button", "blank", html("span", "unseen", words.word("player.blank")), html("kbd", "", "b"));
  sheet.type = "button";
  sheet.hidden = true;
  first(document, "main").append(sheet);
  /** @type {HTMLElement | SVGElement | null} */
  let before = null;

  function turn() {
    if (sheet.hidden) before = as(document.activeElement) ?? as(document.activeElement, SVGElement);
    sheet.hidden = !sheet.hidden;
    if (sheet.hidden) before?.focus();
    else sheet.focus();
  }

  sheet.addEventListener("click", turn);
  sheet.addEventListener("keydown", (event) => {
    event.preventDefault();
    event.stopPropagation();
    turn();
  });
  return turn;
}
