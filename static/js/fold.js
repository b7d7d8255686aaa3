/**
 * Parts of a page that can be folded. Without scripts they are open; here, tables beside a drawing are folded, and on a
 * phone so are the sections below the first. What a visitor opened or folded stays so when it is replaced.
 */

const narrow = matchMedia("(max-width: 760px)");
const chosen = new Map();

function foldAll() {
  for (const part of document.querySelectorAll("details.fold:not(.settled)")) {
    part.classList.add("settled");
    part.open = chosen.get(part.id) ?? !(part.dataset.fold === "always" || narrow.matches);
    part.querySelector("summary").addEventListener("click", () => chosen.set(part.id, !part.open));
  }
}

foldAll();
document.addEventListener("htmx:after:swap", foldAll);
