/** The arrows of messages, markers, control messages and recorded parts in the space-time diagram. Draws. */

import { breadth, short } from "./labels.js";
import { Nodes, node, put, say } from "./nodes.js";
import { arrow, besides, lineOf, mix, within } from "./scale.js";

const DIAMOND = "M0 -8L8 0L0 8L-8 0Z";
const BAR = "M-5 -9H5V9H-5Z";
/** How far beyond the window lines are drawn, in px. */
const MARGIN = 160;
const CROSS = "M-6 -6L6 6M-6 6L6 -6";

/**
 * @param {SVGElement} world
 * @param {(key: string, fields?: object) => string} words
 */
export function flights(world, words) {
  const layers = { part: layer("st-parts"), control: layer("st-controls"), marker: layer("st-markers"), app: layer("st-messages") };
  const texts = node("g", { class: "st-labels", "aria-hidden": "true" });
  const pools = {
    part: new Nodes(layers.part, () => flightNode("part")),
    word: new Nodes(layers.part, () => flightNode("word")),
    control: new Nodes(layers.control, () => flightNode("control")),
    marker: new Nodes(layers.marker, () => flightNode("marker")),
    app: new Nodes(layers.app, () => flightNode("app")),
  };
  const labels = new Nodes(texts, () => node("text", { "text-anchor": "middle" }));
  let growing = [];

  function layer(name) {
    const made = node("g", { class: name });
    world.append(made);
    return made;
  }

  function draw(view) {
    growing = [];
    for (const flight of view.flights) {
      const drawn = pools[flight.kind].take(keyOf(flight));
      paint(drawn, flight, view);
      if (Math.min(flight.received, flight.lost) > view.reached && !view.part) growing.push([drawn, flight]);
    }
    for (const kind in pools) pools[kind].sweep();
    for (const flight of view.flights) if (flight.kind === "app") label(flight, view);
    labels.sweep();
  }

  function label(flight, view) {
    const fate = view.history.fate(flight, view.snapshot, view.reached);
    const lit = view.lit === flight.id;
    const payload = short(flight.payload);
    const lost = flight.lost <= view.reached && !flight.undone;
    const text = fate === "orphan" ? words("spacetime.orphan", { message: payload }) : lost ? words("spacetime.lost", { message: payload }) : payload;
    const bold = fate !== "plain" || lit || lost;
    if (view.scale.row < 16 && !bold) return;
    const size = fate === "plain" ? 13 : 14;
    const { start, end, arrives } = track(flight, view);
    const width = breadth(text, size) + 4;
    const [left, right] = [view.seen, view.seen + view.scale.room];
    const near = within(start, end, 1, left, right);
    // A message's name may have become too wide for its old place.
    const room = ({ x }) => fate !== "orphan" || x - width / 2 >= left;
    const spots = () => clear(besides(near.start, near.end, width), size, view).sort((a, b) => room(b) - room(a));
    const key = fate === "orphan" ? `orphan ${keyOf(flight)}` : keyOf(flight);
    const spot = view.part ? spots()[0] : view.labels.place(key, spots, width, size + 2, left, right);
    const where = spot ?? (lit ? spots()[0] : null);
    if (!where || (!bold && !arrives && where.x > view.nowX && dense(view.scale))) return;
    const drawn = labels.take(keyOf(flight));
    put(drawn, {
      x: where.x.toFixed(1),
      y: (where.y + size * 0.36).toFixed(1),
      "font-size": size,
      class: `st-label st-${lost ? "lost" : fate}${lit ? " st-lit" : ""}${tone(fate, view)}`,
    });
    say(drawn, text);
  }

  return {
    draw,
    advance(view) {
      for (const [drawn, flight] of growing) paint(drawn, flight, view);
    },
    /** The layer of the labels, which belongs above the events. */
    texts,
  };
}

/** A message that is put back into its channel flies again, under the same id. */
function keyOf({ id, forked }) {
  return forked === Infinity ? id : `${id} ${forked}`;
}

/** Prefer places without the line of a process. */
function clear(spots, size, { scale }) {
  const free = ({ y }) => Math.abs(y - lineOf(scale, Math.round((y - lineOf(scale, 0)) / scale.row))) > size / 2 + 2;
  return [...spots.filter(free), ...spots.filter((spot) => !free(spot))];
}

function flightNode(kind) {
  const made = node("g", { class: `st-flight st-${kind}` }, [
    node("path", { class: "st-hit" }),
    node("path", { class: "st-rest" }),
    node("path", { class: "st-body" }),
    node("path", { class: kind === "marker" ? "st-diamond" : "st-head" }),
  ]);
  if (kind !== "part" && kind !== "word") made.append(node("path", { class: "st-cross", d: CROSS, display: "none" }));
  if (kind === "marker") made.append(node("text", { class: "st-diamond-word", "text-anchor": "middle", "font-size": 10 }));
  return made;
}

/** Where a message starts and ends, and how far it has come, in the view. */
function track(flight, { scale, history, place, t, part, reached, order }) {
  const [from, to] = [lineOf(scale, flight.from), lineOf(scale, flight.to)];
  const arrives = flight.received <= reached;
  const known = flight.received !== Infinity;
  const lost = flight.lost !== Infinity;
  // A lost message would have arrived some steps later: it ends well before the line.
  const goal = known ? flight.received : lost ? flight.lost : Math.max(history.steps, t) + 0.6;
  const goalY = known ? to : mix(from, to, lost ? 0.6 : 0.85);
  // If the cut is straight, a retransmission leaves where the first did: the cut is after that.
  let start = [mix(place(flight.sent), place(flight.first), part) * scale.unit, from];
  if (flight.forked !== Infinity) start = [place(flight.forked) * scale.unit, mix(from, to, on(flight, history))];
  if (flight.lost <= reached) return { start, end: [place(flight.lost) * scale.unit, goalY], done: 1, arrives: true, lost: true };
  if (arrives) return { start, end: [place(flight.received) * scale.unit, to], done: 1, arrives };
  const first = flight.forked === Infinity ? flight.sent : flight.forked;
  const done = Math.max(0, Math.min(1, (t - first) / (goal - first)));
  if (!part) return { start, end: [goal * scale.unit, goalY], done, arrives };
  const tip = mix(t, order.end + 0.7, part);
  return { start, end: [tip * scale.unit, mix(from, goalY, Math.max(done, 0.3 * part))], done: 1, arrives };
}

/** How far a copied message had come, as a fraction of its way. */
function on(flight, history) {
  const twin = history.flights.get(flight.twin);
  if (!twin) return 0.5;
  const end = Math.min(twin.received, twin.lost);
  const known = end === Infinity ? history.steps + 0.6 : end;
  return Math.max(0.1, Math.min(0.8, (flight.forked - twin.sent) / (known - twin.sent)));
}

function paint(drawn, flight, view) {
  const { scale, history, part, snapshot, reached, lit } = view;
  const { start, end, done, arrives, lost = false } = track(flight, view);
  const fate = history.fate(flight, snapshot, reached);
  const strong = fate !== "plain";
  const [hit, rest, body, head, extra] = drawn.children;
  const gap = flight.kind === "app" ? scale.dot + 1 : Math.min(scale.square / 2, 8);
  const small = Math.min(1, Math.max(0.15, scale.row / 30));
  const headLength = flight.kind === "app" ? (strong ? 13 : 9) * small : 0;
  const near = within(start, end, done, view.seen - MARGIN, view.seen + scale.room + MARGIN);
  const path = arrow(near.start, near.end, near.done, fate === "orphan" ? gap + 5 : gap, fate === "orphan" || lost || near.cut ? 0 : headLength);
  put(drawn, {
    "data-message": flight.id,
    class: `st-flight st-${flight.kind} st-${fate}${lit === flight.id ? " st-lit" : ""}${tone(fate, view)}${other(flight, view)}${weight(flight, fate, view)}${lost ? ` st-gone${flight.undone ? " st-undone" : ""}` : ""}${flight.forked === Infinity ? "" : " st-twin"}`,
    opacity: flight.kind === "app" || !part ? null : Math.max(0, 1 - part * 1.2).toFixed(2),
  });
  put(hit, { d: path.body });
  put(body, { d: path.body, "stroke-width": width(flight, fate, small) });
  const ahead = lit === flight.id || (strong ? scale.row >= 8 : !dense(scale));
  put(rest, { d: ahead ? path.rest : "", "stroke-width": width(flight, fate, small) });
  const [cross, word] = flight.kind === "marker" ? [...drawn.children].slice(4) : [extra, null];
  if (flight.kind === "marker") diamond(head, word, flight, { start, end, done, arrives }, small, history.root !== null);
  else put(head, { d: path.head });
  if (cross) {
    const shown = fate === "orphan" || (lost && !flight.undone);
    put(cross, {
      display: shown ? null : "none",
      transform: shown ? `translate(${path.tip[0].toFixed(1)} ${path.tip[1].toFixed(1)})` : null,
    });
  }
}

/** The diamond, or the bar of a barrier, travels with now and stops just before the line that it reaches. */
function diamond(head, word, flight, { start, end, done, arrives }, small, bar) {
  const [dx, dy] = [end[0] - start[0], end[1] - start[1]];
  const last = Math.max(0.5, 1 - 24 / (Math.hypot(dx, dy) || 1));
  const at = arrives ? last : Math.min(done, last);
  const [x, y] = [start[0] + dx * at, start[1] + dy * at];
  put(head, { d: bar ? BAR : DIAMOND, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)}) scale(${small.toFixed(2)})` });
  put(word, { x: x.toFixed(1), y: (y + 3.5).toFixed(1), display: small < 1 || flight.snapshot === null ? "none" : null });
  say(word, flight.snapshot === null ? "" : String(flight.snapshot));
}

/** Are there so many lines that the future would hide the past? */
function dense(scale) {
  return scale.row < 24;
}

function width(flight, fate, small) {
  if (flight.kind === "part" || flight.kind === "word") return 1.5 * small;
  if (flight.kind === "control") return 1.2 * small;
  if (flight.kind === "marker") return 2 * small;
  return fate === "plain" ? 1.5 * Math.max(small, 0.5) : 4 * Math.max(small, 0.2);
}

/** The colour of what belongs to a cut: the second snapshot has its own. */
function tone(fate, view) {
  return fate === "crossing" && view.tone(view.snapshot.id) ? " st-second" : "";
}

/** If lines are dense, the step's own are strong, and those that leave the window are faint. */
function weight({ sent, received }, fate, { scale, reached, first, last, part }) {
  if (!scale.dense || part) return "";
  if (sent === reached || received === reached) return " st-just";
  const inside = sent >= first && received <= Math.min(last, reached);
  return inside || fate !== "plain" ? "" : " st-faint";
}

/** Is this a marker or a part of a snapshot other than the selected one? */
function other(flight, view) {
  return flight.snapshot !== null && view.snapshot && flight.snapshot !== view.snapshot.id ? " st-other" : "";
}
