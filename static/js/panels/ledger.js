/** A panel that the server writes for each step: the ledger, the files, what can happen next. Asks when it is seen. */

import { ask } from "../ask.js";

/** How long a moving cursor must rest before the server is asked, in milliseconds. */
const REST = 120;
/** How many steps are remembered. */
const KEPT = 50;

/**
 * @param {HTMLElement} host `data-from` is the address of its content
 * @param {(host: HTMLElement, k: number, focused: boolean) => void} [wire] called with the content of step `k`, and
 * whether the panel had the focus
 */
export function ledger(host, wire = () => {}) {
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
    else waiting = setTimeout(() => load(step), known.size ? REST : 0);
  }

  function put(k, text) {
    const unfolded = [...host.querySelectorAll("details[open]")].map(({ className }) => className);
    const focused = host.contains(document.activeElement);
    const at = host.parentElement?.scrollTop;
    const made = new DOMParser().parseFromString(text, "text/html");
    host.replaceChildren(...made.body.children);
    wire(host, k, focused);
    for (const each of host.querySelectorAll("details")) each.open ||= unfolded.includes(each.className);
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
