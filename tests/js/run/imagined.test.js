import assert from "node:assert/strict";
import { test } from "node:test";

import { imagine } from "../../../static/js/run/imagined.js";
import { Scenes } from "../../../static/js/run/scenes.js";
import { History } from "../../../static/js/time/history.js";
import { Order } from "../../../static/js/time/order.js";
import { fixture } from "../fixtures.js";

const runs = fixture("library");

/** The run with a straight cut of each of its whole snapshots. @param {string} name */
function imagined(name) {
  const scenes = new Scenes(runs[name].scene);
  scenes.add(runs[name].frames);
  const history = new History(scenes);
  history.grow();
  const now = scenes.held;
  return history.cuts
    .filter((cut) => cut.whole <= now && !history.orphans(cut, now).length && !history.ruined(cut, now))
    .map((cut) => {
      const made = imagine(scenes, new Order(history, cut, now).steps, cut.id, now);
      return { cut, now, scenes, made, repeated: history.repeated(cut, now) };
    });
}

/** The ids in a queue, or in what was recorded of a channel. */
const ids = (queue) => queue.items().map(({ id }) => id);

test("at the straight cut the system is in the recorded state, and at the end where it really was", () => {
  let shown = 0;
  const refused = [];
  for (const name of Object.keys(runs))
    for (const { cut, now, scenes, made, repeated } of imagined(name)) {
      const where = `${name}, snapshot ${cut.id}`;
      if (repeated) refused.push(name);
      if (repeated) continue;
      assert.ok(made, where);
      shown += 1;
      const [line, end] = [made.scenes[made.line], made.scenes.at(-1)];
      const [real] = line.snapshots;
      const { names, channels } = line.base;
      names.forEach((_, i) => {
        const part = real.parts.get(i);
        if (part && part.folded === undefined && !cut.absent[i] && part.step === part.first)
          assert.deepEqual(line.processes.get(i).state, part.state, `${where}: ${names[i]}`);
        assert.deepEqual(end.processes.get(i).state, scenes.at(now).processes.get(i).state, `${where}: end`);
      });
      if (!Object.values(real.checks).length || Object.values(real.checks).some(({ holds }) => holds !== true))
        continue;
      channels.forEach(({ i }) => {
        const recording = real.channels.get(i);
        if (recording)
          assert.deepEqual(ids(line.channels.get(i).queue), ids(recording.log), `${where}: ${channels[i].name}`);
      });
    }
  assert.ok(shown > 100, `${shown}`);
  assert.deepEqual(refused, ["lossy-network", "task-retried", "task-retried-plain", "lineage"]);
});

test("the run that could have been has the state that never was", () => {
  const [{ made, scenes }] = imagined("state-that-never-was");
  const states = (scene) => JSON.stringify(scene.processes.items().map(({ state }) => state));
  const flying = (scene) => JSON.stringify(scene.channels.items().map(({ queue }) => ids(queue)));
  const whole = (scene) => states(scene) + flying(scene);
  const real = Array.from({ length: scenes.held + 1 }, (_, step) => whole(scenes.at(step)));
  assert.ok(!real.includes(whole(made.scenes[made.line])));
  assert.equal(made.events.length, made.scenes.length - 1);
});

test("a run that goes back does so in the other order, too, and processes come and go", () => {
  for (const [name, key] of [
    ["backup", "restored"],
    ["born-after", "joined"],
    ["leave-in-order", "left"],
  ])
    for (const { made } of imagined(name))
      assert.ok(made.scenes.some(({ happening }) => happening?.frame.n.some((note) => note[0] === key)));
});
