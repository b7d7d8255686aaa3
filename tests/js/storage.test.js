/** What is stored for a visitor: found again, and simply not there where a browser refuses. */

import assert from "node:assert/strict";
import { test } from "node:test";

import { keepText, keepValue, takeValue, textOf, valueOf } from "../../static/js/storage.js";

/** @param {Map<string, string>} texts */
const storage = (texts) => ({
  getItem: (/** @type {string} */ name) => texts.get(name) ?? null,
  setItem: (/** @type {string} */ name, /** @type {string} */ text) => texts.set(name, text),
  removeItem: (/** @type {string} */ name) => texts.delete(name),
});

/** @param {unknown} browser @param {unknown} tab */
function given(browser, tab) {
  Object.defineProperty(globalThis, "localStorage", { value: browser, configurable: true });
  Object.defineProperty(globalThis, "sessionStorage", { value: tab, configurable: true });
}

test("a value is found again where it was stored, and nowhere else", () => {
  given(storage(new Map()), storage(new Map()));
  assert.equal(keepValue("a", { b: [1] }), true);
  assert.deepEqual(valueOf("a"), { b: [1] });
  assert.equal(valueOf("a", { tab: true }), null);
  keepText("a", null);
  assert.equal(textOf("a"), null);
});

test("what a page stores for the next one is found once", () => {
  given(storage(new Map()), storage(new Map()));
  keepValue("a", 7, { tab: true });
  assert.equal(takeValue("a"), 7);
  assert.equal(takeValue("a"), null);
});

test("what is damaged is not there", () => {
  given(storage(new Map([["a", '{"b"']])), null);
  assert.equal(valueOf("a"), null);
  assert.equal(textOf("a"), '{"b"');
});

test("a browser that refuses to store stops nobody", () => {
  const refuses = () => {
    throw new Error("SecurityError");
  };
  given({ getItem: refuses, setItem: refuses, removeItem: refuses }, null);
  assert.equal(keepValue("a", 1), false);
  assert.equal(valueOf("a"), null);
  assert.equal(takeValue("a"), null);
});
