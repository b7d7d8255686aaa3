/** What a step is about stays as it is while the step plays; everything else steps back. Draws. */

import { involved } from "../run/beats.js";
import { set } from "../svg.js";

/** With more processes and channels than this, all stay as they are: dimming each of them would take too long. */
const MANY = 80;

/** @param {import("./types.js").Setting} setting */
export function focus({ base, layers }) {
  const groups = Object.values(layers);
  const few = base.names.length + base.channels.length <= MANY;
  /** @type {import("./types.js").Happening | null} */
  let drawn = null;

  return {
    /**
     * Remember whose everything is that `make` draws.
     * @template T
     * @param {string} name of a process or a channel @param {() => T} make @returns {T}
     */
    owned(name, make) {
      const counts = groups.map((layer) => layer.childElementCount);
      const made = make();
      groups.forEach((layer, i) => {
        for (const each of [...layer.children].slice(counts[i])) each.setAttribute("data-of", name);
      });
      return made;
    },
    /** @param {import("./types.js").Happening | null} happening the step that plays, if one does */
    on(happening) {
      if (happening === drawn || !few) return;
      drawn = happening;
      const about = happening && involved(happening, base);
      for (const layer of groups)
        for (const each of layer.children) {
          const { of, on, process, channel } = /** @type {SVGElement} */ (each).dataset;
          const name = of ?? on ?? process ?? channel;
          set(each, "data-aside", about && name && !about.has(name) ? "" : null);
        }
    },
  };
}
