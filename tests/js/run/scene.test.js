import assert from "node:assert/strict";
import { test } from "node:test";

import { beats } from "../../../static/js/run/beats.js";
import { Scenes } from "../../../static/js/run/scenes.js";
import { current } from "../../../static/js/run/snapshot.js";
import { fixture } from "../fixtures.js";

/** What a scene and a world of the server have in common. */
function world({ base, processes, channels }) {
  const lives = processes.items().map(({ life }, i) => ({ name: base.names[i], life }));
  const tubes = channels
    .items()
    .map(({ queue, partitioned }, i) => ({ name: base.channels[i].name, queue, partitioned }));
  const isHere = ({ life }) => !["unborn", "left", "crashed"].includes(life);
  return {
    states: Object.fromEntries(
      lives.filter(isHere).map(({ name }) => [name, processes.get(base.index.get(name)).state]),
    ),
    queues: Object.fromEntries(
      tubes.filter(({ queue }) => queue.length).map(({ name, queue }) => [name, queue.items().map(({ id }) => id)]),
    ),
    down: lives.flatMap(({ name, life }) => (life === "down" ? [name] : [])).sort(),
    partitioned: tubes.flatMap(({ name, partitioned }) => (partitioned ? [name] : [])).sort(),
  };
}

for (const [name, { scene, frames, worlds }] of Object.entries(fixture("runs"))) {
  test(`the scenes of ${name} are the worlds of the server, and stay so while more are folded`, () => {
    const scenes = new Scenes(scene);
    scenes.add(frames);
    assert.equal(scenes.held, worlds.length - 1);
    worlds.forEach((expected, step) => assert.deepEqual(world(scenes.at(step)), expected, `step ${step}`));
  });
}

test("a scene is about the snapshot that its step completes, and otherwise about the latest", () => {
  const { scene, frames } = fixture("library")["two-labels"];
  const scenes = new Scenes(scene);
  scenes.add(frames);
  const completed = scenes.at(scenes.held).snapshots;
  assert.equal(completed.length, 2);
  for (const { id, complete } of completed) {
    assert.equal(current(scenes.at(complete)), id);
    assert.equal(current(scenes.at(complete - 1)), 2);
  }
});

/** How far the snapshots of a scene are. @param {any} scene */
const far = ({ snapshots }) =>
  snapshots.map(({ id, recorded, closed, complete, checks }) => [
    id,
    recorded,
    closed,
    complete ? 1 : 0,
    Object.keys(checks).length,
  ]);

test("after each beat of a step the snapshots are as far as its notes say", () => {
  const done = { recorded: 1, closed: 2, derived: 2, completed: 3, judged: 4 };
  let partly = 0;
  for (const [name, { scene, frames }] of Object.entries(fixture("library"))) {
    const scenes = new Scenes(scene);
    scenes.add(frames);
    frames.forEach((frame, i) => {
      const now = scenes.at(i + 1);
      const { all } = beats(now.happening);
      const seen = all.map((_, over) => far(scenes.within(i + 1, over)));
      assert.deepEqual(seen[0], far(scenes.at(i)));
      assert.equal(scenes.within(i + 1, all.length), now);
      [...seen, far(now)].forEach((each, over) => {
        if (!over) return;
        const what = all[over - 1].notes.map((note) => done[frame.n[note][0]]);
        const before = new Map([...seen, far(now)][over - 1].map(([id, ...rest]) => [id, rest]));
        for (const [id, ...rest] of each)
          rest.forEach((count, at) => {
            const more = count - (before.get(id)?.[at] ?? 0);
            if (more) partly += 1;
            assert.ok(!more || what.includes(at + 1), `${name}, step ${i + 1}, beat ${over}: ${at}`);
          });
      });
    });
  }
  assert.ok(partly > 1000);
});

test("the processes that roll back in a step are those of the server", () => {
  let kept = 0;
  for (const [name, { scene, frames, back }] of Object.entries(fixture("library"))) {
    const scenes = new Scenes(scene);
    scenes.add(frames);
    for (const [step, names] of Object.entries(back)) {
      const found = [...(scenes.at(Number(step)).happening?.back?.names ?? [])].sort();
      assert.deepEqual(found, names, `${name}, step ${step}`);
      if (found.length && Object.values(scene.roles ?? {}).some((role) => role?.logs)) kept += 1;
    }
  }
  assert.ok(kept > 2);
});
