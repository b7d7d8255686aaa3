/**
 * The page of costs: the value of a slider while it moves, and the address, which has the values of all. The server
 * knows what was measured there; it is asked when a slider comes to rest (htmx). Before a part is shown, visitors
 * say what they expect; after that it is shown for all settings.
 */

import { elsewhere } from "./language.js";
import { all, as, data, filled, first, one, query } from "./page.js";
import { wanted } from "./wishes.js";

const form = one("costs", HTMLFormElement);

form.addEventListener("input", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || target.type !== "range") return;
  const text = [target.value, target.dataset.unit].filter(Boolean).join(" ");
  first(document, `output[for="${target.id}"]`).textContent = text;
  if (target.dataset.unit) target.setAttribute("aria-valuetext", text);
});

form.addEventListener("change", () => {
  history.replaceState(null, "", `${location.pathname}?${query(new FormData(form))}${location.hash}`);
  elsewhere(location.href);
});

/** @type {Set<string>} the parts that have been bet on */
const bet = new Set();

/** Cover the parts that nobody has bet on yet. */
function cover() {
  if (!wanted("predict")) return;
  for (const question of all(document, ".costs-bet")) {
    const part = /** @type {HTMLElement} */ (question.parentElement);
    if (bet.has(part.id) || !question.hidden) continue;
    question.hidden = false;
    part.classList.add("covered");
    question.addEventListener("click", ({ target }) => {
      const { bet: chosen, right } = as(target)?.dataset ?? {};
      if (chosen === undefined) return;
      bet.add(part.id);
      question.hidden = true;
      part.classList.remove("covered");
      const said = first(part, ".costs-bet-said");
      said.textContent = right === undefined ? filled(data(said, "wrong"), { bet: chosen }) : data(said, "right");
      said.hidden = false;
      said.tabIndex = -1;
      said.focus({ preventScroll: true });
    });
  }
}

cover();
document.addEventListener("htmx:after:swap", cover);
