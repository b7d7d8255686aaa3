/** Snapshots: what is known about one, and how a step changes it. Computes; never draws. */

import { Vector } from "./vector.js";

/** The defaults of a snapshot: no process is absent, and nothing else is known. */
const NOBODY = new Map();
const NONE = Object.freeze([]);

/**
 * @typedef {{state: *, step: number, stored: number|null, lost: number|null, folded?: number}} Part `stored`: since
 * when it is completely stored; `lost`: since when it is gone, because its process crashed before that
 * @typedef {"whole"|"storing"|"struck"} Standing of a part: usable; being stored; unusable
 */

/** @param {import("./scene.js").Scene} scene @param {number|null} id */
export function snapshotOf(scene, id) {
  return scene.snapshots.find((snapshot) => snapshot.id === id) ?? null;
}

/** Is the snapshot still under way? */
export function isRunning(snapshot) {
  return snapshot.waiting > 0 && snapshot.aborted === null;
}

/** How far a part is stored. @param {Part} part @param {import("./scene.js").Snapshot} snapshot @returns {Standing} */
export function standing(part, snapshot, base) {
  if (part.lost !== null || snapshot.aborted !== null) return "struck";
  // With a coordinator, storing is a step of its own.
  return base.root !== null && part.stored === null ? "storing" : "whole";
}

/** Will it never be complete: do its processes wait in a cycle, or is one of its parts lost? */
export function isHopeless(snapshot) {
  return isRunning(snapshot) && (snapshot.stuck !== null || losses(snapshot) > 0);
}

function losses(snapshot) {
  let count = 0;
  snapshot.parts.each((part) => (count += part !== null && part.lost !== null ? 1 : 0));
  return count;
}

/** How many processes have stored their part. */
export function stored(snapshot) {
  let count = 0;
  snapshot.parts.each((part) => (count += part !== null && part.stored !== null ? 1 : 0));
  return count;
}

/** Can the system roll back to the snapshot? */
export function isWhole(snapshot) {
  return snapshot.waiting === 0 && snapshot.aborted === null && !snapshot.unusable.length;
}

/** The snapshot that a scene is about: the latest, or the one to which the system has rolled back since. */
export function latest({ snapshots, restored }) {
  const fresh = snapshots.filter(({ begun }) => begun > (restored?.step ?? 0));
  if (!fresh.length && restored?.snapshot) return restored.snapshot;
  const among = fresh.length ? fresh : snapshots;
  return among.length ? among.reduce((last, each) => (each.begun >= last.begun ? each : last)).id : null;
}

/** The snapshot as this step changes it. */
export function edit(turn, id) {
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
    stuck: null,
  };
}

function members(turn) {
  let count = 0;
  for (let i = 0; i < turn.base.names.length; i += 1) if (isMember(turn.processes.get(i))) count += 1;
  return count;
}

/** The snapshots in the order of their ids, with those that changed. */
export function finish(before, changed) {
  const all = new Map(before.map((snapshot) => [snapshot.id, snapshot]));
  for (const [id, draft] of changed) all.set(id, { ...draft, parts: draft.parts.done(), channels: draft.channels.done() });
  return [...all.values()].sort((a, b) => a.id - b.id);
}

/** @param {Process} process is it a member, even if it is about to leave? */
export function isMember({ life }) {
  return life === "member" || life === "leaving" || life === "down";
}
