/** Reports an invalid answer in the page's words, not the browser's. Wires. */

import { data } from "../page.js";

/** @param {HTMLFormElement} form */
export function says(form) {
  form.noValidate = false;
  const fields = /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[required]"));
  for (const field of fields) {
    field.addEventListener("invalid", () => field.setCustomValidity(data(form, "says")));
    field.addEventListener("input", () => fields.forEach((each) => each.setCustomValidity("")));
  }
}
