/**
 * The visitor's answers in the lessons, stored in this browser only. Computes.
 *
 * @typedef {Object} Tried
 * @property {*} predicted the first answer
 * @property {boolean} first was it right?
 * @property {boolean} right was any answer right?
 */

import { keepText, textOf } from "../storage.js";

const NAME = "bluecut.lessons";
const VERSION = 1;
const MOST = 1000;

/** @returns {Object<string, Tried>} by LESSON/QUESTION */
export function progress() {
  return read(textOf(NAME) ?? "") ?? {};
}

/**
 * Store an answer; the first one remains the prediction.
 * @param {string} lesson @param {string} question @param {*} given @param {boolean} right
 */
export function answered(lesson, question, given, right) {
  const kept = progress();
  const name = `${lesson}/${question}`;
  const before = kept[name];
  kept[name] = before ? { ...before, right: before.right || right } : { predicted: given, first: right, right };
  keep(kept);
}

/** @param {Object<string, Tried>} tried */
function keep(tried) {
  keepText(NAME, written(tried));
}

/** Delete everything. */
export function forget() {
  keepText(NAME, null);
}

/** The content of a file. @param {Object<string, Tried>} tried @returns {string} */
export function written(tried) {
  return JSON.stringify({ bluecut: "lessons", version: VERSION, answers: tried }, null, 2);
}

/**
 * What such a file holds, or null if it is not one.
 * @param {string} text @returns {Object<string, Tried> | null}
 */
export function read(text) {
  /** @type {*} */
  let whole;
  try {
    whole = JSON.parse(text);
  } catch {
    return null;
  }
  if (whole?.bluecut !== "lessons" || whole.version !== VERSION || typeof whole.answers !== "object" || !whole.answers)
    return null;
  const rows = Object.entries(whole.answers).filter(
    ([name, one]) =>
      /^[^/]{1,80}\/[a-z0-9-]{1,30}$/.test(name) && typeof one?.first === "boolean" && typeof one?.right === "boolean",
  );
  return Object.fromEntries(
    rows
      .slice(0, MOST)
      .map(([name, { predicted, first, right }]) => [name, { predicted, first, right: right || first }]),
  );
}

/** Add what a file holds; earlier predictions here stay. @param {Object<string, Tried>} more */
export function merge(more) {
  const kept = progress();
  for (const [name, one] of Object.entries(more)) {
    const before = kept[name];
    kept[name] = before ? { ...before, right: before.right || one.right } : one;
  }
  keep(kept);
}
