/** What a process has, in words: its state or its logs, what has left the system there, and what it keeps. Computes. */

import { called } from "../run/checkpoint.js";
import { parted } from "./rows.js";

/** @import { Base, Process, Role, Words } from "./types.js" */

/** @param {Process} process @param {Role | null | undefined} role @param {Words} words */
export function holdings({ state, outside, keeps }, role, words) {
  const { logs } = parted(state, role);
  const said = [];
  if (logs.length) {
    const entries = logs.map(({ number, range }) => `${number}: ${range}`);
    const batches = logs.filter(({ done }) => done).map(({ number }) => number);
    said.push(words.word("player.stage.logs.offsets", { entries }));
    said.push(words.word("player.stage.logs.commits", { batches: batches.join() || "∅" }));
  } else said.push(words.readable(state));
  if (outside) said.push(words.word("player.stage.outside", { records: outside.map(([record]) => record) }));
  if (keeps?.ids.length) said.push(words.word("player.stage.keeps.ids", { ids: keeps.ids }));
  if (keeps?.unheard.length)
    said.push(words.word("player.stage.keeps.unheard", { messages: keeps.unheard.map(([, payload]) => payload) }));
  return said;
}

/**
 * The name of what a process saved: the checkpoint's, if every process saves on its own.
 * @param {Base} base @param {string} name @param {number} saved its number @param {Words} words
 */
export function savedAs(base, name, saved, words) {
  return base.private ? called(name, saved) : words.word("player.stage.saved", { saved });
}

/** What an operator does, or "". @param {Role | null | undefined} role @param {Words} words */
export function task(role, words) {
  return role?.does ? words.word(`player.stage.does.${role.does}${role.keyed ? ".keyed" : ""}`) : "";
}
