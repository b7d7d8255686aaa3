/**
 * The role of a dataflow process, in cells at its foot: the log of a source and how far it is read; the parts that the
 * coordinator has heard of and, below it, the logs that it writes; what has left the system below a sink; what an
 * operator does or still has to pass on; and if duplicates are removed, the ids that it knows and what it may send
 * again. Draws.
 */

import { svg } from "../svg.js";
import { AIR, lastCells, readCells, word } from "./cells.js";
import { task } from "./holdings.js";
import { fit, measure } from "./letters.js";
import { parted } from "./rows.js";
import { classes, redraw, text } from "./shapes.js";

/** @import { Ack, Batch, Cell, Feet, Ground, Process, Role, Setting, Words } from "./types.js" */

/**
 * @typedef {(now: Process, pending: any[], logs: Batch[], acks: Ack[]) => void} Draw `pending`: what it still has to
 * pass on
 */

/** Cells narrower than this in total have no word before them. */
const WORDY = 80;
/** How much slimmer digits are than texts are estimated. */
const SLIM = 0.86;
/** How much smaller the line of a log may be written, so that it is not shortened. */
const SMALLEST = 0.7;
/** So much smaller it is at most in a lecture. */
const CLOSE = 0.96;

/**
 * @param {SVGGElement} parent @param {string} name of the process @param {Feet} feet @param {Setting} setting
 * @returns {Draw}
 */
export function foot(parent, name, feet, setting) {
  const { base, words } = setting;
  const role = base.roles?.[name];
  const group = svg("g", { class: classes("strip", role?.role), "aria-hidden": "true" }, parent);
  const ground = { group, place: feet.box, font: feet.font };
  const sources = base.names.filter((one) => base.roles?.[one]?.role === "source");
  // With a single source, an id omits its name.
  const only = sources.length === 1 ? `${sources[0]}.` : "";
  const does = task(role, words);
  if (!role || !feet.high) return () => {};

  return (now, pending, logs, acks) => {
    const offset = typeof now.state === "number" ? now.state : (now.state?.offset ?? 0);
    const own = role.role === "source" ? offset : 0;
    redraw(group, [own, pending, now.outside, acks, logs, now.keeps], () => {
      if (role.role === "source") readCells(ground, items(role, name, offset, now, words), offset);
      else if (role.role === "coordinator") {
        heard(ground, acks);
        if (role.logs) written(ground, feet, logs, Math.max(setting.least, (CLOSE * setting.loud) / setting.larger));
      } else work(now, pending);
    });
  };

  /** @param {Process} now @param {any[]} pending */
  function work(now, pending) {
    const cells = keeping(now, pending);
    const sink = role?.role === "sink";
    const shown = cells.length > 0 && (!sink || parted(now.state, role).main === "");
    const heading = now.keeps?.ids.length && feet.box.w > WORDY ? words.word("player.stage.ids") : "";
    if (shown) lastCells(ground, cells, heading);
    else if (!sink && does && does !== name) word(ground, does);
    if (sink) left(ground, feet, now.outside ?? [], words);
  }

  /**
   * The ids that it knows, what it may have to send again, and what it still has to pass on.
   * @param {Process} now @param {any[]} pending @returns {Cell[]}
   */
  function keeping({ keeps }, pending) {
    const { ids, unheard } = keeps ?? { ids: [], unheard: [] };
    return [
      ...ids.map((id) => ({ text: only && id.startsWith(only) ? id.slice(only.length) : id, how: "known" })),
      ...unheard.map(([, payload]) => ({ text: words.readable(payload), how: "unheard" })),
      ...pending.map((one) => ({ text: words.readable(one), how: "pending" })),
    ];
  }
}

/**
 * The items of a source: those read are grey, outlined while they may be sent again.
 * @param {Role} role @param {string} name @param {number} offset @param {Process} now @param {Words} words
 * @returns {Cell[]}
 */
function items({ log = [], ends }, name, offset, now, words) {
  const unheard = new Set(now.keeps?.unheard.map(([, , record]) => record));
  const how = (/** @type {number} */ i) => (i < offset ? "read" : "unread");
  const all = log.map((one, i) => ({
    text: words.readable(one),
    how: unheard.has(`${name}.${i + 1}`) ? "read unheard" : how(i),
  }));
  return ends ? [...all, { text: "■", how: how(log.length) }] : all;
}

/** The line between a process and what is outside it. @param {Ground} ground @param {Feet} feet */
function beyond({ group, place }, { below }) {
  svg("path", { class: "beyond", d: `M${place.x - 5} ${below.y - 0.5}H${place.x + place.w + 5}` }, group);
}

/**
 * What has left the system is below the sink; duplicates are marked.
 * @param {Ground} ground @param {Feet} feet @param {[any, string][]} outside @param {Words} words
 */
function left(ground, feet, outside, words) {
  beyond(ground, feet);
  const first = new Map(outside.map(([, id], i) => /** @type {const} */ ([id, i])).reverse());
  const all = outside.map(([record, id], i) => ({
    text: words.readable(record),
    how: first.get(id) === i ? "out" : "twice",
  }));
  lastCells({ ...ground, place: feet.below }, all);
}

/**
 * The logs, line by line: what a batch reads, and a tick if it is committed. They outlive the coordinator.
 * @param {Ground} ground @param {Feet} feet @param {Batch[]} logs @param {number} least the size of the smallest letters
 */
function written(ground, feet, logs, least) {
  beyond(ground, feet);
  const { line, below } = feet;
  const size = feet.font;
  const high = line - 2;
  const tick = high + 2;
  const w = below.w - tick - AIR;
  const x = below.x + w + AIR;
  logs.forEach(({ number, range, done }, i) => {
    const y = below.y + i * line;
    const base = y + high / 2 + size * 0.36;
    const entry = svg("g", { class: "cell logged" }, ground.group);
    svg("rect", { x: below.x, y, width: w, height: high, rx: 2 }, entry);
    text(entry, number, below.x + 4, base, size, { class: "number" });
    const room = (w - 14 - measure(number, size)) / SLIM;
    const small = Math.max(least, size * Math.max(SMALLEST, Math.min(1, room / measure(range, size))));
    text(entry, fit(range, small, room), below.x + w - 3, base, small, { "text-anchor": "end" });
    const commit = svg("g", { class: `cell ${done ? "committed" : "uncommitted"}` }, ground.group);
    svg("rect", { x, y, width: tick, height: high, rx: 2 }, commit);
    if (done) svg("path", { d: ticked(x + tick / 2, y + high / 2) }, commit);
  });
}

/** The processes whose parts the coordinator knows to be stored. @param {Ground} ground @param {Ack[]} acks */
function heard(ground, acks) {
  if (!acks.length) return;
  const { group, place } = ground;
  const w = Math.min(14, (place.w + AIR) / acks.length - AIR);
  if (w < 7) {
    word(ground, `✓ ${acks.filter(({ how }) => how === "stored").length}/${acks.length}`);
    return;
  }
  const start = place.x + (place.w - acks.length * (w + AIR) + AIR) / 2;
  acks.forEach(({ how }, i) => {
    const x = start + i * (w + AIR);
    const shape = svg("g", { class: `ack ${how}` }, group);
    svg("rect", { x, y: place.y + 2, width: w, height: place.h - 3, rx: 2 }, shape);
    const [cx, cy] = [x + w / 2, place.y + 0.5 + place.h / 2];
    if (how === "stored") svg("path", { d: ticked(cx, cy) }, shape);
    if (how === "lost") svg("path", { d: `M${cx - 2.6} ${cy - 2.6}l5.2 5.2m0 -5.2l-5.2 5.2` }, shape);
  });
}

/** The path of a tick. @param {number} x @param {number} y */
function ticked(x, y) {
  return `M${x - 3} ${y}l2.2 2.6l4 -5`;
}
