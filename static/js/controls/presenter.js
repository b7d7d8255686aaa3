/**
 * Presenter mode: large type for a lecture hall; the stage, space and time, or both; the panels hidden or shown; and a
 * blank screen on ".". Draws.
 */

import { html } from "../svg.js";

/** The views of presenter mode, in turn. */
export const VIEWS = ["stage", "time", "both"];

/** @param {Object} words @param {(on: boolean, view: string) => void} changed @param {string} [first] what is shown at first */
export function presenter(words, changed, first) {
  const { classList, dataset } = document.body;
  const turn = document.getElementById("view");
  const button = document.getElementById("presenter");
  const panels = document.getElementById("show-panels");
  const blank = html("button", "blank", html("span", "unseen", words.word("player.blank")));
  blank.type = "button";
  blank.hidden = true;
  document.querySelector("main").append(blank);
  let before = null;
  let view = VIEWS.includes(first) ? first : VIEWS[0];

  function dark(on) {
    if (on) before = document.activeElement;
    blank.hidden = !on;
    if (on) blank.focus();
    else before?.focus?.();
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
  };
  button?.addEventListener("click", toggle);
  turn?.addEventListener("click", next);
  panels?.addEventListener("click", show);
  draw();
  return { toggle, view: next, panels: show, blank: () => dark(blank.hidden), leave: () => classList.contains("presenter") && toggle() };
}
