/**
 * What happened where and when: events, messages and cuts, read from the frames of a run. Computes; draws nothing.
 *
 * One step is one action of one process, so a step's number is its place in time and its process its place in space.
 */

import { Fallen } from "./fallen.js";

const NEVER = Infinity;
const EVERY = 128;

/**
 * @typedef {object} Happening what one step did
 * @property {number} step
 * @property {number|null} row the process, by its index; null if none acts
 * @property {"send"|"receive"|"change"|null} kind the application event, or null for control
 * @property {number|null} message the application message that was sent or received
 * @property {{snapshot: number, state: unknown}[]} records the snapshots that the process recorded for
 * @property {number[]} sent every message that left, markers and parts too
 * @property {number|null} received the message that arrived, whatever its kind
 */

/**
 * @typedef {object} Flight a message in space and time
 * @property {number} id
 * @property {"app"|"marker"|"control"|"part"|"word"} kind
 * @property {unknown} payload
 * @property {number|null} snapshot
 * @property {string} channel
 * @property {number} from row of the sender
 * @property {number} to row of the receiver
 * @property {number} sent step
 * @property {number} first the step in which the repeated message was first sent; its own step if it repeats nothing
 * @property {number} received step, Infinity while it is not known to arrive
 * @property {number} lost the step in which it was lost, Infinity if it was not
 * @property {number} forked the step in which the network copied it, Infinity if it is not a copy
 * @property {number|null} twin what it is a copy of
 * @property {boolean} [undone] it was not lost but undone
 */

/**
 * @typedef {object} Setback what happened until a step has not happened
 * @property {number} step
 * @property {number} snapshot what all rolled back to (0: the beginning); for one process, the number of what it had
 * saved
 * @property {number|null} row the only process that rolled back, null if all did
 * @property {number} since for one process, the step in which that was saved
 */

/**
 * @typedef {object} Seen a snapshot
 * @property {number} id
 * @property {number} started step
 * @property {number} aborted the step in which it was aborted, Infinity if it was not
 * @property {number[]} recorded by row, the step in which the process recorded, Infinity while it is not known to
 * @property {({since: number, inside: boolean}|null)[]} absent by row, since when the process is known to take no part:
 *   all that it does belongs to the past (`inside`), or nothing; null if it takes part
 */

/** Verbs of actions at one process, by name. */
const ALONE = ["start", "change", "wake", "crash", "join", "leave", "read", "output", "forget", "restart"];
/** Verbs of actions that name a snapshot. The coordinator aborts one; a rollback of all has no acting process. */
const NUMBERED = { abandon: true, restore: false };

/** The history of a run, growing with its frames. */
export class History {
  /** @param {{processes: {name: string, state: unknown}[], channels: string[]}} scene */
  constructor(scene) {
    this.names = scene.processes.map((process) => process.name);
    this.rows = new Map(this.names.map((name, row) => [name, row]));
    this.states = scene.processes.map((process) => process.state);
    /** @type {(Happening|null)[]} by step; nothing happens in step 0 */
    this.happenings = [null];
    /** @type {Map<number, Flight>} by id, in the order of sending */
    this.flights = new Map();
    /** @type {Flight[]} */
    this.sendings = [];
    /** Where lines begin and end: the steps in which a process joined and left; and whether it crashed. */
    const late = scene.newcomers ?? {};
    this.born = this.names.map((name) => (name in late ? NEVER : 0));
    this.ended = this.names.map(() => NEVER);
    this.crashed = this.names.map(() => false);
    /** When processes were down: steps, by row. @type {{from: number, to: number}[][]} */
    this.downs = this.names.map(() => []);
    /** @type {Setback[]} */
    this.setbacks = [];
    this.saves = this.names.map(() => []);
    this.root = this.rows.get(scene.root) ?? null;
    /** What is known if every process saves on its own. */
    this.fallen = scene.private ? new Fallen(this.names) : null;
    /** @type {Map<number, Seen>} */
    this.snapshots = new Map();
    this.flying = new Map();
    /** @type {Flight[][]} what was in flight after step 0, 128, 256, … */
    this.keyframes = [[]];
  }

  /** How many steps are known. */
  get steps() {
    return this.happenings.length - 1;
  }

  /**
   * Learn the next steps, in order.
   * @param {{a: string, n: unknown[][]}[]} frames
   */
  add(frames) {
    for (const frame of frames) this.#learn(frame);
  }

  #learn({ a: action, n: notes }) {
    const step = this.steps + 1;
    const row = this.#place(action);
    /** @type {Happening} */
    const happening = { step, row, kind: null, message: null, records: [], sent: [], received: null };
    if (action.startsWith("change ")) happening.kind = "change";
    for (const [key, ...values] of notes) {
      if (key === "sent") this.#sent(happening, values);
      else if (key === "received") this.#received(happening, values[1]);
      else if (key === "changed") this.states[this.rows.get(values[0])] = values[1];
      else if (key === "recorded") this.#recorded(happening, values);
      else if (key === "lost") this.#lost(happening, values[1]);
      else if (key === "doubled") this.#doubled(happening, values);
      else if (key === "aborted") this.#seen(step, values[0]).aborted = step;
      else if (key === "completed") this.#seen(step, values[0]).completed = step;
      else if (key === "joined") this.#joined(step, values[0]);
      else if (key === "absent") this.#absent(step, values);
      else if (key === "merged") this.#seen(step, values[0]).absent[this.rows.get(values[1])] = null;
      else if (key === "left" || key === "crashed") this.#gone(step, values[0], key === "crashed");
      else if (key === "down") this.downs[this.rows.get(values[0])].push({ from: step, to: NEVER });
      else if (key === "stored") this.#stored(happening, values);
      else if (key === "restored") this.#restored(step, values);
      else if (key === "returned") this.#returned(step, values);
      this.fallen?.learn(step, key, values);
    }
    this.happenings.push(happening);
    if (step % EVERY === 0) this.keyframes.push([...this.flying.values()]);
  }

  /** The process that acts. */
  #place(action) {
    const [verb, where] = action.split(" ");
    if (verb in NUMBERED) return NUMBERED[verb] ? this.root : null;
    if (ALONE.includes(verb)) return this.rows.get(where);
    const [source, target] = sides(where);
    return this.rows.get(verb === "send" ? source : target);
  }

  #sent(happening, [channel, id, kind, payload = null, snapshot = null, , origin = null]) {
    const [source, target] = sides(channel);
    const [from, to] = [this.rows.get(source), this.rows.get(target)];
    const first = this.flights.get(origin)?.sent ?? happening.step;
    const flight = { id, kind, payload, snapshot, channel, from, to, sent: happening.step, first, received: NEVER, lost: NEVER, forked: NEVER, twin: null };
    this.flights.set(id, flight);
    this.sendings.push(flight);
    this.flying.set(id, flight);
    happening.sent.push(id);
    // What follows a recording in the same step did not happen first.
    if (kind === "app" && happening.kind === null) Object.assign(happening, { kind: "send", message: id });
  }

  #received(happening, id) {
    const flight = this.flights.get(id);
    flight.received = happening.step;
    this.flying.delete(id);
    happening.received = id;
    if (flight.kind === "app") Object.assign(happening, { kind: "receive", message: id });
  }

  /** It ends on its way, and is never received. */
  #lost(happening, id) {
    this.flights.get(id).lost = happening.step;
    this.flying.delete(id);
  }

  /** The copy leaves the line of its original. */
  #doubled(happening, [channel, id, copy]) {
    const flight = this.flights.get(id);
    const twin = { ...flight, id: copy, forked: happening.step, twin: id, received: NEVER, lost: NEVER };
    this.flights.set(copy, twin);
    this.sendings.push(twin);
    this.flying.set(copy, twin);
  }

  #stored(happening, [name, , state]) {
    this.saves[this.rows.get(name)].push(happening.step);
    if (!happening.records.length) happening.records.push({ snapshot: 0, state });
  }

  /** Everything is as recorded: crashed processes are back, and only recorded messages are in flight. */
  #restored(step, [snapshot, states, queues]) {
    const kept = new Set(Object.values(queues).flatMap((messages) => messages.map(([id]) => id)));
    for (const id of [...this.flying.keys()]) if (!kept.has(id)) this.#undo(step, id);
    for (const id of kept) if (!this.flying.has(id)) this.#putBack(step, id);
    const batches = [...this.snapshots.values()].filter(({ id, completed, aborted }) => id <= snapshot && completed !== NEVER && aborted === NEVER).length;
    this.names.forEach((name, row) => {
      this.states[row] = states[name];
      this.saves[row].splice(batches);
      this.#up(row, step);
    });
    this.setbacks.push({ step, snapshot, row: null, since: 0 });
  }

  #returned(step, [name, saved, state, retracted]) {
    const row = this.rows.get(name);
    for (const [, id] of retracted) this.#undo(step, id);
    this.saves[row].length = saved;
    this.states[row] = state;
    this.#up(row, step);
    this.setbacks.push({ step, snapshot: saved, row, since: this.saves[row].at(-1) ?? 0 });
  }

  #up(row, step) {
    const last = this.downs[row].at(-1);
    if (last && last.to === NEVER) last.to = step;
  }

  #undo(step, id) {
    Object.assign(this.flights.get(id), { lost: step, undone: true });
    this.flying.delete(id);
  }

  /** It has arrived and is in flight again: as another arrow, from the rollback on. */
  #putBack(step, id) {
    const again = { ...this.flights.get(id), forked: step, twin: null, received: NEVER, lost: NEVER };
    this.flights.set(id, again);
    this.sendings.push(again);
    this.flying.set(id, again);
  }

  #gone(step, name, crashed) {
    const row = this.rows.get(name);
    this.ended[row] = step;
    this.crashed[row] = crashed;
  }

  /** A process that joins takes part in every snapshot unless the same step says otherwise. */
  #joined(step, name) {
    const row = this.rows.get(name);
    this.born[row] = step;
    for (const seen of this.snapshots.values()) seen.absent[row] = null;
  }

  #absent(step, [snapshot, name, inside]) {
    this.#seen(step, snapshot).absent[this.rows.get(name)] = { since: step, inside };
  }

  /** @returns {Seen} */
  #seen(step, snapshot) {
    let seen = this.snapshots.get(snapshot);
    if (!seen) {
      seen = { id: snapshot, started: step, aborted: NEVER, completed: NEVER, recorded: this.names.map(() => NEVER), absent: this.names.map(() => null) };
      this.snapshots.set(snapshot, seen);
    }
    return seen;
  }

  #recorded(happening, [snapshot, process]) {
    const row = this.rows.get(process);
    const known = this.#seen(happening.step, snapshot);
    if (known.recorded[row] !== NEVER) return;
    known.recorded[row] = happening.step;
    happening.records.push({ snapshot, state: this.states[row] });
  }

  /**
   * The messages that are visible between two steps when `now` steps have happened.
   * @returns {Flight[]} in the order of sending
   */
  between(first, last, now) {
    const from = Math.max(0, Math.floor(first));
    const until = Math.min(Math.ceil(last), now);
    if (until < 0) return [];
    const frame = Math.min(Math.floor(from / EVERY), this.keyframes.length - 1);
    const early = this.keyframes[frame].filter((flight) => ends(flight) >= from && begins(flight) <= now);
    const found = early;
    for (let i = this.#firstSentAfter(frame * EVERY); i < this.sendings.length; i += 1) {
      const flight = this.sendings[i];
      if (begins(flight) > until) break;
      if (ends(flight) >= from) found.push(flight);
    }
    return found;
  }

  /** The index of the first message sent after `step`. */
  #firstSentAfter(step) {
    let [low, high] = [0, this.sendings.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (begins(this.sendings[middle]) <= step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /**
   * The snapshots that have begun when `now` steps have happened, in the order of their ids.
   * @returns {Seen[]}
   */
  begun(now) {
    return [...this.snapshots.values()].filter((s) => s.started <= now).sort((a, b) => a.id - b.id);
  }

  /**
   * The relation of an application message to a cut, as far as `now` decides it.
   *
   * If a process sends and records in one step, the send is first; if it records and receives, recording is first. A
   * retransmission is not an orphan if the first was sent before the cut: it is the same message.
   * @param {Flight} flight
   * @param {Seen|null|undefined} snapshot
   * @returns {"plain"|"crossing"|"orphan"} crossing: sent before the cut and received after it; orphan: the reverse
   */
  fate(flight, snapshot, now) {
    if (this.fallen?.orphan(flight.id, now)) return "orphan";
    if (flight.lost <= now) return "plain";
    if (!snapshot || flight.kind !== "app" || this.settled(snapshot, flight.to) > now) return "plain";
    const border = this.border(snapshot, flight.from);
    const receivedBefore = flight.received < this.border(snapshot, flight.to);
    if (receivedBefore) return flight.first <= border ? "plain" : "orphan";
    return flight.sent <= border ? "crossing" : "plain";
  }

  /**
   * The step that separates the past of a process from its future: where it recorded; before or after everything if it
   * takes no part.
   * @param {Seen} snapshot
   */
  border(snapshot, row) {
    const absent = snapshot.absent[row];
    return absent ? (absent.inside ? NEVER : 0) : snapshot.recorded[row];
  }

  /** The step after which that is known (Infinity: not in the known steps). */
  settled(snapshot, row) {
    return snapshot.absent[row]?.since ?? snapshot.recorded[row];
  }

  /**
   * When the cut is complete: the step after which every participating process has recorded (Infinity: not in the known
   * steps).
   * @param {Seen} snapshot
   */
  whole(snapshot) {
    return this.names.reduce((latest, _, row) => Math.max(latest, this.settled(snapshot, row)), 0);
  }

  /**
   * The run of Theorem 1 over the first `now` steps: what happened before the cut, the cut, what happened after it,
   * each in its old order. All recording points share the place of the cut.
   * @param {Seen} snapshot one whose cut is complete
   * @returns {{places: Float64Array, cut: number, end: number}} the new place of each step; `cut` and `end` are places
   */
  reordered(snapshot, now) {
    const places = new Float64Array(now + 1);
    let before = 0;
    for (let step = 1; step <= now; step += 1) {
      if (step < this.#side(snapshot, step)) places[step] = before += 1;
    }
    const cut = before + 1;
    let after = cut;
    for (let step = 1; step <= now; step += 1) {
      const border = this.#side(snapshot, step);
      if (step === border) places[step] = cut;
      else if (step > border) places[step] = after += 1;
    }
    return { places, cut, end: after };
  }

  /** The border that a step is before or after; steps without a process are on the side where the snapshot begins. */
  #side(snapshot, step) {
    const { row } = this.happenings[step];
    return row === null ? snapshot.started : this.border(snapshot, row);
  }

  /** The application messages that are received but not sent before the cut, as far as `now` shows. */
  orphans(snapshot, now) {
    return this.sendings.filter((flight) => begins(flight) <= now && this.fate(flight, snapshot, now) === "orphan");
  }
}

/** The step in which a flight first becomes visible: a copy leaves an existing line. */
function begins({ sent, forked }) {
  return forked === NEVER ? sent : forked;
}

/** The step after which nothing moves any more: it has arrived, or it is lost. */
function ends({ received, lost }) {
  return Math.min(received, lost);
}

/** The two ends of a channel. */
function sides(channel) {
  const at = channel.indexOf("->");
  return [channel.slice(0, at), channel.slice(at + 2)];
}
