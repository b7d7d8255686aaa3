/**
 * Presenter mode: large type for a lecture hall; the stage, space and time, or both; the panels hidden or shown; and a
 * blank screen on ".". Draws.
 */

import { as, first } from "../page.js";
import { html } from "../svg.js";

/** The views of presenter mode, in turn. */
const VIEWS = ["stage", "time", "both"];

/** @param {import("../types.js").Words} words @param {(on: boolean, view: string) => void} changed @param {string} [begin] what is shown at first */
export function presenter(words, changed, begin) {
  const { classList, dataset } = document.body;
  const turn = document.getElementById("view");
  const button = document.getElementById("presenter");
  const panels = document.getElementById("show-panels");
  const blank = html("button", "blank", html("span", "unseen", words.word("player.blank")));
  blank.type = "button";
  blank.hidden = true;
  first(document, "main").append(blank);
  /** @type {HTMLElement | SVGElement | null} */
  let before = null;
  let view = begin && VIEWS.includes(begin) ? begin : VIEWS[0];

  /** @param {boolean} on */
  function dark(on) {
    if (on) before = as(document.activeElement) ?? as(document.activeElement, SVGElement);
    blank.hidden = !on;
    if (on) blank.focus();
    else before?.focus();
  }

  blank.addEventListener("click", () => dark(false));
  blank.addEventListener("keydown", (event) => {
    event.preventDefault();
    event.stopPropagation();
    dark(false);
  });

  function draw() {
    button?.setAttribute("aria-pressed", String(classList.contains("presenter")));
    panels?.setAttribute("aria-pressed", String(classList.contains("with-panels")));
    dataset.view = view;
    if (turn) turn.title = `${words.word("player.view")}: ${words.word(`player.view.${view}`)} (v)`;
    changed(classList.contains("presenter"), view);
  }

  const toggle = () => {
    classList.toggle("presenter");
    draw();
  };
  const show = () => {
    classList.toggle(classList.contains("presenter") ? "with-panels" : "without-panels");
    draw();
  };
  const next = () => {
    if (!classList.contains("presenter")) return false;
    view = VIEWS[(VIEWS.indexOf(view) + 1) % VIEWS.length];
    draw();
    return true;
  };
  /** Leave presenter mode. */
  const leave = () => {
    if (classList.contains("presenter")) toggle();
    return false; // Escape may mean something else, too
  };
  button?.addEventListener("click", toggle);
  turn?.addEventListener("click", next);
  panels?.addEventListener("click", show);
  draw();
  return { toggle, view: next, panels: show, blank: () => dark(Boolean(blank.hidden)), leave };
}
