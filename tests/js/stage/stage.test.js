import assert from "node:assert/strict";
import { test } from "node:test";

import { beats, spans } from "../../../static/js/run/beats.js";
import { queueOf } from "../../../static/js/run/queue.js";
import { fit, measure, wrap } from "../../../static/js/stage/letters.js";
import { travel } from "../../../static/js/stage/motion.js";
import { slots, stops } from "../../../static/js/stage/places.js";
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
  for (const [stations, count, rest] of fixed.stops) assert.deepEqual(resting(stops(stations, count)), rest);
});

test("messages glide from where they rested to where they will", () => {
  const message = (id) => ({ id, twin: null });
  const [before, after] = [queueOf([1, 2].map(message)), queueOf([2, 3].map(message))];
  const way = {
    length: 200,
    most: 9,
    rest: (all, count) =>
      slots(
        all.map(() => 20),
        count,
        200,
      ),
  };
  const phase = spans(beats(null));
  const places = (fraction) =>
    Object.fromEntries(travel(before, after, way, fraction, phase).messages.map(({ message: { id }, at }) => [id, at]));
  assert.deepEqual(places(0), { 1: 190, 2: 165, 3: -34 });
  assert.deepEqual(places(1), { 2: 190, 3: 165 });
  for (let percent = 1; percent < 100; percent += 1) {
    const [was, now] = [places((percent - 1) / 100), places(percent / 100)];
    for (const id of [1, 2, 3]) assert.ok(now[id] >= was[id] && now[id] - was[id] < 12, `${id} at ${percent} %`);
  }
});
