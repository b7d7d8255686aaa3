/**
 * Geometry of the stage: where processes, recorded copies and channels are. Pure functions of the scene's places,
 * the texts to be shown and the size of the stage; the pictures that the server draws follow the same rules.
 *
 * Four looks, by the number of processes, their places and the number of channels; dataflow, which is in layers, is a
 * row if there is one process per layer, and otherwise looks like wires or, with many processes, like a grid:
 *   row     all on one height (two processes, chains): straight tubes with captions, copies hang below
 *   circle  few, with few channels (rings, stars): nodes on an ellipse, curved tubes, copies hang outside
 *   wires   up to twelve: nodes on an ellipse, slim straight channels that may cross
 *   grid    more: small nodes, thin straight channels, states on hover
 */

import { circle } from "./geometry-circle.js";
import { grid } from "./geometry-grid.js";
import { layers } from "./geometry-layers.js";
import { row } from "./geometry-row.js";
import { wires } from "./geometry-wires.js";

/** The most processes in a row, for tubes, and for wires. */
export const ROW = 6;
export const TUBES = 6;
export const WIRES = 12;
/** The most channels per process that tubes have room for. */
export const ROOM = 1.6;
/** The most processes of dataflow in a row. */
export const FLOW = 4;
/** The least width of a stage on which curved tubes have room. */
export const BROAD = 520;

/**
 * The plan of the stage.
 * @param {{x: number, y: number}[]} places of the processes, in 0..1
 * @param {import("../run/scene.js").Channel[]} channels
 * @param {{width: number, height: number}} size of the stage in pixels
 * @param {{rows: number, line: number, value: number, name: number}} content the most rows of a state, its widest
 * row, its widest value in one line, and the widest name, in em
 * @param {boolean} [layered] is it dataflow in layers?
 * @returns {import("./plan.js").Plan}
 */
export function arrange(places, channels, size, content, layered = false) {
  const draw = { row, circle, wires, grid, layers }[look(places, channels, size, layered)];
  return draw(places, channels, size, content);
}

/** The look for this number of processes at these places, with these channels, on a stage of that size. */
export function look(places, channels, size, layered = false) {
  const n = places.length;
  const level = n <= ROW && places.every((p) => Math.abs(p.y - 0.5) < 0.01);
  const joined = channels.every((c) => Math.abs(places[c.from].x - places[c.to].x) < 1.01 / Math.max(1, n - 1));
  // In dataflow, channels that lead back go around; on a narrow stage it flows from top to bottom.
  if (layered && (!level || !joined || n > FLOW || (n > 2 && size.width < BROAD) || channels.some((c) => c.against))) return "layers";
  if (level && (joined || n < 3)) return "row";
  if (n > WIRES) return "grid";
  return n <= TUBES && channels.length <= n * ROOM && size.width >= BROAD ? "circle" : "wires";
}
