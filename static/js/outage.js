/**
 * If the server does not answer: a box beside what was pressed says so, and asks again on request. It lies above the
 * page, so that nothing moves, and what was typed or chosen stays. Draws; `ask.js` and `forms.js` ask.
 */

import { around, as, data, first, one } from "./page.js";

/** A server that is busy at the moment. */
const BUSY = [408, 425, 429, 503];
/** The distance of a box from its control, and from the edge of the window, in pixels. */
const GAP = 8;

/**
 * @typedef {HTMLElement | SVGElement} Control what was pressed
 *
 * @typedef {Object} Failure
 * @property {number} [status] of the answer, where there was one
 * @property {number | null} [wait] the seconds that the server asks to wait
 * @property {string} [says] why the server refuses: asking again does not help
 *
 * @typedef {Object} Box
 * @property {Control} at what it is about
 * @property {HTMLElement | null} within what holds it, where it has a place of its own
 * @property {() => void} again @property {() => void} left @property {Control} back @property {HTMLElement} element
 * @property {boolean} repeats is it asked again from here?
 * @property {{x: number, y: number} | null} aside from the corner of `at`
 */

/** @type {Map<unknown, Box>} by asker */
const boxes = new Map();

/** Did the server fail, so that asking again may help? @param {number} status */
export function failed(status) {
  return status >= 500 || BUSY.includes(status);
}

/** Why the server refuses, if it says so in HTML or JSON. @param {string} text @returns {string | null} */
export function refusal(text) {
  try {
    return JSON.parse(text).error ?? null;
  } catch {
    const trouble = new DOMParser().parseFromString(text, "text/html").querySelector(".trouble");
    return (
      trouble && ["h1", ".trouble-sentence, h1 + p"].map((part) => first(trouble, part).textContent).join(words().colon)
    );
  }
}

/** How many seconds the server asks to wait. @param {Headers} headers @returns {number | null} */
export function wait(headers) {
  const asked = headers.get("retry-after") ?? "";
  const seconds = /^\d+$/.test(asked) ? Number(asked) : Math.ceil((Date.parse(asked) - Date.now()) / 1000);
  return seconds > 0 ? seconds : null;
}

/** The words of the page. @returns {Record<string, string>} */
function words() {
  return /** @type {Record<string, string>} */ (one("outage", HTMLTemplateElement).dataset);
}

/** What stays as it is, in words. @param {Control} at */
function comfort(at) {
  const form = ("form" in at && as(at.form, HTMLFormElement)) || at.closest("form");
  const fields = [...(form?.elements ?? [])].some((each) => !each.matches("button, fieldset, output, [type=hidden]"));
  const keeps = around(at, "[data-keeps]");
  return words()[keeps ? data(keeps, "keeps") : fields ? "entered" : ""] ?? "";
}

/** @param {Failure} failure @param {Control} at */
function sentence({ status, wait: seconds, says }, at) {
  if (says !== undefined) return says;
  const { gone, busy, error, glue } = words();
  const why = seconds
    ? busy.replace("{seconds}", String(seconds))
    : status
      ? error.replace("{status}", String(status))
      : gone;
  return [why, comfort(at)].filter(Boolean).join(glue);
}

/**
 * Say beside `at` that the server did not answer `asker`.
 * @param {unknown} asker
 * @param {{at: Control, failure: Failure, again?: () => void, left?: () => void, back?: Control, within?: HTMLElement | null}} about
 * `left` is called when the box is dismissed; `back` has the focus afterwards
 */
export function say(asker, { at, failure, again = () => {}, left = () => {}, back = at, within = null }) {
  const known = boxes.get(asker);
  const box = known ?? open(asker, at, within);
  // A request repeated from the box keeps its box.
  Object.assign(box, { again, left, within }, box.repeats && box.at.isConnected ? {} : { at, back });
  box.repeats = false;
  first(box.element, ".outage-again").hidden = failure.says !== undefined;
  box.element.removeAttribute("aria-busy");
  if (within && !within.contains(box.element)) within.replaceChildren(box.element);
  const p = first(box.element, "p");
  const text = sentence(failure, box.at);
  if (p.textContent !== text) p.textContent = text; // an automatic request reports it once
  if (!within) {
    if (!known) reveal(box);
    box.aside = aside(box);
    put(box);
    if (!known && boxes.size === 1) requestAnimationFrame(follow);
  }
}

/** @param {unknown} asker @param {Control} at @param {HTMLElement | null} within @returns {Box} */
function open(asker, at, within) {
  const element = first(one("outage", HTMLTemplateElement).content, "*").cloneNode(true);
  if (!(element instanceof HTMLElement)) throw new Error("the box of an outage is no element");
  /** @type {Box} */
  const box = { at, within, element, back: at, again() {}, left() {}, repeats: false, aside: null };
  boxes.set(asker, box);
  first(element, ".outage-again").addEventListener("click", () => {
    if (element.getAttribute("aria-busy")) return;
    box.repeats = true;
    sending(asker);
    box.again();
  });
  first(element, ".outage-close").addEventListener("click", () => forget(asker));
  if (within) {
    element.removeAttribute("popover");
    element.classList.add("outage-within");
    first(element, ".outage-close").remove();
    within.tabIndex = -1; // the keyboard stays here when the box goes
  } else {
    one("main").append(element);
    // The tab key comes to it from there.
    element.showPopover?.(at instanceof HTMLElement ? { source: at } : {});
  }
  return box;
}

/** The asker asks again. @param {unknown} asker */
export function sending(asker) {
  const box = boxes.get(asker);
  if (!box) return;
  box.element.setAttribute("aria-busy", "true");
  first(box.element, "p").textContent = words().sending;
}

/** The asker has an answer, or no longer waits for one. @param {unknown} asker */
export function over(asker) {
  const box = boxes.get(asker);
  if (!box) return;
  boxes.delete(asker);
  // The focus returns to what was pressed.
  const held = box.element.contains(document.activeElement);
  box.element.remove();
  if (held)
    for (const each of [box.back, one("main")])
      if (document.activeElement === document.body) each.focus({ preventScroll: true });
}

/** Dismiss the box. @param {unknown} asker */
export function forget(asker) {
  const left = boxes.get(asker)?.left;
  over(asker);
  left?.();
}

// --- where a box lies --------------------------------------------------------------------------------------------

/** Make room below the focus: above it the box would cover what was entered. @param {Box} box */
function reveal({ at, element }) {
  const short =
    at.getBoundingClientRect().bottom + 3 * GAP + element.offsetHeight - document.documentElement.clientHeight;
  if (short > 0 && at === document.activeElement) scrollBy({ top: short, behavior: "instant" });
}

/**
 * Below its control, or above if there is no room; at first always in the window. Outdated content may be covered.
 * @param {Box} box
 */
function aside({ at, element }) {
  const { left, top, bottom } = at.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = element;
  const { clientWidth, clientHeight } = document.documentElement;
  const x = Math.max(GAP, Math.min(left, clientWidth - width - GAP));
  const covers = at.dataset.outage === "over";
  const below = bottom + GAP + height <= clientHeight - GAP;
  const y = covers ? top : below ? bottom + GAP : top - GAP - height;
  return { x: x - left, y: Math.max(GAP, Math.min(y, clientHeight - height - GAP)) - top };
}

/** @param {Box} box */
function put({ at, element, aside: from }) {
  if (!from || !at.getClientRects().length) return; // a menu may be closed meanwhile
  const { left, top } = at.getBoundingClientRect();
  const place = [`${Math.round(left + from.x + scrollX)}px`, `${Math.round(top + from.y + scrollY)}px`];
  if (element.style.left !== place[0]) [element.style.left] = place;
  if (element.style.top !== place[1]) [, element.style.top] = place;
}

/** Boxes follow their controls: the page may scroll, and its parts may be replaced. */
function follow() {
  for (const [asker, box] of boxes) {
    if (box.within) continue;
    if (!box.at.isConnected) box.at = (box.at.id && document.getElementById(box.at.id)) || box.at;
    const present = !(asker instanceof Element) || asker.isConnected;
    if (present && box.at.isConnected) put(box);
    else forget(asker);
  }
  if (boxes.size) requestAnimationFrame(follow);
}

addEventListener("resize", () => {
  for (const box of boxes.values()) if (!box.within) box.aside = aside(box);
});
