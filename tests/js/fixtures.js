/** Reads what `fixtures.py` has computed. */

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** @param {string} subject */
export function fixture(subject) {
  const folder = process.env.FIXTURES;
  if (!folder) throw new Error("FIXTURES names no folder: write it with `python -m tests.js.fixtures FOLDER`");
  return JSON.parse(readFileSync(join(folder, `${subject}.json`), "utf8"));
}
