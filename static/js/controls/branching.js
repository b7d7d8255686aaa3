/**
 * A challenge continues in place: what is chosen at the last step happens on this page, and the banner says how far the
 * run is. Solved challenges are remembered, in this browser only. Connects; draws nothing itself.
 */

import { ask, go, turns } from "../ask.js";
import { say } from "../outage.js";
import { done } from "../progress.js";

/** The asker of what happens next. */
const ASKER = "branch";

/**
 * @param {{branch: (action: string) => string, atEnd: () => boolean, goOn: (made: {links: Object, frame: Object, end: Object}) => void}} does
 * @param {Object} words
 */
export function branching(does, words) {
  const then = turns(ASKER);
  /** Was the current run made by a choice on this page, or on the previous one? */
  let mine = arrived();

  const banner = () => document.getElementById("challenge");

  const choose = (event) => {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.("a[data-ask]"); // not a message on the stage, which opens a menu
    const href = link?.getAttribute("href") ?? "";
    if (!href.includes("/branch?")) return;
    if (!does.atEnd()) {
      leave();
      return;
    }
    event.preventDefault();
    // During motion, a link may still be one of the previous step: what counts is its action.
    then(() => take(new URL(href, location.href).searchParams.get("action"), link));
  };
  document.addEventListener("click", choose, { capture: true }); // before links ask for pages of their own

  /** Let something happen next. @param {string} action @param {HTMLElement} link */
  async function take(action, link) {
    const now = does.branch(action);
    const next = document.getElementById("next");
    const at = link.isConnected ? link : next;
    const answer = await ask(now, { at, asker: ASKER, any: true, headers: { accept: "application/json" } });
    if (!answer) return;
    if (answer.status === 400) {
      // Not beside the link: what can happen is about to be shown anew, and the box would go with the link.
      say(ASKER, { at: next, failure: { says: words.word("challenge.impossible") } });
      return;
    }
    const made = answer.ok ? JSON.parse(answer.text) : {};
    if (!made.frame) {
      leave(); // another run
      await go(now, { at, asker: ASKER });
      return;
    }
    history.pushState(null, "", made.url);
    mine = true;
    does.goOn(made);
    put(made.banner);
  }

  // "Back" leads to a run that this page no longer has.
  addEventListener("popstate", () => location.reload());

  /** Show another banner from the server. Scripts in it would not run. */
  function put(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("challenge");
    if (!fresh) return;
    banner().replaceWith(document.adoptNode(fresh));
    note();
  }

  /** Remember a success, and compare it with the shortest solution. */
  function note() {
    const { ref, state, steps, right, answer } = banner().dataset;
    if (state === "won" && mine) done(ref, Number(steps));
    if (right) done(ref, 0);
    const compare = document.getElementById("challenge-compare");
    if (state === "won" && compare && mine) shortest(answer);
  }

  async function shortest(url) {
    try {
      const answer = await fetch(url, { headers: { "hx-request": "true" } });
      if (answer.ok && banner().dataset.answer === url) put(await answer.text());
    } catch {
      // The link to compare stays.
    }
  }

  note();
}

const NAME = "bluecut.chosen";

/** Note that the next page shows a run chosen here. */
function leave() {
  try {
    sessionStorage.setItem(NAME, location.pathname);
  } catch {
    // Without storage nothing is remembered.
  }
}

function arrived() {
  try {
    const from = sessionStorage.getItem(NAME);
    sessionStorage.removeItem(NAME);
    return from === location.pathname;
  } catch {
    return false;
  }
}
