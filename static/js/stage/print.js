/** What is recorded of a channel, on the channel itself. Draws. */

import { svg } from "../svg.js";
import { brief, faultMark } from "./faults.js";
import { SHOWN, label } from "./labels.js";
import { fit, measure, total } from "./letters.js";
import { point } from "./paths.js";
import { box, centred, classes, redraw } from "./shapes.js";

/**
 * @typedef {import("./types.js").Channel} Channel
 * @typedef {import("./types.js").Queue} Queue
 * @typedef {import("./types.js").Recording} Recording
 * @typedef {import("./types.js").Setting} Setting
 * @typedef {import("./types.js").TubeView} TubeView
 * @typedef {(settled: Recording | null, view: TubeView, state: string, near: number) => void} Draw the content, apart
 * from what is on its way there; `near`: how near to the tube's beginning messages rest
 */

/**
 * In a row: in a closed tube with enough room, the content is in the middle.
 * @param {Channel} channel @param {Setting} setting @returns {Draw}
 */
export function inside(channel, setting) {
  const { path } = setting.tracks[channel.i];
  const group = svg("g", { class: "print" }, setting.layers.prints);

  return (_, { is, storing }, state, near) => {
    const log = state === "closed" && is ? is.log : null;
    const texts = log?.items(SHOWN).map((message) => label(message, setting).said) ?? [];
    if (log && log.length > SHOWN) texts.push(`+${log.length - SHOWN}`);
    const widths = texts.map((text) => measure(text, 14) + 22);
    const wide = texts.length ? total(widths, 6) - 6 : 24;
    const free = log && near > path.length / 2 + wide / 2 + 8 && wide < path.length;
    redraw(group, free ? `${storing} ${texts.join("|")}` : "", () => {
      if (!free) return;
      const at = point(path, path.length / 2);
      if (!texts.length) centred(group, "∅", at.x, at.y + 7, 20, { class: "empty" });
      let x = at.x - wide / 2;
      texts.forEach((text, i) => {
        const transform = `translate(${x + widths[i] / 2} ${at.y})`;
        const copy = svg("g", { class: classes("within", storing && "open"), transform }, group);
        box(copy, "", widths[i], 26, 13);
        centred(copy, text, 0, 5, 14);
        x += widths[i] + 6;
      });
    });
  };
}

/**
 * Elsewhere a badge: ∅, the recorded messages or their number; or what is wrong with them.
 * @param {Channel} channel @param {Setting} setting @returns {Draw}
 */
export function badge(channel, setting) {
  const { look, font, words } = setting;
  const track = setting.tracks[channel.i];
  const group = svg("g", { class: "print" }, setting.layers.prints);
  const size = look === "grid" ? 8 : Math.max(font, 11);

  /** Where it is and how wide it may be; in a tube only where no message rests. @param {number} near */
  function spot(near) {
    if (track.stations) return track.badge;
    const at = track.path.length * track.print;
    return near > at + 26 ? { at, w: Math.min(110, 2 * (Math.min(near, 2 * at + 40) - at)) } : null;
  }

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

  return (settled, view, state, near) => {
    const slot = spot(near);
    const [wrong] = view.faults;
    const most = slot ? slot.w - 8 : 0;
    const said = slot ? content(settled, most) : "";
    const { useless, storing } = view;
    const fault = wrong && [wrong.kind, wrong.message?.id];
    redraw(group, JSON.stringify([useless, storing, said, state, settled?.open, fault, slot]), () => {
      if (!slot) return;
      const at = point(track.path, slot.at);
      if (wrong) {
        const cut = brief(wrong, size, most - 16, channel, words);
        const text = most > 24 && !cut.startsWith("…") ? cut : "";
        const w = text ? measure(text, size) + 24 : size + 10;
        faultMark(group, { kind: wrong.kind, text, size, w }, at.x, at.y, size + 6);
      } else if (said && settled) {
        const open = settled.open || (storing && settled.log.length);
        const transform = `translate(${at.x} ${at.y})`;
        const chip = svg("g", { class: classes("chip", open && "open", useless && "useless"), transform }, group);
        box(chip, "", Math.max(measure(said, size) + 10, size + 8), size + (look === "grid" ? 3 : 6), 4);
        centred(chip, said, 0, size * 0.36, size);
      }
    });
  };
}
