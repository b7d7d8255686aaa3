/** Channels that were partitioned, and healed: a mark between the lines of their two processes. Draws. */

import { say } from "../svg.js";
import { Nodes, node, put } from "./nodes.js";
import { lineOf } from "./scale.js";

const CUT = "M-7 7L1 -7M-1 7L7 -7";
const HEALED = "M-5 0H5M0 -5V5";

export class ChannelFaults {
  /** @param {SVGElement} world @param {SVGElement} texts above the arrows @param {import("../types.js").Word} words */
  constructor(world, texts, words) {
    this.words = words;
    const layer = node("g", { class: "st-channel-faults", "aria-hidden": "true" });
    world.append(layer);
    this.marks = new Nodes(layer, () =>
      node("g", {}, [node("path", { class: "st-scissors-line" }), node("path", { class: "st-scissors" })]),
    );
    this.texts = new Nodes(texts, () => node("text"));
  }

  /** @param {import("./view.js").View} view */
  draw(view) {
    const { history, scale, reached, seen } = view;
    for (const { step, channel, healed } of history.faults) {
      if (step > reached || !view.shows(step) || scale.row < 16) continue;
      const { from, to, source, target } = history.base.channels[channel];
      const [top, bottom] = [from, to].map((row) => lineOf(scale, row)).sort((a, b) => a - b);
      const [x, y] = [view.x(step), (top + bottom) / 2];
      const look = healed ? "" : " st-partitioned";
      const drawn = this.marks.take(step);
      put(drawn, { class: `st-channel-fault${look}` });
      put(drawn.children[0], { d: `M${x.toFixed(1)} ${top}V${bottom}` });
      put(drawn.children[1], { d: healed ? HEALED : CUT, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})` });
      const text = this.texts.take(`fault ${step}`);
      const after = x + 160 < seen + scale.room;
      put(text, {
        x: (x + (after ? 12 : -12)).toFixed(1),
        y: (y + 4).toFixed(1),
        "text-anchor": after ? "start" : "end",
        "font-size": 12,
        class: `st-label st-fault-word${look}`,
      });
      const name = `${source}→${target}`;
      say(text, this.words(`spacetime.channel.${healed ? "healed" : "partitioned"}`, { channel: name }));
    }
    this.marks.sweep();
    this.texts.sweep();
  }
}
