/**
 * The cuts: double lines with a halo, so that no message looks like one; dotted where a process has not recorded, grey and
 * broken if the snapshot is of no use. Draws.
 */

import { say } from "../svg.js";
import { bendsOf } from "./bends.js";
import { Nodes, node, put } from "./nodes.js";
import { curves } from "./scale.js";

/** @import { Cut } from "./cut.js" */
/** @import { View } from "./view.js" */

/** The distance, in steps, at which a cut passes the end of a line that takes no part. */
const LEAD = 0.3;
/** Room for the word beside a cut, in px, and for the longest one. */
const ROOM = 60;
const LONG = 110;
/** Room for PAST left of a cut, in px; and the room between a cut and its words. */
const BEFORE = 45;
const BESIDE = 9;
/** A process that has not joined yet appears not to take part either. */
const UNBORN = { since: 0, inside: false };

export class Cuts {
  #tint = node("path", { class: "st-past" });
  #cuts = new Nodes(node("g", { class: "st-cuts" }), () =>
    node("g", {}, [
      node("path", { class: "st-loose" }),
      node("path", { class: "st-halo" }),
      node("path", { class: "st-firm" }),
      node("path", { class: "st-core" }),
    ]),
  );

  /**
   * @param {SVGElement} under below everything: the past
   * @param {SVGElement} over above the arrows: the lines
   * @param {SVGElement} top above everything: words
   * @param {SVGElement} head the same, also above the names of the processes: an early cut has its word there
   * @param {import("../types.js").Word} words
   */
  constructor(under, over, top, head, words) {
    this.words = words;
    under.append(this.#tint);
    over.append(this.#cuts.layer);
    this.past = node("text", { class: "st-past-word", "text-anchor": "end" }, [words("spacetime.past")]);
    this.future = node("text", { class: "st-future-word" }, [words("spacetime.future")]);
    /** Why the cut is of no use. */
    this.ruin = node("text", { class: "st-ruin-word" });
    head.append(this.past);
    top.append(this.future, this.ruin);
    this.numbers = new Nodes(top, () => node("text", { class: "st-cut-number" }));
  }

  /** @param {View} view */
  draw(view) {
    for (const cut of view.begun) this.#cut(cut, view);
    this.#cuts.sweep();
    this.numbers.sweep();
    // A snapshot of no use shows no past: it would cover what came after.
    const ruined = view.cut && view.history.ruined(view.cut, view.reached);
    const told = view.cut && !ruined;
    for (const each of [this.#tint, this.past, this.future]) put(each, { display: told ? null : "none" });
    put(this.ruin, { display: ruined ? null : "none" });
    if (ruined) say(this.ruin, this.words(`player.tray.${ruined}`));
  }

  /** @param {View} view */
  advance(view) {
    if (view.begun.some(({ whole }) => whole > view.reached)) this.draw(view);
  }

  /** @param {Cut} cut @param {View} view */
  #cut(cut, view) {
    const { scale, part, reached, begun } = view;
    const mine = cut === view.cut;
    const { xs, firm } = meets(cut, view);
    const path = curves(scale, xs, firm, bendsOf(cut, view.history, scale));
    const tone = view.second(cut.id);
    const drawn = this.#cuts.take(cut.id);
    put(drawn, {
      class: `st-cut${mine ? " st-chosen" : ""}${tone}${view.history.ruined(cut, reached) ? " st-void" : ""}`,
      opacity: mine || !part ? null : Math.max(0, 1 - part * 1.5).toFixed(2),
      "data-snapshot": cut.id,
    });
    put(drawn.children[0], { d: path.loose });
    for (const stroke of [...drawn.children].slice(1)) put(stroke, { d: path.firm });
    if (mine) {
      put(this.#tint, { d: path.past, class: `st-past${tone}` });
      this.#words(view, xs[0], firm[0], tone);
    }
    if (begun.length < 2 || part || !firm.at(-1)) return;
    const number = this.numbers.take(cut.id);
    // Beside the foot of the cut: below it are the numbers of the steps.
    put(number, { x: (xs[xs.length - 1] + 6).toFixed(1), y: scale.bottom - 3, class: `st-cut-number${tone}` });
    say(number, this.words("spacetime.cut", { snapshot: cut.id }));
  }

  /** @param {View} view @param {number} x @param {boolean} firm @param {string} tone */
  #words({ scale, seen }, x, firm, tone) {
    const y = scale.top - 10;
    // At the edge of what is seen it stands above the names of the processes.
    const shown = x - seen >= Math.max(-BESIDE, BEFORE - scale.left) && x - seen <= scale.room;
    put(this.past, { x: (x - BESIDE).toFixed(1), y, class: `st-past-word${tone}`, opacity: shown ? 1 : 0 });
    const fits = x + BESIDE >= seen && x + BESIDE + ROOM < seen + scale.room;
    put(this.future, { x: (x + BESIDE).toFixed(1), y, opacity: firm && fits ? 1 : 0 });
    const left = x - seen > LONG;
    put(this.ruin, { x: (left ? x - BESIDE : x + BESIDE).toFixed(1), y, "text-anchor": left ? "end" : "start" });
  }
}

/**
 * Where a cut meets each line; a process that has not recorded is in the past up to now. The cut only passes the line
 * of a process that takes no part: at its neighbours' place, but before a line that begins later, and after one that
 * has ended. Far outside the window the distance does not matter: long dotted curves are expensive.
 * @param {Cut} cut @param {View} view
 */
function meets({ recorded, absent }, view) {
  const { scale, history, reached, nowX, seen } = view;
  const out = absent.map((each, row) =>
    each && each.since <= reached ? each : history.born(row) > reached ? UNBORN : null,
  );
  const firm = recorded.map((step) => step <= reached);
  const xs = recorded.map((step, row) => (firm[row] ? view.x(step) : nowX));
  const parts = xs.map((_, row) => row).filter((row) => !out[row]);
  out.forEach((each, row) => {
    if (!each || !parts.length) return;
    const beside = parts.findLast((other) => other < row) ?? parts[0];
    const [born, ended] = [history.born(row), Math.min(history.ended(row), reached)];
    firm[row] = firm[beside];
    xs[row] = xs[beside];
    if (each.inside) xs[row] = Math.max(xs[row], (view.place(ended) + LEAD) * scale.unit);
    else if (born <= reached) xs[row] = Math.min(xs[row], (view.place(born) - LEAD) * scale.unit);
  });
  const near = (/** @type {number} */ x) => Math.max(seen - 80, Math.min(seen + scale.room + 80, x));
  return { xs: xs.map(near), firm };
}
