/** The plan of the stage: where everything is. The server makes it, see app/pictures/layout/plan.py. Computes. */

import { measured } from "./paths.js";

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box centre and size
 * @typedef {{x: number, y: number}} Point
 * @typedef {{d: string, points: number[][], lengths: number[], length: number}} Path
 * @typedef {{at: number, scale: number}} Station a place along a path that nothing else needs, and how large
 * @typedef {{path: Path, tube: number, head: Point[], lane: Path, label: Point, room: number, inner: number, print: number,
 *   wrong: Point|null, stations: Station[]|null, badge: {at: number, w: number}|null, sheet: Station|null}} Track
 * `room` is how wide the caption may be, `inner` on which side of the channel it does not stand (1 right), `print`
 * where along the tube its recorded content is, `wrong` where a fault has a line of its own. If many channels cross,
 * messages rest at `stations` (the head's first), the recorded content at `badge`, a travelling recorded part at
 * `sheet`: none of them covers another, whatever the channels hold.
 * @typedef {{look: "row"|"circle"|"wires"|"grid", width: number, height: number, nodes: Box[], cards: Box[],
 *   tracks: Track[], feet: Feet[], pill: number, wide: number, font: number, rows: number, tall: number}} Plan `pill` is how
 * high a message is, `wide` how wide it may be, `rows` how many rows of a state a node shows (0: one line), `tall` the
 * height in px that suits the stage
 * @typedef {{low: number, high: number, line: number, font: number, box: Box, below: Box}} Feet the cells of a process of a
 * dataflow: how much of its height they take, and how much of that lies below it; how high a line of a log is; where cells
 * in it and below it are, by their upper left corners
 */

/** @param {string} text JSON @returns {Plan} */
export function plan(text) {
  const read = JSON.parse(text);
  for (const track of read.tracks) {
    track.path = measured(track.path);
    track.lane = track.lane ? measured(track.lane) : track.path;
  }
  return read;
}
