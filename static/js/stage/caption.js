/** In a row, the line beside a channel: its name, and what is recorded of it. Draws. */

import { say, svg } from "../svg.js";
import { faultLine, worded } from "./faults.js";
import { SHOWN, label } from "./labels.js";
import { fit, measure, total } from "./letters.js";
import { box, centred, redraw, text } from "./shapes.js";
import { isClosed } from "./view.js";

/**
 * @typedef {import("./types.js").Channel} Channel
 * @typedef {import("./types.js").Moment} Moment
 * @typedef {import("./types.js").Recording} Recording
 * @typedef {import("./types.js").Setting} Setting
 * @typedef {import("./types.js").TubeView} TubeView
 * @typedef {import("./types.js").Worded} Worded
 * @typedef {import("./types.js").Words} Words
 */

/** Widths are estimated generously; for texts in a line, this fraction looks right. */
const TIGHT = 0.92;

/**
 * @typedef {{text: string, w: number}} Pill
 * @typedef {{heading: string, gap: number, said: string, pills: Pill[], tail: string, marks: Worded[],
 *   fixed: number}} Content from left to right; `fixed` is how wide all but the heading and what is said are
 */

/** @param {Channel} channel @param {Setting} setting */
export function caption(channel, setting) {
  const track = setting.tracks[channel.i];
  const transform = `translate(0 ${track.label.y})`;
  const group = svg("g", { class: "caption-line", "aria-hidden": "true", transform }, setting.layers.labels);
  let end = track.label.x;

  /**
   * @param {Recording | null} shown in its words @param {Recording | null} settled in its content
   * @param {string} state of the tube @param {TubeView} view @param {Moment} moment
   */
  function draw(shown, settled, state, view, moment) {
    const log = settled?.log.items(SHOWN).map(({ id }) => id);
    const wrong = view.faults.map(({ kind, message }) => [kind, message?.id]);
    const { hue, unseen } = moment;
    const signature = JSON.stringify([state, hue, unseen, log, settled?.log.length, shown?.open, view.storing, wrong]);
    redraw(group, signature, () => {
      const marks = view.faults.map((fault) => worded(fault, 12, channel, setting.words));
      const inline = track.wrong ? [] : shortened(marks, track.room);
      const open = Boolean(shown?.open || view.storing);
      end = line(contentOf(channel, shown, settled, unseen, inline, setting), Boolean(shown), open);
      if (track.wrong)
        faultLine(group, marks, track.wrong.x - (widthOf(marks) - 10) / 2, track.wrong.y - track.label.y);
    });
  }

  /**
   * Draw the line.
   * @param {Content} content @param {boolean} recorded @param {boolean} open @returns {number} its end
   */
  function line({ heading, gap, said, pills, tail, marks, fixed }, recorded, open) {
    const first = svg("text", { y: 4.5, "font-size": 13 }, group);
    say(svg("tspan", { class: "name" }, first), heading);
    say(svg("tspan", { class: recorded ? "recorded" : "name", dx: gap }, first), said);
    const long = first.getComputedTextLength?.() || measure(heading + said, 13);
    let x = track.label.x - (long + fixed + (fixed ? 8 : 0)) / 2;
    first.setAttribute("x", String(x));
    x += long + 8;
    for (const pill of pills) {
      const at = `translate(${x + pill.w / 2} 0)`;
      const copy = svg("g", { class: open ? "copy open" : "copy", transform: at }, group);
      box(copy, "", pill.w, 20, 10);
      centred(copy, pill.text, 0, 4.5, 12);
      x += pill.w + 5;
    }
    if (tail) {
      text(group, tail, x, 4.5, tail === "∅" ? 15 : 13, { class: "tail" });
      x += measure(tail, 13) + 12;
    } else if (marks.length) x += 4;
    faultLine(group, marks, x, 0);
    return x + widthOf(marks) - 10;
  }

  return { draw, end: () => end };
}

/**
 * @param {Channel} channel @param {Recording | null} shown @param {Recording | null} settled @param {boolean} unseen
 * @param {Worded[]} marks @param {Setting} setting
 * @returns {Content}
 */
function contentOf(channel, shown, settled, unseen, marks, setting) {
  const { words } = setting;
  const { room } = setting.tracks[channel.i];
  const pills = pillsOf(settled, room, setting);
  const rest = (settled?.log.length ?? 0) - pills.length;
  const tail = rest ? `+${rest}` : isClosed(shown) && !pills.length ? "∅" : "";
  const tailed = tail ? measure(tail, 13) + (marks.length ? 12 : 8) : 0;
  const widths = pills.map(({ w }) => w);
  const fixed = total(widths, 5) + tailed + widthOf(marks);
  const name = `${channel.source} → ${channel.target}`;
  const word = wordOf(channel, shown, unseen, words);
  const named = measure(name, 13) * TIGHT + fixed <= room || !fixed;
  const heading = named ? `${name}${word && "   "}` : "";
  const space = Math.max(0, room - fixed - measure(heading, 13) * TIGHT);
  const short = shown?.open ? words.word("player.table.recording") : word;
  const said = [word, short].find((each) => measure(each, 13) <= space) ?? "";
  return { heading, gap: word ? 4 : 0, said, pills, tail, marks, fixed };
}

/** The recorded messages. @param {Recording | null} settled @param {number} room @param {Setting} setting */
function pillsOf(settled, room, setting) {
  const log = settled?.log.items(SHOWN) ?? [];
  const most = Math.max(12, room / Math.max(1, log.length) - 28);
  const texts = log.map((message) => fit(label(message, setting).said, 12, most));
  return texts.map((each) => ({ text: each, w: measure(each, 12) + 16 }));
}

/**
 * How far the recording is, in words.
 * @param {Channel} channel @param {Recording | null} recording @param {boolean} unseen @param {Words} words
 */
function wordOf(channel, recording, unseen, words) {
  if (recording?.open) return words.word("player.stage.recording", { process: channel.target });
  if (recording) return words.word("player.stage.closed");
  return unseen ? words.word("player.stage.unseen") : "";
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
