/** What the stage shows of a step, and of the step before it. Computes; never draws. */

import { beats, spans } from "../run/beats.js";
import { faults } from "../run/fault.js";
import { isMember, snapshotOf, standing, tone } from "../run/snapshot.js";

/**
 * @import {
 *   Ack, Back, Base, Channel, Copy, Fault, ProcessView, Recording, Scene, Snapshot, Tube, TubeView, View
 * } from "./types.js"
 */

/** @type {Fault[]} */
const RIGHT = [];
/** @type {WeakMap<object, Copy>} */
const parts = new WeakMap();
/** @type {WeakMap<Tube, {judged: Fault[], all: Fault[]}>} */
const troubled = new WeakMap();

/** @param {Recording | null} recording */
export function isClosed(recording) {
  return Boolean(recording && !recording.open);
}

/**
 * @param {Scene} was @param {Scene} now @param {number | null} shown the snapshot whose recording is drawn
 * @param {boolean} settled can something be chosen?
 * @returns {View}
 */
export function viewOf(was, now, shown, settled) {
  const { base, happening } = now;
  const [began, is] = [snapshotOf(was, shown), snapshotOf(now, shown)];
  const moment = {
    step: now.step,
    snapshot: shown,
    hue: shown === null ? 0 : tone(base, shown),
    phase: spans(beats(happening)),
    silent: !settled,
    unseen: Boolean((is?.complete && !is.closed) || is?.aborted),
  };
  const wrong = faults(is, base.at);
  return {
    was,
    now,
    moment,
    tubes: base.channels.map((channel) => tubeView(channel, was, now, began, is, wrong.get(channel.i))),
    processes: base.names.map((_, i) => processView(i, was, now, began, is, shown)),
  };
}

/** @param {Scene} scene @returns {Back} */
function backOf({ happening }) {
  if (!happening?.back) return "";
  return happening.back.snapshot ? "back" : "anew";
}

/**
 * @param {Channel} channel @param {Scene} was @param {Scene} now @param {Snapshot | null} began
 * @param {Snapshot | null} is @param {Fault[] | undefined} judged
 * @returns {TubeView}
 */
function tubeView(channel, was, now, began, is, judged) {
  const { name, i, from, to } = channel;
  const tube = now.channels.get(i);
  return {
    was: was.channels.get(i),
    now: tube,
    began: began?.channels.get(i) ?? null,
    is: is?.channels.get(i) ?? null,
    fresh: Boolean(now.happening?.moved.has(i) && !now.happening.back),
    faults: troubles(tube, judged),
    full: isFull(tube, now.base.capacity?.[name]),
    away: !isMember(now.processes.get(from)) || !isMember(now.processes.get(to)),
    stuck: Boolean(is?.stuck?.channels.has(name)),
    ...receiver(is, now.base, to),
    back: undone(now, channel),
  };
}

/** How the part of a channel's receiver stands. @param {Snapshot | null} is @param {Base} base @param {number} to */
function receiver(is, base, to) {
  if (!is) return { storing: false, useless: false };
  const part = is.parts.get(to);
  const storing = part !== null && standing(part, is, base) === "storing";
  return { storing, useless: is.aborted !== null || Boolean(part?.lost) };
}

/** Does what the channel holds roll back: does its sender, or do all? @param {Scene} scene @param {Channel} channel */
function undone(scene, { source }) {
  const back = scene.happening?.back;
  return back?.all || back?.names.has(source) ? backOf(scene) : "";
}

/** @param {Tube} tube @param {number | undefined} capacity */
function isFull({ queue }, capacity) {
  return capacity !== undefined && queue.items().filter(({ kind }) => kind === "app").length >= capacity;
}

/**
 * What is wrong with a channel: it is partitioned, just lost something, or failed a check. The same list for the same
 * tube.
 * @param {Tube} tube @param {Fault[]} [judged]
 */
function troubles(tube, judged = RIGHT) {
  const lost = tube.gone.filter(({ undone }) => !undone);
  if (!tube.partitioned && !lost.length) return judged;
  const known = troubled.get(tube);
  if (known?.judged === judged) return known.all;
  const network = tube.partitioned ? [{ kind: "partitioned", message: null }] : RIGHT;
  const all = [...network, ...lost.map(({ message }) => ({ kind: "dropped", message })), ...judged];
  troubled.set(tube, { judged, all });
  return all;
}

/**
 * @param {number} i @param {Scene} was @param {Scene} now @param {Snapshot | null} began @param {Snapshot | null} is
 * @param {number | null} shown
 * @returns {ProcessView}
 */
function processView(i, was, now, began, is, shown) {
  const { base, happening, snapshots } = now;
  const name = base.names[i];
  const others = snapshots.flatMap((snapshot) => {
    const part = snapshot.id === shown ? null : snapshot.parts.get(i);
    return part ? [{ id: snapshot.id, hue: tone(base, snapshot.id), standing: standing(part, snapshot, base) }] : [];
  });
  return {
    was: was.processes.get(i),
    now: now.processes.get(i),
    had: partOf(began, was, i),
    has: partOf(is, now, i),
    others,
    colours: base.colours ? [colourOf(was.snapshots, i), colourOf(snapshots, i)] : null,
    acts: name === happening?.action.process,
    changed: Boolean(happening?.changed.has(name)),
    stuck: Boolean(is?.stuck?.names.has(name)),
    region: is?.regions.get(name) ?? "",
    back: happening?.back?.names.has(name) ? backOf(now) : "",
    acks: is && name === base.root ? acks(is, base) : [],
  };
}

/** The last snapshot that a process has recorded; 0 if none. @param {Snapshot[]} snapshots @param {number} i */
function colourOf(snapshots, i) {
  return snapshots.reduce((last, { id, parts: all }) => (all.get(i) ? Math.max(last, id) : last), 0);
}

/**
 * The recorded state of a process; without a snapshot, what it saved on its own. The same value for the same part.
 * @param {Snapshot | null} snapshot @param {Scene} scene @param {number} i
 */
function partOf(snapshot, scene, i) {
  const part = snapshot?.parts.get(i);
  const saved = part || snapshot ? null : scene.processes.get(i).saved;
  const source = part ?? saved;
  if (!source) return null;
  const how = snapshot && part ? standing(part, snapshot, scene.base) : "whole";
  const known = parts.get(source);
  if (known?.standing === how) return known;
  const made = { state: source.state, saved: saved?.number ?? null, standing: how };
  parts.set(source, made);
  return made;
}

/**
 * What the coordinator knows about the others' parts.
 * @param {Snapshot} snapshot @param {Base} base @returns {Ack[]}
 */
function acks(snapshot, base) {
  return base.names.flatMap((name, i) => {
    if (name === base.root) return [];
    const part = snapshot.parts.get(i);
    return [{ name, how: part?.lost ? "lost" : part && part.stored !== null ? "stored" : "open" }];
  });
}
