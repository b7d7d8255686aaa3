/** The names of the processes, on the left; without room for all, at least that of the acting process. Draws. */

import { say } from "../svg.js";
import { Nodes, node, put } from "./nodes.js";
import { lineOf } from "./scale.js";

export class Names {
  /** @param {SVGElement} host */
  constructor(host) {
    const layer = node("g", { class: "st-names", "aria-hidden": "true" });
    host.append(layer);
    this.pool = new Nodes(layer, () => node("text", { "text-anchor": "end" }));
  }

  /** @param {import("./view.js").View} view */
  draw({ scale, history, reached }) {
    const actor = scale.labelled > 1 ? (history.happening(reached)?.row ?? null) : null;
    const size = scale.row >= 24 ? 15 : scale.row * scale.labelled >= 14 ? 11 : 9;
    const name = (/** @type {number} */ row, /** @type {string | null} */ kind) => {
      const text = this.pool.take(row);
      const y = (lineOf(scale, row) + size * 0.35).toFixed(1);
      put(text, { x: scale.left - 14, y, "font-size": size, class: kind });
      say(text, history.names[row]);
    };
    for (let row = 0; row < history.names.length; row += scale.labelled)
      if (actor === null || Math.abs(row - actor) >= scale.labelled) name(row, null);
    if (actor !== null) name(actor, "st-name-acting");
    this.pool.sweep();
  }
}
