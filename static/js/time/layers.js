/** The picture of the diagram: its layers, from the lowest to the highest. Draws. */

import { say } from "../svg.js";
import { Axis } from "./axis.js";
import { Checkpoints } from "./checkpoints.js";
import { Cuts } from "./cuts.js";
import { Events } from "./events.js";
import { ChannelFaults } from "./faults.js";
import { Flights } from "./flights.js";
import { Lines } from "./lines.js";
import { Names } from "./names.js";
import { node, put } from "./nodes.js";
import { Now } from "./now.js";
import { Ribbon } from "./ribbon.js";
import { Rollbacks } from "./rollback.js";
import { FEW } from "./roving.js";

/** @import { View } from "./view.js" */

export class Layers {
  #desc = node("desc", { id: "spacetime-desc" });
  #world = node("g", { class: "st-world" });
  #pane = node("svg", { class: "st-window", y: 0 }, [this.#world]);
  #head = node("g", { class: "st-words", "aria-hidden": "true" });

  /** @param {HTMLElement} host @param {import("../types.js").Base} base @param {import("../types.js").Word} words */
  constructor(host, base, words) {
    this.words = words;
    const title = node("title", { id: "spacetime-title" }, [words("player.time")]);
    const about = { class: "spacetime", role: "img", "aria-labelledby": "spacetime-title spacetime-desc" };
    this.svg = node("svg", about, [title, this.#desc, this.#pane, this.#head]);
    const world = this.#world;
    const [under, over, tips] = [node("g"), node("g"), node("g", { class: "st-tips" })];
    const texts = node("g", { class: "st-labels", "aria-hidden": "true" });
    const taken = node("g", { class: "st-taken", "aria-hidden": "true" });
    const top = node("g", { class: "st-words", "aria-hidden": "true" });
    world.append(under);
    const lines = new Lines(world);
    const axis = new Axis(world);
    const flights = new Flights(world, tips, texts, words);
    const faults = new ChannelFaults(world, texts, words);
    world.append(over, tips);
    const events = new Events(world, words);
    world.append(texts, taken);
    const now = new Now(world, words);
    world.append(top);
    const rollbacks = new Rollbacks(taken, top, words);
    const checkpoints = new Checkpoints(taken, top, words);
    const cuts = new Cuts(under, over, top, this.#head, words);
    this.ribbon = new Ribbon(world, host, base.phases, words);
    const names = new Names(this.svg);
    host.replaceChildren(this.svg);
    this.still = [lines, names, axis, faults, flights, cuts, events, rollbacks, checkpoints, this.ribbon];
    this.moving = [lines, now, flights, cuts, this.ribbon];
  }

  /** @param {import("./scale.js").Scale} scale @param {number} zoom */
  fit({ width, height, left, scrolls, dense, squeezed }, zoom) {
    put(this.svg, {
      width: width * zoom,
      height: height * zoom,
      viewBox: `0 0 ${width} ${height}`,
      class: `spacetime${scrolls ? " st-scrolls" : ""}${dense ? " st-dense" : ""}${squeezed ? " st-squeezed" : ""}`,
    });
    put(this.#pane, { x: left, width: width - left, height });
  }

  /** @param {View} view */
  draw(view) {
    for (const layer of this.still) layer.draw(view);
    this.advance(view);
    this.#describe(view);
  }

  /** Draw what moves between two steps. @param {View} view */
  advance(view) {
    put(this.#world, { transform: `translate(${(-view.seen).toFixed(1)} 0)` });
    put(this.#head, { transform: `translate(${(view.scale.left - view.seen).toFixed(1)} 0)` });
    for (const layer of this.moving) layer.advance(view);
  }

  /** @param {View} view */
  #describe({ history, cut, reached }) {
    const { names, steps } = history;
    const said = [this.words("spacetime.desc", { processes: names.length, now: reached, steps })];
    if (cut) {
      const processes = names.filter((_, row) => cut.recorded[row] <= reached);
      said.push(this.words("spacetime.desc.cut", { snapshot: cut.id, processes }));
    }
    say(this.#desc, said.join(" "));
    put(this.svg, { role: steps <= FEW ? "group" : "img" });
  }
}
