import assert from "node:assert/strict";
import { test } from "node:test";

import { isRight, question } from "../../../static/js/run/predict.js";
import { Scenes } from "../../../static/js/run/scenes.js";
import { fixture } from "../fixtures.js";

const library = Object.entries(fixture("library"));
/** The questions of the library, by scenario and step. */
const asked = new Map(
  library.flatMap(([name, { scene, frames }]) => {
    const scenes = new Scenes(scene);
    scenes.add(frames);
    return Object.entries(scene.predict ?? {}).map(([step, kind]) => [
      `${name} ${step}`,
      { scenes, step: Number(step), found: question(scenes, Number(step), kind) },
    ]);
  }),
);

/** What the right options of a question are called. @param {string} where */
function answer(where) {
  const { answer: right, options } = asked.get(where).found;
  return options.filter(({ id }) => right.includes(id)).map(({ id, name, message }) => message?.payload ?? name ?? id);
}

test("at least ten scenarios ask, and every question has an answer among its options", () => {
  assert.ok(new Set([...asked.keys()].map((where) => where.split(" ")[0])).size >= 10);
  for (const [where, { found }] of asked) {
    assert.ok(found, where);
    assert.ok(found.options.length > 1, `${where}: nothing to choose from`);
    const ids = found.options.map(({ id }) => id);
    assert.ok(
      found.answer.every((id) => ids.includes(id)),
      where,
    );
    if (!found.many) assert.equal(found.answer.length, 1, where);
    assert.ok(isRight(found, new Set(found.answer)), where);
    assert.ok(!isRight(found, new Set([...found.answer, "another"])), where);
  }
});

test("the runs answer as their authors do", () => {
  assert.deepEqual(answer("queue 9").map(String), ["1", "2", "3"]);
  assert.deepEqual(answer("domino-stopped 17"), ["P", "Q"]);
  assert.deepEqual(answer("chain-from-b 1"), ["no"]);
  assert.deepEqual(answer("late-marker 2"), ["no"]);
  assert.deepEqual(answer("slow-marker 1"), ["yes"]);
  assert.deepEqual(answer("which-cut 5"), ["R"]);
  assert.deepEqual(answer("non-fifo-lost 3"), []);
});

test("a question about a later step names no message that has not been sent", () => {
  const { scenes, step, found } = asked.get("three-banks 5");
  const flying = scenes.at(step).base.channels.flatMap(({ i }) => scenes.at(step).channels.get(i).queue.items());
  assert.deepEqual(
    found.options.map(({ id }) => id),
    flying.filter(({ kind }) => kind === "app").map(({ id }) => String(id)),
  );
});
