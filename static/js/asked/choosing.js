/** Keeps a choice that is not yet submitted when the visitor switches the language of a question. Stores. */

import { enter } from "../entries.js";
import { all } from "../page.js";
import { keepValue, takeValue } from "../storage.js";

const NAME = "bluecut.choosing";

/** Which question it is. @param {HTMLElement} asked */
const named = (asked) => `${location.pathname} ${asked.dataset.question}`;

/** Store the choice for the next page. @param {HTMLElement} asked */
export function keep(asked) {
  const form = asked.querySelector("form");
  if (!form || asked.dataset.right !== undefined) return;
  keepValue(NAME, { of: named(asked), entries: [...new FormData(form)] }, { tab: true });
}

/** Restore the choice, before it is made into lists. @param {HTMLElement} asked */
export function again(asked) {
  const kept = takeValue(NAME);
  const form = asked.querySelector("form");
  if (!form || asked.dataset.right !== undefined || kept?.of !== named(asked)) return;
  enter(form, kept.entries);
  const values = kept.entries.flatMap((/** @type {string[]} */ [name, value]) => (name === "answer" ? [value] : []));
  for (const row of all(asked, ".asked-place")) row.dataset.place = String(values.indexOf(row.dataset.value) + 1);
}
