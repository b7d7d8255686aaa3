/**
 * What a process of a dataflow is for, in cells at its foot: the log of a source and how far it is read, whom the
 * coordinator has heard of, what has left the system below a sink, what an operator does or still has to pass on. Draws.
 */

import { say, svg } from "../svg.js";
import { fit, measure } from "./letters.js";

/** Between two cells. */
const AIR = 2;

/**
 * @param {SVGElement} parent @param {string} name @param {import("../run/scene.js").Scene["base"]} base @param {Object} words
 */
export function strip(parent, name, base, words) {
  const role = base.roles?.[name] ?? null;
  const does = role?.does ? words.word(`player.stage.does.${role.does}${role.keyed ? ".keyed" : ""}`) : name;
  const group = svg("g", { class: `strip ${role?.role ?? ""}`, "aria-hidden": "true" }, parent);
  let box = null;
  let font = 11;

  /** @param {import("./plan.js").Plan} plan @param {import("./plan.js").Box} node */
  function layout(plan, node) {
    group.signature = null;
    group.replaceChildren();
    const high = plan.foot ?? 0;
    // Inside a process the cells keep away from its lower edge; below a sink, from the sink.
    const down = role?.role === "sink" ? 4 : 0;
    box = role && high ? { x: -node.w / 2 + 5, y: node.h / 2 - high + down, w: node.w - 10, h: high - 4 } : null;
    font = Math.min(12, Math.max(9, high - 10));
  }

  /**
   * @param {import("../run/scene.js").Process} now @param {*[]} pending what it still has to pass on
   * @param {{acks: {name: string, how: string}[]}} about
   */
  function draw(now, pending, about) {
    if (!box) return;
    const offset = typeof now.state === "number" ? now.state : (now.state?.offset ?? 0);
    const signature = JSON.stringify([role.role === "source" ? offset : 0, pending, now.outside, about.acks]);
    if (group.signature === signature) return;
    group.signature = signature;
    group.replaceChildren();
    if (role.role === "source") log(offset);
    else if (role.role === "sink") ledger(now.outside ?? []);
    else if (role.role === "coordinator") heard(about.acks);
    else if (pending.length) cells(pending.map((one) => ({ text: words.readable(one), how: "pending" })));
    else if (does !== name) word(does);
  }

  /** The records of a source: those read are grey, and a bar stands before the next one. */
  function log(offset) {
    const all = role.log.map((one, i) => ({ text: words.readable(one), how: i < offset ? "read" : "unread" }));
    if (role.ends) all.push({ text: "■", how: offset > role.log.length ? "read" : "unread" });
    const wide = all.map(width);
    // As many as fit, with the last that was read among them.
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

  /** What has left the system stands below the sink, beyond a line; what is there twice is marked. */
  function ledger(outside) {
    svg("path", { class: "beyond", d: `M${box.x - 5} ${box.y - 0.5}H${box.x + box.w + 5}` }, group);
    const seen = new Set();
    const all = outside.map(([record, id]) => {
      const twice = seen.has(id);
      seen.add(id);
      return { text: words.readable(record), how: twice ? "twice" : "out" };
    });
    cells(all);
  }

  /** Whose parts the coordinator knows to be stored. */
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

  /** Cells side by side, the last ones; how many are left out stands before them. */
  function cells(all) {
    const wide = all.map(width);
    let first = all.length;
    let room = box.w;
    while (first > 0 && wide[first - 1] + AIR <= room - (first > 1 ? 18 : 0)) room -= wide[(first -= 1)] + AIR;
    const hidden = first === all.length && all.length ? all.length - 1 : first;
    const shown = all.slice(hidden).map((one, i) => ({ ...one, w: Math.min(wide[hidden + i], box.w - 20) }));
    const before = hidden ? `+${hidden}` : "";
    const total = shown.reduce((sum, one) => sum + one.w + AIR, -AIR) + (before ? measure(before, font) + 4 : 0);
    let x = box.x + (box.w - total) / 2;
    if (before) {
      say(svg("text", { class: "hidden", x, y: baseline(), "font-size": font }, group), before);
      x += measure(before, font) + 4;
    }
    for (const one of shown) {
      cell(one, x, one.w);
      x += one.w + AIR;
    }
  }

  function cell({ text, how }, x, w) {
    const shape = svg("g", { class: `cell ${how}` }, group);
    svg("rect", { x, y: box.y + 1, width: w, height: box.h - 1, rx: how === "pending" ? (box.h - 1) / 2 : 2 }, shape);
    say(svg("text", { x: x + w / 2, y: baseline(), "font-size": font, "text-anchor": "middle" }, shape), fit(text, font, w - 3));
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

  function baseline() {
    return box.y + box.h / 2 + font * 0.36 + 0.5;
  }

  function width({ text }) {
    return Math.max(font + 2, Math.min(44, measure(text, font) + 6));
  }

  return { layout, draw };
}
