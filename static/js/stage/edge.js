/** What is on the edge of a process: a sign for its condition, and corners for other snapshots. Draws. */

import { svg } from "../svg.js";
import { TIGHT, fit, measure } from "./letters.js";
import { box, centred, redraw, text } from "./shapes.js";
import { tagged } from "./tag.js";

/** @import { Box, Corner, Setting } from "./types.js" */

/** The least font size of a word that has little room, and that of a name in a small process. */
const LOWER = 11;
const NAME = 13;

/**
 * Whether it is paused, leaving, or gone: a word on its edge, bars, or a cross.
 * @param {Element} parent @param {Box} node @param {number} high how much of its height its cells take
 * @param {Setting} setting
 */
export function sign(parent, node, high, { look, least, larger, words, base, small: font }) {
  const group = svg("g", { class: "condition", "aria-hidden": "true" }, parent);

  /** @param {string} how @param {number | null} colour if processes have one: the last snapshot it has recorded */
  return (how, colour) =>
    redraw(group, `${how} ${colour}`, () => {
      if (how === "crashed" || how === "down") out();
      if (look === "grid") return;
      if (how) word(how);
      else if (colour !== null) badge(colour);
    });

  /**
   * Its colour: a word, or the number of a later snapshot; light before the first, dark after it.
   * @param {number} colour
   */
  function badge(colour) {
    const { text: letter, red } = tagged(colour, base);
    const whole = colour > base.first ? letter : words.word(`player.stage.colour.${red ? "red" : "white"}`);
    const said = measure(whole, font) + 10 <= node.w - (look === "row" ? 40 : 56) ? whole : letter;
    const transform = `translate(${6 - node.w / 2} ${-node.h / 2})`;
    const shape = svg("g", { class: red ? "colour red" : "colour", transform }, group);
    svg("rect", { y: -8, width: measure(said, font) + 10, height: 16, rx: 8 }, shape);
    text(shape, said, 5, font * 0.36, font);
  }

  /** A cross through the process. */
  function out() {
    const [x, y] = [node.w / 2 - 4, node.h / 2 - 4];
    svg("path", { class: "out", d: `M${-x} ${-y}L${x} ${y - high}M${x} ${-y}L${-x} ${y - high}` }, group);
  }

  /** The word, or bars and as much of the word as fits. @param {string} how */
  function word(how) {
    const whole = words.word(`player.stage.life.${how}.short`);
    const bars = how === "paused";
    const more = bars ? 30 : 10;
    const room = (node.w - 4 - more) / TIGHT;
    const size = Math.max(least, font > 13 ? font : LOWER, Math.min(font, (font * room) / measure(whole, font)));
    const said = measure(whole, size) <= room ? whole : bars ? "" : fit(whole, size, room);
    // However large, it stays below the copy above.
    const transform = `translate(${6 - node.w / 2} ${8 - 8 / larger - node.h / 2})`;
    const shape = svg("g", { class: `sign ${how}`, transform }, group);
    svg("rect", { y: -8, width: said ? measure(said, size) * TIGHT + more : 20, height: 16, rx: 4 }, shape);
    if (bars) svg("path", { class: "bars", d: "M7 -4v8M11 -4v8" }, shape);
    if (said) text(shape, said, bars ? 20 : 5, size * 0.36, size);
  }
}

/**
 * The other snapshots for which it has recorded: a small numbered corner each.
 * @param {Element} parent @param {string} name @param {Box} node @param {Setting} setting
 */
export function corners(parent, name, node, { look, small }) {
  const group = svg("g", { class: "others" }, parent);
  // Larger letters make them wider.
  const wide = small + 11;
  // On a small node they cover neither what is recorded above nor its name: the latest one stays beside it.
  const beside = look === "wires";
  const [right, y] = beside ? [node.w / 2 - 1, 4 - node.h / 2] : [node.w / 2 - 8, -node.h / 2];
  const room = beside ? right + wide / 2 - (measure(name, NAME) * TIGHT) / 2 : node.w - 4;
  const most = look === "grid" ? 0 : Math.max(1, Math.min(3, Math.floor(room / (wide + 2))));

  if (!most) return () => {};

  /** @param {Corner[]} all */
  return (all) =>
    redraw(group, all, () => {
      const shown = all.slice(-most);
      shown.forEach(({ id, hue, standing }, at) => {
        const x = right - (shown.length - 1 - at) * (wide + 2);
        const corner = svg("g", { class: `corner hue${hue} ${standing}`, transform: `translate(${x} ${y})` }, group);
        box(corner, "", wide, 16, 4);
        centred(corner, `#${id}`, 0, small * 0.36, small);
      });
    });
}
