/**
 * The lattice of global states: a clicked state appears without a new page, and the arrow keys move from state to
 * state. Without this script every state is a link.
 */

import { partOf, turns } from "./ask.js";
import { elsewhere } from "./language.js";
import { all, around, as, first, isPlain, one } from "./page.js";

const page = () => one("states");
/** @returns {SVGAElement[]} */
const dots = () => all(page(), ".lattice .dot", SVGAElement);

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
 * @param {import("./outage.js").Control} at the element that asks for it
 * @param {{push?: boolean, focus?: boolean}} how
 */
async function show(url, at, { push = true, focus = false } = {}) {
  const made = await partOf("states", url, at);
  if (!made) return;
  const facts = as(page().querySelector(".states-facts"), HTMLDetailsElement)?.open ?? false;
  const place = first(page(), ".states-scroll");
  const [left, top] = [place.scrollLeft, place.scrollTop];
  page().replaceWith(made);
  const scroll = first(page(), ".states-scroll");
  [scroll.scrollLeft, scroll.scrollTop] = [left, top];
  const folded = as(page().querySelector(".states-facts"), HTMLDetailsElement);
  if (folded) folded.open = facts;
  if (push) history.pushState(null, "", url);
  elsewhere(url);
  settle();
  if (focus) as(page().querySelector(".dot.chosen"), SVGAElement)?.focus({ preventScroll: true });
  const said = ["here-title", "verdict"].map((id) => one(id).textContent.trim()).join(" ");
  one("said").textContent = said;
}

document.addEventListener("click", (event) => {
  const link = around(event.target, "a[data-state]") ?? around(event.target, "a[data-state]", SVGAElement);
  if (!link || !isPlain(event)) return;
  event.preventDefault();
  then(() => show(link.getAttribute("href") ?? "", link, { focus: link.matches(".dot") }));
});

/** The middle of a state in the picture. @param {SVGAElement} dot */
function middle(dot) {
  const [, x, y] = (/translate\(([-\d.]+) ([-\d.]+)\)/.exec(dot.getAttribute("transform") ?? "") ?? []).map(Number);
  return { x, y };
}

/** @type {Record<string, [number, number]>} where the arrow keys lead */
const WAYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest state in the direction of an arrow key.
 * @param {SVGAElement} from
 * @param {string} key
 */
function beside(from, key) {
  const here = middle(from);
  const [x, y] = WAYS[key];
  /** @type {{far: number, dot: SVGAElement} | null} */
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
  const dot = around(document.activeElement, ".lattice .dot", SVGAElement);
  if (!dot || !(event.key in WAYS)) return;
  event.preventDefault();
  then(async () => {
    // The state that the previous keys have reached by now.
    const next = beside(as(page().querySelector(".lattice .dot:focus"), SVGAElement) ?? dot, event.key);
    if (next) await show(next.getAttribute("href") ?? "", next, { focus: true });
  });
});

addEventListener("popstate", () => then(() => show(location.href, first(page(), "h1"), { push: false })));
settle();
