/**
 * Scenes: what there is at a step. `fold(scene, frame)` gives the next one and changes nothing; scenes share what
 * is the same, so all of them are kept and a rewind is an index. Computes; never draws.
 *
 * The frames are those of the server's wire format: `a` the action, `n` the notes, `s` the sentences.
 */

import { read } from "./action.js";
import { EMPTY, Queue } from "./queue.js";
import { Vector } from "./vector.js";

/** Nothing is held. */
const FREE = new Map();
/** What takes no part in a snapshot, and what of it is known besides: nobody, nothing. */
const NOBODY = new Map();
/** What can be marked on the timeline and jumped to. */
export const KINDS = ["record", "marker", "message", "close", "complete", "fault"];

/**
 * @typedef {{id: number, kind: "app"|"marker"|"control"|"part"|"word", payload: *, snapshot: number|null, tag: *, channel: number,
 *   sent: number, twin: number|null}} Message `twin`: the message that the network copied
 * @typedef {{name: string, i: number, source: string, target: string, from: number, to: number, back: number,
 *   against: boolean}} Channel `back`: the channel in the other direction, or -1; `against`: in dataflow, it leads back
 * @typedef {{state: *, can: Can[], changed: number, life: Life, paused: boolean}} Process
 * @typedef {"member"|"unborn"|"leaving"|"left"|"crashed"} Life
 * @typedef {string|[string, string|null, *, *]} Can what a program may do: an action, or [action, reason why not, message, state]
 * @typedef {{queue: import("./queue.js").Queue, lane: import("./queue.js").Queue, held: Map<number, string>, cut: boolean,
 *   paused: boolean, gone: Gone[]}} Tube `held`: why a message cannot be handled, by its id; `gone`: what this step lost
 * @typedef {{message: Message, rank: number}} Gone
 * @typedef {{open: boolean, log: import("./queue.js").Queue, since: number, closed: number|null}} Recording
 * @typedef {{holds: boolean, witness: *, step: number}} Verdict
 * @typedef {{id: number, initiators: string[], begun: number, parts: Vector<{state: *, step: number}|null>,
 *   channels: Vector<Recording|null>, recorded: number, closed: number, done: number, complete: number|null,
 *   assembled: number|null, unreachable: string[], checks: Object<string, Verdict>, waiting: number, aborted: number|null,
 *   absent: Map<string, boolean>, unusable: string[], regions: Map<string, string>, rounds: Map<string, number>,
 *   missing: Map<string, number>}} Snapshot `waiting`: how many have not done their part; `absent`: who takes no part, and whether all
 *   that it did lies inside the cut; `regions`: the master of each process
 * @typedef {{a: string, n: Array[], s: Array[]}} Frame
 * @typedef {{action: import("./action.js").Action, frame: Frame, kinds: string[], lines: string[],
 *   moved: Set<number>, changed: Set<string>, received: Message|null, discarded: boolean}} Happening
 * @typedef {{step: number, base: Object, processes: Vector<Process>, channels: Vector<Tube>,
 *   snapshots: Snapshot[], wakes: string[][], started: number, happening: Happening|null}} Scene
 */

/**
 * The scene before the first step.
 * @param {Object} raw the scene of the wire format
 * @returns {Scene}
 */
export function begin(raw) {
  const names = raw.processes.map((p) => p.name);
  const index = new Map(names.map((name, i) => [name, i]));
  const at = new Map(raw.channels.map((name, i) => [name, i]));
  const against = new Set(raw.back);
  const channels = raw.channels.map((name, i) => {
    const [source, target] = name.split("->");
    return { name, i, source, target, from: index.get(source), to: index.get(target), back: at.get(`${target}->${source}`) ?? -1, against: against.has(name) };
  });
  const order = (name) => raw.orders?.[name] ?? raw.order ?? "fifo";
  for (const channel of channels) channel.order = order(channel.name);
  const born = (name) => (raw.newcomers && name in raw.newcomers ? "unborn" : "member");
  const base = { ...raw, names, index, at, channels };
  return {
    step: 0,
    base,
    processes: Vector.of(names.length, (i) => ({ state: raw.processes[i].state, can: raw.processes[i].can, changed: 0, life: born(names[i]), paused: false })),
    channels: Vector.of(channels.length, () => ({ queue: EMPTY, lane: EMPTY, held: FREE, cut: false, paused: false, gone: NONE })),
    snapshots: [],
    wakes: [],
    started: 0,
    unborn: Object.keys(raw.newcomers ?? {}),
    happening: null,
  };
}

/**
 * The scene after one more step.
 * @param {Scene} scene @param {Frame} frame @returns {Scene}
 */
export function fold(scene, frame) {
  const step = scene.step + 1;
  const { index, at } = scene.base;
  const turn = {
    step,
    base: scene.base,
    processes: scene.processes.edit(),
    channels: scene.channels.edit(),
    snapshots: new Map(),
    before: scene,
    wakes: scene.wakes,
    started: scene.started,
    arrived: new Map(),
    moved: new Set(),
    changed: new Set(),
    lines: [],
    kinds: new Set(),
    unborn: scene.unborn,
    notes: frame.n,
    discarded: false,
  };
  for (const i of scene.happening?.emptied ?? NONE) turn.channels.set(i, { ...turn.channels.get(i), gone: NONE });
  const action = read(frame.a);
  if (action.kind === "wake") turn.wakes = without(turn.wakes, [action.process, action.rest]);
  for (const note of frame.n) HAPPEN[note[0]]?.(turn, note, index, at);
  const received = turn.arrived.values().next().value ?? null;
  return {
    step,
    base: scene.base,
    processes: turn.processes.done(),
    channels: turn.channels.done(),
    snapshots: turn.snapshots.size ? finish(scene.snapshots, turn.snapshots) : scene.snapshots,
    wakes: turn.wakes,
    started: turn.started,
    unborn: turn.unborn,
    happening: {
      action,
      frame,
      kinds: KINDS.filter((kind) => turn.kinds.has(kind)),
      lines: turn.lines,
      moved: turn.moved,
      changed: turn.changed,
      received,
      discarded: turn.discarded,
      emptied: turn.emptied ?? NONE,
    },
  };
}

const HAPPEN = {
  sent(turn, [, name, id, kind, payload = null, snapshot = null, tag = null], _index, at) {
    const i = at.get(name);
    const tube = turn.channels.get(i);
    const message = { id, kind, payload, snapshot, tag, channel: i, sent: turn.step, twin: null };
    const place = kind === "part" || kind === "word" ? "lane" : "queue";
    turn.channels.set(i, { ...tube, [place]: tube[place].push(message) });
    turn.moved.add(i);
    if (kind === "app") turn.kinds.add("message");
  },
  received(turn, [, name, id], _index, at) {
    const i = at.get(name);
    const tube = turn.channels.get(i);
    const place = tube.queue.find(id) >= 0 ? "queue" : "lane";
    const where = tube[place].find(id);
    const message = tube[place].at(where);
    turn.arrived.set(id, message);
    turn.channels.set(i, { ...tube, [place]: tube[place].without(where), held: holding(tube.held, id, null) });
    turn.moved.add(i);
    if (message.kind === "app") turn.kinds.add("message");
    if (message.kind === "marker") turn.kinds.add("marker");
  },
  changed(turn, [, name, state], index) {
    const i = index.get(name);
    turn.processes.set(i, { ...turn.processes.get(i), state, changed: turn.step });
    turn.changed.add(name);
  },
  started(turn, [, id, name]) {
    const snapshot = edit(turn, id);
    snapshot.initiators = [...snapshot.initiators, name];
    if (snapshot.initiators.length === 1) turn.started += 1;
  },
  recorded(turn, [, id, name], index) {
    const snapshot = edit(turn, id);
    const i = index.get(name);
    snapshot.parts.set(i, { state: turn.processes.get(i).state, step: turn.step });
    snapshot.recorded += 1;
    turn.kinds.add("record");
  },
  opened(turn, [, id, name], _index, at) {
    edit(turn, id).channels.set(at.get(name), { open: true, log: EMPTY, since: turn.step, closed: null });
    turn.moved.add(at.get(name));
  },
  logged(turn, [, id, name, message], _index, at) {
    const channels = edit(turn, id).channels;
    const recording = channels.get(at.get(name));
    const copy = turn.arrived.get(message);
    channels.set(at.get(name), { ...recording, log: recording.log.push(copy) });
    turn.moved.add(at.get(name));
  },
  closed(turn, [, id, name], _index, at) {
    const snapshot = edit(turn, id);
    const recording = snapshot.channels.get(at.get(name)) ?? { log: EMPTY, since: turn.step };
    snapshot.channels.set(at.get(name), { ...recording, open: false, closed: turn.step });
    snapshot.closed += 1;
    turn.kinds.add("close");
    turn.moved.add(at.get(name));
  },
  done(turn, [, id, name]) {
    const snapshot = edit(turn, id);
    snapshot.done += 1;
    if (!snapshot.unusable.includes(name) && !snapshot.absent.has(name)) snapshot.waiting -= 1;
  },
  derived(turn, [, id, name, messages], _index, at) {
    const snapshot = edit(turn, id);
    const i = at.get(name);
    if (!closedNow(snapshot.channels.get(i))) snapshot.closed += 1;
    const list = messages.map(([message, payload]) => ({ id: message, kind: "app", payload, snapshot: null, tag: null, channel: i, sent: 0, twin: null }));
    const log = list.length ? new Queue(list, 0, list.length) : EMPTY;
    snapshot.channels.set(i, { open: false, log, since: turn.step, closed: turn.step, derived: true });
    turn.kinds.add("close");
    turn.moved.add(i);
  },
  folded(turn, [, id, name, state], index) {
    const snapshot = edit(turn, id);
    const i = index.get(name);
    snapshot.parts.set(i, { ...snapshot.parts.get(i), state, folded: turn.step });
  },
  absent(turn, [, id, name, inside]) {
    const snapshot = edit(turn, id);
    snapshot.absent = new Map(snapshot.absent).set(name, inside);
  },
  merged(turn, [, id, name]) {
    const snapshot = edit(turn, id);
    snapshot.absent = new Map(snapshot.absent);
    snapshot.absent.delete(name);
  },
  merged(turn, [, id, name]) {
    const snapshot = edit(turn, id);
    snapshot.absent = new Map(snapshot.absent);
    snapshot.absent.delete(name);
  },
  unusable(turn, [, id, name]) {
    const snapshot = edit(turn, id);
    snapshot.unusable = [...snapshot.unusable, name];
    snapshot.waiting -= 1;
  },
  aborted(turn, [, id]) {
    edit(turn, id).aborted = turn.step;
  },
  region(turn, [, id, name, master]) {
    const snapshot = edit(turn, id);
    snapshot.regions = new Map(snapshot.regions).set(name, master);
  },
  round(turn, [, id, name, known]) {
    const snapshot = edit(turn, id);
    snapshot.rounds = new Map(snapshot.rounds).set(name, known);
  },
  counted(turn, [, id, name, missing]) {
    const snapshot = edit(turn, id);
    snapshot.missing = new Map(snapshot.missing).set(name, missing);
  },
  paused(turn, [, name, channel = null], index, at) {
    pausing(turn, name, channel, index, at, true);
  },
  resumed(turn, [, name, channel = null], index, at) {
    pausing(turn, name, channel, index, at, false);
  },
  discarded(turn) {
    turn.discarded = true;
  },
  lost(turn, [, name, id], _index, at) {
    const i = at.get(name);
    const tube = turn.channels.get(i);
    const rank = tube.queue.find(id);
    const gone = [...tube.gone, { message: tube.queue.at(rank), rank }];
    turn.channels.set(i, { ...tube, queue: tube.queue.without(rank), held: holding(tube.held, id, null), gone });
    turn.emptied = [...(turn.emptied ?? NONE), i];
    turn.moved.add(i);
    turn.kinds.add("fault");
  },
  doubled(turn, [, name, id, copy], _index, at) {
    const i = at.get(name);
    const tube = turn.channels.get(i);
    const message = tube.queue.at(tube.queue.find(id));
    turn.channels.set(i, { ...tube, queue: tube.queue.push({ ...message, id: copy, sent: turn.step, twin: id }) });
    turn.moved.add(i);
    turn.kinds.add("fault");
  },
  overtook(turn) {
    turn.kinds.add("fault");
  },
  parted(turn, [, name], _index, at) {
    cutting(turn, at.get(name), true);
  },
  mended(turn, [, name], _index, at) {
    cutting(turn, at.get(name), false);
  },
  crashed(turn, [, name], index) {
    live(turn, index.get(name), "crashed");
    turn.kinds.add("fault");
    for (const channel of turn.base.channels) {
      const tube = turn.channels.get(channel.i);
      // What is on its way to it goes with it.
      if (channel.target !== name || !tube.lane.length) continue;
      turn.channels.set(channel.i, { ...tube, lane: EMPTY });
    }
    turn.wakes = turn.wakes.filter(([process]) => process !== name);
  },
  joined(turn, [, name], index) {
    live(turn, index.get(name), "member");
    turn.unborn = turn.unborn.filter((one) => one !== name);
    turn.kinds.add("fault");
    // It takes part in what is under way, but where the notes say otherwise.
    const away = turn.notes.filter((note) => note[0] === "absent" && note[2] === name).map((note) => note[1]);
    for (const { id } of turn.before.snapshots) {
      if (away.includes(id)) continue;
      const snapshot = edit(turn, id);
      snapshot.waiting += 1;
      snapshot.absent = new Map(snapshot.absent);
      snapshot.absent.delete(name);
    }
  },
  leaving(turn, [, name], index) {
    live(turn, index.get(name), "leaving");
    turn.kinds.add("fault");
  },
  left(turn, [, name], index) {
    live(turn, index.get(name), "left");
    turn.kinds.add("fault");
    turn.wakes = turn.wakes.filter(([process]) => process !== name);
  },
  completed(turn, [, id]) {
    edit(turn, id).complete = turn.step;
    turn.kinds.add("complete");
  },
  unreachable(turn, [, id, names]) {
    edit(turn, id).unreachable = names;
  },
  assembled(turn, [, id]) {
    edit(turn, id).assembled = turn.step;
  },
  deferred(turn, [, name, what]) {
    turn.wakes = [...turn.wakes, [name, what]];
  },
  rule(turn, [, lines]) {
    turn.lines = [...turn.lines, ...lines.filter((line) => !turn.lines.includes(line))];
  },
  can(turn, [, name, moves], index) {
    const i = index.get(name);
    turn.processes.set(i, { ...turn.processes.get(i), can: moves });
  },
  held(turn, [, name, id, reason = null], _index, at) {
    const i = at.get(name);
    const tube = turn.channels.get(i);
    turn.channels.set(i, { ...tube, held: holding(tube.held, id, reason) });
  },
  judged(turn, [, id, check, holds, witness = null]) {
    const snapshot = edit(turn, id);
    snapshot.checks = { ...snapshot.checks, [check]: { holds, witness, step: turn.step } };
  },
};

const NONE = Object.freeze([]);

/** @param {Process} process is it a member, even if it is about to leave? */
export function isMember({ life }) {
  return life === "member" || life === "leaving";
}

/** Is the snapshot still under way? */
export function isRunning(snapshot) {
  return snapshot.waiting > 0 && snapshot.aborted === null;
}

function live(turn, i, life) {
  turn.processes.set(i, { ...turn.processes.get(i), life });
}

function cutting(turn, i, cut) {
  turn.channels.set(i, { ...turn.channels.get(i), cut });
  turn.moved.add(i);
  turn.kinds.add("fault");
}

function pausing(turn, name, channel, index, at, paused) {
  if (channel === null) turn.processes.set(index.get(name), { ...turn.processes.get(index.get(name)), paused });
  else turn.channels.set(at.get(channel), { ...turn.channels.get(at.get(channel)), paused });
}

function closedNow(recording) {
  return Boolean(recording && !recording.open);
}

/** What is held with one message more, or (no reason) less. */
function holding(held, id, reason) {
  if (reason === null && !held.has(id)) return held;
  const changed = new Map(held);
  if (reason === null) changed.delete(id);
  else changed.set(id, reason);
  return changed.size ? changed : FREE;
}

/** The snapshot as this step changes it. */
function edit(turn, id) {
  if (!turn.snapshots.has(id)) {
    const known = turn.before.snapshots.find((snapshot) => snapshot.id === id) ?? fresh(turn, id);
    turn.snapshots.set(id, { ...known, parts: known.parts.edit(), channels: known.channels.edit() });
  }
  return turn.snapshots.get(id);
}

function fresh(turn, id) {
  return {
    id,
    initiators: [],
    begun: turn.step,
    parts: Vector.of(turn.base.names.length, () => null),
    channels: Vector.of(turn.base.channels.length, () => null),
    recorded: 0,
    closed: 0,
    done: 0,
    complete: null,
    assembled: null,
    unreachable: [],
    checks: {},
    waiting: members(turn),
    aborted: null,
    absent: NOBODY,
    unusable: NONE,
    regions: NOBODY,
    rounds: NOBODY,
    missing: NOBODY,
  };
}

function members(turn) {
  let count = 0;
  for (let i = 0; i < turn.base.names.length; i += 1) if (isMember(turn.processes.get(i))) count += 1;
  return count;
}

/** The snapshots in the order of their ids, those that changed put in. */
function finish(before, changed) {
  const all = new Map(before.map((snapshot) => [snapshot.id, snapshot]));
  for (const [id, draft] of changed) all.set(id, { ...draft, parts: draft.parts.done(), channels: draft.channels.done() });
  return [...all.values()].sort((a, b) => a.id - b.id);
}

function without(wakes, [process, what]) {
  const at = wakes.findIndex((wake) => wake[0] === process && wake[1] === what);
  return at < 0 ? wakes : [...wakes.slice(0, at), ...wakes.slice(at + 1)];
}

/** @param {Scene} scene @param {number|null} id */
export function snapshotOf(scene, id) {
  return scene.snapshots.find((snapshot) => snapshot.id === id) ?? null;
}
