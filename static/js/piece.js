/**
 * A piece of a page that the server writes for each step: the ledger, the files, what can happen next, a stage in words.
 * Asks when it is seen.
 */

import { ask } from "./ask.js";
import { all, asking, data } from "./page.js";

/** How long a moving cursor must rest before the server is asked, in milliseconds. */
const REST = 120;
/** How many steps are remembered. */
const KEPT = 50;

/**
 * @param {HTMLElement} host `data-from` is the address of its content
 * @param {(host: HTMLElement, k: number, focused: boolean) => void} [wire] called with the content of step `k`, and
 * whether the piece had the focus
 */
export function piece(host, wire = () => {}) {
  /** @type {Map<number, string>} */
  const known = new Map();
  /** @type {number | null} */
  let step = null;
  /** @type {number | null} */
  let shown = null;
  let seen = false;
  let waiting = 0;

  new IntersectionObserver((entries) => {
    seen = entries[entries.length - 1].isIntersecting;
    if (seen) soon();
  }).observe(host);

  /** @param {number} k the step under the cursor */
  function show(k) {
    if (k === step) return;
    const first = step === null;
    step = k;
    if (seen) return soon();
    clearTimeout(waiting);
    // A screen reader finds what nobody sees, and its links would lead on from another step.
    if (!first) host.replaceChildren();
    shown = null;
  }

  function soon() {
    clearTimeout(waiting);
    if (step === null || step === shown) return;
    const k = step;
    const text = known.get(k);
    if (text !== undefined) put(k, text);
    else waiting = setTimeout(() => load(k), known.size ? REST : 0);
  }

  /** @param {number} k @param {string} text */
  function put(k, text) {
    const focused = host.contains(document.activeElement);
    replace(host, text, () => wire(host, k, focused));
    shown = k;
  }

  /** @param {number} k */
  async function load(k) {
    const url = asking(data(host, "from"), k ? { step: k } : {});
    shown = null;
    const answer = await ask(url, { at: host, within: host, headers: { "hx-request": "true" } });
    if (!answer) return;
    known.set(k, answer.text);
    if (known.size > KEPT) known.delete([...known.keys()][0]);
    if (k === step) put(k, answer.text);
  }

  return { show };
}

/**
 * Replace a piece: what a visitor has opened stays open, and nothing around it scrolls.
 * @param {HTMLElement} host @param {string} text HTML @param {() => void} wire called with the new content in place
 */
function replace(host, text, wire) {
  const unfolded = all(host, "details[open]").map(({ className }) => className);
  const at = host.parentElement?.scrollTop;
  host.replaceChildren(...new DOMParser().parseFromString(text, "text/html").body.children);
  wire();
  for (const each of all(host, "details", HTMLDetailsElement)) each.open ||= unfolded.includes(each.className);
  if (host.parentElement && at !== undefined) host.parentElement.scrollTop = at;
}
