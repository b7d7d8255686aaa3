/** The names of the checkpoints that processes take on their own. Computes. */

/** The name of a checkpoint: p2 is the second of P, s1.2 the second of s1.
 * @param {string} process @param {number} number */
export function called(process, number) {
  return `${process.toLowerCase()}${/\d$/.test(process) ? "." : ""}${number}`;
}
