/** The cuts: the thickest lines of the page, solid where processes have recorded, dotted elsewhere. Draws. */

import { Nodes, node, put, say } from "./nodes.js";
import { curves } from "./scale.js";

/** The distance, in steps, at which a cut passes the end of a line that takes no part. */
const LEAD = 0.3;
/** Room for the word beside a cut, in px. */
const ROOM = 60;
/** A process that has not joined yet appears not to take part either. */
const UNBORN = { since: 0, inside: false };

/**
 * @param {SVGElement} under below everything: the past
 * @param {SVGElement} over above the arrows: the lines
 * @param {SVGElement} top above everything: words
 * @param {(key: string, fields?: object) => string} words
 */
export function cuts(under, over, top, words) {
  const tint = node("path", { class: "st-past" });
  under.append(tint);
  const layer = node("g", { class: "st-cuts" });
  over.append(layer);
  const pool = new Nodes(layer, () => node("g", {}, [node("path", { class: "st-loose" }), node("path", { class: "st-firm" })]));
  const past = node("text", { class: "st-past-word", "text-anchor": "end" }, [words("spacetime.past")]);
  const future = node("text", { class: "st-future-word" }, [words("spacetime.future")]);
  top.append(past, future);
  const numbers = new Nodes(top, () => node("text", { class: "st-cut-number" }));

  function draw(view) {
    const { begun, snapshot, part } = view;
    for (const each of begun) {
      const mine = each.id === snapshot.id;
      const drawn = pool.take(each.id);
      const { xs, firm } = meets(each, view);
      const path = curves(view.scale, xs, firm);
      const tone = view.tone(each.id) ? " st-second" : "";
      put(drawn, {
        class: `st-cut${mine ? " st-chosen" : ""}${tone}${each.aborted <= view.reached ? " st-void" : ""}`,
        opacity: mine || !part ? null : Math.max(0, 1 - part * 1.5).toFixed(2),
        "data-snapshot": each.id,
      });
      put(drawn.children[0], { d: path.loose });
      put(drawn.children[1], { d: path.firm });
      if (mine) {
        put(tint, { d: path.past, class: `st-past${tone}` });
        wordsAt(view, xs[0], firm[0], tone);
      }
      if (begun.length > 1 && !part && firm.at(-1)) {
        const number = numbers.take(each.id);
        // Beside the foot of the cut: below it are the numbers of the steps.
        put(number, { x: (xs.at(-1) + 6).toFixed(1), y: view.scale.bottom - 3, class: `st-cut-number${tone}` });
        say(number, words("spacetime.cut", { snapshot: each.id }));
      }
    }
    pool.sweep();
    numbers.sweep();
    // An aborted snapshot shows no past: it would cover what came after.
    const told = snapshot && !(snapshot.aborted <= view.reached);
    for (const each of [tint, past, future]) put(each, { display: told ? null : "none" });
  }

  function wordsAt({ scale, seen }, x, firm, tone) {
    const y = scale.top - 10;
    put(past, { x: (x - 9).toFixed(1), y, class: `st-past-word${tone}`, opacity: x - seen < 44 ? 0 : 1 });
    put(future, { x: (x + 9).toFixed(1), y, opacity: firm && x + 9 + ROOM < seen + scale.room ? 1 : 0 });
  }

  return {
    draw,
    advance(view) {
      if (view.begun.some((each) => view.history.whole(each) > view.reached)) draw(view);
    },
  };
}

/**
 * Where a cut meets each line; a process that has not recorded is in the past up to now. The cut only passes the line
 * of a process that takes no part: at its neighbours' place, but before a line that begins later, and after one that
 * has ended. Far outside the window the distance does not matter: long dotted curves are expensive.
 */
function meets(snapshot, { scale, history, reached, place, nowX, seen }) {
  const out = snapshot.absent.map((absent, row) => (absent?.since <= reached ? absent : history.born[row] > reached ? UNBORN : null));
  const firm = snapshot.recorded.map((step) => step <= reached);
  const xs = snapshot.recorded.map((step, row) => (firm[row] ? place(step) * scale.unit : nowX));
  const parts = xs.map((_, row) => row).filter((row) => !out[row]);
  out.forEach((absent, row) => {
    if (!absent || !parts.length) return;
    const beside = parts.findLast((other) => other < row) ?? parts[0];
    firm[row] = firm[beside];
    xs[row] = xs[beside];
    if (absent.inside) xs[row] = Math.max(xs[row], (place(Math.min(history.ended[row], reached)) + LEAD) * scale.unit);
    else if (history.born[row] <= reached) xs[row] = Math.min(xs[row], (place(history.born[row]) - LEAD) * scale.unit);
  });
  const near = (x) => Math.max(seen - 80, Math.min(seen + scale.room + 80, x));
  return { xs: xs.map(near), firm };
}
