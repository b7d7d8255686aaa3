/** What is entered in a form and not sent yet stays in this tab: going back, or loading again, loses nothing. Stores. */

import { as, data } from "./page.js";
import { keepValue, valueOf } from "./storage.js";

const NAME = "bluecut.unsent";

/** @typedef {[name: string, value: string]} Entry */

/** Enter again what was entered. @param {HTMLFormElement} form @param {Entry[]} entries */
function enter(form, entries) {
  const left = [...entries];
  for (const field of form.elements) {
    if (field instanceof HTMLInputElement && ["radio", "checkbox"].includes(field.type))
      field.checked = entries.some(([name, value]) => name === field.name && value === field.value);
    else if (field instanceof HTMLSelectElement || (field instanceof HTMLInputElement && field.type === "text")) {
      const at = left.findIndex(([name]) => name === field.name);
      if (at >= 0) field.value = left.splice(at, 1)[0][1];
    }
  }
}

const form = as(document.querySelector("form[data-unsent]"), HTMLFormElement);
if (form) {
  const of = `${form.action} ${data(form, "unsent")}`;
  const kept = valueOf(NAME, { tab: true });
  if (kept?.of === of) enter(form, kept.entries);
  form.addEventListener("input", () => keepValue(NAME, { of, entries: [...new FormData(form)] }, { tab: true }));
}
