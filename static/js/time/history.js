/**
 * What happened where and when in the whole known run, read from its scenes: messages, lives of processes, cuts.
 * Computes; draws nothing.
 *
 * One step is one action of one process, so a step's number is its place in time and its process its place in space.
 */

import { ruined, snapshotOf } from "../run/snapshot.js";
import { Cut } from "./cut.js";

/** @import { Happening } from "../run/types.js" */
/** @import { Message, Scene } from "../types.js" */

const NEVER = Infinity;
const EVERY = 128;

/**
 * @typedef {{row: number, number: number, step: number, until: number}} Checkpoint what a process saved on its own, and
 *   the step in which it was discarded
 * @typedef {{from: number, to: number, end: string | null}} Span of steps in which a process lives, and how that ended
 */

/**
 * @typedef {object} Flight a message in space and time
 * @property {number} id
 * @property {Message["kind"]} kind
 * @property {unknown} payload
 * @property {number | null} snapshot
 * @property {string} channel
 * @property {number} from row of the sender
 * @property {number} to row of the receiver
 * @property {number} sent step
 * @property {number} first the step in which the repeated message was first sent; its own step if it repeats nothing
 * @property {number} received step, Infinity while it is not known to arrive
 * @property {number} lost the step in which it was lost, Infinity if it was not
 * @property {boolean} undone was it not lost but undone?
 * @property {number} forked the step in which the network copied it, or a rollback put it back; otherwise Infinity
 * @property {number | null} twin what it is a copy of
 * @property {Flight} [earlier] its flight before a rollback put it back
 */

/** The history of a run, growing with its scenes. */
export class History {
  /** @param {Pick<import("../run/scenes.js").Scenes, "base" | "held" | "at" | "end">} scenes */
  constructor(scenes) {
    const { base } = scenes;
    this.scenes = scenes;
    this.base = base;
    this.names = base.names;
    /** How many steps it has learned. */
    this.steps = 0;
    /** @type {Map<number, Flight>} by id, in the order of sending */
    this.flights = new Map();
    /** @type {Flight[]} */
    this.sendings = [];
    /** @type {Map<number, Flight>} */
    this.flying = new Map();
    /** @type {Flight[][]} what was in flight after step 0, 128, 256, … */
    this.keyframes = [[]];
    /** @type {Span[][]} by row */
    this.spans = scenes
      .at(0)
      .processes.items()
      .map(({ life }) => (life === "unborn" ? [] : [{ from: 0, to: NEVER, end: null }]));
    /** @type {import("../run/types.js").Setback[]} */
    this.setbacks = [];
    /** @type {Checkpoint[]} known if every process saves on its own */
    this.checkpoints = [];
    /** @type {{step: number, channel: number, healed: boolean}[]} channels that were partitioned, or healed */
    this.faults = [];
    /** @type {Cut[]} in the order of their ids */
    this.cuts = [];
  }

  /** Learn the scenes that are new. */
  grow() {
    while (this.steps < this.scenes.held) this.#learn(this.scenes.at((this.steps += 1)));
    this.cuts = this.scenes.at(this.steps).snapshots.map((snapshot) => new Cut(snapshot, this.names));
  }

  /** @param {Scene} scene */
  #learn({ step, processes, channels, happening }) {
    if (!happening) return;
    for (const message of happening.entered) this.#takeOff(step, message);
    for (const { id } of happening.arrived) this.#land(id, { received: step });
    for (const i of happening.emptied)
      for (const { message, undone } of channels.get(i).gone) this.#land(message.id, { lost: step, undone });
    for (const { row, life } of happening.lives) this.#live(step, row, life);
    for (const { snapshot } of happening.records)
      if (!snapshot && this.base.private && happening.row !== null) {
        const number = processes.get(happening.row).saves.length;
        this.checkpoints.push({ row: happening.row, number, step, until: NEVER });
      }
    this.#fail(step, happening.frame.n);
    for (const setback of happening.setbacks) this.#goBack(setback, happening.entered);
    if (step % EVERY === 0) this.keyframes.push([...this.flying.values()]);
  }

  /** A message leaves; a copy, or one that has been put back, leaves its line.
   * @param {number} step @param {Message} message */
  #takeOff(step, { id, kind, payload, snapshot, channel, sent, origin, twin }) {
    if (this.flying.has(id)) return;
    const { name, from, to } = this.base.channels[channel];
    const first = this.flights.get(origin ?? id)?.sent ?? sent;
    const earlier = this.flights.get(id);
    const known = earlier ?? this.flights.get(twin ?? id);
    const made = known ?? { kind, payload, snapshot, channel: name, from, to, sent, first };
    const fresh = { received: NEVER, lost: NEVER, undone: false, forked: known ? step : NEVER, earlier };
    const flight = { ...made, id, twin: earlier ? null : twin, ...fresh };
    this.flights.set(id, flight);
    this.sendings.push(flight);
    this.flying.set(id, flight);
  }

  /** Channels are partitioned, or heal. @param {number} step @param {import("../run/types.js").Frame["n"]} notes */
  #fail(step, notes) {
    for (const [key, name] of notes)
      if (key === "partitioned" || key === "healed")
        this.faults.push({ step, channel: this.base.at.get(name) ?? 0, healed: key === "healed" });
  }

  /** A message arrives, or is lost on its way. @param {number} id @param {Partial<Flight>} how */
  #land(id, how) {
    Object.assign(this.flights.get(id) ?? {}, how);
    this.flying.delete(id);
  }

  /** @param {number} step @param {number} row @param {import("../run/types.js").Life} life */
  #live(step, row, life) {
    const last = this.spans[row].at(-1);
    if (life === "member") this.spans[row].push({ from: step, to: NEVER, end: null });
    else if (life !== "leaving" && last?.to === NEVER) Object.assign(last, { to: step, end: life });
  }

  /** @param {import("../run/types.js").Setback} setback
   * @param {Message[]} kept after a rollback of all, only these are in flight */
  #goBack(setback, kept) {
    const { step, row, snapshot } = setback;
    this.setbacks.push(setback);
    if (row === null) {
      const ids = new Set(kept.map(({ id }) => id));
      for (const id of this.flying.keys()) if (!ids.has(id)) this.#land(id, { lost: step, undone: true });
    }
    for (const each of this.checkpoints)
      if (each.row === row && each.number > snapshot && each.until === NEVER) each.until = step;
  }

  /** What a step did. @param {number} step @returns {Happening | null} null for step 0 */
  happening(step) {
    return this.scenes.at(step).happening;
  }

  /** What the steps of a range did. @param {number} first @param {number} last */
  happenings(first, last) {
    const steps = Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    return steps.flatMap((step) => this.happening(step) ?? []);
  }

  /** When a process is there for the first time. @param {number} row */
  born(row) {
    return this.spans[row].at(0)?.from ?? NEVER;
  }

  /** When a process left or crashed for good. @param {number} row */
  ended(row) {
    const last = this.spans[row].at(-1);
    return last && last.end !== "down" ? last.to : NEVER;
  }

  /**
   * The messages that are visible between two steps when `now` steps have happened, in the order of sending.
   * @param {number} first @param {number} last @param {number} now
   */
  between(first, last, now) {
    const from = Math.max(0, Math.floor(first));
    const until = Math.min(Math.ceil(last), now);
    if (until < 0) return [];
    const frame = Math.min(Math.floor(from / EVERY), this.keyframes.length - 1);
    const found = this.keyframes[frame].filter((flight) => ends(flight) >= from && begins(flight) <= now);
    for (let i = this.#firstSentAfter(frame * EVERY); i < this.sendings.length; i += 1) {
      const flight = this.sendings[i];
      if (begins(flight) > until) break;
      if (ends(flight) >= from) found.push(flight);
    }
    return found;
  }

  /** The index of the first message sent after `step`. @param {number} step */
  #firstSentAfter(step) {
    let [low, high] = [0, this.sendings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begins(this.sendings[middle]) <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The cuts that have begun when `now` steps have happened. @param {number} now */
  begun(now) {
    return this.cuts.filter(({ started }) => started <= now);
  }

  /** Why a cut is of no use when `now` steps have happened; null if it may be. @param {Cut} cut @param {number} now */
  ruined(cut, now) {
    const snapshot = snapshotOf(this.scenes.at(now), cut.id);
    return snapshot && ruined(snapshot, now === this.steps ? this.scenes.end : null);
  }

  /** The relation of a message to a cut, see Cut; or an orphan of a rollback.
   * @param {Flight} flight @param {Cut | null} cut @param {number} now */
  fate(flight, cut, now) {
    if (this.scenes.at(now).orphans.has(flight.id)) return "orphan";
    return cut && flight.lost > now ? cut.fate(flight, now) : "plain";
  }

  /**
   * A message of the recorded state, received before the cut or recorded in its channel, that is sent again only after the
   * cut: it is no orphan because it is the same message as the first, but no order of the events has the cut as one moment.
   * @param {Cut} cut @param {number} now
   */
  repeated(cut, now) {
    const logs = snapshotOf(this.scenes.at(now), cut.id)?.channels.items() ?? [];
    const kept = new Set(logs.flatMap((recording) => recording?.log.items().map(({ id }) => id) ?? []));
    return this.sendings.find(({ id, kind, from, to, sent, first, received }) => {
      const again = kind === "app" && sent <= now && first <= cut.border(from) && sent > cut.border(from);
      return again && (received < cut.border(to) || kept.has(id));
    });
  }

  /** The application messages that are received but not sent before the cut, as far as `now` shows.
   * @param {Cut} cut @param {number} now */
  orphans(cut, now) {
    return this.sendings.filter((flight) => begins(flight) <= now && this.fate(flight, cut, now) === "orphan");
  }
}

/** The step in which a flight first becomes visible. @param {Flight} flight */
export function begins({ sent, forked }) {
  return forked === NEVER ? sent : forked;
}

/** The step after which nothing moves any more: it has arrived, or it is lost. @param {Flight} flight */
export function ends({ received, lost }) {
  return Math.min(received, lost);
}
