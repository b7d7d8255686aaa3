/** The ledger: what failures did to the result by a step. The server counts; asked when the panel is seen. */

import { html } from "../svg.js";

/** How long the cursor must rest before the server is asked, in milliseconds. */
const REST = 200;
/** So many steps are remembered. */
const KEPT = 50;

/** @param {HTMLElement} host @param {Object} words */
export function ledger(host, words) {
  /** @type {Map<number, string>} */
  const known = new Map();
  let step = null;
  let shown = null;
  let seen = false;
  let waiting = 0;
  /** @type {AbortController | null} */
  let asking = null;

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
    asking?.abort();
    const mine = (asking = new AbortController());
    host.setAttribute("aria-busy", "true");
    const url = new URL(host.dataset.from, location.href);
    if (k) url.searchParams.set("step", String(k));
    try {
      const answer = await fetch(url, { headers: { "hx-request": "true" }, signal: mine.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const text = await answer.text();
      known.set(k, text);
      if (known.size > KEPT) known.delete(known.keys().next().value);
      if (k === step) put(k, text);
    } catch {
      if (mine.signal.aborted) return;
      const again = html("button", "go", words.word("player.retry"));
      again.type = "button";
      again.addEventListener("click", () => load(k));
      host.replaceChildren(html("p", "mute", words.word("player.ledger.failed"), " ", again));
      shown = null;
    }
    host.removeAttribute("aria-busy");
  }

  return { show };
}
