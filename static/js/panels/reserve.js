/**
 * Room for the longest words of a run, measured once a width: the block of the sentence keeps one height, and nothing
 * below it moves from step to step. Measures.
 */

import { html } from "../svg.js";

/** How many texts are measured, of the longest. */
const LONGEST = 8;
/** How much larger the words of a headline are than those below it. */
const LARGER = 1.5;

/**
 * @typedef {object} Text what a step says
 * @property {"opening" | "note" | "step" | "card"} says @property {string} note @property {string} said
 * @property {boolean} [long] @property {HTMLElement[]} [card]
 */

/** @param {HTMLElement} host the block */
export function reserve(host) {
  /** @type {Text[]} */
  let texts = [];
  let known = "";

  function measure() {
    const width = host.offsetWidth;
    const signature = `${width}:${document.body.className}:${document.body.dataset.view}:${texts.length}`;
    if (!width || !texts.length || signature === known) return;
    known = signature;
    const tried = html("div", { class: `${host.className} sizer`, "aria-hidden": "true" });
    tried.style.width = `${width}px`;
    host.after(tried);
    let most = 0;
    for (const text of texts) {
      tried.dataset.says = text.says;
      tried.replaceChildren(...parts(text, host));
      most = Math.max(most, tried.offsetHeight);
    }
    tried.remove();
    host.style.setProperty("--reserved", `${most}px`);
  }

  new ResizeObserver(measure).observe(host);
  new MutationObserver(measure).observe(document.body, { attributeFilter: ["class", "data-view"] });

  return {
    /** @param {Text[]} all */
    measure(all) {
      const cards = all.filter(({ card }) => card);
      const rest = all.filter(({ card }) => !card).sort((a, b) => weight(b) - weight(a));
      texts = [...cards, ...rest.slice(0, LONGEST)];
      known = "";
      measure();
    },
  };
}

/** About how much room a text takes. @param {Text} text */
function weight({ note, said, says }) {
  return says === "step" ? said.length * LARGER : note.length * LARGER + said.length;
}

/** A text as it is shown. @param {Text} text @param {HTMLElement} host */
function parts({ note, said, long, card }, host) {
  const caption = html("p", { class: "caption", hidden: !note }, note);
  const moves = host.querySelector(".moves");
  const inside = card ? [...card, ...(moves ? [moves.cloneNode(true)] : [])] : [];
  return [
    html("div", { class: "last-word", hidden: !card }, ...inside),
    caption,
    html("div", "say", html("p", long ? "long" : "", said)),
  ];
}
