/** The number of messages that a channel does not show. Draws. */

import { say, set, svg } from "../svg.js";
import { TIGHT, measure } from "./letters.js";
import { point } from "./paths.js";
import { around, box, centred, ifSeen, moved } from "./shapes.js";

/** @import { Setting, Track, Traffic } from "./types.js" */

/** @typedef {{w: number, h: number, font: number}} Size */

/** How large it is. @type {Record<Setting["look"], (setting: Setting) => Size>} */
const SIZES = {
  row: () => ({ w: 30, h: 18, font: 13 }),
  circle: () => ({ w: 30, h: 18, font: 13 }),
  wires: ({ wide, pill }) => ({ w: wide - 4, h: pill - 1, font: 13 }),
  grid: () => ({ w: 13, h: 9, font: 7.5 }),
};

/** @param {Track} track @param {Setting} setting */
export function counter(track, setting) {
  const group = svg("g", { class: "more" }, setting.layers.messages);
  const { w, h, font } = SIZES[setting.look](setting);
  const least = setting.look === "grid" ? 0 : setting.loud; // among so many there is no room
  const bar = ifSeen(() => {
    const made = svg("rect", { class: "bar", y: -h / 2 - 2, width: 7, height: h + 4, rx: 2 });
    group.firstElementChild?.after(made);
    return made;
  });
  const number = ifSeen(() => {
    box(group, "body", w, h, h / 2);
    return centred(group, "", 0, font * 0.36, font);
  });

  /** Write it, and return how wide it is; where it is drawn small, its letters are not.
   * @param {Element} text @param {string} said @param {number} size */
  function legible(text, said, size) {
    say(text, said);
    if (!least) return w;
    const high = Math.max(font, least / size);
    set(text, "font-size", high);
    set(text, "y", high * 0.36);
    const wide = Math.max(w, measure(said, high) * TIGHT);
    const body = around(wide, Math.max(h, high * 0.9), h / 2);
    const shape = group.firstElementChild;
    if (shape) for (const [name, value] of Object.entries(body)) set(shape, name, value);
    return wide;
  }

  /**
   * Draw it where the next message would be.
   * @param {Traffic} traffic @param {boolean} shown
   * @param {boolean} headed is the first a barrier? It is drawn and not counted.
   */
  return ({ hidden, more: at, size, aside }, shown, headed) => {
    const counts = hidden > 0 && shown;
    set(group, "visibility", counts ? "visible" : "hidden");
    if (!counts) return;
    const text = number(true);
    const wide = text ? legible(text, `+${hidden - Number(headed)}`, size) : w;
    const edge = bar(headed);
    if (edge) set(edge, "x", wide / 2 - 1);
    // If the tube is too short, the count is beside it, opposite its caption.
    const spot = point(track.path, at, aside ? track.inner * (track.tube / 2 + 12) : 0);
    set(group, "transform", `${moved(spot)}${size < 1 ? ` scale(${size})` : ""}`);
  };
}
