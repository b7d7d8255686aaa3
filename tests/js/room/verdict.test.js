import assert from "node:assert";
import { mock, test } from "node:test";
import { verdict } from "../../../static/js/room/verdict.js";

test("a verdict that did not come is asked for again, while the round is over", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let asked = 0;
  globalThis.fetch = async () => {
    asked += 1;
    return Promise.reject(new Error("no network"));
  };
  globalThis.document = /** @type {any} */ ({ documentElement: { dataset: {} } });
  const host = /** @type {any} */ ({ hidden: false });
  const word = (/** @type {string} */ key) => key;
  await verdict(host, "/r/CODE/table/result", word, word);
  assert.equal(asked, 1);
  mock.timers.tick(2_000);
  assert.equal(asked, 2);
  await new Promise((done) => setImmediate(done));
  host.hidden = true;
  mock.timers.tick(2_000);
  assert.equal(asked, 2);
});
