/** Where the keyboard goes after a button has changed the form's rows. Computes only. */

/** @type {Record<string, string>} the first field of a new row */
const LAST = { process: "name", channel: "from", script: "kind" };

/**
 * The ids of the elements that may get the focus after a button, the best first. A moved row keeps its button.
 * @param {string} button the button's value: "script.up.2", "process.add"
 * @param {number} rows how many rows the list has now
 * @returns {string[]}
 */
export function after(button, rows) {
  const [part, verb, number] = button.split(".");
  const index = Number(number);
  if (verb === "add") return [`editor-${part}-${rows - 1}-${LAST[part]}`, `editor-${part}-add`];
  if (verb === "remove") return [`editor-${part}-remove-${Math.min(index, rows - 1)}`, `editor-${part}-add`];
  const there = verb === "up" ? index - 1 : index + 1;
  const back = verb === "up" ? "down" : "up";
  return [`editor-${part}-${verb}-${there}`, `editor-${part}-${back}-${there}`];
}
