/** States as rows. Computes. */

/** @import { Batch, Role } from "./types.js" */

/** The mark behind the range of a committed batch. */
const TICK = " ✓";

/**
 * Rows of a state as [name, value]; a state that is not a mapping has no names.
 * @param {any} state JSON @returns {[name: string, value: any][] | null}
 */
export function rows(state) {
  return state !== null && typeof state === "object" && !Array.isArray(state) ? Object.entries(state) : null;
}

/**
 * The rows of a state that were not so before.
 * @param {any} state JSON @param {any} old JSON
 */
export function changed(state, old) {
  const before = new Map(rows(old));
  const all = (rows(state) ?? []).filter(([key, value]) => JSON.stringify(before.get(key)) !== JSON.stringify(value));
  return new Set(all.map(([key]) => key));
}

/**
 * The state of a process and, in a dataflow, what it still has to pass on, which is shown separately.
 * So are the logs of a coordinator.
 * @param {any} state JSON @param {Role | null | undefined} role
 * @returns {{main: any, pending: any[], logs: Batch[]}}
 */
export function parted(state, role) {
  const table = role ? rows(state) : null;
  if (!role || !table) return { main: state, pending: [], logs: [] };
  if (role.logs) return { main: "", pending: [], logs: table.map(logged) };
  const rest = table.filter(([key]) => key !== "pending").map(([key, value]) => [key, flat(key, value)]);
  const alone = rest.length === 1 && ["offset", "total"].includes(rest[0][0]);
  const main = alone ? rest[0][1] : rest.length ? Object.fromEntries(rest) : "";
  return { main, pending: state.pending ?? [], logs: [] };
}

/**
 * Of prepared transactions the items are shown; their numbers mean nothing to people.
 * @param {string} key @param {any} value
 */
function flat(key, value) {
  return key === "sealed" ? Object.values(value).flat() : value;
}

/** @param {[string, string]} entry @returns {Batch} */
function logged([number, range]) {
  return { number, range: range.replace(TICK, ""), done: range.endsWith(TICK) };
}
