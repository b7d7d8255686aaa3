/**
 * The banner of a challenge, which the server writes. Solved challenges are remembered, in this browser only; a success
 * is compared with the shortest solution. Draws.
 */

import { data, maybe, one } from "../page.js";
import { done } from "../progress.js";

/** @param {boolean} mine was the run made by a choice on this page, or on the previous one? */
export function banner(mine) {
  /** Show another banner from the server. Scripts in it would not run. @param {string} text HTML */
  function put(text) {
    const fresh = new DOMParser().parseFromString(text, "text/html").getElementById("challenge");
    if (!fresh) return;
    one("challenge").replaceWith(document.adoptNode(fresh));
    note();
  }

  /** Remember a success, and compare it with the shortest solution. */
  function note() {
    const now = one("challenge");
    const won = now.dataset.state === "won" && mine;
    if (won) done(data(now, "ref"), Number(now.dataset.steps));
    if (now.dataset.right) done(data(now, "ref"), 0);
    if (won && maybe("challenge-compare")) compare(data(now, "answer"));
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
