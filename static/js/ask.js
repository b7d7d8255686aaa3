/**
 * Requests to the server, for scripts: if it does not answer, a box beside what was pressed says so, and asks again on
 * request. Asks; draws nothing itself.
 */

import { failed, forget, over, refusal, say, sending, wait } from "./outage.js";
import { isHere } from "./page.js";

/** @import { Control } from "./outage.js" */

/** How long an answer may take, in milliseconds: as long as htmx waits, see base.html. */
const PATIENCE = 30_000;
/** And for a whole page, which may need a search. */
const LONG = 60_000;

/**
 * @typedef {Object} Answer
 * @property {boolean} ok @property {number} status @property {string} url @property {string} text
 */

/** @type {Map<unknown, () => void>} by asker, how to abandon its earlier request */
const pending = new Map();

/**
 * Ask the server. If it does not answer, say so beside `at`, and wait until it is asked again. Return null if the
 * answer is no longer wanted: `asker` has asked for something else, or the box was closed.
 * @param {string | URL} url
 * @param {RequestInit & {at: Control, asker?: unknown, within?: HTMLElement, patience?: number, any?: boolean}} how
 * `any`: a refusal is an answer, too
 * @returns {Promise<Answer | null>}
 */
export async function ask(url, { at, asker = at, within, patience = PATIENCE, any = false, ...request }) {
  pending.get(asker)?.();
  const mine = new AbortController();
  let left = () => {};
  const drop = () => {
    busy(at, false);
    mine.abort();
    left();
  };
  pending.set(asker, drop);
  for (;;) {
    busy(at, true);
    sending(asker);
    const { answer, failure } = await attempt(url, {
      ...request,
      signal: AbortSignal.any([mine.signal, AbortSignal.timeout(patience)]),
    });
    if (pending.get(asker) !== drop) return null;
    busy(at, false);
    if (answer?.ok || (answer && any)) {
      pending.delete(asker);
      over(asker);
      return answer;
    }
    const wanted = await new Promise((settle) => {
      left = () => settle(false);
      const why = answer ? { status: answer.status, says: refusal(answer.text) ?? undefined } : failure;
      say(asker, { at, failure: why, within, again: () => settle(true), left });
    });
    if (pending.get(asker) !== drop) return null;
    if (!wanted) {
      pending.delete(asker);
      return null;
    }
  }
}

/** What the asker asked for is no longer wanted. @param {unknown} asker */
export function abandon(asker) {
  pending.get(asker)?.();
  pending.delete(asker);
  over(asker);
}

/** Mark a control as busy, in words if it has any. @param {Control} at @param {boolean} on */
export function busy(at, on) {
  if (at.hasAttribute("aria-busy") === on) return;
  if (on) at.setAttribute("aria-busy", "true");
  else at.removeAttribute("aria-busy");
  const { busy: says, idle } = at.dataset;
  if (!says) return;
  if (on) at.dataset.idle = at.textContent;
  at.textContent = on ? says : (idle ?? "");
}

/**
 * Ask once, and say nothing. There is no answer if the server is gone, fails or takes too long.
 * @param {string | URL} url @param {RequestInit} [request]
 * @returns {Promise<{answer?: Answer, failure: import("./outage.js").Failure}>}
 */
export async function attempt(url, request = { signal: AbortSignal.timeout(PATIENCE) }) {
  try {
    const got = await fetch(url, request);
    if (failed(got.status)) return { failure: { status: got.status, wait: wait(got.headers) } };
    const { ok, status, type } = got;
    return {
      failure: {},
      answer: { ok: ok || type === "opaqueredirect", status, url: got.url, text: await got.text() },
    };
  } catch {
    return { failure: {} };
  }
}

/**
 * Run tasks one after another, each asking as ``asker``. A task that waits for a silent server gives way to the next
 * one.
 * @param {unknown} asker @returns {(task: () => Promise<unknown>) => void}
 */
export function turns(asker) {
  /** @type {Promise<unknown>} */
  let last = Promise.resolve();
  return (task) => {
    forget(asker);
    last = last.then(task, task);
  };
}

/**
 * Return the element with an id of another page, to be put in the place of this page's; null if the answer is no longer
 * wanted. A page without it is shown instead.
 * @param {string} id @param {string} url @param {Control} at the element that asks
 */
export async function partOf(id, url, at) {
  const answer = await ask(url, { at, asker: document, any: true, headers: { accept: "text/html" } });
  if (!answer) return null;
  const part = new DOMParser().parseFromString(answer.text, "text/html").getElementById(id);
  if (!part) location.assign(url);
  return part && document.adoptNode(part);
}

/** Who is about to go to another page. @type {{asker: unknown} | null} */
let leaving = null;

/** Stay on this page, or go where the visitor has gone since. */
export function stay() {
  if (leaving) abandon(leaving.asker);
  leaving = null;
}

/**
 * Go to another of our pages once the server has it. Until then, this page stays; of several, the last one counts.
 * @param {string | URL} url @param {{at: Control, asker?: unknown, patience?: number}} how
 */
export async function go(url, how) {
  stay();
  const mine = { asker: how.asker ?? how.at };
  leaving = mine;
  const there = await ask(url, { patience: LONG, ...how, any: true, method: "HEAD", redirect: "manual" });
  if (leaving === mine) leaving = null;
  if (!there) return;
  if (!isHere(url)) busy(how.at, true); // until the other page is here
  location.assign(url);
}
