/** One process: live, with its state and its role, and the recorded copy beside it. Draws. */

import { say, set, svg } from "../svg.js";
import { copy } from "./copy.js";
import { holdings } from "./holdings.js";
import { fit, measure } from "./letters.js";
import { parted, rows } from "./rows.js";
import { strip } from "./strip.js";

/** The size of names in a grid. */
const FONT = 11;

/**
 * @param {Object} layers @param {string} name @param {number} i @param {Object} base of the scenes @param {Object} words
 */
export function process(layers, name, i, base, words) {
  const role = base.roles?.[name] ?? null;
  const kept = copy(layers, name, i, words, role);
  const group = svg("g", { class: "node", role: "button", tabindex: "0", "aria-haspopup": "menu", "data-process": name }, layers.nodes);
  const title = svg("title", {}, group);
  const ring = svg("rect", { class: "ring" }, group);
  const box = svg("rect", { class: "box" }, group);
  const inside = svg("g", { class: "inside" }, group);
  const foot = strip(group, name, base, words);
  const others = svg("g", { class: "others" }, group);
  const condition = svg("g", { class: "condition", "aria-hidden": "true" }, group);
  let plan = null;
  let feet = null;
  let last = {};

  function layout(next) {
    plan = next;
    last = {};
    const node = plan.nodes[i];
    set(group, "transform", `translate(${node.x.toFixed(1)} ${node.y.toFixed(1)})`);
    const round = plan.look === "row" ? 14 : plan.look === "grid" ? 5 : 10;
    feet = plan.feet[i];
    const { low, high } = feet;
    size(box, node.w, node.h - low, round, low);
    const away = plan.look === "grid" ? 7 : plan.look === "wires" ? 9 : 12;
    size(ring, node.w + away, node.h + away - low, round + away / 2, low);
    set(inside, "transform", high ? `translate(0 ${-high / 2})` : null);
    foot.layout(feet);
    kept.layout(plan);
    inside.signature = others.signature = condition.signature = null;
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
    const key = [about.snapshot, about.hue, acts, changed, others_.join(), about.region, about.back, about.stuck, JSON.stringify(about.acks)].join();
    if (!moving && !last.moving && last.now === now && last.has === has && last.key === key) return;
    last = { now, has, key, moving };
    const middle = moving && fraction < 0.5 && was !== now ? was : now;
    const { main, pending, logs } = parted(middle.state, role);
    const back = about.back && (!moving || fraction >= 0.6) ? ` ${about.back}` : "";
    state(main, changed && middle === now && !back);
    foot.draw(middle, pending, about, logs);
    set(ring, "visibility", acts ? "visible" : "hidden");
    set(group, "class", `node ${now.life}${acts ? " acts" : ""}${has ? ` has-copy ${has.standing}` : ""}${now.paused ? " paused" : ""}${about.stuck ? " stuck" : ""}${back}`);
    const how = now.life !== "member" ? now.life : about.stuck ? "stuck" : now.paused ? "paused" : pending.length ? "busy" : "";
    conditioned(how);
    kept.draw(had, has, fraction, phase, about);
    marks(others_);
    const shown = [...holdings(now, role, words)].join(". ");
    const spokenState = (text) => text || words.word("player.stage.process.none");
    const spoken = has
      ? words.word("player.stage.process.recorded", { process: name, state: spokenState(shown), snapshot: about.snapshot, recorded: spokenState(words.readable(has.state)) })
      : words.word("player.stage.process", { process: name, state: spokenState(shown) });
    const told = how ? words.word(`player.stage.life.${how}`) : "";
    set(group, "aria-label", told ? `${told}. ${spoken}` : spoken);
    say(title, `${name}: ${shown}${told ? ` (${told})` : ""}${has ? `\n${words.word("player.stage.recorded", { process: `#${about.snapshot}` })}: ${words.readable(has.state)}` : ""}\n${words.word("player.stage.opens")}`);
  }

  /** Whether it is paused, leaving, or gone: a word on its edge, bars, or a cross. */
  function conditioned(how) {
    if (condition.signature === how) return;
    condition.signature = how;
    condition.replaceChildren();
    if (!how) return;
    const node = plan.nodes[i];
    if (how === "crashed" || how === "down") {
      const [x, y] = [node.w / 2 - 4, node.h / 2 - 4];
      const bottom = y - feet.high;
      svg("path", { class: "out", d: `M${-x} ${-y}L${x} ${bottom}M${x} ${-y}L${-x} ${bottom}` }, condition);
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
    const whole = plan.nodes[i];
    const node = { ...whole, h: whole.h - feet.high };
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
    // A state may outgrow the room of the first one.
    const most = Math.max(1, Math.min(plan.rows, Math.floor((node.h - 40) / 24)));
    const shown = table.slice(0, table.length > most ? most - 1 : most);
    const old = new Map(rows(before ?? null) ?? []);
    const left = -Math.min(node.w / 2 - 16, 52);
    const right = -left;
    shown.forEach(([key, item], at) => {
      const y = top + 55 + at * 24;
      if (changed && old.size && old.get(key) !== item) highlight(0, y - 5, right - left + 16, 22);
      const text = fit(words.readable(item), 15, 70);
      write(fit(words.named(key, value).name, 15, right - left - measure(text, 15) - 8), left, y, 15, "key");
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
      write(fit(words.named(key, value).name, 13, node.w - 24 - measure(text, 13)), -node.w / 2 + 10, y, 13, "key");
      write(text, node.w / 2 - 10, y, 13, "value end");
    });
  }

  function write(text, x, y, font, className) {
    say(svg("text", { x, y, "font-size": font, class: className }, inside), text);
  }

  function highlight(x, y, w, h) {
    svg("rect", { class: "changed", x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 5 }, inside);
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
    shown.forEach(({ id, hue, how }, at) => {
      const x = node.w / 2 - 8 - (shown.length - 1 - at) * 26;
      // In a small node they leave room for its name.
      const y = -node.h / 2 - (plan.look === "wires" ? 4 : 0);
      const corner = svg("g", { class: `corner hue${hue} ${how}`, transform: `translate(${x} ${y})` }, others);
      svg("rect", { x: -12, y: -8, width: 24, height: 16, rx: 4 }, corner);
      say(svg("text", { y: 4, "font-size": 11, "text-anchor": "middle" }, corner), `#${id}`);
    });
  }

  return { layout, draw };
}

/** A box around 0, 0, or `low` less far down. */
function size(rect, w, h, round, low = 0) {
  set(rect, "x", -w / 2);
  set(rect, "y", -(h + low) / 2);
  set(rect, "width", w);
  set(rect, "height", h);
  set(rect, "rx", round);
}
