/**
 * A challenge continues in place: what is chosen at the last step happens on this page, and the banner says how far the
 * run is. Connects; draws nothing itself.
 */

import { ask, go, turns } from "../ask.js";
import { say } from "../outage.js";
import { around, isPlain, one } from "../page.js";
import { keepValue, takeValue } from "../storage.js";
import { banner } from "./banner.js";

/**
 * @typedef {object} Made what the server has made of a choice
 * @property {string} url @property {Record<string, string>} links @property {import("../types.js").Frame} frame
 * @property {import("../types.js").End} end @property {string} banner HTML
 *
 * @typedef {object} Does
 * @property {(action: string) => string} branch the address of the run in which an action happens next
 * @property {() => boolean} atEnd
 * @property {(made: Made) => void} goOn
 */

/** The asker of what happens next. */
const ASKER = "branch";
/** Where the browser keeps that the next page shows a run chosen here. */
const NAME = "bluecut.chosen";

/** @param {Does} does @param {import("../types.js").Words} words */
export function branching(does, words) {
  const then = turns(ASKER);
  const shown = banner(arrived());

  /** @param {MouseEvent} event */
  function choose(event) {
    if (!isPlain(event)) return;
    const link = around(event.target, "a[data-ask]"); // not a message on the stage, which opens a menu
    const href = link?.getAttribute("href") ?? "";
    if (!link || !href.includes("/branch?")) return;
    if (!does.atEnd()) {
      leave();
      return;
    }
    event.preventDefault();
    // During motion, a link may still be one of the previous step: what counts is its action.
    then(() => take(new URL(href, location.href).searchParams.get("action") ?? "", link));
  }
  document.addEventListener("click", choose, { capture: true }); // before links ask for pages of their own

  /** Let something happen next. @param {string} action @param {HTMLElement} link */
  async function take(action, link) {
    const now = does.branch(action);
    const next = one("next");
    const at = link.isConnected ? link : next;
    const answer = await ask(now, { at, asker: ASKER, any: true, headers: { accept: "application/json" } });
    if (!answer) return;
    if (answer.status === 400) {
      // Not beside the link: what can happen is about to be shown anew, and the box would go with the link.
      say(ASKER, { at: next, failure: { says: words.word("challenge.impossible") } });
      return;
    }
    /** @type {Partial<Made>} */
    const made = answer.ok ? JSON.parse(answer.text) : {};
    if (!made.frame) {
      leave(); // another run
      await go(now, { at, asker: ASKER });
      return;
    }
    const whole = /** @type {Made} */ (made);
    history.pushState(null, "", whole.url);
    does.goOn(whole);
    shown.chosen(whole.banner);
  }

  // "Back" leads to a run that this page no longer has.
  addEventListener("popstate", () => location.reload());
}

/** Note that the next page shows a run chosen here. */
function leave() {
  keepValue(NAME, location.pathname, { tab: true });
}

/** Was the run chosen on the page before this one? */
function arrived() {
  return takeValue(NAME) === location.pathname;
}
