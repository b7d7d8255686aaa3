/**
 * The recorded state of a process: a copy that hangs on a thread beside it and no longer changes. While it is being
 * stored it is an outline; if unusable, it is struck out; and when the system rolls back, it moves back in. Draws.
 */

import { say, set, svg } from "../svg.js";
import { fit, measure } from "./letters.js";
import { during } from "./motion.js";
import { parted, rows, wrap } from "./rows.js";

/** @param {Object} layers @param {string} name @param {number} i the process's place @param {Object} words @param {Object|null} role */
export function copy(layers, name, i, words, role) {
  const thread = svg("path", { class: "thread" }, layers.cards);
  const card = svg("g", { class: "card", "aria-hidden": "true" }, layers.cards);
  const ghost = svg("rect", { class: "back-sheet", visibility: "hidden" }, layers.cards);
  let plan = null;

  function layout(next) {
    plan = next;
    card.signature = null;
    const { w, h } = plan.cards[i];
    for (const [key, value] of Object.entries({ x: -w / 2, y: -h / 2, width: w, height: h, rx: round() })) set(ghost, key, value);
  }

  /**
   * The copy peels off the live process and stops beside it, on its thread.
   * @param {Object|null} had @param {Object|null} has what is recorded, before and after
   */
  function draw(had, has, fraction, phase, about) {
    const part = has && had ? 1 : has ? during(fraction, phase.record) : had ? 1 - during(fraction, phase.record) : 0;
    const kept = has ?? had;
    // In a grid the box itself turns blue: a copy beside it would be in the way.
    const apart = part > 0 && plan.look !== "grid";
    set(card, "visibility", apart ? "visible" : "hidden");
    set(thread, "visibility", apart ? "visible" : "hidden");
    set(ghost, "visibility", "hidden");
    if (!apart) return;
    const { place, d } = hung(part);
    set(card, "transform", `translate(${place.x.toFixed(1)} ${place.y.toFixed(1)})`);
    set(thread, "d", d);
    const how = fraction < 0.5 && had ? had : kept;
    set(card, "class", `card ${how.standing ?? "whole"}`);
    set(thread, "class", `thread ${how.standing ?? "whole"}`);
    content(kept, plan.cards[i], about, how.standing);
    if (about.back && fraction < 1) goesBack(fraction);
  }

  /** Where the copy and its thread are after `part` of its way. */
  function hung(part) {
    const node = plan.nodes[i];
    const goal = plan.cards[i];
    // It hangs above or below, or, if the flow goes downwards, to the left.
    const beside = Math.abs(goal.x - node.x) > node.w / 2;
    const [side, far, own, room] = beside ? ["x", Math.sign(goal.x - node.x), node.w, goal.w] : ["y", goal.y < node.y ? -1 : 1, node.h, goal.h];
    const from = node[side] + far * Math.max(0, own / 2 - room / 2);
    const place = { x: goal.x, y: goal.y, [side]: from + (goal[side] - from) * part };
    const edge = node[side] + (far * own) / 2;
    const near = place[side] - (far * room) / 2;
    return { place, d: beside ? `M${edge} ${goal.y}H${near}` : `M${goal.x} ${edge}V${near}` };
  }

  /** The way back: a second copy goes into the process. */
  function goesBack(fraction) {
    const t = during(fraction, [0.1, 0.8]);
    const [from, to] = [plan.cards[i], plan.nodes[i]];
    set(ghost, "visibility", "visible");
    set(ghost, "transform", `translate(${(from.x + (to.x - from.x) * t).toFixed(1)} ${(from.y + (to.y - from.y) * t).toFixed(1)})`);
    set(ghost, "opacity", (1 - 0.6 * t).toFixed(2));
  }

  function content(kept, box, about, how) {
    const signature = `${about.snapshot}|${about.hue}|${about.region}|${kept.saved}|${how}|${JSON.stringify(kept.state)}`;
    if (card.signature === signature) return;
    card.signature = signature;
    card.replaceChildren();
    const { w, h } = box;
    svg("rect", { class: "sheet", x: -w / 2, y: -h / 2, width: w, height: h, rx: round() }, card);
    if (about.hue === 2) svg("rect", { class: "double", x: -w / 2 + 3, y: -h / 2 + 3, width: w - 6, height: h - 6, rx: round() - 2 }, card);
    if (plan.look === "row") large(kept, w, h, about);
    else {
      camera(-w / 2 + 6, -8, 15);
      const number = plan.rows ? numbered(about, kept) : about.region;
      line(number, -w / 2 + 26, 4.5, 12, "start", 700);
      const room = w - 26 - measure(number, 12) - (number ? 16 : 8);
      line(fit(brief(kept.state), 12, room), w / 2 - 8, 4.5, 12, "end", 600);
    }
    if (how === "struck") svg("path", { class: "strike", d: `M${-w / 2 - 4} ${h / 2 - 3}L${w / 2 + 4} ${3 - h / 2}` }, card);
  }

  function large(kept, w, h, about) {
    const head = words.word("player.stage.recorded", { process: name });
    const number = numbered(about, kept);
    const shown = measure(head, 13) <= w - 62 ? head : fit(name, 13, w - 62);
    const long = 22 + measure(`${shown} ${number}`, 13) + 8;
    camera(-long / 2, -h / 2 + 10, 18);
    line(shown, -long / 2 + 24, -h / 2 + 24, 13, "start", 600);
    line(number, long / 2, -h / 2 + 24, 13, "end", 700);
    const table = rows(kept.state);
    if (!table) {
      line(fit(said(kept.state), 20, w - 16), 0, h / 2 - 14, 20, "middle", 700);
      return;
    }
    const entries = table.map(([key]) => entry(key, kept.state));
    const large = wrap(entries, 15, w - 16, 3);
    const small = entries.some((each) => measure(each, 15) > w - 16) || large.length * 20 > h - 34;
    const [font, leading, below] = small ? [11, 13, 31] : [15, 20, 36];
    const texts = small ? wrap(entries, font, w - 16, Math.min(3, Math.floor((h - 28) / leading))) : large;
    const top = below + (h - below - 4 - texts.length * leading) / 2;
    texts.forEach((text, at) => line(text, 0, -h / 2 + top + font - 1 + at * leading, font, "middle", 600));
  }

  /** What fits into a small copy: the process's state, otherwise what it has to pass on. */
  function brief(state) {
    const { main, pending } = parted(state, role);
    return main === "" && pending.length ? `→ ${words.readable(pending)}` : said(main);
  }

  function entry(key, state) {
    const { name: called, value, mark } = words.named(key, state);
    return `${called}${called ? mark : ""}${words.readable(value)}`;
  }

  function said(state) {
    return state === "" ? "" : words.readable(state);
  }

  /** The number of the snapshot, with the region's master if there are regions; or of what a process saved. */
  function numbered({ snapshot, region }, { saved }) {
    if (saved) return saved;
    return region ? `#${snapshot} ${region}` : `#${snapshot}`;
  }

  function line(text, x, y, font, anchor, weight) {
    say(svg("text", { x, y, "font-size": font, "text-anchor": anchor, "font-weight": weight }, card), text);
  }

  function camera(x, y, size) {
    svg("use", { href: "#icon-camera", x, y, width: size, height: size }, card);
  }

  function round() {
    return plan.look === "row" ? 10 : 6;
  }

  return { layout, draw };
}
