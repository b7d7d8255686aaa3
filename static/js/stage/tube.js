/**
 * One channel: the tube, its hatch while it is recorded, its blue when it is closed, and what it holds. Draws what
 * `motion` says.
 */

import { sign, spoken } from "../run/sign.js";
import { say, set, svg } from "../svg.js";
import { during, travel } from "./motion.js";
import { point } from "./paths.js";
import { cross, pill, place, signature, width } from "./pill.js";
import { closed, recording } from "./recording.js";
import { single, slots, stops } from "./resting.js";

/** By look: how much wider than the channel its casing is, and how much slimmer its inside. */
const CASING = { row: 0, circle: 0, wires: 6, grid: 6 };
const EDGE = { row: 3, circle: 3, wires: 2.6, grid: 0 };
/** In a grid: how thick a line is, and how thick while it is recorded. */
const LINE = 1.2;
const BOLD = 2.2;

/**
 * @param {Object} layers the groups to draw into
 * @param {import("../run/scene.js").Channel} channel
 * @param {Object} words
 */
export function tube(layers, channel, words) {
  const group = svg("g", { class: "tube", role: "button", "aria-haspopup": "menu", "data-channel": channel.name }, layers.tubes);
  const title = svg("title", {}, group);
  const casing = svg("path", { class: "casing" }, group);
  const edge = svg("path", { class: "edge" }, group);
  const core = svg("path", { class: "core" }, group);
  const hatch = svg("path", { class: "hatch" }, group);
  const solid = svg("path", { class: "solid" }, group);
  const head = svg("polygon", { class: "head" }, group);
  const lane = svg("path", { class: "lane" }, group);
  const stop = svg("path", { class: "stop", visibility: "hidden" }, group);
  const jam = svg("path", { class: "jam", visibility: "hidden" }, group);
  const kept = recording(layers, channel, words);
  const more = svg("g", { class: "more" }, layers.messages);
  const drawn = new Map();
  /** Unused shapes, by their look: a jump finds most of what it needs here. */
  const spare = new Map();
  let plan = null;
  let track = null;
  let ways = null;
  let last = {};

  function layout(next) {
    plan = next;
    track = plan.tracks[channel.i];
    last = {};
    ways = { queue: queueWay(), lane: laneWay() };
    const grid = plan.look === "grid";
    const inner = track.tube - EDGE[plan.look];
    for (const path of [casing, edge, core, hatch, solid]) set(path, "d", track.path.d);
    set(casing, "stroke-width", CASING[plan.look] ? track.tube + CASING[plan.look] : 0);
    set(edge, "stroke-width", grid ? LINE : track.tube);
    set(core, "stroke-width", grid ? 0 : inner);
    set(hatch, "stroke-width", grid ? BOLD : inner);
    set(solid, "stroke-width", grid ? BOLD : track.tube);
    set(lane, "d", track.lane.d);
    set(head, "points", track.head.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" "));
    // A blocked channel stops before its process; a full one lets nothing in.
    set(stop, "d", across(track.path.length + (plan.look === "row" ? track.tube / 2 + 6 : grid ? 2 : 4), grid ? 5 : track.tube / 2 + 7));
    set(jam, "d", across(plan.look === "row" ? 3 - track.tube / 2 : 3, grid ? 4 : track.tube / 2 + 3));
    for (const shape of drawn.values()) shape.remove();
    drawn.clear();
    spare.clear();
    // With very many channels, a list beside the stage makes them reachable by keyboard.
    set(group, "tabindex", plan.look === "grid" ? "-1" : "0");
    more.replaceChildren();
    kept.layout(plan);
    for (const path of [hatch, solid, lane]) set(path, "visibility", "hidden");
  }

  /** A bar across the channel, at a distance from its beginning, reaching to both sides. */
  function across(at, reach) {
    const [a, b] = [point(track.path, at, -reach), point(track.path, at, reach)];
    return `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}`;
  }

  const wide = (message) => width(message, plan, words);

  function queueWay() {
    const { length } = track.path;
    const { stations } = track;
    if (stations) return { length, most: stations.length, rest: (_, count) => stops(stations, count) };
    const pad = Math.max(0, track.tube / 2 - 4);
    return { length, most: Math.ceil((length + 2 * pad) / 12) + 1, rest: (visible, count) => slots(visible.map(wide), count, length, pad) };
  }

  function laneWay() {
    const { length } = track.lane;
    if (track.stations) return { length, most: 1, rest: (_, count) => single(track.sheet, count) };
    return { length, most: Math.ceil(length / 12) + 1, rest: (visible, count) => slots(visible.map(wide), count, length) };
  }

  /**
   * @param {import("../run/scene.js").Tube} was @param {import("../run/scene.js").Tube} now
   * @param {import("../run/scene.js").Recording|null} began @param {import("../run/scene.js").Recording|null} is
   * @param {number} fraction @param {Object} phase @param {Object} about {step, silent, hue, faults}
   */
  function draw(was, now, began, is, fraction, phase, about) {
    const still = was === now && began === is;
    const moving = !still && fraction < 1;
    const fresh = about.moved;
    // Only tubes with messages have links to write when motion ends.
    const silent = about.silent && now.queue.length + now.lane.length > 0;
    const same = last.now === now && last.is === is && last.hue === about.hue && last.fresh === fresh && last.silent === silent && last.away === about.away && last.useless === about.useless && last.back === about.back && last.stuck === about.stuck;
    if (!moving && !last.moving && same && last.unseen === about.unseen && last.faults === about.faults && last.storing === about.storing) return;
    last = { now, is, moving, hue: about.hue, fresh, silent, unseen: about.unseen, faults: about.faults, away: about.away, useless: about.useless, back: about.back, stuck: about.stuck };
    last.storing = about.storing;
    const shown = { hatch: grown(began?.open, is?.open), solid: grown(closed(began), closed(is)) };
    function grown(a, b) {
      if (!a && !b) return 0;
      if (a && b) return 1;
      const t = during(fraction, phase.fill);
      return b ? t : 1 - t;
    }
    // A closing marker sweeps the blue through the tube from the receiver's end; the hatch stays under it.
    const hatched = began?.open && closed(is) ? 1 : shown.hatch;
    sweep(hatch, hatched > 0 && shown.solid < 1 ? hatched : 0);
    sweep(solid, shown.solid);
    const state = shown.solid > 0.5 ? "closed" : shown.hatch > 0.5 || hatched === 1 ? "recording" : "idle";
    const full = about.capacity !== undefined && now.queue.items().filter(({ kind }) => kind === "app").length >= about.capacity;
    set(stop, "visibility", now.blocked !== null ? "visible" : "hidden");
    set(jam, "visibility", full ? "visible" : "hidden");
    const more_ = `${now.blocked !== null ? " blocked" : ""}${full ? " full" : ""}${about.useless ? " useless" : ""}${about.stuck ? " stuck" : ""}${about.back ? ` ${about.back}` : ""}`;
    set(group, "class", `tube${more_} ${state}${fresh ? " fresh" : ""}${now.partitioned ? " partitioned" : ""}${about.away ? " away" : ""}${now.paused ? " paused" : ""}${channel.against ? " against" : ""}`);
    const name = `${channel.source} → ${channel.target}`;
    const word = now.blocked !== null ? "player.stage.channel.stopped" : full ? "player.stage.channel.jammed" : now.partitioned ? "player.stage.channel.partitioned" : now.paused ? "player.stage.channel.paused" : "player.stage.channel";
    set(group, "aria-label", words.word(word, { channel: name }));
    const near = messages(was, now, fraction, phase, about);
    kept.draw(began, is, fraction, phase, state, near, about);
    if (plan.look === "row") say(title, `${name}\n${words.word("player.stage.opens")}`);
  }

  function sweep(path, part) {
    set(path, "visibility", part > 0 ? "visible" : "hidden");
    if (plan.look === "grid") return;
    const long = track.path.length;
    // Round ends would show as dots where nothing is visible yet.
    set(path, "stroke-dasharray", part > 0 && part < 1 ? `${(part * long).toFixed(1)} ${(long * 2).toFixed(1)}` : null);
    set(path, "stroke-dashoffset", part > 0 && part < 1 ? `${((part - 1) * long).toFixed(1)}` : null);
  }

  /** @returns {number} how near to the tube's beginning messages rest */
  function messages(was, now, fraction, phase, about) {
    const queue = travel(was.queue, now.queue, ways.queue, fraction, phase, now.gone);
    const lanes = was.lane.length || now.lane.length ? travel(was.lane, now.lane, ways.lane, fraction, phase) : null;
    set(lane, "visibility", lanes?.messages.length && track.lane !== track.path ? "visible" : "hidden");
    const seen = new Set();
    for (const item of queue.messages) put(item, track.path, seen, about, now);
    if (lanes) for (const item of lanes.messages) put(item, track.lane, seen, about, now);
    for (const gone of fraction < 1 ? now.gone : []) vanish(gone, was, fraction, phase, seen);
    for (const [id, shape] of drawn) {
      if (seen.has(id)) continue;
      shape.remove();
      drawn.delete(id);
      keep(shape);
    }
    // The lane is beside a tube that is too short for its count: messages in the lane have priority.
    const room = !(queue.aside && lanes?.messages.length);
    count(room ? queue : { ...queue, hidden: 0 }, channel.barriers && now.queue.length > 0 && now.queue.at(0).kind === "marker" && queue.messages.every(({ rank }) => rank < 0));
    if (queue.hidden) return 0;
    return queue.messages.reduce((least, item) => (item.rank >= 0 && item.shade === 1 ? Math.min(least, item.at - wide(item.message) / 2) : least), Infinity);
  }

  function keep(shape) {
    if (shape.classList.contains("gone")) return;
    const kept = spare.get(shape.looks) ?? [];
    if (kept.length < 8) spare.set(shape.looks, [...kept, shape]);
  }

  /** The shape of a message: its current one, an unused one with the same look, or a new one. */
  function shapeOf(message) {
    let shape = drawn.get(message.id);
    if (shape) return shape;
    const looks = signature(message, plan, words);
    shape = spare.get(looks)?.pop() ?? pill(message, plan, words);
    shape.looks = looks;
    set(shape, "data-message", `${message.id}`);
    set(shape, "data-on", channel.name);
    layers.messages.append(shape);
    drawn.set(message.id, shape);
    return shape;
  }

  function put(item, path, seen, about, now) {
    const { message } = item;
    const shape = shapeOf(message);
    seen.add(message.id);
    place(shape, point(path, item.at), item.shade, item.scale);
    const wrong = about.faults.some((fault) => fault.message?.id === message.id);
    set(shape, "class", `message ${message.kind}${message.sent === about.step ? " fresh" : ""}${message.back === about.step && about.back === "back" ? " back" : ""}${wrong ? " wrong" : ""}`);
    offer(shape, item, about, now);
  }

  /** A lost message fades in place, with a cross; an undone one, without. */
  function vanish({ message, rank, undone }, was, fraction, phase, seen) {
    const start = travel(was.queue, was.queue, ways.queue, 1, phase).messages.find((item) => item.message.id === message.id);
    if (!start || rank < 0) return;
    const shape = shapeOf(message);
    if (!shape.classList.contains("gone")) {
      if (!undone) cross(shape.firstChild, 0, plan.pill * 0.6);
      set(shape, "class", `message ${message.kind} gone`);
    }
    seen.add(message.id);
    place(shape, point(track.path, start.at), 1 - during(fraction, [0.3, 1]), start.scale);
  }

  /** A message in the queue opens its menu; what travels beside it is a link that makes it arrive. */
  function offer(shape, item, about, now) {
    const { message, rank } = item;
    const there = !about.silent && rank >= 0;
    const lane = message.kind === "part" || message.kind === "word";
    const arrives = there && lane && rank === 0 && !now.partitioned;
    const action = `collect ${channel.name}`;
    set(shape, "data-action", arrives ? action : null);
    set(shape, "href", arrives ? about.branch(action) : null);
    const opens = there && !lane;
    set(shape, "tabindex", opens ? "0" : null);
    set(shape, "role", opens ? "button" : null);
    set(shape, "aria-haspopup", opens ? "menu" : null);
    const key = lane ? `player.stage.${message.kind}` : "player.stage.message";
    set(shape, "aria-label", arrives || opens ? words.word(key, fields(message)) : null);
    set(shape, "aria-hidden", arrives || opens ? null : "true");
  }

  function fields(message) {
    const [source, target] = message.kind === "word" ? message.payload : [];
    const { snapshot } = message;
    const said = message.kind === "marker" ? sign(channel, snapshot) : message.kind === "control" ? spoken(message.payload) : message.payload;
    return { message: said, part: message.payload, snapshot: snapshot ?? "", channel: channel.name, source, target };
  }

  /** The number of hidden messages, where the next one would be; `headed`: the first is a barrier. */
  function count({ hidden, more: at, size, aside }, headed) {
    if (!hidden) {
      if (more.firstChild) more.replaceChildren();
      return;
    }
    const { w, h, font } = COUNT[plan.look](plan);
    if (!more.firstChild) {
      svg("rect", { class: "body", x: -w / 2, y: -h / 2, width: w, height: h, rx: h / 2 }, more);
      svg("rect", { class: "bar", x: w / 2 - 4, y: -h / 2 - 2, width: 7, height: h + 4, rx: 2 }, more);
      svg("text", { y: font * 0.36, "font-size": font, "text-anchor": "middle" }, more);
    }
    set(more.children[1], "visibility", headed ? "visible" : "hidden");
    // If the tube is too short, the count is beside it, opposite its caption.
    const spot = point(track.path, at, aside ? (track.inner ?? 1) * (track.tube / 2 + 12) : 0);
    set(more, "transform", `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})${size < 1 ? ` scale(${size})` : ""}`);
    say(more.lastChild, `+${hidden}`);
  }

  return {
    layout,
    draw,
    light(id) {
      let hit = false;
      for (const [message, shape] of drawn) {
        shape.classList.toggle("lit", message === id);
        if (shape.known) shape.known.class = null;
        hit ||= message === id;
      }
      return hit;
    },
  };
}

/** How large the count is. */
const COUNT = {
  row: () => ({ w: 30, h: 18, font: 11 }),
  circle: () => ({ w: 30, h: 18, font: 11 }),
  wires: (plan) => ({ w: plan.wide - 4, h: plan.pill - 1, font: 11 }),
  grid: () => ({ w: 13, h: 9, font: 7.5 }),
};
