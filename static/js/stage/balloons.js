/** What is said outside the channels and heard at once: balloons moving from one process to another. Draws. */

import { set, svg } from "../svg.js";
import { measure } from "./letters.js";
import { during } from "./motion.js";
import { between } from "./paths.js";
import { centred, moved } from "./shapes.js";

/** @import { Setting, Span, Spoken } from "./types.js" */

/** @param {Setting} setting */
export function balloons(setting) {
  const { base, nodes, layers } = setting;
  const group = svg("g", { class: "spoken", "aria-hidden": "true" }, layers.labels);
  /** @type {Spoken[]} */
  let drawn = [];

  /** @param {Spoken[]} said @param {number} fraction of the step @param {Span} span when they move */
  return (said, fraction, span) => {
    const shown = fraction < 1 ? said : [];
    if (drawn !== shown && drawn.length + shown.length)
      group.replaceChildren(...shown.map((one) => balloon(one, setting)));
    drawn = shown;
    const t = during(fraction, span);
    shown.forEach(({ from, to }, i) => {
      const [a, b] = [from, to].map((name) => above(nodes[base.index.get(name ?? "") ?? 0]));
      set(group.children[i], "transform", moved(between(a, b, t)));
    });
  };
}

/** Where a balloon points at a process and hides nothing of it. @param {{x: number, y: number, h: number}} node */
function above({ x, y, h }) {
  return { x, y: Math.max(10, y - h / 2 - 18) };
}

/** @param {Spoken} spoken @param {Setting} setting */
function balloon({ word, snapshot }, { words }) {
  const said = `${words.readable({ word })}${snapshot === null ? "" : ` ${snapshot}`}`;
  const w = measure(said, 13) + 12;
  const group = svg("g");
  svg("path", { class: "balloon", d: `M${-w / 2} -9h${w}v16h${-w / 2 - 2}l-4 5v-5h${4 + 2 - w / 2}z` }, group);
  centred(group, said, 0, 3.5, 13);
  return group;
}
