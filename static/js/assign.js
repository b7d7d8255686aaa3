/**
 * What is handy about assignments, with scripts: links and answers are copied with a button, and files are read into the
 * text, so that they are pasted by nobody. Files leave the browser only with the form.
 */

import { as } from "./page.js";

for (const button of document.querySelectorAll(".assign-copy > button")) {
  const copy = as(button, HTMLButtonElement);
  const field = button.previousElementSibling;
  if (!copy || !(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) continue;
  copy.hidden = !navigator.clipboard;
  field.addEventListener("focus", () => field.select());
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(field.value);
    copy.textContent = copy.dataset.done ?? "";
  });
}

const files = as(document.getElementById("files"), HTMLInputElement);
const text = as(document.getElementById("text"), HTMLTextAreaElement);
if (files && text) {
  const row = as(files.closest("p"));
  if (row) row.hidden = false;
  files.addEventListener("change", async () => {
    const read = await Promise.all([...(files.files ?? [])].map((file) => file.text()));
    text.value = [text.value.trim(), ...read.map((one) => one.trim())].filter(Boolean).join("\n");
    files.value = "";
  });
}
