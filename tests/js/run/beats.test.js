import assert from "node:assert/strict";
import { test } from "node:test";

import { KNOWN, beats, landed, spans } from "../../../static/js/run/beats.js";
import { reading } from "../../../static/js/pace.js";
import { fixture } from "../fixtures.js";

const runs = Object.entries(fixture("library"));
/** Cause and effect: in a step that has both, no effect comes before its cause. */
const ORDER = [
  ["received", "changed"],
  ["received", "recorded"],
  ["received", "logged"],
  ["received", "closed"],
  ["received", "sent"],
  ["recorded", "opened"],
  ["recorded", "sent"],
  ["closed", "completed"],
  ["recorded", "completed"],
  ["completed", "judged"],
  ["aborted", "restored"],
  ["crashed", "lost"],
];

/** Every step of the library. @param {(frame: any, where: string) => void} check */
function each(check) {
  for (const [name, { frames }] of runs) frames.forEach((frame, i) => check(frame, `${name}, step ${i + 1}`));
}

test("every note of every run has a kind of beat", () => {
  assert.ok(runs.length > 100);
  each((frame, where) => frame.n.forEach(([key]) => assert.ok(KNOWN.has(key), `${key} in ${where}`)));
});

test("every note is in exactly one beat, and beats follow each other", () => {
  each((frame, where) => {
    const { all, lasts } = beats({ frame });
    const notes = all.flatMap((beat) => beat.notes).sort((a, b) => a - b);
    assert.deepEqual(
      notes,
      frame.n.map((_, i) => i),
      where,
    );
    assert.equal(all[0].span[0], 0, where);
    assert.equal(all.at(-1).span[1], 1, where);
    all.forEach(({ span }, i) => {
      const moves = (span[1] - span[0]) * lasts;
      assert.ok(moves > 349 && moves < 601, `${where}: ${moves} ms`);
      if (i) assert.ok(span[0] > all[i - 1].span[1], `${where}: no rest before beat ${i}`);
    });
    assert.equal(new Set(all.map(({ kind }) => kind)).size, all.length, `${where}: a kind comes twice`);
  });
});

test("causes come before their effects", () => {
  each((frame, where) => {
    const at = new Map();
    beats({ frame }).all.forEach(({ notes }, i) =>
      notes.forEach((note) => at.set(frame.n[note][0], [...(at.get(frame.n[note][0]) ?? []), i])),
    );
    for (const [cause, effect] of ORDER)
      if (at.has(cause) && at.has(effect))
        assert.ok(Math.min(...at.get(cause)) <= Math.min(...at.get(effect)), `${where}: ${effect} before ${cause}`);
  });
});

test("a copy is taken before or after the state changes, as it was noted", () => {
  let both = 0;
  each((frame, where) => {
    const keys = frame.n.map(([key]) => key);
    const [changed, recorded] = [keys.indexOf("changed"), keys.indexOf("recorded")];
    if (changed < 0 || recorded < 0) return;
    both += 1;
    const place = (note) => beats({ frame }).all.findIndex(({ notes }) => notes.includes(note));
    assert.equal(place(changed) < place(recorded), changed < recorded, where);
  });
  assert.ok(both > 5);
});

test("the step in which P2 of the blue figure records is told in four beats", () => {
  const frame = fixture("library")["blue-figure"].frames[3];
  const found = beats({ frame });
  assert.deepEqual(
    found.all.map(({ kind }) => kind),
    ["arrive", "record", "fill", "leave"],
  );
  assert.deepEqual(
    [0, 0.3, 0.7, 1].map((fraction) => landed(found, fraction)),
    [0, 1, 2, 4],
  );
  const { arrive, record, fill, enter } = spans(found);
  assert.ok(arrive[1] < record[0] && record[1] < fill[0] && fill[1] < enter[0]);
});

test("what is said stays long enough to be read", () => {
  assert.equal(reading(""), 1500);
  assert.equal(reading("M is in flight."), 1500);
  assert.equal(reading("one two three four five six seven eight nine ten"), 2500);
  assert.equal(reading("\u8fdb\u7a0b".repeat(10)), 3000);
});
