/** The names of application messages beside their arrows. Draws. */

import { say } from "../svg.js";
import { breadth, crosses, rectangle, short } from "./labels.js";
import { Nodes, node, put } from "./nodes.js";
import { besides, hatched, lineOf, within } from "./scale.js";
import { keyOf, toneOf, track } from "./track.js";

/** @import { Flight } from "./history.js" */
/** @import { Spot } from "./labels.js" */
/** @import { View } from "./view.js" */

/** Lines so near to each other leave names no choice. */
const ROOMY = 24;
/** A name so near to the end of another arrow seems to be its own. */
const NEAR = 20;

export class FlightLabels {
  /** @param {SVGElement} layer @param {import("../types.js").Word} words */
  constructor(layer, words) {
    this.words = words;
    this.pool = new Nodes(layer, () => node("text", { "text-anchor": "middle" }));
  }

  /** @param {View} view */
  draw(view) {
    this.pool.keep(view.flights.map(keyOf));
    for (const flight of view.flights) if (flight.kind === "app") this.#label(flight, view);
    this.pool.sweep();
  }

  /** @param {Flight} flight @param {View} view */
  #label(flight, view) {
    const { cut, lit } = view;
    const fate = view.history.fate(flight, cut, view.reached);
    const lost = flight.lost <= view.reached && !flight.undone;
    const bold = fate !== "plain" || lit === flight.id || lost;
    if ((view.scale.row < 16 || view.scale.squeezed) && !bold) return;
    const look = lost && fate !== "orphan" ? "lost" : fate;
    const text = this.#text(flight, look);
    const size = fate === "plain" ? 13 : 14;
    const spot = place(flight, fate === "orphan", text, size, view);
    if (!spot || (!bold && isAhead(flight, spot, view))) return;
    const drawn = this.pool.take(keyOf(flight));
    put(drawn, {
      x: spot.x.toFixed(1),
      y: (spot.y + size * 0.36).toFixed(1),
      "font-size": size,
      class: `st-label st-${lost ? "lost" : fate}${lit === flight.id ? " st-lit" : ""}${toneOf(fate, view)}`,
    });
    say(drawn, text);
  }

  /** @param {Flight} flight @param {string} look */
  #text({ payload, twin }, look) {
    const message = `${short(this.words("spacetime.value", { value: payload }))}${twin === null ? "" : "′"}`;
    return look === "orphan" || look === "lost" ? this.words(`spacetime.${look}`, { message }) : message;
  }
}

/** If there are many lines, the future would hide the past.
 * @param {Flight} flight @param {Spot} spot @param {View} view */
function isAhead(flight, spot, view) {
  return view.scale.row < 24 && spot.x > view.nowX && !track(flight, view).arrives;
}

/** A place for a label, if there is one.
 * @param {Flight} flight @param {boolean} orphan @param {string} text @param {number} size @param {View} view */
function place(flight, orphan, text, size, view) {
  const { start, end } = track(flight, view);
  const width = breadth(text, size) + 4;
  const [left, right] = [view.seen, view.seen + view.scale.room];
  const near = within(start, end, 1, left, right);
  const fits = (/** @type {Spot} */ { x }) => Number(x - width / 2 >= left);
  const spots = () =>
    clear(besides(near.start, near.end, width), width, size, flight, view).sort((a, b) => fits(b) - fits(a));
  if (view.part) return spots()[0];
  // A message's name may have become too wide for its old place.
  const key = `${orphan ? "orphan " : ""}${keyOf(flight)}`;
  return view.labels.place(key, spots, width, size + 2, left, right) ?? (view.lit === flight.id ? spots()[0] : null);
}

/** Prefer places without an event, then without the line of a process, then without what is hatched along it, and of these
 * one without an arrow: the name would seem to be its own.
 * @param {Spot[]} spots @param {number} width @param {number} size @param {Flight} own @param {View} view */
function clear(spots, width, size, own, view) {
  const { scale } = view;
  const beside = (/** @type {Spot} */ { y }) =>
    Math.abs(y - lineOf(scale, Math.round((y - lineOf(scale, 0)) / scale.row)));
  // What one process took back is hatched along its line.
  const alone = view.history.setbacks.some(({ row, step }) => row !== null && step <= view.reached);
  const line = size / 2 + 2;
  const hatch = line + (alone ? hatched(scale) : 0);
  // While events move, names stay beside their arrows as they are.
  const apps = view.part ? [] : view.flights.filter(({ kind }) => kind === "app");
  const arrows = apps.map((flight) => track(flight, view));
  const events = arrows.flatMap(({ start, end }) => [start, end]);
  const others = arrows.flatMap(({ start, end }, i) => (apps[i] === own ? [] : [start, end]));
  const cost = new Map(
    spots.map((spot) => {
      const box = rectangle(spot, width, size + 2);
      const around = rectangle(spot, width + 2 * scale.dot, size + 2 + 2 * scale.dot);
      const covered = events.filter((event) => crosses(around, event, event)).length;
      const crossed = scale.row < ROOMY ? 0 : arrows.filter(({ start, end }) => crosses(box, start, end)).length;
      const beyond = rectangle(spot, width + 2 * NEAR, size + 2 * NEAR);
      const on = Number(beside(spot) <= line) + Number(beside(spot) <= hatch) / 2;
      const near = scale.row < ROOMY ? 0 : others.filter((event) => crosses(beyond, event, event)).length;
      return [spot, covered * 10_000 + on * 1000 + crossed + near / 2];
    }),
  );
  return spots.sort((a, b) => (cost.get(a) ?? 0) - (cost.get(b) ?? 0));
}
