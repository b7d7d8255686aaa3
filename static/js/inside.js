/**
 * The page of the query that visitors kill, when its panel is replaced: the focus stays in the panel although the
 * pressed button is gone, and what a visitor has opened stays open. Before a restart, visitors can bet what it will do.
 */

import { all, as, data, filled, first, maybe } from "./page.js";
import { wanted } from "./wishes.js";
import { keepValue, valueOf } from "./storage.js";

const panel = () => document.getElementById("inside");
/** @type {Element | null} what had the focus last, if that was in the panel */
let held = null;

document.addEventListener("focusin", ({ target }) => {
  held = target instanceof Element && panel()?.contains(target) ? target : null;
});

document.addEventListener("htmx:after:swap", () => {
  // Not to the first button: pressing twice would kill or start the query unintentionally.
  if (held && !held.isConnected && document.activeElement === document.body) {
    as(panel()?.querySelector(".inside-now"))?.focus({ preventScroll: true });
  }
});

window.htmx.config.morphIgnore.push("open");

/** Where a bet is kept, until its batch has run again. */
const BET = "bluecut.spark.bet";

/** Offer a bet, and mark the one that was made. */
function bets() {
  const said = maybe("inside-bet-said");
  if (!said || !wanted("predict")) return;
  const kept = valueOf(BET, { tab: true });
  for (const form of all(document, ".inside-bet", HTMLFormElement)) offer(form, kept);
  const { batch, item } = kept ?? {};
  const counted = all(document, ".inside-counted").find(
    (one) => one.dataset.batch === batch && one.dataset.item === item,
  );
  if (!counted) return;
  const { exact, plain } = counted.dataset;
  const text = data(said, exact === kept.exact && plain === kept.plain ? "right" : "wrong");
  const told = filled(text, { item, exact: exact ?? "", plain: plain ?? "" });
  if (said.textContent !== told) said.textContent = told;
  said.hidden = false;
}

/** @param {HTMLFormElement} form @param {{batch: string, item: string} | null} kept */
function offer(form, kept) {
  if (!form.hidden) return;
  form.hidden = kept?.batch === form.dataset.batch && kept?.item === form.dataset.item;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { batch, item } = form.dataset;
    keepValue(BET, { batch, item, ...Object.fromEntries(new FormData(form)) }, { tab: true });
    for (const one of all(form, "label, button")) one.hidden = true;
    const status = first(form, "[role=status]");
    status.textContent = data(status, "kept");
  });
}

bets();
document.addEventListener("htmx:after:swap", bets);
