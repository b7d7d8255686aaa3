/** Keeps a choice that is not yet submitted when the visitor switches the language of a question. Computes. */

import { keepValue, takeValue } from "../storage.js";

const NAME = "bluecut.choosing";

/** Store the choice for the next page. @param {HTMLElement} asked */
export function keep(asked) {
  const form = asked.querySelector("form");
  if (!form || asked.dataset.right !== undefined) return;
  const chosen = new FormData(form).getAll("answer");
  keepValue(NAME, { path: location.pathname, question: asked.dataset.question, chosen }, { tab: true });
}

/** Restore the choice, before it is made into lists. @param {HTMLElement} asked */
export function again(asked) {
  const kept = takeValue(NAME);
  if (asked.dataset.right !== undefined || kept?.path !== location.pathname || kept.question !== asked.dataset.question)
    return;
  const { chosen } = kept;
  for (const row of /** @type {NodeListOf<HTMLElement>} */ (asked.querySelectorAll(".asked-place"))) {
    row.dataset.place = String(chosen.indexOf(row.dataset.value) + 1);
  }
  for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (asked.querySelectorAll("input[name=answer]"))) {
    if (input.type === "text") input.value = chosen[0] ?? "";
    else input.checked = chosen.includes(input.value);
  }
}
