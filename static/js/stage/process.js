/** One process: live, with its state, and below it the recorded copy that no longer changes. Draws. */

import { say, set, svg } from "../svg.js";
import { FONT } from "./geometry-grid.js";
import { fit, measure } from "./letters.js";
import { during } from "./motion.js";

/** Rows of a state as [name, value]; a state that is no mapping has no names. */
export function rows(state) {
  return state !== null && typeof state === "object" && !Array.isArray(state) ? Object.entries(state) : null;
}

/**
 * @param {Object} layers @param {string} name @param {number} i @param {Object} words
 */
export function process(layers, name, i, words) {
  const thread = svg("path", { class: "thread" }, layers.cards);
  const card = svg("g", { class: "card", "aria-hidden": "true" }, layers.cards);
  const group = svg("g", { class: "node", role: "button", tabindex: "0", "aria-haspopup": "menu", "data-process": name }, layers.nodes);
  const title = svg("title", {}, group);
  const ring = svg("rect", { class: "ring" }, group);
  const box = svg("rect", { class: "box" }, group);
  const inside = svg("g", { class: "inside" }, group);
  const others = svg("g", { class: "others" }, group);
  const condition = svg("g", { class: "condition", "aria-hidden": "true" }, group);
  let plan = null;
  let last = {};

  function layout(next) {
    plan = next;
    last = {};
    const node = plan.nodes[i];
    set(group, "transform", `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`);
    const round = plan.look === "row" ? 14 : plan.look === "grid" ? 5 : 10;
    size(box, node.w, node.h, round);
    const away = plan.look === "grid" ? 7 : plan.look === "wires" ? 9 : 12;
    size(ring, node.w + away, node.h + away, round + away / 2);
    inside.signature = card.signature = others.signature = condition.signature = null;
    set(ring, "visibility", "hidden");
  }

  /**
   * @param {import("../run/scene.js").Process} was @param {import("../run/scene.js").Process} now
   * @param {Object|null} had @param {Object|null} has what is recorded, before and after
   */
  function draw(was, now, had, has, others_, fraction, phase, about) {
    const moving = (was !== now || had !== has) && fraction < 1;
    const acts = about.actor === name;
    const changed = about.changed.has(name);
    const key = [about.snapshot, about.hue, acts, changed, others_.join(), about.region].join();
    if (!moving && !last.moving && last.now === now && last.has === has && last.key === key) return;
    last = { now, has, key, moving };
    const middle = moving && fraction < 0.5 && was !== now ? was : now;
    state(middle.state, changed && middle === now);
    set(ring, "visibility", acts ? "visible" : "hidden");
    set(group, "class", `node ${now.life}${acts ? " acts" : ""}${has ? " has-copy" : ""}${now.paused ? " paused" : ""}`);
    const how = now.life === "member" ? (now.paused ? "paused" : "") : now.life;
    conditioned(how);
    copy(had, has, fraction, phase, about);
    marks(others_);
    const shown = words.readable(now.state);
    const spoken = has
      ? words.word("player.stage.process.recorded", { process: name, state: shown, snapshot: about.snapshot, recorded: words.readable(has.state) })
      : words.word("player.stage.process", { process: name, state: shown });
    const told = how ? words.word(`player.stage.life.${how}`) : "";
    set(group, "aria-label", told ? `${told}. ${spoken}` : spoken);
    say(title, `${name}: ${shown}${told ? ` (${told})` : ""}${has ? `\n${words.word("player.stage.recorded", { process: `#${about.snapshot}` })}: ${words.readable(has.state)}` : ""}\n${words.word("player.stage.opens")}`);
  }

  /** Whether it is held up, goes, or has gone: a word on its edge, bars, or what crosses it out. */
  function conditioned(how) {
    if (condition.signature === how) return;
    condition.signature = how;
    condition.replaceChildren();
    if (!how) return;
    const node = plan.nodes[i];
    if (how === "crashed") {
      const [x, y] = [node.w / 2 - 4, node.h / 2 - 4];
      svg("path", { class: "out", d: `M${-x} ${-y}L${x} ${y}M${x} ${-y}L${-x} ${y}` }, condition);
    }
    if (plan.look === "grid") return;
    const word = words.word(`player.stage.life.${how}.short`);
    const font = plan.rows ? 11 : 10;
    const bars = how === "paused" ? 12 : 0;
    const room = node.w - 12;
    const text = measure(word, font) + bars + (bars ? 14 : 10) <= room ? word : bars ? "" : fit(word, font, room - 10);
    const w = text ? measure(text, font) + bars + (bars ? 14 : 10) : 20;
    const sign = svg("g", { class: `sign ${how}`, transform: `translate(${6 - node.w / 2} ${-node.h / 2})` }, condition);
    svg("rect", { y: -8, width: w, height: 16, rx: 4 }, sign);
    if (bars) svg("path", { class: "bars", d: "M7 -4v8M11 -4v8" }, sign);
    if (text) say(svg("text", { x: bars + 5 + (bars ? 3 : 0), y: 4, "font-size": font }, sign), text);
  }

  function state(value, changed) {
    const signature = `${JSON.stringify(value)}${changed}`;
    if (inside.signature === signature) return;
    const before = inside.value;
    inside.signature = signature;
    inside.value = value;
    inside.replaceChildren();
    const node = plan.nodes[i];
    if (plan.look === "grid") {
      if (changed) svg("rect", { class: "changed", x: -node.w / 2 + 3, y: node.h / 2 - 4, width: node.w - 6, height: 2 }, inside);
      write(fit(name, FONT, node.w - 3), 0, FONT * 0.36, FONT, "name middle");
      return;
    }
    const table = rows(value);
    if (plan.look === "row") tall(node, table, value, before, changed);
    else if (!plan.rows) stacked(node, value, changed);
    else flat(node, table, value, before, changed);
  }

  function tall(node, table, value, before, changed) {
    const top = -node.h / 2;
    write(fit(name, 18, node.w - 16), 0, top + 27, 18, "name middle");
    if (!table) {
      const text = value === null ? "" : words.readable(value);
      const size_ = Math.min(30, (30 * (node.w - 24)) / Math.max(1, measure(text, 30)));
      const fits = fit(text, Math.max(size_, 12), node.w - 16);
      if (changed && text) highlight(0, node.h / 2 - 32, Math.min(measure(fits, size_) + 20, node.w - 12), 38);
      write(fits, 0, node.h / 2 - 21, Math.max(size_, 12), "value middle");
      return;
    }
    // A state may have grown beyond the room that the first one asked for.
    const most = Math.max(1, Math.min(plan.rows, Math.floor((node.h - 40) / 24)));
    const shown = table.slice(0, table.length > most ? most - 1 : most);
    const old = new Map(rows(before ?? null) ?? []);
    const left = -Math.min(node.w / 2 - 16, 52);
    const right = -left;
    shown.forEach(([key, item], at) => {
      const y = top + 55 + at * 24;
      if (changed && old.size && old.get(key) !== item) highlight(0, y - 5, right - left + 16, 22);
      const text = fit(words.readable(item), 15, 70);
      write(fit(key, 15, right - left - measure(text, 15) - 8), left, y, 15, "key");
      write(text, right, y, 15, "value end");
    });
    if (shown.length < table.length) write(`+${table.length - shown.length}`, 0, top + 55 + shown.length * 24, 13, "key middle");
  }

  /** Many processes: the name, and the state in one line below it. */
  function stacked(node, value, changed) {
    const text = value === null ? "" : fit(words.readable(value), 13, node.w - 10);
    if (changed && text) highlight(0, 9, Math.min(measure(text, 13) + 12, node.w - 6), 18);
    write(fit(name, 13, node.w - 8), 0, text ? -4 : 4.5, 13, "name middle");
    if (text) write(text, 0, 13.5, 13, "value middle");
  }

  function flat(node, table, value, before, changed) {
    const size_ = 15;
    if (!table) {
      const text = value === null ? "" : fit(words.readable(value), 18, node.w - 14);
      if (changed && text) highlight(0, 11, Math.min(measure(text, 18) + 16, node.w - 8), 24);
      write(fit(name, size_, node.w - 12), 0, text ? -7 : 5, size_, "name middle");
      if (text) write(text, 0, 17, 18, "value middle");
      return;
    }
    const top = -node.h / 2;
    write(fit(name, size_, node.w - 12), 0, top + 18, size_, "name middle");
    const old = new Map(rows(before ?? null) ?? []);
    table.slice(0, Math.max(1, Math.min(plan.rows, Math.floor((node.h - 28) / 17)))).forEach(([key, item], at) => {
      const y = top + 37 + at * 17;
      if (changed && old.size && old.get(key) !== item) highlight(0, y - 4, node.w - 10, 16);
      const text = fit(words.readable(item), 13, node.w * 0.5);
      write(fit(key, 13, node.w - 24 - measure(text, 13)), -node.w / 2 + 10, y, 13, "key");
      write(text, node.w / 2 - 10, y, 13, "value end");
    });
  }

  function write(text, x, y, font, className) {
    say(svg("text", { x, y, "font-size": font, class: className }, inside), text);
  }

  function highlight(x, y, w, h) {
    svg("rect", { class: "changed", x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 5 }, inside);
  }

  /** The copy peels off the live process and comes to rest beside it, on its thread. */
  function copy(had, has, fraction, phase, about) {
    const part = has && had ? 1 : has ? during(fraction, phase.record) : had ? 1 - during(fraction, phase.record) : 0;
    const kept = has ?? had;
    // In a grid the box itself turns blue: a copy beside it would be in the way.
    const apart = part > 0 && plan.look !== "grid";
    set(card, "visibility", apart ? "visible" : "hidden");
    set(thread, "visibility", apart ? "visible" : "hidden");
    if (!apart) return;
    const node = plan.nodes[i];
    const goal = plan.cards[i];
    // It hangs above or below, or where the flow goes downwards, to the left.
    const beside = Math.abs(goal.x - node.x) > node.w / 2;
    const [side, far, own, room] = beside ? ["x", Math.sign(goal.x - node.x), node.w, goal.w] : ["y", goal.y < node.y ? -1 : 1, node.h, goal.h];
    const from = node[side] + far * Math.max(0, own / 2 - room / 2);
    const place = { x: goal.x, y: goal.y, [side]: from + (goal[side] - from) * part };
    set(card, "transform", `translate(${place.x.toFixed(1)} ${place.y.toFixed(1)})`);
    const edge = node[side] + (far * own) / 2;
    const near = place[side] - (far * room) / 2;
    set(thread, "d", beside ? `M${edge} ${goal.y}H${near}` : `M${goal.x} ${edge}V${near}`);
    content(kept, goal, about);
  }

  function content(kept, box_, about) {
    const signature = `${about.snapshot}|${about.hue}|${about.region}|${JSON.stringify(kept.state)}`;
    if (card.signature === signature) return;
    card.signature = signature;
    card.replaceChildren();
    const { w, h } = box_;
    const round = plan.look === "row" ? 10 : 6;
    svg("rect", { class: "sheet", x: -w / 2, y: -h / 2, width: w, height: h, rx: round }, card);
    if (about.hue === 2) svg("rect", { class: "double", x: -w / 2 + 3, y: -h / 2 + 3, width: w - 6, height: h - 6, rx: round - 2 }, card);
    if (plan.look === "row") {
      const head = words.word("player.stage.recorded", { process: name });
      const number = numbered(about);
      const shown = measure(head, 13) <= w - 62 ? head : fit(name, 13, w - 62);
      const long = 22 + measure(`${shown} ${number}`, 13) + 8;
      camera(-long / 2, -h / 2 + 10, 18);
      line(shown, -long / 2 + 24, -h / 2 + 24, 13, "start", 600);
      line(number, long / 2, -h / 2 + 24, 13, "end", 700);
      const table = rows(kept.state);
      if (!table) {
        line(fit(words.readable(kept.state), 20, w - 16), 0, h / 2 - 14, 20, "middle", 700);
        return;
      }
      const texts = wrap(table.map(([key, value]) => `${key}=${words.readable(value)}`), 15, w - 16, 3);
      const top = 36 + (h - 40 - texts.length * 20) / 2;
      texts.forEach((text, at) => line(text, 0, -h / 2 + top + 14 + at * 20, 15, "middle", 600));
      return;
    }
    camera(-w / 2 + 6, -8, 15);
    const number = plan.rows ? numbered(about) : about.region;
    line(number, -w / 2 + 26, 4.5, 12, "start", 700);
    const room = w - 26 - measure(number, 12) - (number ? 16 : 8);
    line(fit(words.readable(kept.state), 12, room), w / 2 - 8, 4.5, 12, "end", 600);
  }

  /** The number of the snapshot, and the master of the region where there are regions. */
  function numbered({ snapshot, region }) {
    return region ? `#${snapshot} ${region}` : `#${snapshot}`;
  }

  function line(text, x, y, font, anchor, weight) {
    say(svg("text", { x, y, "font-size": font, "text-anchor": anchor, "font-weight": weight }, card), text);
  }

  function camera(x, y, size_) {
    svg("use", { href: "#icon-camera", x, y, width: size_, height: size_ }, card);
  }

  /** The other snapshots for which the process has recorded: a small numbered corner each. */
  function marks(numbers) {
    const signature = numbers.join();
    if (others.signature === signature) return;
    others.signature = signature;
    others.replaceChildren();
    if (plan.look === "grid") return;
    const node = plan.nodes[i];
    const shown = numbers.slice(-Math.min(3, Math.floor((node.w - 4) / 26)));
    shown.forEach(({ id, hue }, at) => {
      const x = node.w / 2 - 8 - (shown.length - 1 - at) * 26;
      const corner = svg("g", { class: `corner hue${hue}`, transform: `translate(${x} ${-node.h / 2})` }, others);
      svg("rect", { x: -12, y: -8, width: 24, height: 16, rx: 4 }, corner);
      say(svg("text", { y: 4, "font-size": 11, "text-anchor": "middle" }, corner), `#${id}`);
    });
  }

  return { layout, draw };
}

/** Words set into lines no wider than `width`; what does not fit into `most` lines is cut. */
function wrap(parts, size_, width, most) {
  const lines = [];
  let line = "";
  for (const part of parts) {
    const next = line ? `${line}  ${part}` : part;
    if (measure(next, size_) <= width || !line) line = next;
    else {
      lines.push(line);
      line = part;
    }
  }
  if (line) lines.push(line);
  const shown = lines.slice(0, most).map((text) => fit(text, size_, width));
  if (lines.length > most) shown[most - 1] = fit(`${shown[most - 1]} …`, size_, width);
  return shown;
}

function size(rect, w, h, round) {
  set(rect, "x", -w / 2);
  set(rect, "y", -h / 2);
  set(rect, "width", w);
  set(rect, "height", h);
  set(rect, "rx", round);
}
