/** What is recorded of a channel, on its tray. Draws. */

import { svg } from "../svg.js";
import { brief, faultMark } from "./faults.js";
import { SHOWN } from "./labels.js";
import { fit, measure } from "./letters.js";
import { box, centred, classes, redraw } from "./shapes.js";

/**
 * @typedef {import("./types.js").Channel} Channel
 * @typedef {import("./types.js").Queue} Queue
 * @typedef {import("./types.js").Recording} Recording
 * @typedef {import("./types.js").Setting} Setting
 * @typedef {import("./types.js").TubeView} TubeView
 * @typedef {(settled: Recording | null, view: TubeView, state: string) => void} Draw the content, apart from what is on
 * its way there
 */

/**
 * A badge: ∅, the recorded messages or their number; or what is wrong with them.
 * @param {Channel} channel @param {Setting} setting @returns {Draw}
 */
export function badge(channel, setting) {
  const { look, font, words } = setting;
  const track = setting.tracks[channel.i];
  const group = svg("g", { class: "print" }, setting.layers.prints);
  const size = look === "grid" ? 8 : Math.max(font, 11);

  /** The content, if anything can be said of it yet. @param {Recording | null} settled @param {number} most */
  function content(settled, most) {
    if (!settled || (settled.open && !settled.log.length)) return "";
    if (settled.log.length) return listed(settled.log, Math.min(most, 46));
    return look === "grid" ? "" : "∅";
  }

  /** The recorded messages, as many as fit, or their number. @param {Queue} log @param {number} most */
  function listed(log, most) {
    if (look === "grid") return `×${log.length}`;
    const all = log
      .items(SHOWN)
      .map(({ payload }) => words.readable(payload))
      .join(" ");
    if (log.length <= SHOWN && measure(all, size) <= most) return all;
    return log.length === 1 ? fit(all, size, most) : `×${log.length}`;
  }

  return (settled, view, state) => {
    const slot = track.badge;
    const [wrong] = view.faults;
    const most = slot ? slot.w - 8 : 0;
    const said = slot ? content(settled, most) : "";
    const { useless, storing } = view;
    const fault = wrong && [wrong.kind, wrong.message?.id];
    redraw(group, JSON.stringify([useless, storing, said, state, settled?.open, fault]), () => {
      if (!slot) return;
      if (wrong) {
        const cut = brief(wrong, size, most - 16, channel, words);
        const text = most > 24 && !cut.startsWith("…") ? cut : "";
        const w = text ? measure(text, size) + 24 : size + 10;
        const at = beside(slot, w, size + 6);
        faultMark(group, { kind: wrong.kind, text, size, w }, at.x, at.y, size + 6);
      } else if (said && settled) {
        const open = settled.open || (storing && settled.log.length);
        const [w, h] = [Math.max(measure(said, size) + 10, size + 8), size + (look === "grid" ? 3 : 6)];
        const at = beside(slot, w, h);
        const transform = `translate(${at.x.toFixed(1)} ${at.y.toFixed(1)})`;
        const chip = svg("g", { class: classes("chip", open && "open", useless && "useless"), transform }, group);
        box(chip, "", w, h, 4);
        centred(chip, said, 0, size * 0.36, size);
      }
    });
  };
}

/**
 * The middle of a box of that size that touches the edge of a badge's place.
 * @param {NonNullable<import("./types.js").Track["badge"]>} place @param {number} w @param {number} h
 */
export function beside({ x, y, nx, ny }, w, h) {
  const away = (Math.abs(nx) * w + Math.abs(ny) * h) / 2;
  return { x: x + nx * away, y: y + ny * away };
}
