/** Where the visitor was last: a run and a lesson, kept in this browser only. Stores. */

import { keepValue, valueOf } from "./storage.js";

const NAME = "bluecut.last";
/** A longer address is not kept: it carries a whole scenario. */
const LONG = 3_000;
const KINDS = /** @type {[string, RegExp][]} */ ([
  ["run", /^\/run\/[^/]+$/],
  ["lesson", /^\/lessons\/[^/]+/],
]);

/** @typedef {{url: string, title: string, lang?: string, at: number}} Visit */

/** The last visits by kind, the latest first. @returns {Visit[]} */
export function last() {
  return Object.values(kept()).sort((a, b) => b.at - a.at);
}

/** Keep the address of a run or a lesson as it is when the visitor leaves it. */
export function remember() {
  const kind = KINDS.find(([, path]) => path.test(location.pathname))?.[0];
  if (!kind) return;
  addEventListener("pagehide", () => {
    const url = location.pathname + location.search;
    if (url.length > LONG) return;
    const title = document.title.replace(/ · Bluecut$/, "");
    keepValue(NAME, { ...kept(), [kind]: { url, title, lang: document.documentElement.lang, at: Date.now() } });
  });
}

/** @returns {Record<string, Visit>} */
function kept() {
  const fits = (/** @type {any} */ each) =>
    typeof each?.title === "string" && typeof each.url === "string" && /^\/(run|lessons)\/[^/]/.test(each.url);
  return Object.fromEntries(Object.entries(valueOf(NAME) ?? {}).filter(([, each]) => fits(each)));
}
