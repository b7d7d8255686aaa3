import assert from "node:assert";
import { test } from "node:test";
import { runner } from "../../../static/js/write/runner.js";

/** A worker that never answers. */
class Silent {
  postMessage() {}
  terminate() {}
}
globalThis.Worker = /** @type {any} */ (Silent);

test("who waits for Python is told at once when it is stopped", async () => {
  const python = runner("worker.js", "/");
  const ready = python.ready().catch((error) => error.message);
  python.stop();
  const late = new Promise((done) => setTimeout(done, 1_000, "still waiting"));
  assert.equal(await Promise.race([ready, late]), "stopped");
});
