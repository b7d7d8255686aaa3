/** Keeps a choice that is not yet submitted when the visitor switches the language of a question. Computes. */

const NAME = "bluecut.choosing";

/** Store the choice for the next page. @param {HTMLElement} asked */
export function keep(asked) {
  const form = asked.querySelector("form");
  if (!form || asked.dataset.right !== undefined) return;
  const chosen = new FormData(form).getAll("answer");
  try {
    sessionStorage.setItem(NAME, JSON.stringify({ path: location.pathname, question: asked.dataset.question, chosen }));
  } catch {
    // Without storage the choice starts empty.
  }
}

/** Restore the choice, before it is made into lists. @param {HTMLElement} asked */
export function again(asked) {
  /** @type {*} */
  let kept;
  try {
    kept = JSON.parse(sessionStorage.getItem(NAME) ?? "null");
    sessionStorage.removeItem(NAME);
  } catch {
    return;
  }
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
