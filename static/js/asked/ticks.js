/** Either something is ticked that applies, or that nothing does. Draws. */

import { all, as } from "../page.js";

/** The value of the tick that says that nothing applies. */
const NONE = "-";

/** @param {Event} event */
function either({ target }) {
  const ticked = as(target, HTMLInputElement);
  if (ticked?.type !== "checkbox" || !ticked.checked || !ticked.closest(".asked-options")) return;
  for (const other of all(ticked.form ?? document, ".asked-options input[type=checkbox]", HTMLInputElement)) {
    if (other !== ticked && (other.value === NONE || ticked.value === NONE)) other.checked = false;
  }
}

document.addEventListener("change", either, { capture: true }); // before a picture follows
