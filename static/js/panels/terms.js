/**
 * The glossary's terms in the author's words: each first occurrence is a link to its definition, which also appears
 * beside it for the pointer and the keyboard. Draws.
 */

import { first } from "../page.js";
import { html } from "../svg.js";

/**
 * @typedef {object} Terms
 * @property {Record<string, [words: string, name: string | null][]>} texts in parts, each with the term that it names
 * @property {Record<string, string>} means what the terms mean
 * @property {string} page where they are defined
 */

/** @param {Terms | null} found */
export function terms(found) {
  const hint = html("div", { class: "hint", id: "hint", role: "tooltip", hidden: true });
  if (found) first(document, "main").append(hint);

  /** A text that the server has looked through, as what to put into an element. @param {string} text @returns {(Node|string)[]} */
  function linked(text) {
    return (
      found?.texts[text]?.map(([words, name]) =>
        name ? link(words, `${found.page}#${name}`, found.means[name]) : words,
      ) ?? [text]
    );
  }

  /** @param {string} words @param {string} url @param {string} meaning */
  function link(words, url, meaning) {
    const made = html("a", { class: "term", href: url }, words);
    const show = () => tell(made, meaning);
    made.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && show());
    made.addEventListener("focus", () => made.matches(":focus-visible") && show());
    made.addEventListener("pointerleave", hide);
    made.addEventListener("blur", hide);
    made.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || hint.hidden) return;
      event.stopPropagation();
      hide();
    });
    return made;
  }

  /** @param {HTMLElement} anchor @param {string} meaning */
  function tell(anchor, meaning) {
    hint.textContent = meaning;
    hint.hidden = false;
    anchor.setAttribute("aria-describedby", hint.id);
    const around = anchor.getBoundingClientRect();
    const own = hint.getBoundingClientRect();
    const left = Math.max(8, Math.min(around.left, innerWidth - own.width - 8));
    const below = around.bottom + 6 + own.height < innerHeight;
    hint.style.left = `${left + scrollX}px`;
    hint.style.top = `${(below ? around.bottom + 6 : Math.max(8, around.top - own.height - 6)) + scrollY}px`;
  }

  function hide() {
    hint.hidden = true;
    document.querySelector(".term[aria-describedby]")?.removeAttribute("aria-describedby");
  }

  return { linked, hide };
}
