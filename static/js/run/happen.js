/** What each note does to a scene. Computes; never draws. */

import { LINE } from "./checkpoint.js";
import { EMPTY, Queue } from "./queue.js";
import { RECOVERY } from "./recovery.js";
import { edit } from "./snapshot.js";
import { closedNow, live, NONE, partitioning, pausing } from "./turn.js";

/** By the key of a note: (turn, note, places of processes, places of channels). */
export const HAPPEN = {
  ...RECOVERY,
  ...LINE,
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
    turn.channels.set(i, { ...tube, [place]: tube[place].without(where) });
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
  },
  recorded(turn, [, id, name], index) {
    const snapshot = edit(turn, id);
    const i = index.get(name);
    snapshot.parts.set(i, { state: turn.processes.get(i).state, step: turn.step, stored: null, lost: null });
    snapshot.recorded += 1;
    turn.kinds.add("record");
  },
  opened(turn, [, id, name], _index, at) {
    edit(turn, id).channels.set(at.get(name), { open: true, log: EMPTY, since: turn.step, closed: null });
    turn.moved.add(at.get(name));
  },
  logged(turn, [, id, name, message], _index, at) {
    const channels = edit(turn, id).channels;
    const recording = channels.get(at.get(name)) ?? { open: true, log: EMPTY, since: turn.step, closed: null };
    // A barrier that overtakes records messages that have not arrived yet.
    const { queue } = turn.channels.get(at.get(name));
    const copy = turn.arrived.get(message) ?? queue.at(queue.find(message));
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
  done(turn, [, id, name], index) {
    const snapshot = edit(turn, id);
    const part = snapshot.parts.get(index.get(name));
    if (part && part.stored === null) snapshot.parts.set(index.get(name), { ...part, stored: turn.step });
    snapshot.done += 1;
    if (snapshot.aborted === null && !snapshot.unusable.includes(name) && !snapshot.absent.has(name)) snapshot.waiting -= 1;
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
    turn.channels.set(i, { ...tube, queue: tube.queue.without(rank), gone });
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
    partitioning(turn, at.get(name), true);
  },
  mended(turn, [, name], _index, at) {
    partitioning(turn, at.get(name), false);
  },
  crashed(turn, [, name], index) {
    live(turn, index.get(name), "crashed");
    turn.kinds.add("fault");
    for (const channel of turn.base.channels) {
      const tube = turn.channels.get(channel.i);
      // Messages on their way to it are lost with it.
      if (channel.target !== name || !tube.lane.length) continue;
      turn.channels.set(channel.i, { ...tube, lane: EMPTY });
    }
  },
  joined(turn, [, name], index) {
    live(turn, index.get(name), "member");
    turn.kinds.add("fault");
    // It takes part in current snapshots unless the notes say otherwise.
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
  rule(turn, [, lines]) {
    turn.lines = [...turn.lines, ...lines.filter((line) => !turn.lines.includes(line))];
  },
  judged(turn, [, id, check, holds, witness = null]) {
    const snapshot = edit(turn, id);
    snapshot.checks = { ...snapshot.checks, [check]: { holds, witness, step: turn.step } };
  },
};

