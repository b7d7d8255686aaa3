/** What was entered before the scripts of the page were there counts as if it were entered now. Wires. */

import { all } from "./page.js";

/** @param {HTMLInputElement | HTMLSelectElement} field */
function entered(field) {
  if (field instanceof HTMLSelectElement) {
    const given = [...field.options].findLast((each) => each.defaultSelected) ?? field.options[0];
    return field.selectedOptions[0] !== given;
  }
  if (field.type === "hidden") return false;
  if (field.type === "range") return Number(field.value) !== Number(field.defaultValue);
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

const early = [...all(document, "input", HTMLInputElement), ...all(document, "select", HTMLSelectElement)]
  .filter(entered)
  .map((field) => ({ field, value: field.value }));

// htmx listens when the document is ready; by then, other scripts may have entered something else.
document.addEventListener("DOMContentLoaded", () =>
  setTimeout(() => {
    for (const { field, value } of early) {
      field.value = value;
      for (const type of ["input", "change"]) field.dispatchEvent(new Event(type, { bubbles: true }));
    }
  }),
);
