/**
 * What nobody sees waits until the picture rests, and for no longer than it takes to point at something in it, to press a
 * key or to move the focus: descriptions for screen readers, titles, links.
 */

import { set } from "../svg.js";

/** How long the picture must rest, in milliseconds. */
const REST = 80;
/** What cannot wait, before anybody else hears of it: a pointer in the picture, and a key or the focus anywhere. */
const POINTED = ["pointerover", "pointerdown", "click", "contextmenu"];
const NOW = ["focusin", "keydown"];

/** @typedef {(of: object, write: () => void) => void} Later `of`: only its latest is written */

/** @param {Element} picture @returns {Later & {due: () => void}} `due`: it has changed */
export function later(picture) {
  /** @type {Map<object, () => void>} */
  let waiting = new Map();
  let timer = 0;

  function write() {
    clearTimeout(timer);
    const all = waiting;
    waiting = new Map();
    for (const each of all.values()) each();
    set(picture, "aria-busy", null);
  }

  for (const event of POINTED) picture.addEventListener(event, write, { capture: true });
  for (const event of NOW) addEventListener(event, write, { capture: true });
  return Object.assign((/** @type {object} */ of, /** @type {() => void} */ one) => void waiting.set(of, one), {
    due() {
      clearTimeout(timer);
      if (!waiting.size) return;
      set(picture, "aria-busy", "true");
      timer = setTimeout(write, REST);
    },
  });
}
