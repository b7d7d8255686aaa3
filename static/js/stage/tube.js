/**
 * One channel: the tube with what it holds, and the tray beside it, hatched while it is open and blue once it is sealed.
 * Draws.
 */

import { say, set, svg } from "../svg.js";
import { during } from "./motion.js";
import { point } from "./paths.js";
import { recording } from "./recording.js";
import { classes, hued, ifSeen, isSame } from "./shapes.js";
import { traffic } from "./traffic.js";
import { isClosed } from "./view.js";

/** @import { Channel, Filled, Moment, Setting, Track, TubeView } from "./types.js" */

/** By look: how much wider than the channel its casing is, and how much slimmer its inside. */
const CASING = { row: 0, circle: 0, wires: 4, grid: 6 };
const EDGE = { row: 3, circle: 3, wires: 2.6, grid: 0 };
/** In a grid: how thick a line is. */
const LINE = 1.2;

/**
 * @param {SVGGElement} group to draw into @param {Channel} channel @param {Setting} setting
 */
export function tube(group, channel, setting) {
  const { look, words } = setting;
  const track = setting.tracks[channel.i];
  const shapes = outline(group, track, look, setting.layers.heads);
  const kept = recording(channel, setting);
  const messages = traffic(channel, setting, shapes.lane);
  const name = `${channel.source} → ${channel.target}`;
  /** @type {Record<string, unknown>} */
  let last = {};
  // With very many channels, a list beside the stage makes them reachable by keyboard.
  set(group, "tabindex", look === "grid" ? "-1" : "0");

  /**
   * @param {TubeView} view @param {Moment} moment @param {number} fraction
   * @param {import("./resting.js").Channel} from where messages were at rest @param {import("./resting.js").Channel} to
   */
  function draw(view, moment, fraction, from, to) {
    const { was, now, began, is, ...more } = view;
    const moving = fraction < 1 && (was !== now || began !== is || from !== to);
    // Only tubes with messages have links to write when motion ends.
    const silent = moment.silent && now.queue.length + now.lane.length > 0;
    // Nor has every tube something in the colour of the snapshot.
    const hue = began || is || view.back || now.lane.length ? moment.hue : 0;
    const next = { ...more, now, is, to, moving, silent, hue, unseen: moment.unseen };
    if (!moving && isSame(last, next)) return;
    last = next;
    const filled = fill(view, moment, fraction);
    shapes.stop(now.blocked !== null);
    shapes.jam(view.full);
    const how = conditions(channel, view);
    set(group, "class", classes("tube", filled.state, how, hued(hue)));
    set(shapes.head, "class", classes("head", how));
    messages.draw(view, moment, fraction, from, to);
    kept(view, moment, fraction, filled, from.queue);
    setting.later(group, () => {
      set(group, "aria-label", words.word(wordOf(view), { channel: name }));
      if (shapes.title) say(shapes.title, `${name}\n${words.word("player.stage.opens")}`);
    });
  }

  /**
   * Draw how far the tray is. @param {TubeView} view @param {Moment} moment @param {number} fraction @returns {Filled}
   */
  function fill({ began, is }, { phase }, fraction) {
    const t = during(fraction, phase.fill);
    const grown = (/** @type {unknown} */ a, /** @type {unknown} */ b) => (a ? (b ? 1 : 1 - t) : b ? t : 0);
    const solid = grown(isClosed(began), isClosed(is));
    // A closing marker seals the tray from the receiver's end; the hatch stays under it.
    const open = began?.open && isClosed(is) ? 1 : grown(began?.open, is?.open);
    const hatch = solid < 1 ? open : 0;
    shapes.tray(Math.max(hatch, solid) > 0);
    sweep(shapes.hatch(hatch > 0), hatch);
    sweep(shapes.solid(solid > 0), solid);
    return { hatch, solid, state: solid > 0.5 ? "closed" : open > 0.5 ? "recording" : "idle" };
  }

  /** @param {SVGPathElement | null} path @param {number} part */
  function sweep(path, part) {
    if (!path || !track.tray || look === "grid") return;
    const { length } = track.tray;
    const partly = part > 0 && part < 1;
    set(path, "stroke-dasharray", partly ? `${(part * length).toFixed(1)} ${(length * 2).toFixed(1)}` : null);
    set(path, "stroke-dashoffset", partly ? ((part - 1) * length).toFixed(1) : null);
  }

  return { draw, light: messages.light };
}

/**
 * Draw what does not change with the steps.
 * @param {SVGGElement} group @param {Track} track @param {Setting["look"]} look
 * @param {SVGGElement} above where no other channel covers its arrowhead
 */
function outline(group, track, look, above) {
  const { d, length } = track.path;
  const grid = look === "grid";
  const path = (/** @type {string} */ name, /** @type {number} */ width, shape = d) =>
    svg("path", { class: name, d: shape, "stroke-width": width }, group);
  const title = look === "row" ? svg("title", {}, group) : null;
  const casing = CASING[look] ? path("casing", track.tube + CASING[look]) : null;
  const edge = path("edge", grid ? LINE : track.tube);
  if (!grid) path("core", track.tube - EDGE[look]);
  const head = svg(
    "polygon",
    { points: track.head.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" ") },
    above,
  );
  // A blocked channel stops before its process; a full one lets nothing in.
  const end = length + { row: track.tube / 2 + 6, circle: 4, wires: 4, grid: 2 }[look];
  return {
    ...tray(casing ?? edge, track, look),
    title,
    head,
    lane: ifSeen(() => svg("path", { class: "lane", d: track.lane.d }, group)),
    stop: ifSeen(() => across("stop", end, grid ? 5 : track.tube / 2 + 7)),
    jam: ifSeen(() => across("jam", look === "row" ? 3 - track.tube / 2 : 3, grid ? 4 : track.tube / 2 + 3)),
  };

  /** A bar across the channel, reaching to both sides. @param {string} name @param {number} at @param {number} reach */
  function across(name, at, reach) {
    const [a, b] = [point(track.path, at, -reach), point(track.path, at, reach)];
    const bar = `M${a.x.toFixed(1)} ${a.y.toFixed(1)}L${b.x.toFixed(1)} ${b.y.toFixed(1)}`;
    return svg("path", { class: name, d: bar }, group);
  }
}

/**
 * The tray beside a channel: its casing and its edge, and what fills it. In a row the caption has it.
 * @param {SVGPathElement} above the lowest shape above it @param {Track} track @param {Setting["look"]} look
 */
function tray(above, { tray: place }, look) {
  if (!place) return { tray: nothing, hatch: nothing, solid: nothing };
  const { d, thick } = place;
  const grid = look === "grid";
  const path = (/** @type {string} */ name, /** @type {number} */ width) =>
    svg("path", { class: name, d, "stroke-width": width });
  const box = ifSeen(() => {
    const made = svg("g");
    made.append(path("tray-casing", thick + 3), path("tray-edge", thick), path("tray-core", thick - 2.4));
    above.parentNode?.prepend(made);
    return made;
  });
  const solid = ifSeen(() => {
    const made = path("solid", thick);
    above.before(made);
    return made;
  });
  const hatch = ifSeen(() => {
    const made = path("hatch", grid ? thick : thick - 2.4);
    (solid(true) ?? above).before(made);
    return made;
  });
  return { tray: grid ? nothing : box, hatch, solid };
}

const nothing = () => null;

/** @param {Channel} channel @param {TubeView} view */
function conditions({ against }, { now, full, useless, stuck, back, fresh, away }) {
  return classes(
    now.blocked !== null && "blocked",
    full && "full",
    useless && "useless",
    stuck && "stuck",
    back,
    fresh && "fresh",
    now.partitioned && "partitioned",
    away && "away",
    now.paused && "paused",
    against && "against",
  );
}

/** The key of the words for a channel. @param {TubeView} view */
function wordOf({ now, full }) {
  if (now.blocked !== null) return "player.stage.channel.stopped";
  if (full) return "player.stage.channel.jammed";
  if (now.partitioned) return "player.stage.channel.partitioned";
  return now.paused ? "player.stage.channel.paused" : "player.stage.channel";
}
