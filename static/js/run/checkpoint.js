/** Checkpoints that processes take independently, and the recovery line of a crash. Computes; never draws. */

/**
 * @typedef {{crash: number, since: number, places: Object<string, number|null>, disk: Object<string, number>,
 *   useless: Object<string, number[]>, cost: {rollbacks: number, lost: Object<string, number>, exact: boolean}|null}} Line `places`: which
 *   checkpoint each rolls back to, 0 for its beginning, null if it stays; `cost` once recovery is over
 */

/** The name of a checkpoint: p2 is the second of P, s1.2 the second of s1. */
export function called(process, number) {
  return `${process.toLowerCase()}${/\d$/.test(process) ? "." : ""}${number}`;
}

/** By the key of a note. */
export const LINE = {
  line(turn, [, crash, places, disk, useless]) {
    turn.line = { crash, since: turn.step, places, disk, useless, cost: null };
  },
  fallen(turn, [, , rollbacks, lost, exact]) {
    if (turn.line) turn.line = { ...turn.line, cost: { rollbacks, lost, exact } };
  },
};
