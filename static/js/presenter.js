/** Presenter mode: large type for a lecture hall, the panels hidden or shown, and a blank screen on ".". Draws. */

import { html } from "./svg.js";

/** @param {Object} words @param {(on: boolean) => void} changed */
export function presenter(words, changed) {
  const { classList } = document.body;
  const button = document.getElementById("presenter");
  const panels = document.getElementById("show-panels");
  const blank = html("button", "blank", html("span", "unseen", words.word("player.blank")));
  blank.type = "button";
  blank.hidden = true;
  document.querySelector("main").append(blank);
  let before = null;

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
    changed(classList.contains("presenter"));
  }

  const toggle = () => {
    classList.toggle("presenter");
    draw();
  };
  const show = () => {
    classList.toggle(classList.contains("presenter") ? "with-panels" : "without-panels");
    draw();
  };
  button?.addEventListener("click", toggle);
  panels?.addEventListener("click", show);
  draw();
  return { toggle, panels: show, blank: () => dark(blank.hidden), leave: () => classList.contains("presenter") && toggle() };
}
