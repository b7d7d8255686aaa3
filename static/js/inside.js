/**
 * The page of the query that visitors kill, when its panel is replaced: the keyboard stays in the panel although the
 * button that was pressed is gone, and what a visitor has opened stays open.
 */

const panel = () => document.getElementById("inside");
/** @type {Element | null} what had the focus last, if that was in the panel */
let held = null;

document.addEventListener("focusin", ({ target }) => {
  held = target instanceof Element && panel()?.contains(target) ? target : null;
});

document.addEventListener("htmx:after:swap", () => {
  // Not to the button that is first now: whoever presses twice would kill it, or start it, without wanting to.
  if (held && !held.isConnected && document.activeElement === document.body) {
    panel()?.querySelector(".inside-now")?.focus({ preventScroll: true });
  }
});

window.htmx.config.morphIgnore.push("open");
