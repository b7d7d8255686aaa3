/** Now: a thin dotted line that moves. Draws. */

import { node, put } from "./nodes.js";

/** How far its line rises beside its word. */
const ABOVE = 18;

export class Now {
  /** @param {SVGElement} world @param {import("../types.js").Word} words */
  constructor(world, words) {
    this.line = node("path", { class: "st-now" });
    this.text = node("text", { class: "st-now-word" }, [words("spacetime.now")]);
    this.head = node("path", { class: "st-head-line" });
    world.append(this.line, this.text, this.head);
  }

  /** @param {import("./view.js").View} view */
  advance({ scale, nowX, part, cut, reached, seen, head }) {
    put(this.head, {
      d: head === null ? "" : `M0 ${scale.top}V${scale.bottom + 4}M-6 ${scale.top}h12l-6 9Z`,
      transform: head === null ? null : `translate(${head.toFixed(1)} 0)`,
    });
    const opacity = Math.max(0, 1 - part * 3);
    const first = cut ? cut.recorded[0] : Infinity;
    const covered = first <= reached && nowX - first * scale.unit < 110;
    const transform = `translate(${nowX.toFixed(1)} 0)`;
    // Without its word, it keeps clear of those of the cut.
    put(this.line, { d: `M0 ${scale.top - (covered ? 0 : ABOVE)}V${scale.bottom + 4}`, transform, opacity });
    const room = nowX + 40 <= seen + scale.room;
    put(this.text, {
      transform: `translate(${(nowX + (room ? 5 : -5)).toFixed(1)} ${scale.top - 10})`,
      "text-anchor": room ? "start" : "end",
      opacity: covered ? 0 : opacity,
    });
  }
}
