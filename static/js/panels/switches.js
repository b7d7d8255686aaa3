/**
 * The promises as switches. The server says how each of them would change this run; asked when first seen. Visitors guess
 * before they are told, and before they flip a switch.
 */

import { ask } from "../ask.js";
import { all, around, as, data, first } from "../page.js";
import { wanted } from "../wishes.js";

/** @param {HTMLElement} host */
export function switches(host) {
  const watch = new IntersectionObserver((seen) => {
    if (!seen.some((each) => each.isIntersecting)) return;
    watch.disconnect();
    load();
  });
  watch.observe(host);

  async function load() {
    const answer = await ask(data(host, "from"), { at: host, within: host, headers: { "hx-request": "true" } });
    if (answer) host.replaceChildren(...new DOMParser().parseFromString(answer.text, "text/html").body.children);
    if (wanted("predict")) for (const one of all(host, ".promise-guess")) guess(one);
  }

  // The space bar turns a switch, too.
  host.addEventListener("keydown", (event) => {
    if (event.key !== " " || around(event.target, "button")) return;
    event.preventDefault();
    event.stopPropagation();
    around(event.target, "a")?.click();
  });
}

/** Ask before the outcome is shown. @param {HTMLElement} question */
function guess(question) {
  const row = /** @type {HTMLElement} */ (question.closest(".promise"));
  const told = first(row, ".promise-told");
  question.hidden = false;
  told.hidden = true;
  question.addEventListener("click", ({ target }) => {
    const bet = as(target)?.dataset.bet;
    if (!bet) return;
    const said = first(row, ".promise-said");
    const right = bet === data(question, "outcome");
    said.textContent = data(said, right ? "right" : "wrong");
    said.hidden = told.hidden = false;
    question.hidden = true;
    first(row, ".promise-switch").focus({ preventScroll: true });
  });
  row.addEventListener("click", (event) => {
    if (question.hidden || !around(event.target, ".promise-switch")) return;
    event.preventDefault();
    first(question, "button").focus();
  });
}
