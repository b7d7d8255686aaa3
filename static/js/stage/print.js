/** What is recorded of a channel, on its tray. Draws. */

import { svg } from "../svg.js";
import { face } from "./coin.js";
import { brief, faultMark } from "./faults.js";
import { SHOWN } from "./labels.js";
import { fit, measure } from "./letters.js";
import { box, centred, classes, hued, moved, redraw } from "./shapes.js";

/** @import { Channel, Queue, Recording, Setting, TubeView } from "./types.js" */

/** A badge that is no farther from its tray than this needs no line to it. */
const NEAR = 4;

/**
 * @typedef {NonNullable<import("./types.js").Track["badge"]>} Slot
 * @typedef {(settled: Recording | null, view: TubeView, state: string, hue: number) => void} Draw the content, apart from what is on
 * its way there
 */

/**
 * A badge: ∅, the recorded messages or their number; or what is wrong with them.
 * @param {Channel} channel @param {Setting} setting @returns {Draw}
 */
export function badge(channel, setting) {
  const { look, font, words, base } = setting;
  const track = setting.tracks[channel.i];
  const group = svg("g", { class: "print" }, setting.layers.prints);
  const size = look === "grid" ? 8 : Math.max(font, 11);

  /** The content, if anything can be said of it yet. @param {Recording | null} settled @param {number} most */
  function content(settled, most) {
    if (!settled || (settled.open && !settled.log.length)) return "";
    if (settled.log.length) return listed(settled.log, Math.min(most, Math.max(54, size * 3.8)));
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
    const cut = log.length === 1 ? fit(all, size, most) : "…";
    return cut === "…" ? `×${log.length}` : cut;
  }

  /** What is wrong. @param {Slot} slot @param {import("./types.js").Fault} fault */
  function wrong(slot, fault) {
    const most = slot.w - 8;
    const cut = brief(fault, size, most - 16, channel, words);
    const text = most > 24 && !cut.startsWith("…") ? cut : "";
    const w = text ? measure(text, size) + Math.max(24, 17 + size / 2) : size + 10;
    const at = beside(slot, w, size + 6);
    faultMark(group, { kind: fault.kind, text, size, w }, at.x, at.y, size + 6);
  }

  /** What is recorded; one token is a coin. @param {Slot} slot @param {string} said @param {boolean} coin
   * @param {string} how */
  function chip(slot, said, coin, how) {
    const h = size + (look === "grid" ? 3 : 6);
    const w = coin ? h : Math.max(measure(said, size) + 10, size + 8);
    const at = beside(slot, w, h);
    const shape = svg("g", { class: how, transform: moved(at) }, group);
    if (slot.gap > NEAR && look !== "grid") {
      const [x, y] = [slot.x - slot.nx * slot.gap - at.x, slot.y - slot.ny * slot.gap - at.y];
      svg("path", { class: "leader", d: `M0 0L${x.toFixed(1)} ${y.toFixed(1)}` }, shape);
    }
    box(shape, "", w, h, coin ? h / 2 : 4);
    if (coin) face(shape, 0, 0, h / 2, setting);
    else centred(shape, said, 0, size * 0.36, size);
  }

  return (settled, view, state, hue) => {
    const slot = track.badge;
    const [first] = view.faults;
    const said = slot ? content(settled, slot.w - 8) : "";
    const { useless, storing } = view;
    const fault = first && [first.kind, first.message?.id];
    redraw(group, [useless, storing, said, said && hue, state, settled?.open, fault], () => {
      if (!slot) return;
      if (first) wrong(slot, first);
      else if (said && settled) {
        const open = settled.open || (storing && settled.log.length);
        const coin = base.tokens && look !== "grid" && settled.log.length === 1;
        chip(slot, said, coin, classes("chip", open && "open", useless && "useless", hued(hue)));
      }
    });
  };
}

/**
 * The middle of a box of that size that touches the edge of a badge's place.
 * @param {Slot} place @param {number} w @param {number} h
 */
export function beside({ x, y, nx, ny }, w, h) {
  const away = (Math.abs(nx) * w + Math.abs(ny) * h) / 2;
  return { x: x + nx * away, y: y + ny * away };
}
