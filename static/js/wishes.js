/**
 * What a visitor may turn off, in this browser: `predict`, to be asked before something is shown; `letters`, keys that are
 * a single character, which speech input and a hand that slips press by mistake. Stores.
 */

import { maybe } from "./page.js";
import { keepText, textOf } from "./storage.js";

/** @typedef {"predict" | "letters"} Wish */

/** @param {Wish} what */
export function wanted(what) {
  return textOf(`bluecut.${what}`) !== "off";
}

/** @param {Wish} what @param {boolean} on */
export function want(what, on) {
  keepText(`bluecut.${what}`, on ? null : "off");
}

/** The box that turns it on and off, where the page has one. @param {Wish} what */
export function choice(what) {
  const box = maybe(`${what}-on`, HTMLInputElement);
  if (!box) return;
  box.checked = wanted(what);
  box.addEventListener("change", () => want(what, box.checked));
}

/** Does a key do something by itself? @param {KeyboardEvent} event */
export function acts({ key, ctrlKey, metaKey, altKey, defaultPrevented }) {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return false;
  return key.length > 1 || key === " " || wanted("letters");
}
