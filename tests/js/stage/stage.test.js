import assert from "node:assert/strict";
import { test } from "node:test";

import { beats, spans } from "../../../static/js/run/beats.js";
import { queueOf } from "../../../static/js/run/queue.js";
import { fit, measure, wrap } from "../../../static/js/stage/letters.js";
import { travel } from "../../../static/js/stage/motion.js";
import { measured } from "../../../static/js/stage/paths.js";
import { slots, tube, wire } from "../../../static/js/stage/places.js";
import { changed } from "../../../static/js/stage/rows.js";
import { fixture } from "../fixtures.js";

const fixed = fixture("stage");

/** Where messages rest, as the server writes it. @param {import("../../../static/js/stage/types.js").Rest} rest */
function resting({ places, scales, hidden, more, size, aside }) {
  const messages = places.map((at, i) => ({ at, scale: scales?.[i] ?? 1 }));
  return { messages, hidden, more: hidden ? { at: more, scale: size } : null, aside };
}

test("the player shortens and breaks texts as pictures do", () => {
  for (const [text, wide, shortened, lines] of fixed.texts) {
    assert.ok(Math.abs(measure(text, 13) - wide) < 1e-6, text);
    assert.equal(fit(text, 13, 90), shortened);
    assert.deepEqual(wrap(text.split(/\s+/).filter(Boolean), 13, 90, 2), lines);
  }
});

test("messages rest in the player where they rest in pictures", () => {
  for (const [widths, length, pad, rest] of fixed.slots)
    assert.deepEqual(resting(slots(widths, widths.length, length, pad)), rest);
  for (const [wants, length, loose, rest] of fixed.tubes) {
    const widths = wants.map(() => 30);
    assert.deepEqual(resting(tube(widths, wants, wants.length, length, 12, loose)), rest);
  }
  const path = measured({
    d: "",
    points: [
      [0, 0],
      [200, 0],
    ],
  });
  const stretches = [
    { begin: 110, end: 200 },
    { begin: 0, end: 80 },
  ];
  const on = { path, stretches, home: { at: 190, scale: 0.75 }, gap: 40, wide: 30, high: 20 };
  for (const [wants, crowd, loose, least, rest] of fixed.wires) {
    const widths = wants.map((/** @type {number} */ _, /** @type {number} */ i) => [44, 24][i % 2]);
    assert.deepEqual(resting(wire({ ...on, least }, widths, wants, wants.length, loose, [...crowd])), rest);
  }
});

test("messages stand where they have come to, in their order, and never touch", () => {
  const row = tube([30, 30, 30], [0.5, 0.45, 0.1], 3, 240, 0, false);
  assert.deepEqual(row.places, [120, 85, 36]);
  const passing = tube([30, 30], [0.2, 0.8], 2, 240, 0, true);
  assert.ok(passing.places[1] > passing.places[0], "in a channel that is not FIFO one passes another");
  const kept = tube([30, 30], [0.2, 0.8], 2, 240, 0, false);
  assert.ok(kept.places[1] <= kept.places[0] - 35, "in a FIFO channel none does");
});

test("messages glide from where they rested to where they will", () => {
  const standing = (/** @type {Record<number, number>} */ places) => ({
    queue: queueOf(Object.keys(places).map((id) => ({ id: Number(id), twin: null }))),
    items: Object.entries(places).map(([id, at], rank) => ({
      message: { id: Number(id), twin: null },
      at,
      scale: 1,
      rank,
      shade: 1,
    })),
    hidden: 0,
    more: 0,
    size: 1,
    aside: false,
  });
  const [before, after] = [standing({ 1: 190, 2: 165 }), standing({ 2: 190, 3: 165 })];
  const phase = spans(beats(null));
  const places = (fraction) =>
    Object.fromEntries(travel(before, after, 200, fraction, phase).items.map(({ message: { id }, at }) => [id, at]));
  assert.deepEqual(places(0), { 1: 190, 2: 165, 3: -10 });
  assert.deepEqual(places(1), { 2: 190, 3: 165 });
  for (let percent = 1; percent < 100; percent += 1) {
    const [was, now] = [places((percent - 1) / 100), places(percent / 100)];
    for (const id of [1, 2, 3]) assert.ok(now[id] >= was[id] && now[id] - was[id] < 12, `${id} at ${percent} %`);
  }
});

test("what a step has changed in a state follows from the state before it", () => {
  assert.deepEqual(changed({ X1: 5, Y1: [1], Z1: 0 }, { X1: 4, Y1: [1], Z1: 0 }), new Set(["X1"]));
  assert.deepEqual(changed({ X1: 5 }, ""), new Set(["X1"]));
  assert.deepEqual(changed(7, 6), new Set());
});
