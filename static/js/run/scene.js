/**
 * Scenes: the whole state at a step. `fold(scene, frame)` returns the next one and changes nothing; scenes share what
 * is equal, so all of them are stored and a rewind is an index. Computes; never draws.
 */

import { HAPPEN, KIND } from "./happen.js";
import { EMPTY } from "./queue.js";
import { finish } from "./snapshot.js";
import { Turn } from "./turn.js";
import { Vector } from "./vector.js";

/** @import { Raw } from "../types.js" */
/** @import { Frame, Scene } from "./types.js" */

/** What can be marked on the timeline and jumped to. */
const KINDS = ["record", "marker", "message", "close", "complete", "restore", "fault"];

/** @type {readonly never[]} */
const NONE = Object.freeze([]);

/**
 * The scene before the first step.
 * @param {Raw} raw the scene of the wire format
 * @returns {Scene}
 */
export function begin(raw) {
  const names = raw.processes.map((process) => process.name);
  const index = new Map(names.map((name, i) => [name, i]));
  const at = new Map(raw.channels.map((name, i) => [name, i]));
  const barriers = Boolean(raw.root);
  const place = (/** @type {string} */ name) => /** @type {number} */ (index.get(name));
  const channels = raw.channels.map((name, i) => {
    const [source, target] = name.split("->");
    const back = at.get(`${target}->${source}`) ?? -1;
    const against = raw.back.includes(name);
    return { name, i, source, target, from: place(source), to: place(target), back, against, barriers };
  });
  return {
    step: 0,
    base: { ...raw, names, index, at, channels, barriers, tokens: tokens(raw) },
    processes: Vector.of(names.length, (i) => ({
      state: raw.processes[i].state,
      changed: 0,
      life: names[i] in raw.newcomers ? "unborn" : "member",
      paused: false,
      outside: null,
      saved: null,
      saves: NONE,
      keeps: null,
    })),
    channels: Vector.of(channels.length, () => ({
      queue: EMPTY,
      lane: EMPTY,
      partitioned: false,
      paused: false,
      blocked: null,
      gone: NONE,
    })),
    snapshots: [],
    restored: null,
    line: null,
    orphans: new Set(),
    happening: null,
  };
}

/**
 * Is the state of a process the number of its tokens? A bank may have something of that name, but does not write it as
 * a bare number.
 * @param {Raw} raw
 */
function tokens({ total, processes }) {
  return total !== null && typeof total === "object" && "token" in total && typeof processes[0].state === "number";
}

/** Faults in a channel: no process acts. */
const NETWORK = ["drop", "duplicate", "partition", "heal"];

/**
 * @typedef {object} Action
 * @property {string | null} process the one that acts, such as the receiver of a delivery and the sender of a send
 * @property {string | null} line the one on whose line the step is: a fault in a channel is at its end
 */

/** @param {string} text
 * @param {string | null} root the coordinator, if there is one: it aborts snapshots @returns {Action} */
function read(text, root) {
  const [verb, where] = text.split(" ");
  if (verb === "restore") return { process: null, line: null };
  if (verb === "abandon") return { process: root, line: root };
  const [source, target = source] = where.split("->");
  const line = verb === "send" ? source : target;
  return { process: NETWORK.includes(verb) ? null : line, line };
}

/**
 * The scene after one more step.
 * @param {Scene} scene @param {Frame} frame @returns {Scene}
 */
export function fold(scene, frame) {
  const { base } = scene;
  const turn = new Turn(scene, frame);
  for (const i of scene.happening?.emptied ?? NONE) turn.channels.set(i, { ...turn.channels.get(i), gone: NONE });
  for (const [key, ...values] of frame.n) {
    const kind = KIND.get(key);
    if (kind) turn.kinds.add(kind);
    HAPPEN[key]?.(turn, ...values);
  }
  const action = read(frame.a, base.root);
  return {
    step: turn.step,
    base,
    processes: turn.processes.done(),
    channels: turn.channels.done(),
    snapshots: finish(scene.snapshots, turn.snapshots),
    restored: turn.restored,
    line: turn.line,
    orphans: turn.orphans,
    happening: {
      ...turn.deeds,
      step: turn.step,
      action,
      row: action.line === null ? null : turn.row(action.line),
      frame,
      kinds: KINDS.filter((kind) => turn.kinds.has(kind)),
      received: turn.deeds.arrived[0] ?? null,
    },
  };
}
