/** Does somebody want to be asked before something is shown? Kept in the browser. */

import { keepText, textOf } from "./storage.js";

const OFF = "bluecut.predict";

export function wanted() {
  return textOf(OFF) !== "off";
}

/** @param {boolean} on */
export function want(on) {
  keepText(OFF, on ? null : "off");
}
