/**
 * Presenter mode: large type for a lecture hall; the stage, space and time, or both; the panels hidden or shown; what is
 * recorded under a cover; and the full screen. Draws.
 */

import { blank } from "../screen.js";

/** The views of presenter mode, in turn. */
const VIEWS = ["stage", "time", "both"];

/** What a screen has room for beside each other. */
const BROAD = "(min-aspect-ratio: 16/10)";

/** @param {import("../types.js").Words} words @param {(on: boolean, view: string | null) => void} changed @param {string} [begin] what is shown at first */
export function presenter(words, changed, begin) {
  const { classList, dataset } = document.body;
  const turn = document.getElementById("view");
  const button = document.getElementById("presenter");
  const panels = document.getElementById("show-panels");
  const cover = document.getElementById("cover");
  const screen = blank(words);
  const usual = () => (matchMedia(BROAD).matches ? "both" : "stage");
  let view = begin && VIEWS.includes(begin) ? begin : usual();

  function draw() {
    button?.setAttribute("aria-pressed", String(classList.contains("presenter")));
    panels?.setAttribute("aria-pressed", String(classList.contains("with-panels")));
    dataset.view = view;
    if (turn) turn.title = `${words.word("player.view")}: ${words.word(`player.view.${view}`)} (v)`;
    const covered = classList.contains("covered") && classList.contains("presenter");
    cover?.setAttribute("aria-pressed", String(covered));
    cover?.setAttribute("title", `${words.word(`player.cover.${covered ? "off" : "on"}`)} (c)`);
    changed(classList.contains("presenter"), view === usual() ? null : view);
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
  /** Hide what is recorded, or show it: first the question, then the answer. */
  const hide = () => {
    if (!classList.contains("presenter")) return false;
    classList.toggle("covered");
    draw();
    return true;
  };
  const full = () => {
    if (takeScreen() && !classList.contains("presenter")) toggle();
  };
  /** Leave presenter mode. */
  const leave = () => {
    if (classList.contains("presenter")) toggle();
    return false; // Escape may mean something else, too
  };
  button?.addEventListener("click", toggle);
  turn?.addEventListener("click", next);
  cover?.addEventListener("click", hide);
  document.getElementById("full")?.addEventListener("click", full);
  panels?.addEventListener("click", show);
  draw();
  return { toggle, view: next, panels: show, blank: screen, cover: hide, full, leave };
}

/** Take the whole screen, or give it back. Is it taken? */
function takeScreen() {
  if (document.fullscreenElement) {
    document.exitFullscreen();
    return false;
  }
  document.documentElement.requestFullscreen?.().catch(() => {}); // a frame may not
  return true;
}
