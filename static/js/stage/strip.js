/**
 * The role of a dataflow process, in cells at its foot: the log of a source and how far it is read; the parts that the
 * coordinator has heard of and, below it, the logs that it writes; what has left the system below a sink; what an
 * operator does or still has to pass on; and if duplicates are removed, the ids that it knows and what it may send
 * again. Draws.
 */

import { say, svg } from "../svg.js";
import { fit, measure } from "./letters.js";
import { parted } from "./rows.js";

/** Between two cells. */
const AIR = 2;
/** Cells narrower than this in total have no word before them. */
const WORDY = 80;
/** How much slimmer digits are than texts are estimated. */
const SLIM = 0.86;
/** How much smaller the line of a log may be written, so that it is not shortened. */
const SMALLEST = 0.7;

/**
 * @param {SVGElement} parent @param {string} name @param {import("../run/scene.js").Scene["base"]} base @param {Object} words
 */
export function strip(parent, name, base, words) {
  const role = base.roles?.[name] ?? null;
  const does = role?.does ? words.word(`player.stage.does.${role.does}${role.keyed ? ".keyed" : ""}`) : name;
  const sources = base.names.filter((one) => base.roles?.[one]?.role === "source");
  const group = svg("g", { class: `strip ${role?.role ?? ""}`, "aria-hidden": "true" }, parent);
  /** Where cells are in the process, and where durable content is below it: the upper left corner and the size. */
  let box = null;
  let below = null;
  let line = 0;
  let font = 11;

  /** @param {import("./plan.js").Feet} feet */
  function layout(feet) {
    group.signature = null;
    group.replaceChildren();
    box = feet.high ? feet.box : null;
    below = feet.low ? feet.below : null;
    ({ line, font } = feet);
  }

  /**
   * @param {import("../run/scene.js").Process} now @param {*[]} pending what it still has to pass on
   * @param {{acks: {name: string, how: string}[]}} about @param {{number: string, range: string, done: boolean}[]} logs
   */
  function draw(now, pending, about, logs) {
    if (!box) return;
    const offset = typeof now.state === "number" ? now.state : (now.state?.offset ?? 0);
    const signature = JSON.stringify([role.role === "source" ? offset : 0, pending, now.outside, about.acks, logs, now.keeps]);
    if (group.signature === signature) return;
    group.signature = signature;
    group.replaceChildren();
    const kept = keeping(now.keeps, pending);
    if (role.role === "source") log(offset, new Set(now.keeps?.unheard.map(([, , record]) => record)));
    else if (role.role === "sink") {
      if (kept.length && parted(now.state, role).main === "") cells(kept, now.keeps?.ids.length);
      ledger(now.outside ?? []);
    } else if (role.role === "coordinator") {
      heard(about.acks);
      if (role.logs) written(logs);
    } else if (kept.length) cells(kept, now.keeps?.ids.length);
    else if (does !== name) word(does);
  }

  /** The ids that it knows, what it may have to send again, and what it still has to pass on. */
  function keeping(keeps, pending) {
    const ids = keeps?.ids ?? [];
    const unheard = keeps?.unheard ?? [];
    return [
      ...ids.map((id) => ({ text: shortened(id), how: "known" })),
      ...unheard.map(([, payload]) => ({ text: words.readable(payload), how: "unheard" })),
      ...pending.map((one) => ({ text: words.readable(one), how: "pending" })),
    ];
  }

  /** With a single source, an id omits its name. */
  function shortened(id) {
    return sources.length === 1 && id.startsWith(`${sources[0]}.`) ? id.slice(sources[0].length + 1) : id;
  }

  /** The logs, line by line: what a batch reads, and a tick if it is committed. They outlive the coordinator. */
  function written(logs) {
    beyond();
    const size = Math.min(12.5, line - 3.5);
    const high = line - 2;
    const tick = high + 2;
    logs.forEach(({ number, range, done }, i) => {
      const y = below.y + i * line;
      const w = below.w - tick - AIR;
      const entry = svg("g", { class: "cell logged" }, group);
      svg("rect", { x: below.x, y, width: w, height: high, rx: 2 }, entry);
      const base_ = y + high / 2 + size * 0.36;
      say(svg("text", { class: "number", x: below.x + 4, y: base_, "font-size": size }, entry), number);
      const room = (w - 10 - measure(number, size)) / SLIM;
      const small = size * Math.max(SMALLEST, Math.min(1, room / measure(range, size)));
      say(svg("text", { x: below.x + w - 3, y: base_, "font-size": small, "text-anchor": "end" }, entry), fit(range, small, room));
      const commit = svg("g", { class: `cell ${done ? "committed" : "uncommitted"}` }, group);
      const x = below.x + w + AIR;
      svg("rect", { x, y, width: tick, height: high, rx: 2 }, commit);
      if (done) svg("path", { d: `M${x + tick / 2 - 3} ${y + high / 2}l2.2 2.6l4 -5` }, commit);
    });
  }

  /** The items of a source: those read are grey, outlined while they may be sent again; a bar is before the next. */
  function log(offset, unheard) {
    const how = (i) => (unheard.has(`${name}.${i + 1}`) ? "read unheard" : i < offset ? "read" : "unread");
    const all = role.log.map((one, i) => ({ text: words.readable(one), how: how(i) }));
    if (role.ends) all.push({ text: "■", how: offset > role.log.length ? "read" : "unread" });
    const wide = all.map(width);
    // As many as fit, including the last one read.
    let first = Math.max(0, Math.min(offset - 1, all.length - 1));
    let last = first;
    let room = box.w - 2 * font - (wide[first] ?? 0);
    while (last + 1 < all.length && wide[last + 1] + AIR <= room) room -= wide[(last += 1)] + AIR;
    while (first > 0 && wide[first - 1] + AIR <= room) room -= wide[(first -= 1)] + AIR;
    const shown = all.slice(first, last + 1);
    const total = wide.slice(first, last + 1).reduce((sum, w) => sum + w + AIR, -AIR);
    let x = box.x + (box.w - total) / 2;
    if (first > 0) dots(x - 2, "end");
    if (last + 1 < all.length) dots(x + total + 2, "start");
    shown.forEach((one, i) => {
      if (first + i === offset) bar(x - AIR / 2);
      cell(one, x, wide[first + i]);
      x += wide[first + i] + AIR;
    });
    if (last + 1 === all.length && offset >= all.length) bar(x - AIR / 2);
  }

  /** What has left the system is below the sink, beyond a line; duplicates are marked. */
  function ledger(outside) {
    beyond();
    const seen = new Set();
    const all = outside.map(([record, id]) => {
      const twice = seen.has(id);
      seen.add(id);
      return { text: words.readable(record), how: twice ? "twice" : "out" };
    });
    cells(all, 0, below);
  }

  /** The line between a process and what is outside it. */
  function beyond() {
    svg("path", { class: "beyond", d: `M${box.x - 5} ${below.y - 0.5}H${box.x + box.w + 5}` }, group);
  }

  /** The processes whose parts the coordinator knows to be stored. */
  function heard(acks) {
    if (!acks.length) return;
    const w = Math.min(14, (box.w - AIR * (acks.length - 1)) / acks.length);
    if (w < 7) {
      word(`✓ ${acks.filter(({ how }) => how === "stored").length}/${acks.length}`);
      return;
    }
    let x = box.x + (box.w - acks.length * (w + AIR) + AIR) / 2;
    for (const { how } of acks) {
      const shape = svg("g", { class: `ack ${how}` }, group);
      svg("rect", { x, y: box.y + 2, width: w, height: box.h - 3, rx: 2 }, shape);
      const [cx, cy] = [x + w / 2, box.y + 0.5 + box.h / 2];
      if (how === "stored") svg("path", { d: `M${cx - 3} ${cy}l2.2 2.6l4 -5` }, shape);
      if (how === "lost") svg("path", { d: `M${cx - 2.6} ${cy - 2.6}l5.2 5.2m0 -5.2l-5.2 5.2` }, shape);
      x += w + AIR;
    }
  }

  /** The last cells, side by side; before them the number of omitted ones, or a word that they are ids. */
  function cells(all, ids = 0, place = box) {
    const wide = all.map(width);
    let first = all.length;
    const called = ids && place.w > WORDY ? words.word("player.stage.ids") : "";
    let room = place.w - (called ? measure(called, font) + 4 : 0);
    while (first > 0 && wide[first - 1] + AIR <= room - (first > 1 ? 18 : 0)) room -= wide[(first -= 1)] + AIR;
    const hidden = first === all.length && all.length ? all.length - 1 : first;
    const shown = all.slice(hidden).map((one, i) => ({ ...one, w: Math.min(wide[hidden + i], place.w - 20) }));
    const before = [called, hidden ? `+${hidden}` : ""].filter(Boolean).join(" ");
    const total = shown.reduce((sum, one) => sum + one.w + AIR, -AIR) + (before ? measure(before, font) + 4 : 0);
    let x = place.x + (place.w - total) / 2;
    if (before) {
      say(svg("text", { class: "hidden", x, y: baseline(place), "font-size": font }, group), before);
      x += measure(before, font) + 4;
    }
    for (const one of shown) {
      cell(one, x, one.w, place);
      x += one.w + AIR;
    }
  }

  function cell({ text, how }, x, w, place = box) {
    const shape = svg("g", { class: `cell ${how}` }, group);
    const round = how === "pending" || how === "unheard";
    svg("rect", { x, y: place.y + 1, width: w, height: place.h - 1, rx: round ? (place.h - 1) / 2 : 2 }, shape);
    say(svg("text", { x: x + w / 2, y: baseline(place), "font-size": font, "text-anchor": "middle" }, shape), fit(text, font, w - 3));
  }

  function bar(x) {
    svg("path", { class: "offset", d: `M${x} ${box.y - 1}V${box.y + box.h + 2}` }, group);
  }

  function dots(x, anchor) {
    say(svg("text", { class: "hidden", x, y: baseline(), "font-size": font, "text-anchor": anchor }, group), "…");
  }

  function word(text) {
    say(svg("text", { class: "does", x: box.x + box.w / 2, y: baseline(), "font-size": font, "text-anchor": "middle" }, group), fit(text, font, box.w));
  }

  function baseline(place = box) {
    return place.y + place.h / 2 + font * 0.36 + 0.5;
  }

  function width({ text }) {
    return Math.max(font + 2, Math.min(44, measure(text, font) + 6));
  }

  return { layout, draw };
}
