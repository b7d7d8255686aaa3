/**
 * A challenge goes on in place: what is chosen at the last step happens here and now, and the banner says how the run
 * stands. What is done is remembered, in this browser only. Connects; draws nothing itself.
 */

import { done } from "../progress.js";

/** @param {{branch: (action: string) => string, atEnd: () => boolean, goOn: (made: {links: Object, frame: Object, end: Object}) => void}} does */
export function branching(does) {
  let busy = false;
  /** Was the run that is shown made by a choice on this page, or on the one before? */
  let mine = arrived();

  const banner = () => document.getElementById("challenge");

  document.addEventListener("click", async (event) => {
    if (event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const href = event.target.closest?.("a")?.getAttribute("href") ?? "";
    if (!href.includes("/branch?")) return;
    if (!does.atEnd()) {
      leave();
      return;
    }
    event.preventDefault();
    if (busy) return;
    busy = true;
    // While something moves, a link may still be one of the step before: what counts is what it does.
    const now = does.branch(new URL(href, location.href).searchParams.get("action"));
    const inList = Boolean(event.target.closest("#next"));
    try {
      const answer = await fetch(now, { headers: { accept: "application/json" } });
      if (answer.status === 400) return; // it cannot happen any more
      if (!answer.ok) throw new Error(String(answer.status));
      const made = await answer.json();
      if (!made.frame) throw new Error("another run");
      history.pushState(null, "", made.url);
      mine = true;
      does.goOn(made);
      put(made.banner);
      if (inList) setTimeout(() => document.querySelector("#next a")?.focus({ preventScroll: true }), 120);
    } catch {
      leave();
      location.assign(now);
    } finally {
      busy = false;
    }
  });

  // Back leads to a run that this page does not hold any more.
  addEventListener("popstate", () => location.reload());

  /** Another banner, made by the server. Scripts in it would not run. */
  function put(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("challenge");
    if (!fresh) return;
    banner().replaceWith(document.adoptNode(fresh));
    note();
  }

  /** Remember what is won, and compare it with the shortest way there is. */
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

/** The next page shows a run that was chosen here. */
function leave() {
  try {
    sessionStorage.setItem(NAME, location.pathname);
  } catch {
    // Then nothing is remembered.
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
