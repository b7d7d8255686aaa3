/**
 * A challenge continues in place: what is chosen at the last step happens on this page, and the banner says how far the
 * run is. Connects.
 */

import { ask, go, turns } from "../ask.js";
import { say } from "../outage.js";
import { around, data, first, isPlain, maybe, one } from "../page.js";
import { done, progress } from "../progress.js";
import { keepValue, takeValue } from "../storage.js";

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
  const chosen = () => new URLSearchParams(location.search).get("choices");
  let choices = chosen();

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
    choices = chosen();
    does.goOn(whole);
    shown.chosen(whole.banner);
  }

  // "Back" leads to a run that this page no longer has; a link within the page leads to no other run.
  addEventListener("popstate", () => {
    if (chosen() !== choices) location.reload();
  });
}

/** Note that the next page shows a run chosen here. */
function leave() {
  keepValue(NAME, location.pathname, { tab: true });
}

/** Was the run chosen on the page before this one? */
function arrived() {
  return takeValue(NAME) === location.pathname;
}

/**
 * The banner of a challenge, which the server writes. Solved challenges are remembered, in this browser only; a success
 * is compared with the shortest solution.
 * @param {boolean} mine was the run made by a choice on this page, or on the previous one?
 */
function banner(mine) {
  /** Show another banner from the server. Scripts in it would not run. @param {string} text HTML */
  function put(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("challenge");
    if (!fresh) return;
    const now = one("challenge");
    delete now.dataset.right;
    Object.assign(now.dataset, fresh.dataset);
    first(now, ".challenge-doors").replaceWith(document.adoptNode(first(fresh, ".challenge-doors")));
    // The status itself stays: screen readers tell of what changes in it, not of a new one.
    first(now, ".challenge-stands").replaceChildren(...first(fresh, ".challenge-stands").childNodes);
    note();
  }

  /** Remember a success, and compare it with the shortest solution: to others, a link would give it away. */
  function note() {
    const now = one("challenge");
    const ref = data(now, "ref");
    const won = now.dataset.state === "won";
    if (won && mine) done(ref, Number(now.dataset.steps));
    if (now.dataset.right) done(ref, 0);
    if (won && (mine || ref in progress()) && maybe("challenge-compare")) compare(data(now, "answer"));
  }

  /** @param {string} url of the shortest solution */
  async function compare(url) {
    try {
      const answer = await fetch(url, { headers: { "hx-request": "true" } });
      if (answer.ok && one("challenge").dataset.answer === url) put(await answer.text());
    } catch {
      // The link to compare stays.
    }
  }

  note();
  return {
    /** A choice on this page has made the run. @param {string} text of its banner, HTML */
    chosen(text) {
      mine = true;
      put(text);
    },
  };
}
