/** In a large graph, what has nothing to do with the process that is pointed at steps back. Draws. */

import { set } from "../svg.js";

/** @import { Base } from "./types.js" */

/** With fewer processes than this, everything can be seen at once. */
const LARGE = 7;

/**
 * @param {SVGSVGElement} root @param {Record<string, SVGGElement>} layers @param {Base} base
 */
export function neighbours(root, layers, base) {
  if (base.names.length < LARGE) return;
  let shown = "";
  for (const begins of ["pointerover", "focusin"]) root.addEventListener(begins, (event) => show(nameOf(event)));
  for (const ends of ["pointerleave", "focusout"]) root.addEventListener(ends, () => show(""));

  /** @param {string} name of the process, or "" */
  function show(name) {
    if (name === shown) return;
    shown = name;
    const near = name && around(name, base);
    for (const layer of Object.values(layers))
      for (const each of /** @type {Iterable<SVGElement>} */ (layer.children)) {
        const { of, on, process, channel } = each.dataset;
        const whose = of ?? on ?? process ?? channel;
        set(each, "data-far", near && whose && !near.has(whose) ? "" : null);
      }
  }
}

/** A process, its channels, and the processes at their other ends. @param {string} name
 * @param {Base} base */
function around(name, base) {
  const near = new Set([name]);
  for (const { name: channel, source, target } of base.channels)
    if (source === name || target === name) for (const each of [channel, source, target]) near.add(each);
  return near;
}

/** The process that an event is about. @param {Event} event */
function nameOf({ target }) {
  const node = target instanceof Element ? target.closest("[data-process]") : null;
  return node?.getAttribute("data-process") ?? "";
}
