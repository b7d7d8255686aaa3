/**
 * The lattice of global states: a clicked state appears without a new page, and the arrow keys move from state to
 * state. Without this script every state is a link.
 */

import { ask, turns } from "./ask.js";

const page = () => document.getElementById("states");
/** @returns {SVGAElement[]} */
const dots = () => [...page().querySelectorAll(".lattice .dot")];

/** The tab key reaches one of the states; the arrow keys reach the others. */
function settle() {
  const chosen = page().querySelector(".lattice .dot.chosen");
  for (const dot of dots()) dot.setAttribute("tabindex", dot === (chosen ?? dots()[0]) ? "0" : "-1");
  const scroll = page().querySelector(".states-scroll");
  if (!chosen || !scroll) return;
  const inner = chosen.getBoundingClientRect();
  const outer = scroll.getBoundingClientRect();
  scroll.scrollLeft += inner.left - outer.left - outer.width / 2;
  scroll.scrollTop += inner.top - outer.top - outer.height / 2;
}

const then = turns(document);

/**
 * Show the state that an address names.
 * @param {string} url
 * @param {Element} at the element that asks for it
 * @param {{push?: boolean, focus?: boolean}} how
 */
async function show(url, at, { push = true, focus = false } = {}) {
  const answer = await ask(url, { at, asker: document, any: true, headers: { accept: "text/html" } });
  if (!answer) return;
  const fresh = new DOMParser().parseFromString(answer.text, "text/html");
  const made = fresh.getElementById("states");
  if (!made) {
    location.assign(url);
    return;
  }
  const facts = page().querySelector(".states-facts")?.open ?? false;
  const place = page().querySelector(".states-scroll");
  const [left, top] = [place.scrollLeft, place.scrollTop];
  page().replaceWith(document.adoptNode(made));
  const scroll = page().querySelector(".states-scroll");
  [scroll.scrollLeft, scroll.scrollTop] = [left, top];
  const folded = page().querySelector(".states-facts");
  if (folded) folded.open = facts;
  if (push) history.pushState(null, "", url);
  const other = /** @type {HTMLAnchorElement} */ (document.getElementById("switch"));
  if (other) other.href = fresh.getElementById("switch").getAttribute("href");
  settle();
  if (focus) /** @type {SVGAElement | null} */ (page().querySelector(".dot.chosen"))?.focus({ preventScroll: true });
  const said = ["here-title", "verdict"].map((id) => document.getElementById(id).textContent.trim()).join(" ");
  document.getElementById("said").textContent = said;
}

document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a[data-state]");
  if (!link || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  then(() => show(link.getAttribute("href"), link, { focus: link.matches(".dot") }));
});

/** The middle of a state in the picture. */
function middle(dot) {
  const [, x, y] = dot.getAttribute("transform").match(/translate\(([-\d.]+) ([-\d.]+)\)/).map(Number);
  return { x, y };
}

/**
 * The nearest state in the direction of an arrow key.
 * @param {SVGAElement} from
 * @param {string} key
 */
function beside(from, key) {
  const here = middle(from);
  const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  let best = null;
  for (const dot of dots()) {
    const there = middle(dot);
    const [dx, dy] = [there.x - here.x, there.y - here.y];
    const [along, aside] = [dx * x + dy * y, Math.abs(dx * y) + Math.abs(dy * x)];
    if (along < 1) continue;
    // Up and down stay in the level; left and right go to the next one.
    const far = x ? along * 1000 + aside : aside * 1000 + along;
    if (!best || far < best.far) best = { far, dot };
  }
  return best?.dot;
}

document.addEventListener("keydown", (event) => {
  const dot = document.activeElement?.closest?.(".lattice .dot");
  if (!dot || !event.key.startsWith("Arrow")) return;
  event.preventDefault();
  then(async () => {
    // The state that the previous keys have reached by now.
    const next = beside(page().querySelector(".lattice .dot:focus") ?? dot, event.key);
    if (next) await show(next.getAttribute("href"), next, { focus: true });
  });
});

addEventListener("popstate", () => then(() => show(location.href, page().querySelector("h1"), { push: false })));
settle();
