/** Where a message is in the diagram. Computes; draws nothing. */

import { begun, goal } from "./come.js";
import { begins } from "./history.js";
import { lineOf, mix } from "./scale.js";

/** @import { Flight } from "./history.js" */
/** @import { Point } from "./scale.js" */
/** @import { View } from "./view.js" */

/**
 * @typedef {{start: Point, end: Point, done: number, arrives: boolean, lost: boolean}} Track `done`: how far it has
 * come
 */

/** A message that is put back into its channel flies again, under the same id. @param {Flight} flight */
export function keyOf({ id, forked }) {
  return forked === Infinity ? id : `${id} ${forked}`;
}

/** Where a message starts and ends, and how far it has come, in the view.
 * @param {Flight} flight @param {View} view @returns {Track} */
export function track(flight, view) {
  const { scale, history, t, part, reached, order } = view;
  const { received, lost } = flight;
  const [from, to] = [lineOf(scale, flight.from), lineOf(scale, flight.to)];
  const { at, part: way } = goal(flight, history);
  const goalY = mix(from, to, way);
  // If the cut is straight, a retransmission leaves where the first did: the cut is after that.
  /** @type {Point} */
  const start =
    flight.forked === Infinity
      ? [mix(view.place(flight.sent), view.place(flight.first), part) * scale.unit, from]
      : [view.x(flight.forked), mix(from, to, begun(flight, history))];
  if (lost <= reached) return { start, end: [view.x(lost), goalY], done: 1, arrives: true, lost: true };
  if (received <= reached) return { start, end: [view.x(received), to], done: 1, arrives: true, lost: false };
  const first = begins(flight);
  const done = Math.max(0, Math.min(1, (t - first) / (at - first)));
  if (!order) return { start, end: [at * scale.unit, goalY], done, arrives: false, lost: false };
  const tip = mix(from, goalY, Math.max(done, 0.3 * part));
  return { start, end: [view.endX, tip], done: 1, arrives: false, lost: false };
}

/** The colour of what belongs to the cut. @param {string} fate @param {View} view */
export function toneOf(fate, view) {
  return fate === "crossing" && view.cut ? view.second(view.cut.id) : "";
}
