/**
 * What happened where and when: events, messages and cuts, read from the frames of a run. Computes; draws nothing.
 *
 * One step is one action of one process, so a step's number is its place in time and its process its place in space.
 */

const NEVER = Infinity;
const EVERY = 128;

/**
 * @typedef {object} Happening what one step did
 * @property {number} step
 * @property {number} row the process, by its index
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
 * @property {number} received step, Infinity while it is not known to arrive
 * @property {number} lost the step in which it was lost, Infinity where it was not
 * @property {number} forked the step in which the network copied it, Infinity where it is no copy
 * @property {number|null} twin what it is a copy of
 */

/**
 * @typedef {object} Seen a snapshot
 * @property {number} id
 * @property {number} started step
 * @property {number[]} recorded by row, the step in which the process recorded, Infinity while it is not known to
 * @property {({since: number, inside: boolean}|null)[]} absent by row, since when the process is known to take no part:
 *   all that it does is of the past (`inside`), or nothing; null where it takes part
 */

/** Verbs of actions at one process, by name. */
const ALONE = ["start", "change", "wake", "crash", "join", "leave"];

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
    /** Where lines begin and end: the steps in which a process joined, and in which it was gone; and whether it crashed. */
    const late = scene.newcomers ?? {};
    this.born = this.names.map((name) => (name in late ? NEVER : 0));
    this.ended = this.names.map(() => NEVER);
    this.crashed = this.names.map(() => false);
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
      else if (key === "joined") this.#joined(step, values[0]);
      else if (key === "absent") this.#absent(step, values);
      else if (key === "merged") this.#seen(step, values[0]).absent[this.rows.get(values[1])] = null;
      else if (key === "left" || key === "crashed") this.#gone(step, values[0], key === "crashed");
    }
    this.happenings.push(happening);
    if (step % EVERY === 0) this.keyframes.push([...this.flying.values()]);
  }

  /** The process that acts. */
  #place(action) {
    const [verb, where] = action.split(" ");
    if (ALONE.includes(verb)) return this.rows.get(where);
    const [source, target] = sides(where);
    return this.rows.get(verb === "send" ? source : target);
  }

  #sent(happening, [channel, id, kind, payload = null, snapshot = null]) {
    const [source, target] = sides(channel);
    const [from, to] = [this.rows.get(source), this.rows.get(target)];
    const flight = { id, kind, payload, snapshot, channel, from, to, sent: happening.step, received: NEVER, lost: NEVER, forked: NEVER, twin: null };
    this.flights.set(id, flight);
    this.sendings.push(flight);
    this.flying.set(id, flight);
    happening.sent.push(id);
    if (kind === "app") Object.assign(happening, { kind: "send", message: id });
  }

  #received(happening, id) {
    const flight = this.flights.get(id);
    flight.received = happening.step;
    this.flying.delete(id);
    happening.received = id;
    if (flight.kind === "app") Object.assign(happening, { kind: "receive", message: id });
  }

  /** It ends on its way, and nobody receives it. */
  #lost(happening, id) {
    this.flights.get(id).lost = happening.step;
    this.flying.delete(id);
  }

  /** The copy leaves the line of what it is a copy of. */
  #doubled(happening, [channel, id, copy]) {
    const flight = this.flights.get(id);
    const twin = { ...flight, id: copy, forked: happening.step, twin: id, received: NEVER, lost: NEVER };
    this.flights.set(copy, twin);
    this.sendings.push(twin);
    this.flying.set(copy, twin);
  }

  #gone(step, name, crashed) {
    const row = this.rows.get(name);
    this.ended[row] = step;
    this.crashed[row] = crashed;
  }

  /** Who joins takes part in whatever the same step does not say otherwise of. */
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
      seen = { id: snapshot, started: step, recorded: this.names.map(() => NEVER), absent: this.names.map(() => null) };
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
   * The messages of which something can be seen between two steps when `now` steps have happened.
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
   * What a cut makes of an application message, as far as `now` decides it.
   *
   * A send and a record of one step happen in this order; a record and a receipt in that one.
   * @param {Flight} flight
   * @param {Seen|null|undefined} snapshot
   * @returns {"plain"|"crossing"|"orphan"} crossing: sent before the cut and received after it; orphan: the reverse
   */
  fate(flight, snapshot, now) {
    if (flight.lost <= now) return "plain";
    if (!snapshot || flight.kind !== "app" || this.settled(snapshot, flight.to) > now) return "plain";
    const sentBefore = flight.sent <= this.border(snapshot, flight.from);
    const receivedBefore = flight.received < this.border(snapshot, flight.to);
    if (sentBefore === receivedBefore) return "plain";
    return sentBefore ? "crossing" : "orphan";
  }

  /**
   * The step that parts the past of a process from its future: where it recorded; before or after everything, where it
   * takes no part.
   * @param {Seen} snapshot
   */
  border(snapshot, row) {
    const absent = snapshot.absent[row];
    return absent ? (absent.inside ? NEVER : 0) : snapshot.recorded[row];
  }

  /** The step after which that is known (Infinity: never in what is known). */
  settled(snapshot, row) {
    return snapshot.absent[row]?.since ?? snapshot.recorded[row];
  }

  /**
   * When the cut is whole: the step after which every process that takes part has recorded (Infinity: never in what is
   * known).
   * @param {Seen} snapshot
   */
  whole(snapshot) {
    return this.names.reduce((latest, _, row) => Math.max(latest, this.settled(snapshot, row)), 0);
  }

  /**
   * The run of Theorem 1 over the first `now` steps: what happened before the cut, the cut, what happened after it,
   * each in its old order. All record points share the place of the cut.
   * @param {Seen} snapshot one whose cut is whole
   * @returns {{places: Float64Array, cut: number, end: number}} the new place of each step; `cut` and `end` are places
   */
  reordered(snapshot, now) {
    const places = new Float64Array(now + 1);
    let before = 0;
    for (let step = 1; step <= now; step += 1) {
      if (step < this.border(snapshot, this.happenings[step].row)) places[step] = before += 1;
    }
    const cut = before + 1;
    let after = cut;
    for (let step = 1; step <= now; step += 1) {
      const border = this.border(snapshot, this.happenings[step].row);
      if (step === border) places[step] = cut;
      else if (step > border) places[step] = after += 1;
    }
    return { places, cut, end: after };
  }

  /** The application messages that the cut receives before they are sent, as far as `now` shows. */
  orphans(snapshot, now) {
    return this.sendings.filter((flight) => begins(flight) <= now && this.fate(flight, snapshot, now) === "orphan");
  }
}

/** The step with which a flight can first be seen: a copy leaves a line that is there already. */
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
