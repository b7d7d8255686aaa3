/** The run of Theorem 1: the same events in an order in which the cut is one moment. Computes; draws nothing. */

/** @import { Cut } from "./cut.js" */
/** @import { History } from "./history.js" */

/** The actions of the network. */
const NETWORK = /^(drop|duplicate) /;

export class Order {
  /**
   * What happened before the cut in the first `now` steps, the cut, and what happened after it, each in its old order.
   * All recording points share the place of the cut.
   * @param {History} history @param {Cut} cut one that is complete
   * @param {number} now
   */
  constructor(history, cut, now) {
    const late = sentLate(history, cut);
    const steps = history.happenings(1, now).map(({ step, row, frame }) => {
      // What the network does happens to no process; it loses and doubles only what has been sent.
      if (NETWORK.test(frame.a) && late.has(step)) return { step, side: 1 };
      // Steps without a process are on the side where the snapshot begins.
      const border = row === null ? cut.started : cut.border(row);
      return { step, side: Math.sign(step - border) };
    });
    /** Each step, and on which side of the cut it is; see `run/imagined.js`. */
    this.steps = steps;
    const side = (/** @type {number} */ wanted) => steps.filter((each) => each.side === wanted);
    /** The place of each step. */
    this.places = new Float64Array(now + 1);
    const before = side(-1);
    this.cut = before.length + 1;
    before.forEach(({ step }, i) => (this.places[step] = i + 1));
    for (const { step } of side(0)) this.places[step] = this.cut;
    const after = side(1);
    after.forEach(({ step }, i) => (this.places[step] = this.cut + i + 1));
    this.end = this.cut + after.length;
  }
}

/** The steps in which something is lost or doubled that was sent after the cut.
 * @param {History} history @param {Cut} cut */
function sentLate({ sendings }, cut) {
  const late = sendings.filter(({ from, sent }) => sent > cut.border(from));
  return new Set(late.flatMap(({ lost, forked }) => [lost, forked]));
}
