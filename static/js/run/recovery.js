/**
 * What the notes of a crash and a recovery do to a scene: crashed processes come back, and what came after a snapshot
 * has not happened. Computes; never draws.
 */

import { EMPTY, queueOf } from "./queue.js";
import { isRunning, isWhole } from "./snapshot.js";
import { recorded } from "./turn.js";

/** @import { Turn } from "./turn.js" */

/** @type {import("./happen.js").Happen} By the key of a note. */
export const RECOVERY = {
  stored(turn, name, number, state) {
    const saves = [...turn.process(name).saves, turn.step];
    turn.change(name, { saved: { number, state, step: turn.step }, saves });
    if (!turn.deeds.records.length) turn.deeds.records.push({ snapshot: 0, state });
  },
  down(turn, name) {
    const row = turn.row(name);
    turn.live(name, "down");
    // What it had recorded but not stored is lost with it.
    for (const snapshot of turn.before.snapshots) {
      const part = snapshot.parts.get(row);
      if (isRunning(snapshot) && part && part.stored === null)
        turn.snapshot(snapshot.id).parts.set(row, { ...part, lost: turn.step });
    }
  },
  restored(turn, snapshot, states, queues) {
    const batches = turn.before.snapshots.filter((each) => isWhole(each) && each.id <= snapshot).length;
    for (const name of turn.base.names) {
      const { saved: was, saves } = turn.process(name);
      const state = states[name];
      const saved = was && batches ? { number: batches, state, step: was.step } : null;
      turn.change(name, { state, changed: turn.step, paused: false, saved, saves: saves.slice(0, batches) });
      turn.rise(name);
    }
    for (const channel of turn.base.channels) refill(turn, channel, queues[channel.name] ?? []);
    turn.restored = { snapshot, step: turn.step };
    // A coordinator that writes down what it does keeps it.
    const names = turn.base.names.filter((name) => !turn.base.roles?.[name]?.logs);
    turn.deeds.back = { snapshot, names: new Set(names), all: true };
    turn.deeds.setbacks.push({ step: turn.step, snapshot, row: null, since: 0 });
  },
  returned(turn, name, number, state, retracted) {
    const { saved: was, saves: known } = turn.process(name);
    const saved = number ? { number, state, step: was && was.number === number ? was.step : turn.step } : null;
    const saves = known.slice(0, number);
    turn.change(name, { state, changed: turn.step, saved, saves });
    turn.rise(name);
    for (const [channel, id] of retracted) turn.lose(channel, [id], true);
    for (const channel of turn.base.channels)
      if (channel.target === name && turn.tube(channel.name).blocked !== null)
        turn.move(channel.name, { blocked: null });
    turn.deeds.back = { snapshot: number, names: new Set([...(turn.deeds.back?.names ?? []), name]), all: false };
    turn.deeds.setbacks.push({ step: turn.step, snapshot: number, row: turn.row(name), since: saves.at(-1) ?? 0 });
  },
  line(turn, crash, places, disk, useless) {
    const at = turn.base.names.map((name, row) => {
      const place = places[name];
      return place ? (turn.processes.get(row).saves[place - 1] ?? 0) : place;
    });
    // Until everybody stands on the line, this is how far they have gone.
    const since = (turn.line?.crash === crash ? turn.line?.since : null) ?? turn.step;
    turn.line = { crash, since, places, at, disk, useless, cost: null };
  },
  orphans(turn, ids) {
    turn.orphans = new Set(ids);
  },
  fallen(turn, _crash, rollbacks, lost, exact) {
    if (turn.line) turn.line = { ...turn.line, cost: { rollbacks, lost, exact } };
  },
};

/** A channel holds what was recorded, and nothing else.
 * @param {Turn} turn @param {import("./types.js").Channel} channel @param {any[][]} told */
function refill(turn, { i, name }, told) {
  const { queue, lane, blocked, paused } = turn.channels.get(i);
  if (!told.length && !queue.length && !lane.length && blocked === null && !paused) return;
  const back = told.map((each) => ({ ...recorded(each, i), back: turn.step }));
  const kept = new Set(back.map(({ id }) => id));
  const gone = queue.items().flatMap(({ id }) => (kept.has(id) ? [] : [id]));
  turn.lose(name, gone, true);
  turn.move(name, { queue: queueOf(back), lane: EMPTY, blocked: null, paused: false });
  turn.deeds.entered.push(...back);
}
