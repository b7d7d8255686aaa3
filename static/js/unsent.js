/** What is entered in a form and not sent yet stays in this tab: going back, or loading again, loses nothing. Stores. */

import { enter } from "./entries.js";
import { as, data } from "./page.js";
import { keepValue, valueOf } from "./storage.js";

const NAME = "bluecut.unsent";

const form = as(document.querySelector("form[data-unsent]"), HTMLFormElement);
if (form) {
  const action = new URL(form.action);
  action.searchParams.delete("lang"); // in the other language it is the same form
  const of = `${action.href} ${data(form, "unsent")}`;
  const kept = valueOf(NAME, { tab: true });
  if (kept?.of === of) enter(form, kept.entries);
  form.addEventListener("input", () => keepValue(NAME, { of, entries: [...new FormData(form)] }, { tab: true }));
}
