/**
 * Requests from every page, by htmx and by forms: nothing that was pressed, typed or chosen is lost. If the server does
 * not answer, a box beside the control says so; a pressed control stays in place until it is released; and an open list
 * is not replaced. Wires; see `ask.js` and `outage.js`.
 */

import { busy, go, stay } from "./ask.js";
import { elsewhere } from "./language.js";
import { failed, over, refusal, say, sending, wait } from "./outage.js";
import { all, around, as, data, isHere, isPlain, query } from "./page.js";

// --- requests of htmx --------------------------------------------------------------------------------------------

/** @type {WeakSet<import("./types.js").Request>} those that have failed */
const failures = new WeakSet();

/**
 * The control that the visitor used; otherwise the element that updates automatically.
 * @param {import("./types.js").Request} ctx @returns {HTMLElement}
 */
function control({ sourceElement, sourceEvent, target }) {
  const pressed = sourceEvent?.submitter ?? sourceEvent?.target;
  const named = document.getElementById(data(sourceElement, "outage"));
  const focused =
    pressed instanceof HTMLFormElement && document.activeElement !== document.body && document.activeElement;
  const all = [named, focused, pressed, sourceElement, target];
  return shown(all) ?? sourceElement;
}

/** The first element that can be seen. @param {unknown[]} candidates */
const shown = (candidates) => as(candidates.find((each) => as(each)?.getClientRects().length));

/** Where an element sends something. @param {Element} element */
const way = (element) => ["hx-get", "hx-post"].map((name) => element.getAttribute(name));

/** @param {import("./types.js").Request} ctx @param {import("./outage.js").Failure} failure */
function tell(ctx, failure) {
  const { sourceElement: source, sourceEvent: event } = ctx;
  const [get, post] = way(source);
  failures.add(ctx);
  if (!source.isConnected) return;
  const again = () => {
    // What the form says now is sent, but only where it was to go: a panel that follows something may be another one.
    if (String(way(source)) === String([get, post]))
      window.htmx.ajax(get ? "GET" : "POST", get ?? post ?? "", { source, event });
    else over(source);
  };
  const at = control(ctx);
  say(source, { at, failure, again, back: at.matches("[role=status]") ? source : at });
}

document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceEvent?.type !== "every") sending(ctx.sourceElement);
  ctx.fetch = patiently;
});
document.addEventListener("htmx:before:response", (event) => {
  const { ctx } = event.detail;
  const { raw, status, headers } = ctx.response;
  if (!failed(status)) return;
  event.preventDefault(); // the error text would replace what was typed
  raw.body?.cancel();
  tell(ctx, { status, wait: wait(headers) });
});
document.addEventListener("htmx:after:request", (event) => {
  const { ctx } = event.detail;
  const says = ctx.response.status >= 400 ? refusal(ctx.text ?? "") : null;
  if (says === null) return over(ctx.sourceElement);
  event.preventDefault();
  tell(ctx, { says });
});
document.addEventListener("htmx:error", ({ detail: { ctx } }) => {
  // The answer arrived: what goes wrong afterwards is not the server's fault.
  if (ctx && ctx.text === undefined) tell(ctx, {});
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (!failures.has(ctx)) over(ctx.sourceElement); // even if another element has replaced it
});

// Also while the answer is on its way, the link to the other language has what was entered.
document.addEventListener("input", ({ target }) => {
  const form = around(target, "main form[method=get][hx-get]:not(.asked-form)", HTMLFormElement);
  if (form) elsewhere(destination(form));
});
document.addEventListener("htmx:after:history:push", ({ detail: { path } }) => elsewhere(path));

// --- what is pressed stays ---------------------------------------------------------------------------------------

/** The longest press of a button, in milliseconds. */
const LONGEST = 3_000;
/** @type {Promise<void> | null} resolved once the pressed control is released and its click handled */
let pressing = null;

addEventListener(
  "pointerdown",
  ({ button, target }) => {
    if (button || !(target instanceof Element) || target.closest("select")) return;
    /** @type {Promise<void>} */
    const mine = new Promise((settle) => {
      for (const end of ["pointerup", "pointercancel"])
        addEventListener(end, () => setTimeout(settle, 0), { once: true, capture: true });
      setTimeout(settle, LONGEST);
    });
    pressing = mine;
    mine.then(() => {
      if (pressing === mine) pressing = null;
    });
  },
  { capture: true },
);

/** Delay an answer during a press: otherwise it would replace the control before its click. @type {typeof fetch} */
async function patiently(...request) {
  const answer = await fetch(...request);
  const text = answer.text.bind(answer);
  answer.text = async () => {
    const read = await text();
    while (pressing) await pressing;
    return read;
  };
  return answer;
}

/** A focused list may be open: update its options in place. */
document.addEventListener("htmx:before:swap", ({ detail: { tasks } }) => {
  const list = document.activeElement;
  if (!(list instanceof HTMLSelectElement)) return;
  const at = tasks.findIndex(({ target }) => target === list || target === `#${list.id}`);
  const fresh = tasks[at]?.fragment.querySelector("select");
  if (!fresh) return;
  const same =
    list.options.length === fresh.options.length &&
    [...fresh.options].every(({ value }, i) => list.options[i].value === value);
  if (!same) return;
  tasks.splice(at, 1);
  for (const [i, { text, disabled }] of [...fresh.options].entries())
    Object.assign(list.options[i], { text, disabled });
});

// --- forms and links that lead to another page -------------------------------------------------------------------

/** Where a form that asks leads. @param {HTMLFormElement} form @param {HTMLElement | null} [by] the button pressed */
function destination(form, by) {
  const url = new URL(form.getAttribute("action") ?? "", location.href);
  url.search = String(query(new FormData(form, by)));
  return url;
}

document.addEventListener("submit", (event) => {
  const form = as(event.target, HTMLFormElement);
  if (!form || event.defaultPrevented || form.target) return;
  if (form.method === "post" && event.submitter && !event.submitter.matches("[data-saves]"))
    busy(event.submitter, true);
  if (form.method !== "get") return stay();
  event.preventDefault();
  const focused = document.activeElement;
  const mine = [...form.elements].find((each) => each === focused);
  const at = shown([event.submitter, mine, ...form.elements]) ?? form;
  go(destination(form, event.submitter), { at, asker: form });
});
// Who goes back finds the page as it was left.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) for (const each of all(document, ":is(a, button, select, input)[aria-busy]")) busy(each, false);
});
document.addEventListener("click", (event) => {
  const link = around(event.target, "a", HTMLAnchorElement);
  if (!link || event.defaultPrevented || !isPlain(event) || link.target || link.hasAttribute("download")) return;
  if (link.hash && isHere(link.href)) return;
  if (!("ask" in link.dataset)) return stay();
  event.preventDefault();
  go(link.href, { at: link });
});
