/** What a plan of the stage is made of, and the measures that all looks share. Computes. */

import { point } from "./paths.js";

/** Space kept free around everything, in stage units. */
export const MARGIN = 20;
/** Distance from a live process to its recorded copy: the dotted thread. */
export const THREAD = 12;
/** From a node to where a tube begins, and to where it ends, at its arrowhead. */
export const GAP = 14;
export const HEAD = 16;
/** Free space between two messages in a tube, and before the first. */
export const SPACE = 5;
/** The width of the "+n" that counts what does not fit. */
export const COUNTER = 30;

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box centre and size
 * @typedef {{x: number, y: number}} Point
 * @typedef {{d: string, points: Point[], lengths: number[], length: number}} Path
 * @typedef {{at: number, scale: number}} Station a place along a path that nothing else needs, and how large
 * @typedef {{path: Path, tube: number, head: Point[], lane: Path, label: Point, room: number, inner: number, print: number,
 *   wrong?: Point|null, stations: Station[]|null, badge: {at: number, w: number}|null, sheet: Station|null}} Track
 * `room` is how wide the caption may be, `inner` on which side of the channel it does not stand (1 right), `print`
 * where along the tube its recorded content is, `wrong` where a fault has a line of its own. If many channels cross,
 * messages rest at `stations` (the head's first), the recorded content at `badge`, a travelling recorded part at
 * `sheet`: none of them covers another, whatever the channels hold.
 * @typedef {{look: "row"|"circle"|"wires"|"grid", width: number, height: number, zoom: number, nodes: Box[],
 *   cards: Box[], tracks: Track[], pill: number, wide: number, font: number, rows: number, foot?: number}} Plan `pill` is how high
 * a message is, `wide` how wide it may be, `rows` how many rows of a state a node shows (0: one line), `foot` how much of a
 * node's height, at its lower end, belongs to the cells of a dataflow
 */

/** For a channel in a look in which every tube has its own room. */
export const ROOMY = { stations: null, badge: null, sheet: null };

/** The three corners of the arrowhead `away` units beyond the end of a path. */
export function arrowhead(path, away, long, half) {
  const tip = point(path, path.length + away + long);
  const base = path.length + away;
  return [tip, point(path, base, half), point(path, base, -half)];
}
