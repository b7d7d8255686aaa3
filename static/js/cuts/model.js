/**
 * Cuts through the events of a run: which are consistent, what crosses them, which are nearest. Computes; draws nothing.
 *
 * A cut counts the events of each process before it, by row. Everything here follows from the vector clocks and the
 * messages that the server sends.
 */

/**
 * @typedef {object} Letter a message
 * @property {number} id
 * @property {string} said
 * @property {string} channel
 * @property {[number, number]|null} sent row of the process and index of the event, from 1; null if it was undone
 * @property {[number, number]|null} received the same; null where it has not arrived
 * @property {boolean} lost
 */

/**
 * @typedef {object} Plan
 * @property {string[]} names
 * @property {number[][][]} clocks by row, the vector clock of each event
 * @property {string[][]} events by row, what each event is, in words
 * @property {number[][]} at by row, where each event lies, in steps
 * @property {number[][]} stops by row, where a cut may meet the line, in steps
 * @property {string[]} channels
 * @property {Letter[]} letters
 * @property {[number[], number[]][]} known cuts with places of their own
 * @property {number[][]} instants the cut after each step
 */

/** Is an event inside a cut? @param {[number, number]|null} event @param {number[]} cut */
const inside = (event, cut) => event !== null && event[1] <= cut[event[0]];

/** Does no event inside know of one outside? @param {Plan} plan @param {number[]} cut */
export function consistent(plan, cut) {
  if (orphans(plan, cut).some((letter) => letter.sent === null)) return false;
  return cut.every(
    (count, row) => count === 0 || plan.clocks[row][count - 1].every((known, other) => known <= cut[other]),
  );
}

/** The messages received inside and not sent inside. @param {Plan} plan @param {number[]} cut @returns {Letter[]} */
export function orphans(plan, cut) {
  return plan.letters.filter((letter) => inside(letter.received, cut) && !inside(letter.sent, cut));
}

/** By channel, the messages sent inside and not received there. @param {Plan} plan @param {number[]} cut @returns {[string, Letter[]][]} */
export function crossing(plan, cut) {
  const there = plan.letters.filter(
    (letter) => inside(letter.sent, cut) && !letter.lost && !inside(letter.received, cut),
  );
  /** @type {[string, Letter[]][]} */
  const all = plan.channels.map((channel) => [channel, there.filter((letter) => letter.channel === channel)]);
  return all.filter(([, letters]) => letters.length);
}

/** The smallest consistent cut around; null where there is none. @param {Plan} plan @param {number[]} cut */
export function above(plan, cut) {
  const grown = [...cut];
  cut.forEach((count, row) => {
    if (count) plan.clocks[row][count - 1].forEach((known, other) => (grown[other] = Math.max(grown[other], known)));
  });
  return orphans(plan, grown).length ? null : grown;
}

/** The largest consistent cut inside. @param {Plan} plan @param {number[]} cut */
export function below(plan, cut) {
  const shrunk = [...cut];
  for (const { sent, received } of plan.letters) {
    if (sent === null && received) shrunk[received[0]] = Math.min(shrunk[received[0]], received[1] - 1);
  }
  for (let again = true; again;) {
    again = false;
    shrunk.forEach((_, row) => {
      while (shrunk[row] && plan.clocks[row][shrunk[row] - 1].some((known, other) => known > shrunk[other])) {
        shrunk[row] -= 1;
        again = true;
      }
    });
  }
  return shrunk;
}

/** Where a cut meets the lines, in steps. @param {Plan} plan @param {number[]} cut @returns {number[]} */
export function places(plan, cut) {
  const same = (/** @type {number[]} */ other) => other.every((count, row) => count === cut[row]);
  const recorded = plan.known.find(([other]) => same(other));
  if (recorded) return recorded[1];
  const step = plan.instants.findIndex(same);
  return step < 0 ? cut.map((count, row) => plan.stops[row][count]) : cut.map(() => step + 0.5);
}

/** How many events of a process lie before a place. @param {Plan} plan @param {number} row @param {number} at in steps */
export const countAt = (plan, row, at) => plan.at[row].filter((event) => event < at).length;

/**
 * The events that could influence an event, those that it could influence, and the rest.
 * @param {Plan} plan @param {[number, number]} event
 */
export function cone(plan, [row, index]) {
  /** @type {{past: [number, number][], future: [number, number][], beside: [number, number][]}} */
  const found = { past: [], future: [], beside: [] };
  const mine = plan.clocks[row][index - 1];
  plan.clocks.forEach((clocks, other) =>
    clocks.forEach((clock, i) => {
      if (other === row && i === index - 1) return;
      const kind = i + 1 <= mine[other] ? "past" : index <= clock[row] ? "future" : "beside";
      found[kind].push([other, i + 1]);
    }),
  );
  return found;
}
