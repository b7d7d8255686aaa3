/** States as rows, and texts set into lines. Computes. */

import { fit, measure } from "./letters.js";

/** Behind the range of a batch that is committed. */
const TICK = " ✓";

/** Rows of a state as [name, value]; a state that is no mapping has no names. */
export function rows(state) {
  return state !== null && typeof state === "object" && !Array.isArray(state) ? Object.entries(state) : null;
}

/**
 * The state of a process and, in a dataflow, what it still has to pass on: that is shown by itself.
 * So are the logs of a coordinator.
 * @returns {{main: *, pending: *[], logs: {number: string, range: string, done: boolean}[]}}
 */
export function parted(state, role) {
  const table = role ? rows(state) : null;
  if (!table) return { main: state, pending: [], logs: [] };
  if (role.logs) return { main: "", pending: [], logs: table.map(logged) };
  // Of prepared transactions the records are shown; their numbers say nothing to people.
  const flat = (key, value) => (key === "sealed" ? Object.values(value).flat() : value);
  const rest = table.filter(([key]) => key !== "pending").map(([key, value]) => [key, flat(key, value)]);
  const alone = rest.length === 1 && ["offset", "total"].includes(rest[0][0]);
  return { main: alone ? rest[0][1] : rest.length ? Object.fromEntries(rest) : "", pending: state.pending ?? [], logs: [] };
}

/** A line of the offset log, and whether the commit log has it, too. */
function logged([number, range]) {
  return { number, range: range.replace(TICK, ""), done: range.endsWith(TICK) };
}

/** Words set into lines no wider than `width`; what does not fit into `most` lines is cut. */
export function wrap(parts, size, width, most) {
  const lines = [];
  let line = "";
  for (const part of parts) {
    const next = line ? `${line}  ${part}` : part;
    if (measure(next, size) <= width || !line) line = next;
    else {
      lines.push(line);
      line = part;
    }
  }
  if (line) lines.push(line);
  const shown = lines.slice(0, most).map((text) => fit(text, size, width));
  if (lines.length > most) shown[most - 1] = fit(`${shown[most - 1]} …`, size, width);
  return shown;
}
