/** The colours of snapshots. Computes. */

/** The colour of a snapshot: 1 blue, 2 the second colour, in turn. @param {{first: number}} base @param {number} id */
export function tone(base, id) {
  return (id - base.first) % 2 === 1 ? 2 : 1;
}
