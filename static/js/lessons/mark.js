/** The mark of a question: a tick in a full circle, a cross in a rhombus, or an empty circle; and the word for it. Draws. */

import { html, svg } from "../svg.js";

/** @type {Record<string, ["circle" | "path", Record<string, string | number>][]>} */
const SHAPES = {
  right: [
    ["circle", { cx: 10, cy: 10, r: 9, class: "mark-full" }],
    ["path", { d: "m5.5 10.5 3 3 6-7", class: "mark-sign" }],
  ],
  wrong: [
    ["path", { d: "M10 1 19 10 10 19 1 10z", class: "mark-full" }],
    ["path", { d: "m7 7 6 6m0-6-6 6", class: "mark-sign" }],
  ],
  open: [["circle", { cx: 10, cy: 10, r: 8, class: "mark-ring" }]],
};

/**
 * @param {"right" | "wrong" | "open"} how @param {string} says what is read aloud
 * @returns {HTMLElement}
 */
export function mark(how, says) {
  const drawn = svg("svg", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" });
  for (const [name, attributes] of SHAPES[how]) svg(name, attributes, drawn);
  return html("span", { class: `mark mark-${how}`, title: says }, drawn, html("span", "unseen", `${says} `));
}

/** How a question stands. @param {import("./progress.js").Tried | undefined} tried @returns {"right" | "wrong" | "open"} */
export function standing(tried) {
  if (!tried) return "open";
  return tried.right ? "right" : "wrong";
}
