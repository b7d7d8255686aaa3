/**
 * Lists that lead to another page: at once after a press, but not while keys go through them, as each key chooses. Then
 * the button of their form shows; and who used keys finds the focus on the list again. Wires.
 */

import { as } from "./page.js";
import { leaveValue, leftValue } from "./storage.js";

const NAME = "bluecut.list";

/** @param {HTMLFormElement[]} forms of a page */
export function lists(forms) {
  for (const form of forms) listen(form);
  const list = document.getElementById(leftValue(NAME) ?? "");
  if (forms.some((form) => form.contains(list))) list?.focus({ preventScroll: true });
}

/** @param {HTMLFormElement} form */
function listen(form) {
  form.classList.add("live");
  let keys = false;
  /** Would the last key choose, and not end the choice? */
  let through = false;
  let id = "";
  form.addEventListener("pointerdown", () => (keys = through = false));
  form.addEventListener("keydown", ({ key, target }) => {
    keys = true;
    through = target instanceof HTMLSelectElement ? key !== "Enter" && key !== " " : key.startsWith("Arrow");
  });
  form.addEventListener("change", ({ target }) => {
    id = as(target)?.id ?? "";
    if (through) form.classList.add("pending");
    else form.requestSubmit();
  });
  // Who goes back finds the list as the page is, not as it was left.
  addEventListener("pageshow", ({ persisted }) => {
    if (persisted) form.reset();
  });
  form.addEventListener("submit", () => {
    if (keys && id) leaveValue(NAME, id);
  });
}
