/** In a row, the line beside a channel: its name, and the tray that takes the copies of its messages. Draws. */

import { say, set, svg } from "../svg.js";
import { face } from "./coin.js";
import { faultLine, worded } from "./faults.js";
import { SHOWN, label } from "./labels.js";
import { TIGHT, fit, measure, total } from "./letters.js";
import { box, centred, classes, hued, redraw, text } from "./shapes.js";
import { isClosed } from "./view.js";

/** @import { Channel, Filled, Moment, Recording, Setting, TubeView, Worded, Words } from "./types.js" */

/** What is left of a word that was shortened is so long, or it says nothing. */
const LEGIBLE = 5;
/** How high the tray is, and how far its content is from its ends. */
const HIGH = 26;
const INSET = 8;

/**
 * @typedef {{text: string, w: number}} Pill
 * @typedef {{heading: string, gap: number, said: string, pills: Pill[], tail: string, fixed: number}} Content from left
 * to right; `fixed` is how wide all but the heading and what is said are
 */

/** @param {Channel} channel @param {Setting} setting */
export function caption(channel, setting) {
  const track = setting.tracks[channel.i];
  const { layers, words, small } = setting;
  const transform = `translate(0 ${track.label.y})`;
  const hung = tray(svg("g", { class: "tray", transform }, layers.prints));
  const group = svg("g", { "aria-hidden": "true", transform }, layers.labels);
  const { path } = track;
  const most = Math.min(track.room, path.length + track.tube);
  // A closing marker seals the tray from the receiver's end.
  const rightwards = path.points[1][0] > path.points[0][0];
  let end = track.label.x;

  /**
   * @param {Recording | null} shown in its words @param {Recording | null} settled in its content
   * @param {Filled} filled how far the tray is @param {TubeView} view @param {Moment} moment
   */
  function draw(shown, settled, filled, view, moment) {
    const { state } = filled;
    const log = settled?.log.items(SHOWN).map(({ id }) => id);
    const wrong = view.faults.map(({ kind, message }) => [kind, message?.id]);
    const { hue, unseen } = moment;
    const content = [state, hue, unseen, log, settled?.log.length, shown?.open, view.storing, wrong];
    const open = Boolean(shown?.open || view.storing);
    const more = classes(view.useless && "useless", hued(hue));
    set(group, "class", classes("caption-line", state, more));
    redraw(group, content, () => {
      const marks = view.faults.map((fault) => worded(fault, small, channel, words));
      const inline = track.wrong ? [] : shortened(marks, track.room);
      const beside = inline.length ? widthOf(inline) - 2 : 0;
      const wide = Math.min(most, track.room - beside);
      const begin = track.label.x - (wide + beside) / 2;
      hung.put(begin, wide);
      end = line(contentOf(channel, shown, settled, unseen, wide - 2 * INSET, setting), begin + wide / 2, open);
      faultLine(group, inline, begin + wide + 8, 0);
      if (track.wrong)
        faultLine(group, marks, track.wrong.x - (widthOf(marks) - 10) / 2, track.wrong.y - track.label.y);
    });
    hung.fill(filled, rightwards, classes("tray", more));
  }

  /**
   * Draw the line.
   * @param {Content} content @param {number} middle @param {boolean} open @returns {number} where the content ends
   */
  function line({ heading, gap, said, pills, tail, fixed }, middle, open) {
    const first = svg("text", { y: small * 0.36, "font-size": small }, group);
    say(svg("tspan", { class: "name" }, first), heading);
    say(svg("tspan", { class: "said", dx: gap }, first), said);
    const long = first.getComputedTextLength?.() || measure(heading + said, small);
    let x = middle - (long + fixed + (fixed ? 8 : 0)) / 2;
    first.setAttribute("x", String(x));
    x += long + 8;
    for (const pill of pills) {
      const at = `translate(${x + pill.w / 2} 0)`;
      const copy = svg("g", { class: open ? "copy open" : "copy", transform: at }, group);
      box(copy, "", pill.w, 20, 10);
      if (setting.base.tokens) face(copy, 0, 0, 10);
      else centred(copy, pill.text, 0, small * 0.36, small);
      x += pill.w + 5;
    }
    if (tail) text(group, tail, x, tail === "∅" ? 5.5 : small * 0.36, tail === "∅" ? 16 : small, { class: "tail" });
    return x + (tail ? measure(tail, small) : -5);
  }

  return { draw, end: () => end };
}

/** The tray itself: hatched while it is open, solid once it is sealed. @param {SVGGElement} group */
function tray(group) {
  const shape = { y: -HIGH / 2, height: HIGH, rx: 6 };
  const edge = svg("rect", { class: "edge", ...shape }, group);
  const hatch = svg("rect", { class: "hatch", ...shape }, group);
  const solid = svg("rect", { class: "solid", ...shape }, group);
  let [left, wide] = [0, 0];

  return {
    /** @param {number} x @param {number} w */
    put(x, w) {
      [left, wide] = [x, w];
      for (const each of [edge, hatch]) {
        set(each, "x", x);
        set(each, "width", w);
      }
    },
    /** @param {Filled} filled @param {boolean} rightwards @param {string} name */
    fill({ hatch: open, solid: sealed }, rightwards, name) {
      set(group, "class", name);
      set(group, "visibility", open > 0 || sealed > 0 ? "visible" : "hidden");
      const part = Math.max(open, sealed);
      set(edge, "opacity", part < 1 ? part.toFixed(2) : null);
      set(hatch, "opacity", open < 1 ? open.toFixed(2) : null);
      set(solid, "width", (sealed * wide).toFixed(1));
      set(solid, "x", (rightwards ? left + wide * (1 - sealed) : left).toFixed(1));
    },
  };
}

/**
 * @param {Channel} channel @param {Recording | null} shown @param {Recording | null} settled @param {boolean} unseen
 * @param {number} room @param {Setting} setting
 * @returns {Content}
 */
function contentOf(channel, shown, settled, unseen, room, setting) {
  const { words, small } = setting;
  const pills = pillsOf(settled, room, setting);
  const rest = (settled?.log.length ?? 0) - pills.length;
  const tail = rest ? `${pills.length ? "+" : "×"}${rest}` : isClosed(shown) && !pills.length ? "∅" : "";
  const widths = pills.map(({ w }) => w);
  const fixed = total(widths, 5) + (tail ? measure(tail, small) + 8 : 0);
  const name = `${channel.source} → ${channel.target}`;
  const word = wordOf(shown, unseen, words);
  const fits = (/** @type {string} */ each) => measure(each, small) * TIGHT + fixed <= room;
  // Rather slim than nameless.
  const named = !fixed || fits(name) ? name : [name.replaceAll(" ", "")].find(fits);
  const heading = named ? `${named}${word && "   "}` : "";
  const space = Math.max(0, room - fixed - measure(heading, small) * TIGHT);
  const said = measure(word, small) <= space ? word : "";
  return { heading, gap: word ? 4 : 0, said, pills, tail, fixed };
}

/** The recorded messages. @param {Recording | null} settled @param {number} room @param {Setting} setting */
function pillsOf(settled, room, setting) {
  const log = settled?.log.items(SHOWN) ?? [];
  const { small } = setting;
  const most = Math.max(small, room / Math.max(1, log.length) - 26);
  if (setting.base.tokens) return log.map(() => ({ text: "", w: 20 }));
  const texts = log.map((message) => fit(label(message, setting).said, small, most));
  if (texts.some((each) => each.endsWith("…") && each.length < LEGIBLE)) return [];
  return texts.map((each) => ({ text: each, w: measure(each, small) + 14 }));
}

/** What the tray itself does not say. @param {Recording | null} recording @param {boolean} unseen @param {Words} words */
function wordOf(recording, unseen, words) {
  if (recording?.open) return words.word("player.table.recording");
  return unseen && !recording ? words.word("player.stage.unseen") : "";
}

/** If there is little room, a cross says it without a word. @param {Worded[]} marks @param {number} room */
function shortened(marks, room) {
  if (widthOf(marks) <= room * 0.6) return marks;
  return marks.map((mark) => ({ ...mark, word: "", wide: mark.w + 6 }));
}

/** @param {Worded[]} marks */
function widthOf(marks) {
  return total(marks.map(({ wide }) => wide));
}
