/** The messages in and beside one channel. Draws what `motion` says. */

import { spoken } from "../run/sign.js";
import { set } from "../svg.js";
import { counter } from "./counter.js";
import { isAside, named } from "./labels.js";
import { place } from "./message.js";
import { during, travel } from "./motion.js";
import { point } from "./paths.js";
import { classes, cross, hued } from "./shapes.js";

/** @import { Drawn } from "./crowd.js" */
/** @import { Channel, Gone, Item, Message, Moment, Path, Resting, Setting, TubeView, Words } from "./types.js" */

/** @typedef {{queue: Resting, lane: Resting}} Rests */

/**
 * @param {Channel} channel @param {Setting} setting
 * @param {(seen: boolean) => SVGPathElement | null} lane drawn while messages are beside the tube
 */
export function traffic(channel, setting, lane) {
  const track = setting.tracks[channel.i];
  const count = counter(track, setting);
  const crowd = shapes(channel, setting);
  const { later } = setting;

  /**
   * @param {TubeView} view @param {Moment} moment @param {number} fraction
   * @param {Rests} from where everything was at rest @param {Rests} to
   */
  function draw(view, moment, fraction, from, to) {
    const { now } = view;
    const { phase } = moment;
    const queue = travel(from.queue, to.queue, track.path.length, fraction, phase, now.gone);
    const { items: beside } = travel(from.lane, to.lane, track.lane.length, fraction, phase);
    lane(beside.length > 0);
    const lost = fraction < 1 ? now.gone.filter(({ rank }) => rank >= 0) : [];
    crowd.begin();
    for (const item of queue.items) put(item, track.path, view, moment);
    for (const item of beside) put(item, track.lane, view, moment);
    for (const each of lost) vanish(each, from.queue, moment, fraction);
    crowd.end();
    const headed = channel.barriers && now.queue.length > 0 && now.queue.at(0).kind === "marker";
    // The lane is beside a tube that is too short for its count: messages in the lane have priority.
    const covered = queue.aside && beside.length > 0;
    count(queue, !covered, headed && queue.items.every(({ rank }) => rank < 0));
  }

  /** @param {Item} item @param {Path} path @param {TubeView} view @param {Moment} moment */
  function put(item, path, view, moment) {
    const { message } = item;
    const fresh = message.sent === moment.step && "fresh";
    const back = message.back === moment.step && view.back === "back" && "back";
    const wrong = view.faults.some((fault) => fault.message?.id === message.id) && "wrong";
    const hue = (back || message.kind === "part") && hued(moment.hue);
    const name = classes("message", message.kind, fresh, back, wrong, hue);
    crowd.take(message, false, (drawn) => {
      place(drawn.link, point(path, item.at), item.shade, item.scale, setting.loud);
      crowd.dress(drawn, name);
      later(drawn, () => offer(drawn.link, item, channel, setting, moment.silent, view.now.partitioned));
    });
  }

  /**
   * A lost message fades in place, with a cross; an undone one, without.
   * @param {Gone} gone @param {Resting} from @param {Moment} moment @param {number} fraction
   */
  function vanish({ message, undone }, from, { phase }, fraction) {
    const start = from.items.find((item) => item.message.id === message.id);
    if (!start) return;
    crowd.take(message, true, (drawn) => {
      if (!drawn.gone && !undone && drawn.link.firstElementChild)
        cross(drawn.link.firstElementChild, 0, setting.pill * 0.6);
      drawn.gone = true;
      crowd.dress(drawn, `message ${message.kind} gone`);
      place(drawn.link, point(track.path, start.at), 1 - during(fraction, phase.act), start.scale, setting.loud);
    });
  }

  return { draw, light: crowd.light };
}

/**
 * A message in the queue opens its menu; what travels beside it is a link that makes it arrive.
 * @param {SVGAElement} link @param {Item} item @param {Channel} channel @param {Setting} setting
 * @param {boolean} silent can nothing be chosen? @param {boolean} closed does nothing arrive?
 */
function offer(link, { message, rank }, channel, { branch, words }, silent, closed) {
  const there = !silent && rank >= 0;
  const arrives = there && isAside(message) && rank === 0 && !closed;
  const opens = there && !isAside(message);
  const action = `collect ${channel.name}`;
  set(link, "data-action", arrives ? action : null);
  set(link, "href", arrives ? branch(action) : null);
  set(link, "tabindex", opens ? "0" : null);
  set(link, "role", opens ? "button" : null);
  set(link, "aria-haspopup", opens ? "menu" : null);
  set(link, "aria-label", arrives || opens ? described(message, channel, words) : null);
  set(link, "aria-hidden", arrives || opens ? null : "true");
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
 * The shapes of the messages of one channel.
 * @param {Channel} channel @param {Setting} setting
 */
function shapes(channel, { crowd }) {
  /** @type {Map<number, Drawn>} */
  let all = new Map();
  /** What has not been taken yet in this round. @type {Map<number, Drawn>} */
  let left = all;
  /** @type {number | null} */
  let lit = null;
  /** A message lies above those before it in the queue. */
  let above = 0;

  function begin() {
    left = all;
    all = new Map();
    above = 0;
  }

  /** Draw a message: with its shape, or with one that nobody else needs. @param {Message} message
   * @param {boolean} gone may it be crossed out? @param {(drawn: Drawn) => void} draw */
  function take(message, gone, draw) {
    const { id } = message;
    const put = (/** @type {Drawn} */ drawn) => {
      all.set(id, drawn);
      above = Math.max(above, drawn.at);
      draw(drawn);
    };
    const known = left.get(id);
    if (!known || (known.gone && !gone)) return crowd.want(message, channel.name, () => above, put);
    left.delete(id);
    put(known);
  }

  /** Free what nobody has taken. */
  function end() {
    for (const drawn of left.values()) crowd.free(drawn);
    left.clear();
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
