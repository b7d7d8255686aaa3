/** The name and the state of a process, inside it; what has just changed is marked. Draws. */

import { svg } from "../svg.js";
import { coins, wide } from "./coin.js";
import { TIGHT, fit, measure, wrap } from "./letters.js";
import { redraw, text } from "./shapes.js";
import { rows } from "./rows.js";

/** @import { Box, Setting } from "./types.js" */

/**
 * A state in one line below the name. `named` is where the name is above it, `alone` where it is without; `room` how
 * much narrower than the process both are; `mark` where the mark is, how much wider than the text, how much narrower
 * than the process, how high; `coin` the radius of a token instead.
 */
const LINE = {
  stacked: { font: 13, named: -4, alone: 4.5, size: 13, value: 13.5, room: [8, 10], mark: [9, 12, 6, 18], coin: 8 },
  flat: { font: 15, named: -7, alone: 5, size: 18, value: 17, room: [12, 14], mark: [11, 16, 8, 24], coin: 11 },
};
/** A state too long for one line: where the name is, its font, where its two lines and its mark are. */
const TWO = { named: -8.7, size: 12.7, at: [3.8, 16.3], mark: [6.2, 25] };
/**
 * A state as a table: where the name and the first row are below the top; between its two columns; above the middle of
 * a row, how much wider and how high its mark is.
 */
const TABLE = {
  tall: { font: 18, name: 27, first: 55, leading: 24, size: 15, room: 16, gap: 8, mark: [5, 16, 22] },
  flat: { font: 15, name: 18, first: 37, leading: 17, size: 13, room: 12, gap: 4, mark: [4, 10, 16] },
};

/** In a row, how wide a value surely may be: long names of variables get the rest of a wide process. */
const NUMBER = 44;
/** The radius of a token in a row. */
const COIN = 17;

/** @param {Element} group to draw into @param {string} name @param {Box} node @param {Setting} setting */
export function state(group, name, node, setting) {
  const { look, words, base } = setting;
  const { w, h } = node;
  const top = -h / 2;
  /** @param {any} value JSON @param {Set<string> | null} fresh what the step has changed in it; null: nothing */
  return (value, fresh) =>
    redraw(group, look === "grid" ? fresh !== null : [value, fresh && [...fresh]], () => draw(value, fresh));

  /** @param {any} value @param {Set<string> | null} fresh */
  function draw(value, fresh) {
    const [changed, entries] = [fresh !== null, rows(value)];
    // In a grid there is room for the name alone.
    if (look === "grid") {
      if (changed) svg("rect", { class: "changed", x: 3 - w / 2, y: h / 2 - 4, width: w - 6, height: 2 }, group);
      called(11 * 0.36, 11, 3);
    } else if (!setting.rows && look !== "row") line(LINE.stacked, value, changed);
    else if (entries) table(TABLE[look === "row" ? "tall" : "flat"], entries, value, fresh);
    else if (look === "row") {
      called(top + TABLE.tall.name, TABLE.tall.font, TABLE.tall.room);
      if (base.tokens) held(value, h / 2 - 32, COIN, changed && [20, 38]);
      else large(group, node, value === null ? "" : words.readable(value), changed);
    } else line(LINE.flat, value, changed);
  }

  /** Write the name. @param {number} y @param {number} size @param {number} narrower */
  function called(y, size, narrower) {
    text(group, fit(name, size, w - narrower), 0, y, size, { class: "name middle" });
  }

  /** @param {typeof LINE.flat} how @param {any} value @param {boolean} changed */
  function line(how, value, changed) {
    const [y, wider, narrower, high] = how.mark;
    if (base.tokens) {
      called(how.named, how.font, how.room[0]);
      return held(value, y, how.coin, changed && [wider, high]);
    }
    const whole = value === null ? "" : words.readable(value);
    if (how === LINE.stacked && brief(group, name, w, whole, changed, words)) return;
    const said = fit(whole, how.size, w - how.room[1]);
    if (changed && said) mark(group, y, Math.min(measure(said, how.size) + wider, w - narrower), high);
    called(said ? how.named : how.alone, how.font, how.room[0]);
    if (said) text(group, said, 0, how.value, how.size, { class: "value middle" });
  }

  /**
   * Tokens as coins.
   * @param {number} count @param {number} y @param {number} r @param {false | [wider: number, high: number]} marked
   */
  function held(count, y, r, marked) {
    const long = wide(count, r);
    if (marked) mark(group, y, long + marked[0], marked[1]);
    coins(group, count, -long / 2, y, r);
  }

  /**
   * A state may outgrow the room of the first one.
   * @param {typeof TABLE.flat} how @param {[string, any][]} entries @param {any} value
   * @param {Set<string> | null} fresh
   */
  function table(how, entries, value, fresh) {
    called(top + how.name, how.font, how.room);
    const [size, tall] = [Math.max(how.size, setting.small), how === TABLE.tall];
    const most = Math.max(1, Math.min(setting.rows, Math.floor((h - (tall ? 40 : 28)) / how.leading)));
    const shown = entries.slice(0, tall && entries.length > most ? most - 1 : most);
    const right = tall ? Math.min(w / 2 - 12, half(shown, value, words, { size, gap: how.gap })) : w / 2 - 10;
    const [up, wider, high] = how.mark;
    shown.forEach(([key, item], at) => {
      const y = top + how.first + at * how.leading;
      if (fresh?.has(key)) mark(group, y - up, 2 * right + wider, high);
      const said = fit(words.readable(item), size, tall ? 70 : w * 0.5);
      const room = 2 * right - measure(said, size) - how.gap;
      text(group, fit(words.named(key, value).name, size, room / TIGHT), -right, y, size, { class: "key" });
      text(group, said, right, y, size, { class: "value end" });
    });
    const rest = tall ? entries.length - shown.length : 0;
    if (rest)
      text(group, `+${rest}`, 0, top + how.first + shown.length * how.leading, setting.small, { class: "key middle" });
  }
}

/**
 * Half of the width of a table.
 * @param {[string, any][]} shown @param {any} value @param {import("./types.js").Words} words
 * @param {{size: number, gap: number}} how
 */
function half(shown, value, words, { size, gap }) {
  const longest = Math.max(0, ...shown.map(([key]) => measure(words.named(key, value).name, size)));
  return Math.max(52, (longest + gap + NUMBER) / 2);
}

/** A state in large letters; a sentence that is too long, in two lines. @param {Element} group @param {Box} node @param {string} said @param {boolean} changed */
function large(group, { w, h }, said, changed) {
  const exact = Math.min(30, (30 * (w - 24)) / Math.max(1, measure(said, 30)));
  const size = Math.max(exact, 13);
  const whole = measure(said, size) * TIGHT <= w - 16;
  const lines = whole ? [said] : wrap(said.split(" "), size, (w - 16) / TIGHT, 2);
  const fits = lines.reduce((a, b) => (b.length > a.length ? b : a));
  if (changed && said) mark(group, h / 2 - 32, Math.min(measure(fits, exact) + 20, w - 12), 38);
  const at = lines.length === 1 ? [21] : [32, 16];
  lines.forEach((line, i) =>
    text(group, line.replaceAll("  ", " "), 0, h / 2 - at[i], size, { class: "value middle" }),
  );
}

/**
 * A state that is too long for one line on two, in short words; is it?
 * @param {Element} group @param {string} name @param {number} w @param {string} said @param {boolean} changed
 * @param {import("./types.js").Words} words
 */
function brief(group, name, w, said, changed, words) {
  const { font, size, room, mark: marked } = LINE.stacked;
  if (measure(said, size) <= w - room[1]) return false;
  if (changed) mark(group, TWO.mark[0], w - marked[2], TWO.mark[1]);
  text(group, fit(name, font, w - room[0]), 0, TWO.named, font, { class: "name middle" });
  const short = said.replace(words.word("state.sealed"), words.word("state.sealed.short"));
  const parts = (short.match(/[^:：;；,，、]+[:：;；,，、]?/g) ?? []).map((part) => part.trim());
  const lines = wrap(parts, TWO.size, (w - 6) / TIGHT, TWO.at.length);
  const how = { class: "value middle" };
  const close = (/** @type {string} */ line) => line.replace(/([：；，、]) +/g, "$1").replaceAll("  ", " ");
  lines.forEach((line, i) => text(group, close(line), 0, TWO.at[i], TWO.size, how));
  return true;
}

/** @param {Element} group @param {number} y @param {number} wide @param {number} high */
function mark(group, y, wide, high) {
  svg("rect", { class: "changed", x: -wide / 2, y: y - high / 2, width: wide, height: high, rx: 5 }, group);
}
