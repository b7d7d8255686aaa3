import assert from "node:assert";
import { test } from "node:test";
import { agreed } from "../../../static/js/write/alike.js";

const record = ["record", 1, null, null, 4];
const marker = ["send_marker", 1, "A→B", null, 5];

test("two that did the same agree, in whatever order", () => {
  const answer = { state: [["x", ["s", 1, 2]]], verbs: [record, marker] };
  const other = { state: [["x", ["s", 2, 1]]], verbs: [marker, record] };
  assert.equal(agreed(answer, other), answer);
});

test("the first verb that only one has used is named by its line", () => {
  const told = agreed({ state: [], verbs: [record, marker] }, { state: [], verbs: [record] });
  assert.deepEqual(told, { mistake: "undetermined", line: 5 });
});

test("two that keep different things do not agree", () => {
  const told = agreed({ state: [["x", 1]], verbs: [] }, { state: [["x", 2]], verbs: [] });
  assert.deepEqual(told, { mistake: "undetermined", line: null });
});

test("facts and mistakes are compared whole", () => {
  const facts = { tags: true, values: false };
  assert.equal(agreed(facts, { ...facts }), facts);
  const stopped = { mistake: "raised", about: "KeyError: 1", line: 3 };
  assert.equal(agreed(stopped, { ...stopped }), stopped);
  assert.deepEqual(agreed(stopped, { state: [], verbs: [] }), { mistake: "undetermined", line: null });
});
