/**
 * Where the visitor was on the page when a choice led to another run of the same scenario: the tab, the scroll
 * positions of panels and page, and the focus. The new page takes it over, once. Reads and writes.
 */

import { around, as, data, maybe } from "../page.js";
import { leaveValue, leftValue } from "../storage.js";

/**
 * @typedef {object} Place
 * @property {string} where the scenario
 * @property {string | null} tab @property {string | null} focus a selector
 * @property {number} panels how far they are scrolled @property {number} page how far it is scrolled
 */

const NAME = "bluecut.place";
/** When the lists of a new page may be drawn, in milliseconds, and how often they are looked for. */
const LISTS = 80;
const TRIES = 5;
/** How often what had the focus is looked for: it may come from the server. */
const LOOKS = 25;

/** The address without the run: the same for every run of the scenario. */
const where = () => location.pathname.replace(/\/answer$/, "");

/** The part of the page that has the focus, if a new page has it, too. A list that is still to come has a first link.
 * @param {boolean} pressed with a pointer? Then a process is not marked: its menu is gone */
function focused(pressed) {
  const at = document.activeElement;
  if (at?.closest("#next")) return "#next a, #next:not(:has(a))";
  const promise = at?.closest("#switches [aria-describedby]");
  if (promise) return `[aria-describedby="${promise.getAttribute("aria-describedby")}"]`;
  const menu = as(at?.closest(".menu"));
  if (menu) return pressed ? null : `[data-process="${CSS.escape(data(menu, "of"))}"]`;
  return at?.id && at !== document.body ? `#${CSS.escape(at.id)}` : null;
}

/** @param {string | null} focus */
function save(focus) {
  /** @type {Place} */
  const place = {
    where: where(),
    tab: document.body.dataset.tab ?? null,
    panels: maybe("panels")?.scrollTop ?? 0,
    page: scrollY,
    focus,
  };
  leaveValue(NAME, place);
}

/** @returns {Place | null} */
function taken() {
  const place = leftValue(NAME);
  return place && place.where === where() ? place : null;
}

/**
 * The lists are drawn when the page is at rest, or come from the server: only then is there something to scroll.
 * @param {HTMLElement} panels @param {number} top @param {number} [tries]
 */
function scroll(panels, top, tries = TRIES) {
  panels.scrollTop = top;
  if (panels.scrollTop < top && tries) setTimeout(scroll, LISTS, panels, top, tries - 1);
}

/** @param {string} selector @param {number} [looks] */
function focus(selector, looks = LOOKS) {
  if (document.activeElement !== document.body) return;
  const found = document.querySelector(selector);
  if (found instanceof HTMLElement || found instanceof SVGElement) found.focus({ preventScroll: true });
  else if (looks) setTimeout(focus, LISTS, selector, looks - 1);
}

/** @param {Place} place */
function restore(place) {
  const panels = maybe("panels");
  if (panels) scroll(panels, place.panels);
  scrollTo(0, place.page);
  if (place.focus) focus(place.focus);
}

export function keptPlace() {
  const place = taken();
  document.addEventListener("submit", ({ target }) => {
    if (as(target)?.matches(".picks")) save(null); // its lists keep the focus themselves
  });
  document.addEventListener("click", (event) => {
    const href = around(event.target, "a")?.getAttribute("href") ?? "";
    if (/\/(branch|find|answer)\?|^\/(run|challenge)\//.test(href)) save(focused(event.detail > 0));
  });
  return {
    tab: place?.tab ?? undefined,
    restore() {
      if (place) setTimeout(restore, LISTS, place);
    },
  };
}
