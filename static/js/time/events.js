/** Events on the lines of the processes: sends, receives, changes, and the points where states are recorded. Draws. */

import { breadth, short } from "./labels.js";
import { Nodes, node, put, say } from "./nodes.js";
import { lineOf } from "./scale.js";

const CAMERA = "M-6 -3.5H-3L-1.8 -5.5H1.8L3 -3.5H6V4.5H-6Z";
const FEW = 60;

/**
 * @param {SVGElement} world
 * @param {(key: string, fields?: object) => string} words
 */
export function events(world, words) {
  const halo = node("circle", { class: "st-acted" });
  const layer = node("g", { class: "st-events" });
  world.append(halo, layer);
  const pool = new Nodes(layer, eventNode);
  const squares = node("g", { class: "st-records" });
  world.append(squares);
  const records = new Nodes(squares, recordNode);
  const states = node("g", { "aria-hidden": "true" });
  world.append(states);
  const chips = new Nodes(states, () => node("g", {}, [node("rect", { rx: 4, height: 20 }), node("text", { x: 6, y: 14.5 })]));

  function draw(view) {
    const { scale, history, happenings, reached, snapshot, part, place } = view;
    const few = history.steps <= FEW;
    const radius = scale.dot;
    for (const happening of happenings) {
      const { step, row, kind } = happening;
      const [x, y] = [place(step) * scale.unit, lineOf(scale, row)];
      const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`;
      const access = few ? { role: "button", tabindex: -1, "aria-label": told(happening, view) } : { role: null, tabindex: null, "aria-label": null };
      if (kind) {
        const drawn = pool.take(step);
        const [shape, badge, word] = drawn.children;
        put(drawn, { transform: at, "data-step": step, "data-message": happening.message, class: `st-event st-${kind}`, ...access });
        put(shape, { d: kind === "change" ? box(radius) : disc(radius) });
        badged(badge, word, happening, view);
      }
      happening.records.forEach((record, i) => {
        const drawn = records.take(`${step} ${record.snapshot}`);
        const side = scale.square;
        const mine = snapshot && record.snapshot === snapshot.id;
        put(drawn, {
          transform: `translate(${(x + i * (side + 2)).toFixed(1)} ${y.toFixed(1)})`,
          "data-step": step,
          class: `st-record${view.tone(record.snapshot) ? " st-second" : ""}`,
          opacity: mine || !part ? null : (1 - part * 0.8).toFixed(2),
          ...access,
        });
        const [square, camera, lens] = drawn.children;
        put(square, { x: -side / 2, y: -side / 2, width: side, height: side, rx: side / 5 });
        const visible = side >= 14 ? null : "none";
        put(camera, { display: visible });
        put(lens, { display: visible });
        if (mine) chip(record, x, y, row, view);
      });
    }
    pool.sweep();
    records.sweep();
    chips.sweep();
    acted(view);
  }

  /** On the straight cut, what each process recorded: the state that this run passes through. */
  function chip({ snapshot, state }, x, y, row, { scale, part, tone }) {
    if (part < 0.85 || scale.row < 34) return;
    const text = short(state, 24);
    const drawn = chips.take(`${snapshot} ${y}`);
    const left = x + scale.square / 2 + 4;
    put(drawn, {
      class: `st-chip${tone(snapshot) ? " st-second" : ""}`,
      transform: `translate(${left.toFixed(1)} ${(row ? y + 8 : y - 28).toFixed(1)})`,
      opacity: ((part - 0.85) / 0.15).toFixed(2),
    });
    put(drawn.children[0], { width: (breadth(text, 12, 0.72) + 12).toFixed(1) });
    say(drawn.children[1], text);
  }

  /** A ring around what acted just now. */
  function acted({ scale, history, reached, place, part }) {
    const happening = history.happenings[reached];
    const seen = happening && happening.row !== null && (happening.kind || happening.records.length || happening.received !== null);
    put(halo, {
      display: seen && !part ? null : "none",
      cx: seen ? (place(reached) * scale.unit).toFixed(1) : null,
      cy: seen ? lineOf(scale, happening.row).toFixed(1) : null,
      r: happening?.records.length ? scale.square / 2 + 6 : scale.dot + 5,
    });
  }

  function badged(badge, word, { step, row }, { part, snapshot, scale }) {
    const shown = part > 0 && snapshot;
    const after = shown && step >= snapshot.recorded[row];
    const wide = scale.unit >= 34 && scale.row >= 34;
    const y = -scale.dot - 10;
    put(badge, {
      display: shown ? null : "none",
      class: `st-badge${after ? " st-post" : ""}`,
      opacity: Math.min(1, part * 3).toFixed(2),
      cx: wide ? -12 : 0,
      cy: y,
      r: Math.min(3.5, scale.dot),
    });
    put(word, { display: shown && wide ? null : "none", x: -6, y: y + 4, opacity: Math.min(1, part * 3).toFixed(2) });
    say(word, shown ? words(after ? "spacetime.post" : "spacetime.pre") : "");
  }

  /** The description of an event for screen readers. */
  function told(happening, { history }) {
    const process = history.names[happening.row];
    const { step } = happening;
    if (happening.records.length) return words("spacetime.event.record", { step, process });
    const message = history.flights.get(happening.message)?.payload;
    return words(`spacetime.event.${happening.kind}`, { step, process, message });
  }

  return { draw };
}

function eventNode() {
  return node("g", {}, [
    node("path", { class: "st-dot" }),
    node("circle", { class: "st-badge" }),
    node("text", { class: "st-badge-word", "font-size": 10 }),
  ]);
}

function recordNode() {
  return node("g", {}, [
    node("rect", { class: "st-square" }),
    node("path", { class: "st-camera", d: CAMERA }),
    node("circle", { class: "st-camera", cx: 0, cy: 0.6, r: 2.2 }),
  ]);
}

function disc(radius) {
  return `M${-radius} 0A${radius} ${radius} 0 1 1 ${radius} 0A${radius} ${radius} 0 1 1 ${-radius} 0Z`;
}

function box(radius) {
  const half = radius * 0.8;
  return `M${-half} ${-half}H${half}V${half}H${-half}Z`;
}
