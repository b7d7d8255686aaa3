import assert from "node:assert/strict";
import { test } from "node:test";

import { Scenes } from "../../../static/js/run/scenes.js";
import { History } from "../../../static/js/time/history.js";
import { Order } from "../../../static/js/time/order.js";
import { fixture } from "../fixtures.js";

/** The history of a run, learned in pieces. */
function learned({ scene, frames }, size = frames.length) {
  const scenes = new Scenes(scene);
  const history = new History(scenes);
  for (let at = 0; at < frames.length; at += size) {
    scenes.add(frames.slice(at, at + size));
    history.grow();
  }
  return history;
}

for (const [name, run] of Object.entries(fixture("runs"))) {
  test(`the cuts of ${name} are where the oracle saw the processes record`, () => {
    const { cuts, names } = learned(run);
    const known = cuts.map(({ id, recorded }) => {
      const steps = recorded.map((step, row) => [names[row], step]).filter(([, step]) => step !== Infinity);
      return [String(id), Object.fromEntries(steps)];
    });
    assert.deepEqual(Object.fromEntries(known), run.recorded);
  });

  test(`the history of ${name} is the same when it comes in pieces`, () => {
    const [whole, pieces] = [learned(run), learned(run, 7)];
    for (const what of ["steps", "flights", "sendings", "spans", "setbacks", "checkpoints", "cuts"])
      assert.deepEqual(pieces[what], whole[what]);
  });

  test(`every message of ${name} that is in a channel is in flight`, () => {
    const history = learned(run);
    run.worlds.forEach(({ queues }, step) => {
      const flying = new Set(history.between(step, step + 1, step).map(({ id }) => id));
      for (const id of Object.values(queues).flat()) assert.ok(flying.has(id), `message ${id} after step ${step}`);
    });
  });
}

test("a cut that is straight divides the events, each side in its old order", () => {
  const history = learned(fixture("runs")["blue-figure"]);
  const [cut] = history.cuts;
  const { places, cut: middle, end } = new Order(history, cut, history.steps);
  for (const { step, row } of history.happenings(1, history.steps))
    assert.equal(Math.sign(places[step] - middle), Math.sign(step - cut.border(row)));
  const after = places.filter((place) => place > middle);
  assert.deepEqual(after, after.toSorted());
  assert.equal(after.at(-1) ?? middle, end);
});

test("a cut is of no use from the step in which the server says so", () => {
  const found = new Set();
  for (const [name, run] of Object.entries(fixture("library"))) {
    const history = learned(run);
    history.scenes.end = run.end;
    for (const cut of history.cuts)
      run.ruined[cut.id].forEach((how, step) => {
        if (step >= history.scenes.at(step).snapshots.find(({ id }) => id === cut.id)?.begun)
          assert.equal(history.ruined(cut, step), how, `${name}, snapshot ${cut.id}, step ${step}`);
        found.add(how);
      });
  }
  assert.deepEqual(found, new Set([null, "given-up", "unusable", "never", "stuck"]));
});
