/** States as rows, and texts broken into lines. Computes. */

import { fit, measure } from "./letters.js";

/** The mark behind the range of a committed batch. */
const TICK = " ✓";

/** Rows of a state as [name, value]; a state that is not a mapping has no names. */
export function rows(state) {
  return state !== null && typeof state === "object" && !Array.isArray(state) ? Object.entries(state) : null;
}

/**
 * The state of a process and, in a dataflow, what it still has to pass on, which is shown separately.
 * So are the logs of a coordinator.
 * @returns {{main: *, pending: *[], logs: {number: string, range: string, done: boolean}[]}}
 */
export function parted(state, role) {
  const table = role ? rows(state) : null;
  if (!table) return { main: state, pending: [], logs: [] };
  if (role.logs) return { main: "", pending: [], logs: table.map(logged) };
  // For prepared transactions the items are shown; their numbers mean nothing to people.
  const flat = (key, value) => (key === "sealed" ? Object.values(value).flat() : value);
  const rest = table.filter(([key]) => key !== "pending").map(([key, value]) => [key, flat(key, value)]);
  const alone = rest.length === 1 && ["offset", "total"].includes(rest[0][0]);
  return { main: alone ? rest[0][1] : rest.length ? Object.fromEntries(rest) : "", pending: state.pending ?? [], logs: [] };
}

/** A line of the offset log, and whether the commit log has it, too. */
function logged([number, range]) {
  return { number, range: range.replace(TICK, ""), done: range.endsWith(TICK) };
}

/** Words broken into lines no wider than `width`; what does not fit into `most` lines is dropped. */
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
