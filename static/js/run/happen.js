/** What each note does to a scene, by its key; the values are those of `app/wire/note_codec.py`. Computes. */

import { EMPTY, queueOf } from "./queue.js";
import { RECOVERY } from "./recovery.js";
import { recorded } from "./turn.js";

/** @import { Turn } from "./turn.js" */

/** @typedef {Record<string, (turn: Turn, ...values: any[]) => void>} Happen */

/** What notes make of their step, as a kind that can be marked on the timeline and jumped to: those of which more than
 * the key has to be known say it below. @type {Record<string, string>} */
const KINDS = {
  fault: "lost doubled overtook partitioned healed crashed down joined leaving left forgotten",
  marker: "hurried",
  record: "recorded stored",
  close: "closed derived",
  complete: "completed",
  restore: "restored returned",
};
export const KIND = new Map(Object.entries(KINDS).flatMap(([kind, keys]) => keys.split(" ").map((key) => [key, kind])));

/** @type {Happen} */
const MESSAGES = {
  sent(turn, name, id, kind, payload = null, snapshot = null, tag = null, origin = null) {
    const channel = turn.at(name);
    turn.enter(name, { id, kind, payload, snapshot, tag, channel, sent: turn.step, origin, twin: null });
    if (kind !== "app") return;
    turn.kinds.add("message");
    // What follows a recording in the same step did not happen first.
    if (!turn.deeds.event) Object.assign(turn.deeds, { event: "send", message: id });
  },
  received(turn, name, id) {
    const tube = turn.tube(name);
    const place = tube.queue.find(id) >= 0 ? "queue" : "lane";
    const where = tube[place].find(id);
    const message = tube[place].at(where);
    turn.move(name, { [place]: tube[place].without(where) });
    turn.deeds.arrived.push(message);
    if (message.kind === "marker") turn.kinds.add("marker");
    if (message.kind !== "app") return;
    turn.kinds.add("message");
    Object.assign(turn.deeds, { event: "receive", message: id });
  },
  lost(turn, name, id) {
    turn.lose(name, [id], false);
  },
  doubled(turn, name, id, copy) {
    const { queue } = turn.tube(name);
    turn.enter(name, { ...queue.at(queue.find(id)), id: copy, sent: turn.step, twin: id });
  },
  partitioned(turn, name) {
    turn.move(name, { partitioned: true });
  },
  healed(turn, name) {
    turn.move(name, { partitioned: false });
  },
  hurried(turn, name, id, position) {
    const { queue } = turn.tube(name);
    turn.move(name, { queue: queue.moved(queue.find(id), position) });
  },
  blocked(turn, snapshot, _process, name) {
    turn.move(name, { blocked: snapshot });
  },
  unblocked(turn, _snapshot, _process, name) {
    turn.move(name, { blocked: null });
  },
};

/** @type {Happen} */
const PROCESSES = {
  changed(turn, name, state) {
    turn.change(name, { state, changed: turn.step });
    turn.deeds.changed.add(name);
  },
  output(turn, name, outside) {
    turn.change(name, { outside });
  },
  keeps(turn, name, ids, unheard) {
    turn.change(name, { keeps: { ids, unheard } });
  },
  paused(turn, name, channel = null) {
    pause(turn, name, channel, true);
  },
  resumed(turn, name, channel = null) {
    pause(turn, name, channel, false);
  },
  crashed(turn, name) {
    turn.live(name, "crashed");
    // Messages on their way to it are lost with it.
    for (const channel of turn.base.channels)
      if (channel.target === name && turn.tube(channel.name).lane.length) turn.hold(channel.name, { lane: EMPTY });
  },
  joined(turn, name) {
    turn.live(name, "member");
    // It takes part in current snapshots unless the notes say otherwise.
    const away = turn.notes.filter((note) => note[0] === "absent" && note[2] === name).map((note) => note[1]);
    for (const { id } of turn.before.snapshots) {
      if (away.includes(id)) continue;
      turn.snapshot(id).waiting += 1;
      present(turn, id, name);
    }
  },
  leaving(turn, name) {
    turn.live(name, "leaving");
  },
  left(turn, name) {
    turn.live(name, "left");
  },
  acked(turn, snapshot, from) {
    turn.deeds.spoken.push({ from, to: turn.base.root, word: "ack", snapshot });
  },
  asked(turn, from, to, what) {
    turn.deeds.spoken.push({ from, to, word: what.split(" ")[0], snapshot: null });
  },
  rule({ deeds }, lines) {
    deeds.lines = [...new Set([...deeds.lines, ...lines])];
  },
};

/** @type {Happen} */
const SNAPSHOTS = {
  started(turn, id) {
    turn.snapshot(id);
  },
  recorded(turn, id, name) {
    const snapshot = turn.snapshot(id);
    const { state } = turn.process(name);
    const first = snapshot.parts.get(turn.row(name))?.first;
    snapshot.parts.set(turn.row(name), { state, step: turn.step, first: first ?? turn.step, stored: null, lost: null });
    snapshot.recorded += 1;
    if (first === undefined) turn.deeds.records.push({ snapshot: id, state });
  },
  opened(turn, id, name) {
    record(turn, id, name, { open: true, log: EMPTY, since: turn.step, closed: null });
  },
  logged(turn, id, name, message) {
    const recording = begun(turn, id, turn.at(name));
    // A barrier that overtakes records messages that have not arrived yet.
    const { queue } = turn.tube(name);
    const copy = turn.deeds.arrived.find((each) => each.id === message) ?? queue.at(queue.find(message));
    record(turn, id, name, { ...recording, log: recording.log.push(copy) });
  },
  copied(turn, id, name, messages) {
    const channel = turn.at(name);
    const recording = begun(turn, id, channel);
    const log = messages.reduce(
      (/** @type {any} */ all, /** @type {any[]} */ told) => all.push(recorded(told, channel)),
      recording.log,
    );
    record(turn, id, name, { ...recording, log });
  },
  closed(turn, id, name) {
    const snapshot = turn.snapshot(id);
    const recording = snapshot.channels.get(turn.at(name)) ?? { log: EMPTY, since: turn.step };
    record(turn, id, name, { ...recording, open: false, closed: turn.step });
    snapshot.closed += 1;
  },
  derived(turn, id, name, messages) {
    const snapshot = turn.snapshot(id);
    const channel = turn.at(name);
    if (snapshot.channels.get(channel)?.open !== false) snapshot.closed += 1;
    const log = queueOf(messages.map((/** @type {any[]} */ told) => recorded(told, channel)));
    record(turn, id, name, { open: false, log, since: turn.step, closed: turn.step });
  },
  folded(turn, id, name, state) {
    const { parts } = turn.snapshot(id);
    const part = parts.get(turn.row(name));
    if (part) parts.set(turn.row(name), { ...part, state, folded: turn.step });
  },
  done(turn, id, name) {
    const snapshot = turn.snapshot(id);
    const part = snapshot.parts.get(turn.row(name));
    if (part && part.stored === null) snapshot.parts.set(turn.row(name), { ...part, stored: turn.step });
    snapshot.done += 1;
    if (snapshot.aborted === null && !snapshot.unusable.includes(name) && !snapshot.absent.has(name))
      snapshot.waiting -= 1;
  },
  completed(turn, id) {
    turn.snapshot(id).complete = turn.step;
  },
  absent(turn, id, name, inside) {
    const snapshot = turn.snapshot(id);
    snapshot.absent = new Map(snapshot.absent).set(name, { since: turn.step, inside });
  },
  merged: present,
  unusable(turn, id, name) {
    const snapshot = turn.snapshot(id);
    snapshot.unusable = [...snapshot.unusable, name];
    snapshot.waiting -= 1;
  },
  aborted(turn, id) {
    turn.snapshot(id).aborted = turn.step;
  },
  unreachable(turn, id, names) {
    turn.snapshot(id).unreachable = names;
  },
  stuck(turn, id, names, channels) {
    turn.snapshot(id).stuck = { names: new Set(names), channels: new Set(channels) };
  },
  region(turn, id, name, master) {
    const snapshot = turn.snapshot(id);
    snapshot.regions = new Map(snapshot.regions).set(name, master);
  },
  judged(turn, id, check, holds, witness = null) {
    const snapshot = turn.snapshot(id);
    snapshot.checks = { ...snapshot.checks, [check]: { holds, witness, step: turn.step } };
  },
};

/** @type {Happen} */
export const HAPPEN = { ...MESSAGES, ...PROCESSES, ...SNAPSHOTS, ...RECOVERY };

/** @param {Turn} turn
 * @param {string} name @param {string | null} channel @param {boolean} paused */
function pause(turn, name, channel, paused) {
  if (channel === null) turn.change(name, { paused });
  else turn.hold(channel, { paused });
}

/** A process takes part in a snapshot again.
 * @param {Turn} turn @param {number} id @param {string} name */
function present(turn, id, name) {
  const snapshot = turn.snapshot(id);
  snapshot.absent = new Map(snapshot.absent);
  snapshot.absent.delete(name);
}

/**
 * What a snapshot has of a channel; if nothing, the beginning of it.
 * @param {Turn} turn @param {number} id @param {number} channel
 */
function begun(turn, id, channel) {
  return turn.snapshot(id).channels.get(channel) ?? { open: true, log: EMPTY, since: turn.step, closed: null };
}

/** @param {Turn} turn
 * @param {number} id @param {string} name @param {import("./types.js").Recording} recording */
function record(turn, id, name, recording) {
  turn.snapshot(id).channels.set(turn.at(name), recording);
  turn.deeds.moved.add(turn.at(name));
}
