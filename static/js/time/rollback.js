/** What has been undone: the time between a cut and the line at which all roll back to it, hatched. Draws. */

import { called } from "../run/checkpoint.js";
import { say } from "../svg.js";
import { breadth } from "./labels.js";
import { Nodes, node, put } from "./nodes.js";
import { curves, hatched, lineOf } from "./scale.js";

/** @import { Setback } from "../run/types.js" */
/** @import { View } from "./view.js" */

/** @typedef {{left: number, right: number}} Span */

/** The font size of a word, and how wide a bold letter is in it. */
const SIZE = 12;
const BOLD = 0.62;
/** Between words above the lines, in px. */
const GAP = 6;

export class Rollbacks {
  /**
   * @param {SVGElement} over above the arrows and events
   * @param {SVGElement} top above everything: words
   * @param {import("../types.js").Word} words
   */
  constructor(over, top, words) {
    this.words = words;
    const stripe = node("path", { d: "M0 0V8", class: "st-undone-stripe" });
    const tile = { width: 8, height: 8, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
    const layer = node("g", { class: "st-setbacks" });
    over.append(node("defs", {}, [node("pattern", { id: "undone", ...tile }, [stripe])]), layer);
    this.areas = new Nodes(layer, () =>
      node("g", {}, [
        node("path", { class: "st-undone-area" }),
        node("path", { class: "st-undone-hatch" }),
        node("path", { class: "st-back-line" }),
      ]),
    );
    this.texts = new Nodes(top, () => node("text", { class: "st-back-word" }));
  }

  /** @param {View} view */
  draw(view) {
    /** @type {Span[]} */
    const above = [];
    const past = view.part ? [] : view.history.setbacks.filter(({ step }) => step <= view.reached);
    for (const setback of past) {
      const x = view.x(setback.step);
      if (x < view.seen - 40) continue;
      const { d, from, until } =
        setback.row === null ? everything(setback, x, view) : one(setback, setback.row, x, view);
      const drawn = this.areas.take(setback.step);
      const [area, hatch, line] = drawn.children;
      put(area, { d });
      put(hatch, { d });
      put(line, { d: `M${x.toFixed(1)} ${from}V${until}` });
      put(drawn, { "data-setback": setback.step });
      // Of several on the same line, only the last has a label.
      if (setback.row !== null && past.some(({ step, row }) => row === setback.row && step > setback.step)) continue;
      put(line, { class: `st-back-line${plain(setback)}` });
      this.#label(setback, x, from, view, above);
    }
    this.areas.sweep();
    this.texts.sweep();
  }

  /** For one process it is above its line, for all above the lines. Where "now" or the cut have their words there, it is
   * along the line of the rollback, or else, on low lines, on the last process.
   * @param {Setback} setback @param {number} x @param {number} from @param {View} view
   * @param {Span[]} taken by the words of other rollbacks above the lines */
  #label(setback, x, from, view, taken) {
    const { scale, nowX, seen } = view;
    const said = this.#said(setback, view.history.base);
    const all = setback.row === null;
    const width = breadth(said, SIZE, BOLD);
    const after = nowX - x > 210 || x - seen < 210;
    const at = after ? Math.max(x, seen) + 6 : x - 6;
    const left = after ? at : at - width;
    const span = { left, right: left + width };
    const above = all && atTop(left, width, view) && taken.every((other) => apart(span, other));
    if (above) taken.push(span);
    const upright = all && !above && width <= scale.bottom - 4;
    const y = !all ? from - 6 : above ? scale.top - 10 : scale.bottom - 2;
    const text = this.texts.take(setback.step);
    put(text, {
      transform: upright
        ? `translate(${(x - 7).toFixed(1)} ${scale.bottom - 4}) rotate(-90)`
        : `translate(${at.toFixed(1)} ${y})`,
      "text-anchor": after || upright ? "start" : "end",
      class: `st-back-word${plain(setback)}`,
    });
    say(text, said);
  }

  /** @param {Setback} setback @param {import("../types.js").Base} base */
  #said({ snapshot, row }, { names, private: own, root }) {
    const { words } = this;
    if (row === null) return words(snapshot ? "spacetime.restored" : "spacetime.restored.beginning", { snapshot });
    const process = names[row];
    const checkpoint = called(process, snapshot);
    if (own) return words(`spacetime.returned.own${snapshot ? "" : ".beginning"}`, { process, checkpoint });
    // With a coordinator, only a retried task comes back alone.
    return root === null
      ? words("spacetime.returned", { process, saved: snapshot })
      : words("spacetime.retried", { process });
  }
}

/** @param {Span} one @param {Span} other */
function apart(one, other) {
  return one.right + GAP < other.left || other.right + GAP < one.left;
}

/** Is there room at the top, beside "now" and the words of the cut?
 * @param {number} left @param {number} width @param {View} view */
function atTop(left, width, view) {
  const { scale, cut, history, nowX, reached, seen } = view;
  const now = nowX + 40 <= seen + scale.room ? nowX + 20 : nowX - 20;
  const words = cut ? (cut.recorded[0] <= reached ? view.x(cut.recorded[0]) : nowX) : -Infinity;
  return [
    [now, 25],
    [words, cut && history.ruined(cut, reached) ? 110 : 70],
  ].every(([x, half]) => left + width < x - half || left > x + half);
}

/** Not the colour of a snapshot: what they return to is none. @param {Setback} setback */
function plain({ snapshot, row }) {
  return snapshot && row === null ? "" : " st-plain";
}

/** From the cut of the snapshot, or the beginning, to the line.
 * @param {Setback} setback @param {number} x @param {View} view */
function everything({ snapshot }, x, view) {
  const { history, scale } = view;
  const cut = history.cuts.find(({ id }) => id === snapshot);
  // The cut itself stays free.
  const away = scale.square / 2 + 3;
  const xs = history.names.map((_, row) =>
    cut && cut.recorded[row] !== Infinity ? view.x(cut.recorded[row]) + away : 0,
  );
  const firm = xs.map(() => true);
  return { d: `${curves(scale, xs, firm).firm}H${x.toFixed(1)}V${scale.top}Z`, from: scale.top, until: scale.bottom };
}

/** On the line of one process. @param {Setback} setback @param {number} row @param {number} x @param {View} view */
function one({ since }, row, x, view) {
  const { scale } = view;
  const [y, half] = [lineOf(scale, row), hatched(scale)];
  // The square from which it continues stays free.
  const left = (view.x(since) + (since ? scale.square / 2 + 3 : 0)).toFixed(1);
  const [from, until] = [Math.round(y - half), Math.round(y + half)];
  return { d: `M${left} ${from}H${x.toFixed(1)}V${until}H${left}Z`, from, until };
}
