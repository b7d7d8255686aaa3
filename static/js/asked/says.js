/** What is no answer is told in the words of the page, not in those of the browser. Wires. */

/** @param {HTMLFormElement} form */
export function says(form) {
  form.noValidate = false;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[required]"));
  for (const field of fields) {
    field.addEventListener("invalid", () => field.setCustomValidity(form.dataset.says));
    field.addEventListener("input", () => fields.forEach((each) => each.setCustomValidity("")));
  }
}
