/** How far a message has come at a step: the same in the diagram and on the stage. Computes; draws nothing. */

import { begins, ends } from "./history.js";

/** @import { Flight, History } from "./history.js" */

/** "Now" is half a step after the last step, so that a message just sent is visibly in flight. */
export const AFTER = 0.5;
/** How many steps after the end of the run what never arrives would arrive, and how far it comes until then. */
const LATER = 1.1;
const REACHES = 0.85;
/** How far what is lost has come. */
const LOST = 0.6;

/**
 * When a message is at the end of its way, and how much of the way that is. A lost message would have arrived some
 * steps later: it ends well before its receiver.
 * @param {Flight} flight @param {History} history
 */
export function goal({ received, lost }, history) {
  if (received !== Infinity) return { at: received, part: 1 };
  if (lost !== Infinity) return { at: lost, part: LOST };
  return { at: never(history), part: REACHES };
}

/** When what never arrives would. @param {History} history */
function never(history) {
  return Math.max(history.steps, history.base.run.steps) + LATER;
}

/**
 * How far a copied message had come, as a fraction of its way; any other begins at its beginning.
 * @param {Flight} flight @param {History} history
 */
export function begun({ twin, forked }, history) {
  if (forked === Infinity) return 0;
  const original = twin === null ? null : history.flights.get(twin);
  if (!original) return 0.5;
  const end = Math.min(ends(original), never(history));
  return Math.max(0.1, Math.min(0.8, (forked - original.sent) / (end - original.sent)));
}

/**
 * The part of its way that a message has behind it after a step; null if it was never sent.
 * @param {History} history @param {number} message @param {number} step
 */
function come(history, message, step) {
  let flight = history.flights.get(message);
  while (flight && begins(flight) > step) flight = flight.earlier;
  if (!flight) return null;
  const t = step + AFTER;
  const { at, part } = goal(flight, history);
  const [from, first] = [begun(flight, history), begins(flight)];
  const done = Math.max(0, Math.min(1, (t - first) / (at - first)));
  return from + (Math.max(from, part) - from) * done;
}

/** What a stage has to know of the whole run. @param {() => History} of */
export function knowing(of) {
  return {
    come: (/** @type {number} */ message, /** @type {number} */ step) => come(of(), message, step),
    known: () => of().steps,
  };
}
