/** What a step is about stays as it is while the step plays; everything else steps back. Draws. */

import { involved } from "../run/beats.js";
import { set } from "../svg.js";

/** @import { Happening } from "./types.js" */

/** @param {import("./types.js").Setting} setting @param {SVGSVGElement} root */
export function focus({ base, layers }, root) {
  const groups = Object.values(layers);
  /** What is drawn of each process and channel, but for messages. @type {Map<string, Element[]>} */
  const parts = new Map();
  /** @type {Happening | null} */
  let drawn = null;
  /** @type {Set<string>} */
  let about = new Set();

  /** @param {Iterable<string>} names @param {"" | null} value */
  function mark(names, value) {
    for (const name of names) for (const each of parts.get(name) ?? []) set(each, "data-about", value);
  }

  return {
    /**
     * Remember whose everything is that `make` draws into the layers and into a group of its own.
     * @template T
     * @param {string} name of a process or a channel @param {Element} own @param {() => T} make @returns {T}
     */
    owned(name, own, make) {
      const lasts = groups.map((layer) => layer.lastElementChild);
      const made = make();
      const more = groups.flatMap((layer, i) => after(layer, lasts[i]));
      for (const each of more) each.setAttribute("data-of", name);
      parts.set(name, [own, ...more]);
      set(own, "data-about", null);
      return made;
    },
    /** @param {Happening | null} happening the step that plays, if one does */
    on(happening) {
      if (happening === drawn) return;
      drawn = happening;
      mark(about, null);
      about = happening ? involved(happening, base) : new Set();
      mark(about, "");
      set(root, "data-focus", happening && "");
      // Messages come and go: those on other channels are marked instead.
      for (const each of /** @type {Iterable<SVGElement>} */ (layers.messages.children))
        if (each.dataset.on) set(each, "data-aside", happening && !about.has(each.dataset.on) ? "" : null);
    },
  };
}

/** What a layer has behind one of its children, or all: found from its end, because layers are long. @param {Element} layer
 * @param {Element | null} child */
function after(layer, child) {
  const found = [];
  for (let each = layer.lastElementChild; each && each !== child; each = each.previousElementSibling) found.push(each);
  return found;
}
