/** Enters in a form again what was entered in it on another page. Draws. */

/** @typedef {[name: string, value: string]} Entry */

/** @param {HTMLFormElement} form @param {Entry[]} entries as in its `FormData` */
export function enter(form, entries) {
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
