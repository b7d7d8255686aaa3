/**
 * Scenes: the whole state at a step. `fold(scene, frame)` returns the next one and changes nothing; scenes share what
 * is equal, so all of them are stored and a rewind is an index. Computes; never draws.
 *
 * The frames are those of the server's wire format: `a` the action, `n` the notes, `s` the sentences.
 */

import { read } from "./action.js";
import { HAPPEN } from "./happen.js";
import { EMPTY } from "./queue.js";
import { finish } from "./snapshot.js";
import { NONE } from "./turn.js";
import { Vector } from "./vector.js";

export { isMember, isRunning, snapshotOf } from "./snapshot.js";

/** What can be marked on the timeline and jumped to. */
export const KINDS = ["record", "marker", "message", "close", "complete", "restore", "fault"];

/**
 * @typedef {{id: number, kind: "app"|"marker"|"control"|"part"|"word", payload: *, snapshot: number|null, tag: *, channel: number,
 *   sent: number, twin: number|null, back?: number}} Message `twin`: the message that the network copied; `back`: the step in which it was
 *   put back, as recorded
 * @typedef {{name: string, i: number, source: string, target: string, from: number, to: number, back: number,
 *   against: boolean, barriers: boolean}} Channel `back`: the channel in the other direction, or -1; `against`: in
 *   dataflow, it leads back; `barriers`: its markers are those of a dataflow
 * @typedef {{state: *, changed: number, life: Life, paused: boolean, outside: [*, string][]|null,
 *   saved: {number: number, state: *, step: number}|null, keeps: Keeps|null}} Process `outside`: what has left the
 * system here, as [item, identity];   `saved`: what it saved last on its own
 * @typedef {{ids: string[], unheard: [string, *, string|null][]}} Keeps the ids of messages that a process knows, and what it sent and
 *   may have to send again, as [id, payload, item]
 * @typedef {"member"|"unborn"|"leaving"|"left"|"crashed"|"down"} Life
 * @typedef {{queue: import("./queue.js").Queue, lane: import("./queue.js").Queue, partitioned: boolean,
 *   paused: boolean, blocked: number|null, gone: Gone[]}} Tube `blocked`: for which
 *   snapshot this input is blocked; `gone`: what this step lost
 * @typedef {{message: Message, rank: number, undone?: boolean}} Gone `undone`: it was taken back, because its sender was
 * @typedef {{open: boolean, log: import("./queue.js").Queue, since: number, closed: number|null}} Recording
 * @typedef {{holds: boolean, witness: *, step: number}} Verdict
 * @typedef {{id: number, initiators: string[], begun: number, parts: Vector<import("./snapshot.js").Part|null>,
 *   channels: Vector<Recording|null>, recorded: number, closed: number, done: number, complete: number|null,
 *   assembled: number|null, unreachable: string[], checks: Object<string, Verdict>, waiting: number, aborted: number|null,
 *   absent: Map<string, boolean>, unusable: string[], regions: Map<string, string>, rounds: Map<string, number>,
 *   missing: Map<string, number>, stuck: {names: Set<string>, channels: Set<string>}|null}} Snapshot `waiting`: how
 * many have not done their part; `absent`: which processes take no part,   and whether all that they did lies inside
 * the cut; `regions`: the master of each process;   `stuck`: which processes wait in a cycle, and on which inputs
 * @typedef {{a: string, n: Array[], s: Array[]}} Frame
 * @typedef {{action: import("./action.js").Action, frame: Frame, kinds: string[], lines: string[],
 *   moved: Set<number>, changed: Set<string>, received: Message|null, discarded: boolean, spoken: Spoken[],
 *   back: {snapshot: number, names: Set<string>}|null}} Happening `back`: which processes roll back, and to what
 * @typedef {{from: string, to: string, word: string, snapshot: number|null}} Spoken what is said outside the channels,
 * and heard
 * @typedef {{step: number, base: Object, processes: Vector<Process>, channels: Vector<Tube>,
 *   snapshots: Snapshot[], restored: {snapshot: number, step: number}|null,
 *   happening: Happening|null}} Scene `restored`: when all rolled back last, and to what;
 *   `line`: the recovery line, if every process saves on its own
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
  const barriers = Boolean(raw.root);
  for (const channel of channels) channel.barriers = barriers;
  const born = (name) => (raw.newcomers && name in raw.newcomers ? "unborn" : "member");
  const base = { ...raw, names, index, at, channels, barriers };
  return {
    step: 0,
    base,
    processes: Vector.of(names.length, (i) => ({ state: raw.processes[i].state, changed: 0, life: born(names[i]), paused: false, outside: null, saved: null, keeps: null })),
    channels: Vector.of(channels.length, () => ({ queue: EMPTY, lane: EMPTY, partitioned: false, paused: false, blocked: null, gone: NONE })),
    snapshots: [],
    restored: null,
    line: null,
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
    arrived: new Map(),
    moved: new Set(),
    changed: new Set(),
    lines: [],
    kinds: new Set(),
    notes: frame.n,
    discarded: false,
    spoken: [],
    restored: scene.restored,
    line: scene.line,
    back: null,
  };
  for (const i of scene.happening?.emptied ?? NONE) turn.channels.set(i, { ...turn.channels.get(i), gone: NONE });
  const action = read(frame.a);
  for (const note of frame.n) HAPPEN[note[0]]?.(turn, note, index, at);
  const received = turn.arrived.values().next().value ?? null;
  return {
    step,
    base: scene.base,
    processes: turn.processes.done(),
    channels: turn.channels.done(),
    snapshots: turn.snapshots.size ? finish(scene.snapshots, turn.snapshots) : scene.snapshots,
    restored: turn.restored,
    line: turn.line,
    happening: {
      action,
      frame,
      kinds: KINDS.filter((kind) => turn.kinds.has(kind)),
      lines: turn.lines,
      moved: turn.moved,
      changed: turn.changed,
      received,
      discarded: turn.discarded,
      spoken: turn.spoken,
      back: turn.back,
      emptied: turn.emptied ?? NONE,
    },
  };
}
