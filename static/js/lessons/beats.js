/** The set-up of a lesson, one part with its picture at a time. Draws. */

import { all, data, filled, first, isPlain, maybe, one } from "../page.js";
import { button, html } from "../svg.js";

/** @param {HTMLElement} list */
function beats(list) {
  const parts = all(list, ".beat");
  const onward = one("beats-end");
  const link = first(onward, "a", HTMLAnchorElement);
  const place = html("span", { class: "beat-place" });
  // Who listens hears the words of the part, too, since nothing else says that they have changed.
  const said = html("span", { class: "unseen", role: "status" });
  const back = button("button", () => turn(at - 1), data(list, "back"));
  let at = 0;

  /** @param {number} to */
  function show(to) {
    at = Math.max(0, Math.min(parts.length - 1, to));
    parts.forEach((part, i) => (part.hidden = i !== at));
    back.disabled = at === 0;
    link.textContent = data(list, at === parts.length - 1 ? "first" : "next");
    place.textContent = filled(data(list, "place"), { place: at + 1, count: parts.length });
  }

  /** @param {number} to */
  function turn(to) {
    show(to);
    history.replaceState({ beat: at }, "");
    said.textContent = `${place.textContent} ${first(parts[at], ".beat-words").textContent}`;
  }

  link.addEventListener("click", (event) => {
    if (at === parts.length - 1 || !isPlain(event)) return;
    event.preventDefault();
    turn(at + 1);
  });
  // Before the keys of a presenter, which turn pages.
  addEventListener(
    "keydown",
    (event) => {
      const by = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1 }[event.key];
      if (!by || event.ctrlKey || event.metaKey || event.altKey || maybe("blank")?.hidden === false) return;
      const to = at + by;
      if (to < 0 || to >= parts.length) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      turn(to);
    },
    { capture: true },
  );
  list.classList.add("paged");
  onward.prepend(back);
  onward.append(place, said);
  show(history.state?.beat ?? 0); // after a reload, or on the way back
}

const list = maybe("beats");
if (list) beats(list);
