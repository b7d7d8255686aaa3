/** The ledger: what failures did to the result by a step. The server counts; asked when the panel is seen. */

import { ask } from "../ask.js";

/** How long the cursor must rest before the server is asked, in milliseconds. */
const REST = 200;
/** How many steps are remembered. */
const KEPT = 50;

/** @param {HTMLElement} host */
export function ledger(host) {
  /** @type {Map<number, string>} */
  const known = new Map();
  let step = null;
  let shown = null;
  let seen = false;
  let waiting = 0;

  new IntersectionObserver((entries) => {
    seen = entries.at(-1).isIntersecting;
    if (seen) soon();
  }).observe(host);

  /** @param {number} k the step under the cursor */
  function show(k) {
    if (k === step) return;
    step = k;
    if (seen) soon();
  }

  function soon() {
    clearTimeout(waiting);
    if (step === null || step === shown) return;
    if (known.has(step)) put(step, known.get(step));
    else waiting = setTimeout(() => load(step), REST);
  }

  function put(k, text) {
    const unmasked = host.querySelector("details")?.open;
    const at = host.parentElement?.scrollTop;
    const made = new DOMParser().parseFromString(text, "text/html");
    host.replaceChildren(...made.body.children);
    const details = host.querySelector("details");
    if (details && unmasked) details.open = true;
    if (at !== undefined) host.parentElement.scrollTop = at;
    shown = k;
  }

  async function load(k) {
    const url = new URL(host.dataset.from, location.href);
    if (k) url.searchParams.set("step", String(k));
    shown = null;
    const answer = await ask(url, { at: host, within: host, headers: { "hx-request": "true" } });
    if (!answer) return;
    known.set(k, answer.text);
    if (known.size > KEPT) known.delete(known.keys().next().value);
    if (k === step) put(k, answer.text);
  }

  return { show };
}
