import assert from "node:assert/strict";
import { test } from "node:test";

import { above, below, consistent, crossing, orphans, places } from "../../../static/js/cuts/model.js";
import { fixture } from "../fixtures.js";

for (const [name, { plan, cuts }] of Object.entries(fixture("cuts"))) {
  test(`the browser judges the cuts of ${name} as the oracle does`, () => {
    assert.ok(cuts.length > 8);
    for (const expected of cuts) {
      const { cut } = expected;
      const judged = {
        cut,
        consistent: consistent(plan, cut),
        orphans: orphans(plan, cut).map(({ id }) => id),
        crossing: crossing(plan, cut).map(([channel, letters]) => [channel, letters.map(({ id }) => id)]),
        above: above(plan, cut),
        below: below(plan, cut),
        places: places(plan, cut),
      };
      assert.deepEqual(judged, expected);
    }
  });
}
