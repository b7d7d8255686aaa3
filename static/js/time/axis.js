/** The numbers of the steps along the bottom. While the cut is straightened, they slide with their events. Draws. */

import { say } from "../svg.js";
import { Nodes, node, put } from "./nodes.js";
import { stride } from "./scale.js";

/** @import { View } from "./view.js" */

export class Axis {
  /** @param {SVGElement} world */
  constructor(world) {
    const layer = node("g", { class: "st-axis", "aria-hidden": "true" });
    world.append(layer);
    this.pool = new Nodes(layer, () => node("text", { "text-anchor": "middle" }));
  }

  /** @param {View} view */
  draw(view) {
    const { seen, scale } = view;
    for (const step of view.order ? ofEvents(view) : ofTime(view)) {
      // No half numbers at the edges.
      const half = String(step).length * 3.5;
      const x = view.x(step);
      if (x - half < seen || x + half > seen + scale.width - scale.left) continue;
      const text = this.pool.take(step);
      const y = view.scale.bottom + 16;
      put(text, { x: x.toFixed(1), y, class: step > view.reached ? "st-later" : null });
      say(text, String(step));
    }
    this.pool.sweep();
  }
}

/** @param {View} view */
function ofTime({ scale, history, first, last }) {
  const by = stride(scale.unit, String(history.steps).length);
  const until = Math.min(history.steps, Math.ceil(last));
  const steps = [];
  for (let step = Math.ceil(Math.max(1, Math.floor(first)) / by) * by; step <= until; step += by) steps.push(step);
  return steps;
}

/** The steps of the events between which there is room for a number. @param {View} view */
function ofEvents(view) {
  const room = (String(view.history.steps).length * 7 + 6) / view.scale.unit;
  const events = view.happenings.filter(({ event }) => event).sort((a, b) => view.place(a.step) - view.place(b.step));
  let free = -Infinity;
  return events.flatMap(({ step }) => {
    if (view.place(step) < free) return [];
    free = view.place(step) + room;
    return [step];
  });
}
