/**
 * Scenes: what there is at a step. `fold(scene, frame)` gives the next one and changes nothing; scenes share what
 * is the same, so all of them are kept and a rewind is an index. Computes; never draws.
 *
 * The frames are those of the server's wire format: `a` the action, `n` the notes, `s` the sentences.
 */

import { read } from "./action.js";
import { EMPTY } from "./queue.js";
import { Vector } from "./vector.js";

/** Nothing is held. */
const FREE = new Map();
/** What can be marked on the timeline and jumped to. */
export const KINDS = ["record", "marker", "message", "close", "complete"];

/**
 * @typedef {{id: number, kind: "app"|"marker"|"part", payload: *, snapshot: number|null, channel: number, sent: number}} Message
 * @typedef {{name: string, i: number, source: string, target: string, from: number, to: number, back: number}} Channel
 * @typedef {{state: *, can: string[], changed: number}} Process
 * @typedef {{queue: import("./queue.js").Queue, lane: import("./queue.js").Queue, held: Map<number, string>}} Tube `held`: why a message
 *   cannot be delivered although it need not wait for others, by its id
 * @typedef {{open: boolean, log: import("./queue.js").Queue, since: number, closed: number|null}} Recording
 * @typedef {{holds: boolean, witness: *, step: number}} Verdict
 * @typedef {{id: number, initiators: string[], begun: number, parts: Vector<{state: *, step: number}|null>,
 *   channels: Vector<Recording|null>, recorded: number, closed: number, done: number, complete: number|null,
 *   assembled: number|null, unreachable: string[], checks: Object<string, Verdict>}} Snapshot
 * @typedef {{a: string, n: Array[], s: Array[]}} Frame
 * @typedef {{action: import("./action.js").Action, frame: Frame, kinds: string[], lines: string[],
 *   moved: Set<number>, changed: Set<string>, received: Message|null}} Happening
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
  const channels = raw.channels.map((name, i) => {
    const [source, target] = name.split("->");
    return { name, i, source, target, from: index.get(source), to: index.get(target), back: at.get(`${target}->${source}`) ?? -1 };
  });
  const base = { ...raw, names, index, at, channels };
  return {
    step: 0,
    base,
    processes: Vector.of(names.length, (i) => ({ state: raw.processes[i].state, can: raw.processes[i].can, changed: 0 })),
    channels: Vector.of(channels.length, () => ({ queue: EMPTY, lane: EMPTY, held: FREE })),
    snapshots: [],
    wakes: [],
    started: 0,
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
  };
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
    happening: {
      action,
      frame,
      kinds: KINDS.filter((kind) => turn.kinds.has(kind)),
      lines: turn.lines,
      moved: turn.moved,
      changed: turn.changed,
      received,
    },
  };
}

const HAPPEN = {
  sent(turn, [, name, id, kind, payload = null, snapshot = null], _index, at) {
    const i = at.get(name);
    const tube = turn.channels.get(i);
    const message = { id, kind, payload, snapshot, channel: i, sent: turn.step };
    const place = kind === "part" ? "lane" : "queue";
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
  done(turn, [, id]) {
    edit(turn, id).done += 1;
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
  };
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
