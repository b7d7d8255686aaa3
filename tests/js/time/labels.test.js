/** Does an arrow cross the box of a name? */

import assert from "node:assert/strict";
import { test } from "node:test";

import { crosses, rectangle } from "../../../static/js/time/labels.js";

const box = rectangle({ x: 50, y: 50 }, 20, 10);

test("an arrow crosses a box that it enters, leaves, or lies in", () => {
  assert.ok(crosses(box, [0, 0], [100, 100]));
  assert.ok(crosses(box, [50, 0], [50, 100]));
  assert.ok(crosses(box, [48, 48], [52, 52]));
  assert.ok(crosses(box, [0, 50], [45, 50]));
});

test("it does not cross a box that it passes, or before which it ends", () => {
  assert.ok(!crosses(box, [0, 20], [100, 40]));
  assert.ok(!crosses(box, [30, 0], [30, 100]));
  assert.ok(!crosses(box, [0, 0], [30, 30]));
  assert.ok(!crosses(box, [0, 60], [100, 60]));
});
