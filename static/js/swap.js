/**
 * Theorem 1 as a game: events are dragged, or moved with ↑ and ↓. Every swap is a link of the page, which this script
 * follows in place; the server decides what is possible, and how the state changes.
 */

import { partOf, turns } from "./ask.js";
import { elsewhere } from "./language.js";
import { all, around, as, data, filled, first, isPlain, maybe, one } from "./page.js";

const live = one("swap-live");
const page = () => one("swap");
const cards = () => all(page(), ".swap-card");
document.body.classList.add("swap-script");
const then = turns(document);

/**
 * Show the page of an address in place of this one.
 * @param {string} url @param {HTMLElement} at the element that asks @param {boolean} keeps is it a step of its own?
 * @returns {Promise<boolean>} did it succeed?
 */
async function show(url, at, keeps) {
  const shown = await partOf("swap", url, at);
  if (!shown) return false;
  page().replaceWith(shown);
  elsewhere(url);
  if (keeps) history.pushState(null, "", url);
  return true;
}

/** Swap the event at a place with the one behind it. @param {number} at @returns {Promise<boolean>} was it possible? */
async function swap(at) {
  const link = as(page().querySelector(`a[data-swap="${at}"]`), HTMLAnchorElement);
  if (!link) {
    const why = page().querySelector(`[data-why="${at}"]`);
    if (why) say(filled(data(live, "refused"), { why: why.lastChild?.textContent?.trim() ?? "" }), why);
    return false;
  }
  if (!(await show(link.href, link, true))) return false;
  say(filled(data(live, "moved"), { event: first(cards()[at - 1], ".swap-event").textContent }));
  return true;
}

/** Move an event by a number of places, as far as possible. @param {number} at @param {number} places */
async function move(at, places) {
  let now = at;
  for (let left = Math.abs(places); left; left -= 1) {
    const last = cards().length;
    if (places > 0 ? now >= last : now <= 1) break;
    if (!(await swap(places > 0 ? now : now - 1))) break;
    now += Math.sign(places);
  }
  cards()[now - 1]?.focus();
}

/** @param {string} text @param {Element | null} [beside] what it is about */
function say(text, beside = null) {
  live.textContent = text;
  if (!beside) return;
  beside.classList.add("swap-wrong");
  setTimeout(() => beside.classList.remove("swap-wrong"), 4000);
}

document.addEventListener("click", (clicked) => {
  const link = around(clicked.target, "a[data-swap], a[data-go]", HTMLAnchorElement);
  if (!link || !isPlain(clicked)) return;
  clicked.preventDefault();
  const {
    id,
    dataset: { swap: at },
  } = link;
  then(async () => {
    const now = maybe(id, HTMLAnchorElement); // earlier presses may have replaced it
    if (at) await swap(Number(at));
    else if (now) await show(now.href, now, true);
    (document.getElementById(id) ?? cards()[Number(at ?? 1) - 1])?.focus({ preventScroll: true });
  });
});

document.addEventListener("keydown", (pressed) => {
  const card = around(pressed.target, ".swap-card");
  const places = { ArrowUp: -1, ArrowDown: 1 }[pressed.key] ?? 0;
  if (!card || !places || pressed.altKey || pressed.ctrlKey || pressed.metaKey) return;
  pressed.preventDefault();
  const at = Number(card.dataset.at);
  then(() => move(at, places));
});

document.addEventListener("pointerdown", (pressed) => {
  const card = around(pressed.target, ".swap-card");
  if (!card || pressed.button) return;
  const [at, began] = [Number(card.dataset.at), pressed.clientY];
  const tops = cards().map((other) => other.getBoundingClientRect().top);
  const high = tops.length > 1 ? tops[1] - tops[0] : 1;
  let way = 0;
  card.setPointerCapture(pressed.pointerId);
  card.classList.add("dragged");
  const moved = (/** @type {PointerEvent} */ { clientY }) => {
    way = clientY - began;
    card.style.transform = `translateY(${way}px)`;
  };
  const done = (/** @type {PointerEvent} */ ended) => {
    card.removeEventListener("pointermove", moved);
    card.classList.remove("dragged");
    card.style.transform = "";
    const places = Math.round(way / high);
    if (ended.type === "pointerup" && places) then(() => move(at, places));
  };
  card.addEventListener("pointermove", moved);
  card.addEventListener("pointerup", done, { once: true });
  card.addEventListener("pointercancel", done, { once: true });
});

addEventListener("popstate", () => then(() => show(location.href, first(page(), "h1"), false)));
