/**
 * The address bar and the links to other views always name the step shown. A step replaces the history's entry; only a
 * branch, which is another run, makes a new one. Computes and writes addresses.
 */

import { asking } from "../page.js";

/** How long a step must rest before the address names it, in milliseconds: browsers refuse hundreds of changes a
 * minute, and some reload the page's icon at each. */
const STANDS = 250;

/**
 * @typedef {Record<string, string | number | null>} Values of a query; null deletes one
 *
 * @param {Record<string, string>} links of the page
 */
export function address(links) {
  let step = 0;
  /** Where the visitor is going, if that step has not arrived yet. */
  let aim = 0;
  /** @type {{presenter: number | null, view: string | null}} */
  let seen = { presenter: null, view: null };
  let timer = 0;
  let begun = { moment: "", text: "" };

  /** @param {string} url @param {Values} values */
  function query(url, values) {
    const made = asking(url, values);
    // The separators of choices stay readable, as the server writes them.
    made.search = made.search.replaceAll("%3A", ":").replaceAll("%2C", ",");
    return made;
  }

  function soon() {
    clearTimeout(timer);
    timer = setTimeout(write, STANDS);
  }

  function write() {
    const here = query(location.href, { step: aim || null, ...seen });
    if (here.href !== location.href) history.replaceState(history.state, "", here);
  }

  return {
    /** The step shown now, and the one that the visitor wants. @param {number} k @param {number} wanted */
    at(k, wanted) {
      [step, aim] = [k, wanted];
      soon();
    },
    /** @param {boolean} on @param {string | null} view what presenter mode shows; null if that is usual */
    presenting(on, view) {
      seen = { presenter: on ? 1 : null, view: on ? view : null };
      soon();
    },
    /** Write the address now, before the page is left. */
    settle() {
      clearTimeout(timer);
      write();
    },
    /** The run in which `action` happens after a step. @param {string} action */
    branch(action, k = step) {
      const moment = `${k} ${seen.presenter} ${seen.view}`;
      if (begun.moment !== moment) {
        const made = query(links.branch, { step: k, ...seen });
        begun = { moment, text: `${made.pathname}${made.search}&action=` };
      }
      return begun.text + encodeURIComponent(action);
    },
    /** The menu of something on the stage, at the present step. @param {Values} of */
    menu: (of) => query(links.menu, { step, ...of }),
    share: (k = step) => query(links.share, { step: k || null }).href,
    embed: (k = step) => query(links.embed, { step: k || null }).href,
    still: (k = step) => links.still.replace("{step}", String(k)),
    picture: (k = step) => links.picture.replace("{step}", String(k)),
    /** @param {string} other */
    language(other) {
      const made = query(location.href, { step: aim || null, ...seen, lang: other });
      return made.pathname + made.search;
    },
  };
}
