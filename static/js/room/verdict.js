/** What became of a round, once it is over: the verdict in words, and the runs that show it. Draws. */

import { site } from "../page.js";
import { html } from "../svg.js";
import { completedFor } from "./wall.js";

/** @import { Word } from "../types.js" */

/** How long to wait before a verdict that did not come is asked for again, in milliseconds. */
const AGAIN = 2_000;

/**
 * @param {HTMLElement} host @param {string} path of the result
 * @param {Word} word @param {Word} shared with the wall
 */
export async function verdict(host, path, word, shared) {
  const answer = await fetch(site(path)).catch(() => null);
  if (host.hidden) return; // meanwhile another round may have begun
  if (!answer?.ok) return void setTimeout(() => host.hidden || verdict(host, path, word, shared), AGAIN);
  const { tone, headline, why, completed, sums, claim, crash, run, rule } = await answer.json();
  host.dataset.tone = tone;
  const link = (/** @type {string} */ to, /** @type {string} */ key) =>
    html("a", { class: "button", href: site(to), target: "_top" }, word(key));
  host.replaceChildren(
    html("h2", "", headline),
    ...completedFor(completed, shared).map((said) => html("p", "table-completed", said)),
    ...sums.map((/** @type {[string, boolean]} */ [text]) => html("p", "table-sum", text)),
    ...(claim === null ? [] : [html("p", "table-sum", word(claim ? "terminated" : "going"))]),
    ...(crash ? [html("p", "table-crash", word("crash", { name: crash[0], left: crash[1], total: crash[2] }))] : []),
    html("p", "", why),
    html("p", "table-links", link(run, "run"), link(rule, "rule")),
  );
}
