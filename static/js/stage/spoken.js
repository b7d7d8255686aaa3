/** What is said outside the channels and heard at once: a balloon moving from one process to another. Draws. */

import { say, set, svg } from "../svg.js";
import { measure } from "./letters.js";
import { during } from "./motion.js";

/** @param {SVGElement} layer @param {Object} base @param {Object} words */
export function spoken(layer, base, words) {
  const group = svg("g", { class: "spoken", "aria-hidden": "true" }, layer);
  let plan = null;
  let drawn = null;

  function draw(said, fraction) {
    if (fraction >= 1 || !said.length || !plan) {
      if (drawn) group.replaceChildren();
      drawn = null;
      return;
    }
    if (drawn !== said) {
      drawn = said;
      group.replaceChildren(...said.map(balloon));
    }
    const t = during(fraction, [0.15, 0.95]);
    said.forEach(({ from, to }, i) => {
      const [a, b] = [plan.nodes[base.index.get(from)], plan.nodes[base.index.get(to)]];
      set(group.children[i], "transform", `translate(${(a.x + (b.x - a.x) * t).toFixed(1)} ${(a.y + (b.y - a.y) * t).toFixed(1)})`);
    });
  }

  function balloon({ word, snapshot }) {
    const text = `${words.readable({ word })}${snapshot === null ? "" : ` ${snapshot}`}`;
    const w = measure(text, 11) + 14;
    const made = svg("g");
    svg("path", { class: "balloon", d: `M${-w / 2} -9h${w}v16h${-w / 2 - 2}l-4 5v-5h${4 + 2 - w / 2}z` }, made);
    say(svg("text", { y: 3.5, "font-size": 11, "text-anchor": "middle" }, made), text);
    return made;
  }

  return {
    layout(next) {
      plan = next;
      drawn = null;
      group.replaceChildren();
    },
    draw,
  };
}
