/**
 * What the notes of a dataflow, a crash and a recovery do to a scene: crashed processes come back, and what came after
 * a snapshot has not happened. Computes; never draws.
 */

import { EMPTY, queueOf } from "./queue.js";
import { edit, isRunning, isWhole } from "./snapshot.js";
import { live, NONE } from "./turn.js";

/** By the key of a note. */
export const RECOVERY = {
  output(turn, [, name, outside], index) {
    const i = index.get(name);
    turn.processes.set(i, { ...turn.processes.get(i), outside });
  },
  hurried(turn, [, name, id, position], _index, at) {
    const i = at.get(name);
    const tube = turn.channels.get(i);
    turn.channels.set(i, { ...tube, queue: tube.queue.moved(tube.queue.find(id), position) });
    turn.moved.add(i);
    turn.kinds.add("marker");
  },
  blocked(turn, [, id, , name], _index, at) {
    blocking(turn, at.get(name), id);
  },
  unblocked(turn, [, , , name], _index, at) {
    blocking(turn, at.get(name), null);
  },
  acked(turn, [, id, name]) {
    turn.spoken.push({ from: name, to: turn.base.root, word: "ack", snapshot: id });
  },
  stuck(turn, [, id, names, channels]) {
    edit(turn, id).stuck = { names: new Set(names), channels: new Set(channels) };
  },
  asked(turn, [, name, target, what]) {
    turn.spoken.push({ from: name, to: target, word: what.split(" ")[0], snapshot: null });
  },
  forgotten(turn) {
    turn.kinds.add("fault");
  },
  stored(turn, [, name, number, state], index) {
    const i = index.get(name);
    turn.processes.set(i, { ...turn.processes.get(i), saved: { number, state, step: turn.step } });
    turn.kinds.add("record");
  },
  keeps(turn, [, name, ids, unheard], index) {
    const i = index.get(name);
    turn.processes.set(i, { ...turn.processes.get(i), keeps: { ids, unheard } });
  },
  down(turn, [, name], index) {
    const i = index.get(name);
    live(turn, i, "down");
    turn.kinds.add("fault");
    // What it had recorded but not stored is lost with it.
    for (const snapshot of turn.before.snapshots) {
      const part = snapshot.parts.get(i);
      if (isRunning(snapshot) && part && part.stored === null) edit(turn, snapshot.id).parts.set(i, { ...part, lost: turn.step });
    }
  },
  restored(turn, [, snapshot, states, queues]) {
    const { names, channels } = turn.base;
    const batches = turn.before.snapshots.filter((each) => isWhole(each) && each.id <= snapshot).length;
    names.forEach((name, i) => {
      const was = turn.processes.get(i);
      const life = was.life === "down" ? "member" : was.life;
      const saved = was.saved && batches ? { number: batches, state: states[name], step: was.saved.step } : null;
      turn.processes.set(i, { ...was, state: states[name], changed: turn.step, life, paused: false, saved });
    });
    for (const { i, name } of channels) {
      const was = turn.channels.get(i);
      const list = (queues[name] ?? NONE).map((told) => returning(told, i, turn.step));
      if (!list.length && !was.queue.length && !was.lane.length && was.blocked === null && !was.paused) continue;
      const kept = new Set(list.map(({ id }) => id));
      takenBack(turn, i, was.queue.items().filter(({ id }) => !kept.has(id)));
      turn.channels.set(i, { ...turn.channels.get(i), queue: queueOf(list), lane: EMPTY, blocked: null, paused: false });
    }
    turn.restored = { snapshot, step: turn.step };
    turn.back = { snapshot, names: new Set(names) };
    turn.kinds.add("restore");
  },
  returned(turn, [, name, number, state, retracted], index, at) {
    const i = index.get(name);
    const was = turn.processes.get(i);
    const saved = number ? { number, state, step: was.saved?.number === number ? was.saved.step : turn.step } : null;
    turn.processes.set(i, { ...was, state, changed: turn.step, life: was.life === "down" ? "member" : was.life, saved });
    for (const [channel, id] of retracted) {
      const tube = turn.channels.get(at.get(channel));
      takenBack(turn, at.get(channel), [tube.queue.at(tube.queue.find(id))]);
    }
    for (const channel of turn.base.channels) {
      if (channel.target === name && turn.channels.get(channel.i).blocked !== null) blocking(turn, channel.i, null);
    }
    turn.back = { snapshot: number, names: new Set([...(turn.back?.names ?? NONE), name]) };
    turn.kinds.add("restore");
  },
};

/** A message that is back in its channel, as recorded. */
function returning([id, payload, tag = null], channel, step) {
  return { id, kind: "app", payload, snapshot: null, tag, channel, sent: 0, twin: null, back: step };
}

/** Messages are no longer in their channel, as if they had never been sent. */
function takenBack(turn, i, messages) {
  const tube = turn.channels.get(i);
  let { queue } = tube;
  const gone = [...tube.gone];
  for (const message of messages) {
    gone.push({ message, rank: queue.find(message.id), undone: true });
    queue = queue.without(queue.find(message.id));
  }
  turn.channels.set(i, { ...tube, queue, gone });
  turn.emptied = [...(turn.emptied ?? NONE), i];
  turn.moved.add(i);
}

function blocking(turn, i, blocked) {
  turn.channels.set(i, { ...turn.channels.get(i), blocked });
  turn.moved.add(i);
}
