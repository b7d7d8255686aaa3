/** Snapshots: what is known about one, and how a step changes it. Computes; never draws. */

import { Vector } from "./vector.js";

/** @import { Turn } from "./turn.js" */
/** @import { Part, Process, Recording, Scene, Snapshot } from "./types.js" */

/**
 * @typedef {Omit<Snapshot, "parts" | "channels"> & {parts: import("./vector.js").Draft<Part | null>,
 *   channels: import("./vector.js").Draft<Recording | null>}} Draft
 * @typedef {"whole" | "storing" | "struck"} Standing of a part: usable; being stored; unusable
 */

/** @param {Scene} scene @param {number | null} id */
export function snapshotOf(scene, id) {
  return scene.snapshots.find((snapshot) => snapshot.id === id) ?? null;
}

/** Is the snapshot still under way? @param {Snapshot} snapshot */
export function isRunning(snapshot) {
  return snapshot.waiting > 0 && snapshot.aborted === null;
}

/** How far a part is stored.
 * @param {Part} part @param {Snapshot} snapshot @param {{root: string | null}} base @returns {Standing} */
export function standing(part, snapshot, base) {
  if (part.lost !== null || snapshot.aborted !== null) return "struck";
  // With a coordinator, storing is a step of its own.
  return base.root !== null && part.stored === null ? "storing" : "whole";
}

/** Will it never be complete: do its processes wait in a cycle, or is one of its parts lost?
 * @param {Snapshot} snapshot */
export function isHopeless(snapshot) {
  return isRunning(snapshot) && (snapshot.stuck !== null || count(snapshot, "lost") > 0);
}

/** How a run ends with a snapshot that can never be complete. */
const NEVER = ["never", "stuck"];

/**
 * Why a snapshot can never be used; null if it still can be, or is.
 * @param {Snapshot} snapshot @param {import("../types.js").End | null} end at the last step
 * @returns {"given-up" | "unusable" | "never" | "stuck" | null}
 */
export function ruined(snapshot, end) {
  if (snapshot.aborted !== null) return "given-up";
  if (snapshot.unusable.length) return "unusable";
  if (snapshot.complete) return null;
  if (snapshot.unreachable.length) return "never";
  if (snapshot.stuck) return "stuck";
  return isHopeless(snapshot) || NEVER.includes(end?.card?.ends[snapshot.id] ?? "") ? "never" : null;
}

/** How many processes have stored their part. @param {Snapshot} snapshot */
export function stored(snapshot) {
  return count(snapshot, "stored");
}

/** @param {Snapshot} snapshot @param {"lost" | "stored"} how */
function count({ parts }, how) {
  return parts.items().filter((part) => part && part[how] !== null).length;
}

/** Can the system roll back to the snapshot? @param {Snapshot} snapshot */
export function isWhole(snapshot) {
  return snapshot.waiting === 0 && snapshot.aborted === null && !snapshot.unusable.length;
}

/** The snapshot that a scene is about: the one that its step completes; otherwise the latest to begin, or the one to
 * which the system has rolled back since. @param {Scene} scene */
export function current({ step, snapshots, restored }) {
  const done = snapshots.find(({ complete }) => complete === step);
  if (done) return done.id;
  const fresh = snapshots.filter(({ begun }) => begun > (restored?.step ?? 0));
  if (!fresh.length && restored?.snapshot) return restored.snapshot;
  const among = fresh.length ? fresh : snapshots;
  return among.length ? among.reduce((last, each) => (each.begun >= last.begun ? each : last)).id : null;
}

/** The colour of a snapshot: 1 blue, 2 the second colour, in turn. @param {{first: number}} base @param {number} id */
export function tone(base, id) {
  return (id - base.first) % 2 === 1 ? 2 : 1;
}

/** A snapshot as a step changes it. @param {Turn} turn @param {number} id @returns {Draft} */
export function draft(turn, id) {
  const known = snapshotOf(turn.before, id) ?? fresh(turn, id);
  return { ...known, parts: known.parts.edit(), channels: known.channels.edit() };
}

/** A snapshot that begins. @param {Turn} turn @param {number} id @returns {Snapshot} */
function fresh(turn, id) {
  return {
    id,
    begun: turn.step,
    parts: Vector.of(turn.base.names.length, () => null),
    channels: Vector.of(turn.base.channels.length, () => null),
    recorded: 0,
    closed: 0,
    done: 0,
    complete: null,
    unreachable: [],
    checks: {},
    waiting: turn.base.names.filter((name) => isMember(turn.process(name))).length,
    aborted: null,
    absent: new Map(),
    unusable: [],
    regions: new Map(),
    stuck: null,
  };
}

/** The snapshots in the order of their ids, with those that changed.
 * @param {Snapshot[]} before @param {Map<number, Draft>} changed */
export function finish(before, changed) {
  if (!changed.size) return before;
  const all = new Map(before.map((snapshot) => [snapshot.id, snapshot]));
  for (const [id, made] of changed) all.set(id, { ...made, parts: made.parts.done(), channels: made.channels.done() });
  return [...all.values()].sort((a, b) => a.id - b.id);
}

/** Is a process a member, even if it is about to leave? @param {Process} process */
export function isMember({ life }) {
  return life === "member" || life === "leaving" || life === "down";
}
