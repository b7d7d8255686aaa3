/**
 * Presenter mode: large type for a lecture hall; the stage, space and time, or both; the panels hidden or shown; what is
 * recorded under a cover; and the full screen. Draws.
 */

import { maybe } from "../page.js";
import { blank } from "../screen.js";

/** The views of presenter mode, in turn. */
const VIEWS = ["stage", "time", "both"];

/** What a screen has room for beside each other. */
const BROAD = "(min-aspect-ratio: 16/10)";

/** After how long without a movement the controls fade, in milliseconds. */
const QUIET = 3_000;

/** @param {import("../types.js").Words} words @param {(on: boolean, view: string | null) => void} changed @param {string} [begin] what is shown at first */
export function presenter(words, changed, begin) {
  const { classList, dataset } = document.body;
  const [turn, button, panels, cover] = ["view", "presenter", "show-panels", "cover"].map((id) => maybe(id));
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
  maybe("full")?.addEventListener("click", full);
  panels?.addEventListener("click", show);
  draw();
  idle();
  // Named as the keys name them, but for `leave`.
  return { presenter: toggle, view: next, panels: show, blank: screen, cover: hide, full, leave };
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

/** Let the controls fade when nothing has moved for a while. */
function idle() {
  const { classList } = document.body;
  let timer = 0;
  const wake = () => {
    classList.remove("idle");
    clearTimeout(timer);
    timer = setTimeout(() => classList.add("idle"), QUIET);
  };
  for (const kind of ["pointermove", "pointerdown", "keydown", "focusin"])
    document.addEventListener(kind, wake, { passive: true });
  wake();
}
