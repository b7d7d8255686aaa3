/**
 * The glossary's terms in the author's words: each first occurrence is a link to what it means, which is also told beside
 * it, to those who point at it and to those who come with the keyboard. Draws.
 */

import { html } from "../svg.js";

/** @param {{texts: Object<string, [string, ?string][]>, means: Object<string, string>, page: string} | null} found */
export function terms(found) {
  const hint = html("div", "hint");
  hint.id = "hint";
  hint.setAttribute("role", "tooltip");
  hint.hidden = true;
  if (found) document.querySelector("main").append(hint);

  /**
   * A text, or a part of one that the server has looked through, as what to put into an element.
   * @param {string} text @param {string} [whole] the text of which it is a part @param {number} [from] where it begins there
   * @returns {(Node|string)[]}
   */
  function linked(text, whole = text, from = 0) {
    const pieces = found?.texts[whole];
    if (!pieces) return [text];
    const made = [];
    let at = 0;
    for (const [words, name] of pieces) {
      const part = words.slice(Math.max(0, from - at), Math.max(0, from + text.length - at));
      if (part) made.push(name && part === words ? link(words, name) : part);
      at += words.length;
    }
    return made;
  }

  function link(words, name) {
    const made = html("a", "term", words);
    made.href = `${found.page}#${name}`;
    const show = () => tell(made, found.means[name]);
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
