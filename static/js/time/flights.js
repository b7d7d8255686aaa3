/** The arrows of messages, markers, control messages and recorded parts in the space-time diagram. Draws. */

import { say } from "../svg.js";
import { FlightLabels } from "./flight_labels.js";
import { Nodes, node, put } from "./nodes.js";
import { arrow, mix, within } from "./scale.js";
import { keyOf, toneOf, track } from "./track.js";

/** @import { Flight } from "./history.js" */
/** @import { View } from "./view.js" */

const DIAMOND = "M0 -8L8 0L0 8L-8 0Z";
const BAR = "M-5 -9H5V9H-5Z";
const CROSS = "M-6 -6L6 6M-6 6L6 -6";
/** How far beyond the window lines are drawn, in px. */
const MARGIN = 160;
/** The widths of lines by kind. */
const WIDTHS = { part: 1.5, word: 1.5, control: 1.2, marker: 2 };
/** The layers, the lowest first, and what is in them. */
const LAYERS = /** @type {const} */ ([
  ["st-parts", ["part", "word"]],
  ["st-controls", ["control"]],
  ["st-markers", ["marker"]],
  ["st-messages", ["app"]],
]);

export class Flights {
  /** @type {[drawn: SVGElement, tip: SVGElement | null, flight: Flight][]} those that move between two steps */
  #growing = [];
  /** In a whole run that is squeezed, all arrows that do not matter to the cut. */
  #web = node("path", { class: "st-web", "aria-hidden": "true" });

  /** @param {SVGElement} world
   * @param {SVGElement} tips above the cut, which passes just where markers arrive: their diamonds
   * @param {SVGElement} texts above the events: the labels @param {import("../types.js").Word} words */
  constructor(world, tips, texts, words) {
    this.labels = new FlightLabels(texts, words);
    this.tips = new Nodes(tips, tipNode);
    /** @type {Map<Flight["kind"], Nodes<SVGElement>>} */
    this.pools = new Map();
    world.append(this.#web);
    for (const [name, kinds] of LAYERS) {
      const layer = node("g", { class: name });
      world.append(layer);
      for (const kind of kinds) this.pools.set(kind, new Nodes(layer, () => flightNode(kind)));
    }
  }

  /** @param {View} view */
  draw(view) {
    this.#growing = [];
    put(this.#web, { d: view.web.map((flight) => web(flight, view)).join("") });
    const keys = view.flights.map(keyOf);
    for (const pool of [...this.pools.values(), this.tips]) pool.keep(keys);
    for (const flight of view.flights) {
      const drawn = this.pools.get(flight.kind)?.take(keyOf(flight));
      if (!drawn) continue;
      const tip = flight.kind === "marker" ? this.tips.take(keyOf(flight)) : null;
      paint(drawn, tip, flight, view);
      if (Math.min(flight.received, flight.lost) > view.reached && !view.part) this.#growing.push([drawn, tip, flight]);
    }
    for (const pool of this.pools.values()) pool.sweep();
    this.tips.sweep();
    this.labels.draw(view);
  }

  /** @param {View} view */
  advance(view) {
    for (const [drawn, tip, flight] of this.#growing) paint(drawn, tip, flight, view);
  }
}

/** An arrow as a mere line, as far as it has come. @param {Flight} flight @param {View} view */
function web(flight, view) {
  const { start, end, done } = track(flight, view);
  const [x, y] = [mix(start[0], end[0], done), mix(start[1], end[1], done)];
  return `M${start[0].toFixed(1)} ${start[1].toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}`;
}

/** @param {Flight["kind"]} kind @returns {SVGElement} */
function flightNode(kind) {
  const made = node("g", { class: `st-flight st-${kind}` }, [
    node("path", { class: "st-hit" }),
    node("path", { class: "st-rest" }),
    node("path", { class: "st-body" }),
  ]);
  if (kind !== "marker") made.append(node("path", { class: "st-head" }));
  if (kind === "app" || kind === "control") made.append(crossNode());
  return made;
}

/** What a marker has at its tip. @returns {SVGElement} */
function tipNode() {
  const number = node("text", { class: "st-diamond-word", "text-anchor": "middle", "font-size": 11 });
  return node("g", {}, [node("path", { class: "st-diamond" }), crossNode(), number]);
}

function crossNode() {
  return node("path", { class: "st-cross", d: CROSS, display: "none" });
}

/** @param {SVGElement} drawn @param {SVGElement | null} tip @param {Flight} flight @param {View} view */
function paint(drawn, tip, flight, view) {
  const { scale, history, part, cut, reached, lit } = view;
  const way = track(flight, view);
  const fate = history.fate(flight, cut, reached);
  const [hit, rest, body] = drawn.children;
  const [head, cross, word] = tip ? tip.children : [...drawn.children].slice(3);
  const small = Math.min(1, Math.max(0.15, scale.row / 30));
  const path = shape(flight, way, fate, small, view);
  const look = {
    "data-message": flight.id,
    class: `st-flight st-${flight.kind} st-${fate}${looks(flight, fate, way.lost, view)}`,
    opacity: flight.kind === "app" || !part ? null : Math.max(0, 1 - part * 1.2).toFixed(2),
  };
  put(drawn, look);
  if (tip) put(tip, look);
  const width = breadth(flight, fate, small);
  put(hit, { d: path.body });
  put(body, { d: path.body, "stroke-width": width });
  // If there are many lines, the future would hide the past.
  const ahead = lit === flight.id || scale.row >= (fate === "plain" ? 24 : 8);
  put(rest, { d: ahead ? path.rest : "", "stroke-width": width });
  if (flight.kind === "marker") diamond(head, word, flight, way, small, history.base.barriers);
  else put(head, { d: path.head });
  if (cross) strike(cross, fate === "orphan" || (way.lost && !flight.undone), path.tip);
}

/** @param {Flight} flight
 * @param {import("./track.js").Track} way @param {string} fate @param {number} small @param {View} view */
function shape({ kind }, { start, end, done, lost }, fate, small, { scale, seen }) {
  const near = within(start, end, done, seen - MARGIN, seen + scale.room + MARGIN);
  const gap = kind === "app" ? scale.dot + 1 : Math.min(scale.square / 2, 8);
  if (fate === "orphan") return arrow(near.start, near.end, near.done, gap + 5, 0);
  const bare = kind !== "app" || lost || near.cut;
  return arrow(near.start, near.end, near.done, gap, bare ? 0 : (fate === "plain" ? 9 : 11) * small);
}

/** What is an orphan, or was lost, is crossed out at its end.
 * @param {Element} cross @param {boolean} shown @param {import("./scale.js").Point} tip */
function strike(cross, shown, [x, y]) {
  const transform = shown ? `translate(${x.toFixed(1)} ${y.toFixed(1)})` : null;
  put(cross, { display: shown ? null : "none", transform });
}

/** The diamond, or the bar of a barrier, travels with now and stops just before the line that it reaches.
 * @param {Element} head @param {Element} word @param {Flight} flight @param {import("./track.js").Track} way
 * @param {number} small @param {boolean} bar */
function diamond(head, word, { snapshot }, { start, end, done, arrives }, small, bar) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const last = Math.max(0.5, 1 - 24 / (Math.hypot(dx, dy) || 1));
  const at = arrives ? last : Math.min(done, last);
  const [x, y] = [start[0] + dx * at, start[1] + dy * at];
  const transform = `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${small.toFixed(2)})`;
  put(head, { d: bar ? BAR : DIAMOND, transform });
  const display = small < 1 || snapshot === null ? "none" : null;
  put(word, { x: x.toFixed(1), y: (y + 3.5).toFixed(1), display });
  say(word, snapshot === null ? "" : String(snapshot));
}

/** @param {Flight} flight @param {string} fate @param {number} small */
function breadth({ kind }, fate, small) {
  if (kind !== "app") return WIDTHS[kind] * small;
  return fate === "plain" ? 1.5 * Math.max(small, 0.5) : 2.5 * Math.max(small, 0.3);
}

/** The classes of an arrow. @param {Flight} flight @param {string} fate @param {boolean} lost @param {View} view */
function looks(flight, fate, lost, view) {
  const { id, snapshot, undone, forked } = flight;
  const { cut } = view;
  return [
    view.lit === id ? " st-lit" : "",
    toneOf(fate, view),
    // A marker or a part of another snapshot than the selected one.
    snapshot !== null && cut && snapshot !== cut.id ? " st-other" : "",
    weight(flight, fate, view),
    lost ? ` st-gone${undone ? " st-undone" : ""}` : "",
    forked === Infinity ? "" : " st-twin",
  ].join("");
}

/** If lines are dense, the step's own are strong, and those that leave the window are faint.
 * @param {Flight} flight @param {string} fate @param {View} view */
function weight({ sent, received }, fate, { scale, reached, first, last, part }) {
  if (!scale.dense || part) return "";
  if (sent === reached || received === reached) return " st-just";
  const inside = sent >= first && received <= Math.min(last, reached);
  return inside || fate !== "plain" ? "" : " st-faint";
}
