/** How much of a dataflow process's lower end belongs to its cells, and how much of that lies below it. Computes. */

/** Lines of a coordinator's logs. */
export const LINES = 2;
/** How high such a line is: in a row, among slim channels, and with small processes. */
const HIGH = { row: 19, large: 16, small: 14 };
/** From a process to what is durable below it. */
export const DOWN = 4;
/** How much higher small processes are if one of them writes logs. */
export const TALLER = 16;

/**
 * @param {Object|null} role @param {import("./plan.js").Plan} plan
 * @returns {{low: number, high: number, line: number}} `low`: how much lies below the box of the process, `high`: how much the cells
 * take in all, `line`: how high a line of a log is
 */
export function foot(role, plan) {
  const high = role ? (plan.foot ?? 0) : 0;
  if (!high) return { low: 0, high: 0, line: 0 };
  // What has left the system is below a sink, not in it; and so are logs that outlive their coordinator.
  if (role.role === "sink") return { low: high, high, line: 0 };
  if (!role.logs) return { low: 0, high, line: 0 };
  const line = HIGH[plan.look === "row" ? "row" : plan.rows ? "large" : "small"];
  return { low: LINES * line + DOWN, high: high + LINES * line + DOWN, line };
}
