/** What a process has, in words: its state or its logs, what has left the system there, and what it keeps. Computes. */

import { parted } from "./rows.js";

/** @param {import("../run/scene.js").Process} process @param {Object|null|undefined} role @param {Object} words @returns {string[]} */
export function holdings({ state, outside, keeps }, role, words) {
  const { logs } = parted(state, role);
  const said = [];
  if (logs.length) {
    said.push(words.word("player.stage.logs.offsets", { entries: logs.map(({ number, range }) => `${number}: ${range}`) }));
    said.push(words.word("player.stage.logs.commits", { batches: logs.filter(({ done }) => done).map(({ number }) => number).join() || "∅" }));
  } else said.push(words.readable(state));
  if (outside) said.push(words.word("player.stage.outside", { records: outside.map(([record]) => record) }));
  if (keeps?.ids.length) said.push(words.word("player.stage.keeps.ids", { ids: keeps.ids }));
  if (keeps?.unheard.length) said.push(words.word("player.stage.keeps.unheard", { messages: keeps.unheard.map(([, payload]) => payload) }));
  return said;
}
