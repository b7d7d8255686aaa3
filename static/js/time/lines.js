/** The lines of the processes, their names, the numbers of the steps, and now. Draws. */

import { Nodes, node, put, say } from "./nodes.js";
import { lineOf, mix, stride } from "./scale.js";

/**
 * @param {SVGElement} world
 * @returns {{draw: (view: import("./spacetime.js").View) => void, advance: (view: object) => void}}
 */
export function lines(world) {
  const future = node("path", { class: "st-line st-line-future" });
  const past = node("path", { class: "st-line" });
  const acting = node("path", { class: "st-line st-line-acting" });
  const marks = node("g", { class: "st-bounds", "aria-hidden": "true" });
  world.append(future, past, acting, marks);
  const pool = new Nodes(marks, () => node("path"));
  let growing = [];
  const partial = new Nodes(marks, () => node("path", { class: "st-line" }));
  /** A line that begins with a bar where a process joined, and ends with a bar, or a cross where it crashed. */
  function bound(row, width, { scale, history, reached, place, nowX }) {
    const y = lineOf(scale, row);
    const [born, ended] = [history.born[row], history.ended[row]];
    if (born > reached) return;
    const from = place(born) * scale.unit;
    const to = ended <= reached ? place(ended) * scale.unit : nowX;
    const reach = Math.min(8, scale.row / 4);
    const cross = (x) => `M${x - reach} ${y - reach}l${2 * reach} ${2 * reach}m0 ${-2 * reach}l${-2 * reach} ${2 * reach}`;
    // While it is down there is no line.
    let begin = from;
    for (const { from: since, to: until } of history.downs[row].filter((each) => each.from <= reached)) {
      const [x, back] = [place(since) * scale.unit, until <= reached ? place(until) * scale.unit : Infinity];
      piece(`${row} ${since}`, begin, x);
      put(pool.take(`${row} down ${since}`), { class: "st-bound st-crash", d: cross(x) });
      begin = back;
    }
    if (begin === Infinity) return;
    const line = piece(row, begin, Math.max(begin, to));
    if (ended > reached) growing.push([line, begin, y]);

    function piece(key, left, right) {
      const drawn = partial.take(key);
      put(drawn, { d: `M${left.toFixed(1)} ${y.toFixed(1)}H${right.toFixed(1)}`, "stroke-width": width });
      return drawn;
    }

    if (born > 0) put(pool.take(`${row} born`), { class: "st-bound", d: `M${from.toFixed(1)} ${y - reach}v${2 * reach}` });
    if (ended > reached) return;
    const crashed = history.crashed[row];
    put(pool.take(`${row} ended`), { class: `st-bound${crashed ? " st-crash" : ""}`, d: crashed ? cross(to) : `M${to.toFixed(1)} ${y - reach}v${2 * reach}` });
  }

  return {
    draw(view) {
      const { scale, history, end, reached, part } = view;
      growing = [];
      let unitLines = "";
      let wholeLines = "";
      for (let row = 0; row < history.names.length; row += 1) {
        const y = lineOf(scale, row).toFixed(1);
        if (bounded(history, row, reached)) continue;
        unitLines += `M0 ${y}H1`;
        wholeLines += `M0 ${y}H${Math.round(end * scale.unit)}`;
      }
      const width = Math.max(0.2, Math.min(2, scale.row / 6));
      put(past, { d: unitLines, "stroke-width": width });
      put(future, { d: wholeLines, "stroke-width": width });
      for (let row = 0; row < history.names.length; row += 1) if (bounded(history, row, reached)) bound(row, width, view);
      pool.sweep();
      partial.sweep();
      const actor = scale.dense && !part ? history.happenings[reached] : null;
      put(acting, { d: actor && actor.row !== null ? `M0 ${lineOf(scale, actor.row).toFixed(1)}H1` : "" });
    },
    advance({ scale, nowX, part, order, t }) {
      const end = part ? mix(t, order.end + 0.7, part) * scale.unit : nowX;
      const transform = `scale(${Math.max(end, 0.01).toFixed(1)} 1)`;
      put(past, { transform });
      for (const [line, from, y] of growing) put(line, { d: `M${from.toFixed(1)} ${y.toFixed(1)}H${Math.max(from, end).toFixed(1)}` });
      put(acting, { transform });
    },
  };
}

/** Does the line of a process begin late, has it ended, or has it a gap? */
function bounded(history, row, reached) {
  return history.born[row] > 0 || history.ended[row] <= reached || history.downs[row].some(({ from }) => from <= reached);
}

/** The names of the processes, on the left; without room for all, at least that of the acting process. */
export function names(host) {
  const layer = node("g", { class: "st-names", "aria-hidden": "true" });
  host.append(layer);
  const pool = new Nodes(layer, () => node("text", { "text-anchor": "end" }));
  return {
    draw({ scale, history, reached }) {
      const actor = scale.labelled > 1 ? (history.happenings[reached]?.row ?? null) : null;
      const size = scale.row >= 24 ? 15 : scale.row * scale.labelled >= 14 ? 11 : 9;
      for (let row = 0; row < history.names.length; row += scale.labelled) {
        if (actor === null || Math.abs(row - actor) >= scale.labelled) name(row, null);
      }
      if (actor !== null) name(actor, "st-name-acting");
      pool.sweep();

      function name(row, kind) {
        const text = pool.take(row);
        put(text, { x: scale.left - 14, y: (lineOf(scale, row) + size * 0.35).toFixed(1), "font-size": size, class: kind });
        say(text, history.names[row]);
      }
    },
  };
}

/** The numbers of the steps along the bottom. While the cut is straightened, they slide with their events. */
export function axis(world) {
  const layer = node("g", { class: "st-axis", "aria-hidden": "true" });
  world.append(layer);
  const pool = new Nodes(layer, () => node("text", { "text-anchor": "middle" }));
  return {
    draw({ scale, history, first, last, place, part, reached }) {
      const step = stride(scale.unit, String(history.steps).length);
      const limit = part ? reached : history.steps;
      const y = scale.bottom + 16;
      const from = Math.max(1, Math.floor(first));
      const until = Math.min(limit, Math.ceil(last));
      if (part) {
        const room = (String(history.steps).length * 7 + 6) / scale.unit;
        const shown = history.happenings.slice(1, limit + 1).filter(({ kind, step: k }) => kind && inside(place(k)));
        let free = -Infinity;
        for (const { step: k } of shown.sort((a, b) => place(a.step) - place(b.step))) {
          if (place(k) < free) continue;
          label(k);
          free = place(k) + room;
        }
      } else {
        for (let k = Math.ceil(from / step) * step; k <= until; k += step) label(k);
      }
      pool.sweep();

      function inside(where) {
        return where >= first && where <= last;
      }

      function label(k) {
        const text = pool.take(k);
        put(text, { x: (place(k) * scale.unit).toFixed(1), y, class: k > reached ? "st-later" : null });
        say(text, String(k));
      }
    },
  };
}

/** Now: a thin dotted line that moves. */
export function now(world, words) {
  const line = node("path", { class: "st-now" });
  const text = node("text", { class: "st-now-word" }, [words("spacetime.now")]);
  world.append(line, text);
  return {
    advance({ scale, nowX, part, snapshot, reached, seen }) {
      const opacity = Math.max(0, 1 - part * 3);
      const cut = snapshot ? snapshot.recorded[0] : Infinity;
      const covered = cut <= reached && nowX - cut * scale.unit < 80;
      put(line, { d: `M0 ${scale.top - 18}V${scale.bottom + 4}`, transform: `translate(${nowX.toFixed(1)} 0)`, opacity });
      const room = nowX + 40 <= seen + scale.room;
      put(text, { transform: `translate(${(nowX + (room ? 5 : -5)).toFixed(1)} ${scale.top - 10})`, "text-anchor": room ? "start" : "end", opacity: covered ? 0 : opacity });
    },
  };
}
