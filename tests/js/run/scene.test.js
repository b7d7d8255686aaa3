import assert from "node:assert/strict";
import { test } from "node:test";

import { Scenes } from "../../../static/js/run/scenes.js";
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
