/**
 * The page of the query that visitors kill, when its panel is replaced: the focus stays in the panel although the
 * pressed button is gone, and what a visitor has opened stays open.
 */

import { as } from "./page.js";

const panel = () => document.getElementById("inside");
/** @type {Element | null} what had the focus last, if that was in the panel */
let held = null;

document.addEventListener("focusin", ({ target }) => {
  held = target instanceof Element && panel()?.contains(target) ? target : null;
});

document.addEventListener("htmx:after:swap", () => {
  // Not to the first button: pressing twice would kill or start the query unintentionally.
  if (held && !held.isConnected && document.activeElement === document.body) {
    as(panel()?.querySelector(".inside-now"))?.focus({ preventScroll: true });
  }
});

window.htmx.config.morphIgnore.push("open");
