/** The messages in and beside one channel. Draws what `motion` says. */

import { spoken } from "../run/sign.js";
import { set } from "../svg.js";
import { counter } from "./counter.js";
import { isAside, named, signature } from "./labels.js";
import { place, shapeOf } from "./message.js";
import { during, travel } from "./motion.js";
import { point } from "./paths.js";
import { classes, cross } from "./shapes.js";

/**
 * @typedef {import("./types.js").Channel} Channel
 * @typedef {import("./types.js").Gone} Gone
 * @typedef {import("./types.js").Item} Item
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Moment} Moment
 * @typedef {import("./types.js").Path} Path
 * @typedef {import("./types.js").Resting} Resting
 * @typedef {import("./types.js").Setting} Setting
 * @typedef {import("./types.js").TubeView} TubeView
 * @typedef {import("./types.js").Words} Words
 * @typedef {{queue: Resting, lane: Resting}} Rests
 * @typedef {{link: SVGAElement, looks: string, name: string, gone: boolean}} Drawn a message; `name`: its class
 */

/** How many unused shapes of a look are kept. */
const SPARE = 8;

/**
 * @param {Channel} channel @param {Setting} setting
 * @param {SVGPathElement} lane drawn while messages are beside the tube
 */
export function traffic(channel, setting, lane) {
  const track = setting.tracks[channel.i];
  const count = counter(track, setting);
  const crowd = shapes(channel, setting);

  /**
   * @param {TubeView} view @param {Moment} moment @param {number} fraction
   * @param {Rests} from where everything was at rest @param {Rests} to
   */
  function draw(view, moment, fraction, from, to) {
    const { now } = view;
    const { phase } = moment;
    const queue = travel(from.queue, to.queue, track.path.length, fraction, phase, now.gone);
    const { messages: beside } = travel(from.lane, to.lane, track.lane.length, fraction, phase);
    set(lane, "visibility", beside.length ? "visible" : "hidden");
    const lost = fraction < 1 ? now.gone.filter(({ rank }) => rank >= 0) : [];
    crowd.begin();
    for (const item of queue.messages) put(item, track.path, view, moment);
    for (const item of beside) put(item, track.lane, view, moment);
    for (const each of lost) vanish(each, from.queue, moment, fraction);
    crowd.end();
    const headed = channel.barriers && now.queue.length > 0 && now.queue.at(0).kind === "marker";
    // The lane is beside a tube that is too short for its count: messages in the lane have priority.
    const covered = queue.aside && beside.length > 0;
    count(queue, !covered, headed && queue.messages.every(({ rank }) => rank < 0));
  }

  /** @param {Item} item @param {Path} path @param {TubeView} view @param {Moment} moment */
  function put(item, path, view, moment) {
    const { message } = item;
    const drawn = crowd.take(message);
    place(drawn.link, point(path, item.at), item.shade, item.scale);
    const fresh = message.sent === moment.step && "fresh";
    const back = message.back === moment.step && view.back === "back" && "back";
    const wrong = view.faults.some((fault) => fault.message?.id === message.id) && "wrong";
    crowd.dress(drawn, classes("message", message.kind, fresh, back, wrong));
    offer(drawn.link, item, view, moment);
  }

  /**
   * A lost message fades in place, with a cross; an undone one, without.
   * @param {Gone} gone @param {Resting} from @param {Moment} moment @param {number} fraction
   */
  function vanish({ message, undone }, from, { phase }, fraction) {
    const start = from.items.find((item) => item.message.id === message.id);
    if (!start) return;
    const drawn = crowd.take(message);
    if (!drawn.gone && !undone && drawn.link.firstElementChild)
      cross(drawn.link.firstElementChild, 0, setting.pill * 0.6);
    drawn.gone = true;
    crowd.dress(drawn, `message ${message.kind} gone`);
    place(drawn.link, point(track.path, start.at), 1 - during(fraction, phase.act), start.scale);
  }

  /**
   * A message in the queue opens its menu; what travels beside it is a link that makes it arrive.
   * @param {SVGAElement} link @param {Item} item @param {TubeView} view @param {Moment} moment
   */
  function offer(link, { message, rank }, { now }, { silent }) {
    const there = !silent && rank >= 0;
    const arrives = there && isAside(message) && rank === 0 && !now.partitioned;
    const opens = there && !isAside(message);
    const action = `collect ${channel.name}`;
    set(link, "data-action", arrives ? action : null);
    set(link, "href", arrives ? setting.branch(action) : null);
    set(link, "tabindex", opens ? "0" : null);
    set(link, "role", opens ? "button" : null);
    set(link, "aria-haspopup", opens ? "menu" : null);
    set(link, "aria-label", arrives || opens ? described(message, channel, setting.words) : null);
    set(link, "aria-hidden", arrives || opens ? null : "true");
  }

  return { draw, light: crowd.light };
}

/** The description of a message. @param {Message} message @param {Channel} channel @param {Words} words */
function described(message, channel, words) {
  const { kind, payload, snapshot } = message;
  const [source, target] = kind === "word" ? payload : [];
  const said = kind === "marker" ? named(message, channel, words) : kind === "control" ? spoken(payload) : payload;
  const key = isAside(message) ? `player.stage.${kind}` : "player.stage.message";
  return words.word(key, {
    message: said,
    part: payload,
    snapshot: snapshot ?? "",
    channel: channel.name,
    source,
    target,
  });
}

/**
 * The shapes of the messages. Unused ones are kept by their look: a jump finds most of what it needs there.
 * @param {Channel} channel @param {Setting} setting
 */
function shapes(channel, setting) {
  /** @type {Map<number, Drawn>} */
  const all = new Map();
  /** @type {Map<string, SVGAElement[]>} */
  const spare = new Map();
  /** @type {Set<number>} */
  let taken = new Set();
  /** @type {number | null} */
  let lit = null;

  function begin() {
    taken = new Set();
  }

  /**
   * The shape of a message: its current one, an unused one that looks the same, or a new one.
   * @param {Message} message
   */
  function take(message) {
    taken.add(message.id);
    const known = all.get(message.id);
    if (known) return known;
    const looks = signature(message, setting);
    const link = spare.get(looks)?.pop() ?? shapeOf(message, setting);
    set(link, "data-message", message.id);
    set(link, "data-on", channel.name);
    setting.layers.messages.append(link);
    const drawn = { link, looks, name: "", gone: false };
    all.set(message.id, drawn);
    return drawn;
  }

  /** Remove what nobody has taken. */
  function end() {
    for (const [id, { link, looks, gone }] of all) {
      if (taken.has(id)) continue;
      link.remove();
      all.delete(id);
      const kept = spare.get(looks) ?? [];
      if (!gone && kept.length < SPARE) spare.set(looks, [...kept, link]);
    }
  }

  /** @param {Drawn} drawn @param {string} name */
  function dress(drawn, name) {
    drawn.name = name;
    set(drawn.link, "class", classes(name, drawn === all.get(lit ?? -1) && "lit"));
  }

  /** @param {number | null} id of the message to light up */
  function light(id) {
    lit = id;
    for (const drawn of all.values()) dress(drawn, drawn.name);
  }

  return { begin, take, end, dress, light };
}
