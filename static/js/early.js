/** What was entered before the scripts of the page were there counts as if it were entered now. Wires. */

import { all } from "./page.js";

/** @param {HTMLInputElement | HTMLSelectElement} field */
function entered(field) {
  if (field instanceof HTMLSelectElement) {
    const given = [...field.options].findLast((each) => each.defaultSelected) ?? field.options[0];
    return field.selectedOptions[0] !== given;
  }
  if (["hidden", "file"].includes(field.type)) return false;
  if (field.type === "range") return Number(field.value) !== Number(field.defaultValue);
  return field.value !== field.defaultValue || field.checked !== field.defaultChecked;
}

// A browser that loads a page again may have restored its fields.
const [{ type: how = "" } = {}] = /** @type {PerformanceNavigationTiming[]} */ (
  performance.getEntriesByType("navigation")
);
const early = [...all(document, "input", HTMLInputElement), ...all(document, "select", HTMLSelectElement)]
  .filter((field) => how === "navigate" && entered(field))
  .map((field) => ({ field, value: field.value, checked: "checked" in field && field.checked }));

/** @param {HTMLInputElement | HTMLSelectElement} field @param {string} value @param {boolean} checked */
function enter(field, value, checked) {
  const ticks = ["radio", "checkbox"].includes(field.type);
  if (field.type === "radio" && !checked) return;
  if (ticks) Object.assign(field, { checked });
  else if (field.value !== value) field.value = value;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  const focused = field === document.activeElement;
  const list = field instanceof HTMLSelectElement;
  // Who still types, or goes through a list that leads on, changes it later.
  if (focused && list && field.closest(".lists")) field.form?.classList.add("pending");
  else if (!focused || list || ticks || field.type === "range")
    field.dispatchEvent(new Event("change", { bubbles: true }));
}

// htmx listens when the document is ready; by then, other scripts may have entered something else.
document.addEventListener("DOMContentLoaded", () =>
  setTimeout(() => {
    for (const { field, value, checked } of early) enter(field, value, checked);
  }),
);
