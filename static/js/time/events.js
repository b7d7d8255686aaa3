/** Events on the lines of the processes: sends, receives, changes, and the points where states are recorded. Draws. */

import { say } from "../svg.js";
import { breadth, short } from "./labels.js";
import { Nodes, node, put } from "./nodes.js";
import { FEW } from "./roving.js";
import { lineOf } from "./scale.js";

/** @import { Happening } from "../run/types.js" */
/** @import { Attributes } from "./nodes.js" */
/** @import { View } from "./view.js" */

const CAMERA = "M-6 -3.5H-3L-1.8 -5.5H1.8L3 -3.5H6V4.5H-6Z";

export class Events {
  #halo = node("circle", { class: "st-acted" });
  #events = new Nodes(node("g", { class: "st-events" }), () =>
    node("g", {}, [
      node("path", { class: "st-dot" }),
      node("circle", { class: "st-badge" }),
      node("text", { class: "st-badge-word", "font-size": 11 }),
    ]),
  );
  #records = new Nodes(node("g", { class: "st-records" }), () =>
    node("g", {}, [
      node("rect", { class: "st-square" }),
      node("path", { class: "st-camera", d: CAMERA }),
      node("circle", { class: "st-camera", cx: 0, cy: 0.6, r: 2.2 }),
    ]),
  );
  #chips = new Nodes(node("g", { "aria-hidden": "true" }), () =>
    node("g", {}, [node("rect", { rx: 4, height: 20 }), node("text", { x: 6, y: 14.5 })]),
  );

  /** @param {SVGElement} world @param {import("../types.js").Word} words */
  constructor(world, words) {
    this.words = words;
    world.append(this.#halo, this.#events.layer, this.#records.layer, this.#chips.layer);
  }

  /** @param {View} view */
  draw(view) {
    this.#events.keep(view.happenings.map(({ step }) => step));
    for (const happening of view.happenings) {
      if (happening.row === null || !(happening.event || happening.records.length)) continue;
      const [x, y] = [view.x(happening.step), lineOf(view.scale, happening.row)];
      const access = this.#access(happening, view);
      // In a whole run that is squeezed, only records stand out.
      if (happening.event && !view.scale.squeezed) this.#event(happening, x, y, access, view);
      this.#recorded(happening, x, y, access, view);
    }
    this.#events.sweep();
    this.#records.sweep();
    this.#chips.sweep();
    this.#acted(view);
  }

  /** What a screen reader and the keyboard need, in a short run. @param {Happening} happening @param {View} view */
  #access(happening, { history }) {
    if (history.steps > FEW) return { role: null, tabindex: null, "aria-label": null };
    const process = history.names[happening.row ?? 0];
    const { step, event } = happening;
    const message = history.flights.get(happening.message ?? -1)?.payload;
    const kind = happening.records.length ? "record" : event;
    return {
      role: "button",
      tabindex: -1,
      "aria-label": this.words(`spacetime.event.${kind}`, { step, process, message }),
    };
  }

  /** @param {Happening} happening
   * @param {number} x @param {number} y @param {Attributes} access @param {View} view */
  #event(happening, x, y, access, view) {
    const { step, event, message } = happening;
    const drawn = this.#events.take(step);
    const [shape, badge, word] = drawn.children;
    put(drawn, {
      transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
      "data-step": step,
      "data-message": message,
      class: `st-event st-${event}`,
      ...access,
    });
    put(shape, { d: event === "change" ? box(view.scale.dot) : disc(view.scale.dot) });
    this.#badge(badge, word, happening, view);
  }

  /** Before or after the cut, while it is straightened.
   * @param {Element} badge @param {Element} word @param {Happening} happening @param {View} view */
  #badge(badge, word, { step, row }, { part, cut, scale }) {
    const shown = part > 0 && cut;
    const after = shown && row !== null && step >= cut.recorded[row];
    const wide = scale.unit >= 34 && scale.row >= 34;
    const y = -scale.dot - 10;
    const opacity = Math.min(1, part * 3).toFixed(2);
    put(badge, {
      display: shown ? null : "none",
      class: `st-badge${after ? " st-post" : ""}`,
      opacity,
      cx: wide ? -12 : 0,
      cy: y,
      r: Math.min(3.5, scale.dot),
    });
    put(word, { display: shown && wide ? null : "none", x: -6, y: y + 4, opacity });
    say(word, shown ? this.words(after ? "spacetime.post" : "spacetime.pre") : "");
  }

  /** @param {Happening} happening
   * @param {number} x @param {number} y @param {Attributes} access @param {View} view */
  #recorded({ step, row, records }, x, y, access, view) {
    const side = view.scale.square;
    records.forEach(({ snapshot, state }, i) => {
      const drawn = this.#records.take(`${step} ${snapshot}`);
      const mine = snapshot === view.cut?.id;
      put(drawn, {
        transform: `translate(${(x + i * (side + 2)).toFixed(1)} ${y.toFixed(1)})`,
        "data-step": step,
        class: `st-record${view.second(snapshot)}`,
        opacity: mine || !view.part ? null : (1 - view.part * 0.8).toFixed(2),
        ...access,
      });
      const [square, ...camera] = drawn.children;
      put(square, { x: -side / 2, y: -side / 2, width: side, height: side, rx: side / 5 });
      for (const each of camera) put(each, { display: side >= 14 ? null : "none" });
      if (mine) this.#chip(snapshot, state, x, row ? y + 8 : y - 28, y, view);
    });
  }

  /** On the straight cut, what each process recorded: the state that this run passes through.
   * @param {number} snapshot
   * @param {unknown} state @param {number} x @param {number} top @param {number} y @param {View} view */
  #chip(snapshot, state, x, top, y, view) {
    const { scale, part } = view;
    if (part < 0.85 || scale.row < 34) return;
    const text = short(this.words("spacetime.value", { value: state }), 24);
    const drawn = this.#chips.take(`${snapshot} ${y}`);
    put(drawn, {
      class: `st-chip${view.second(snapshot)}`,
      transform: `translate(${(x + scale.square / 2 + 4).toFixed(1)} ${top.toFixed(1)})`,
      opacity: ((part - 0.85) / 0.15).toFixed(2),
    });
    put(drawn.children[0], { width: (breadth(text, 12, 0.72) + 12).toFixed(1) });
    say(drawn.children[1], text);
  }

  /** A ring around what acted just now. @param {View} view */
  #acted(view) {
    const { scale, reached, part } = view;
    const { row = null, event, records = [], received } = view.history.happening(reached) ?? {};
    const seen = row !== null && (event || records.length || received);
    put(this.#halo, {
      display: seen && !part ? null : "none",
      cx: seen ? view.x(reached).toFixed(1) : null,
      cy: seen ? lineOf(scale, row).toFixed(1) : null,
      r: records.length ? scale.square / 2 + 6 : scale.dot + 5,
    });
  }
}

/** @param {number} radius */
function disc(radius) {
  return `M${-radius} 0A${radius} ${radius} 0 1 1 ${radius} 0A${radius} ${radius} 0 1 1 ${-radius} 0Z`;
}

/** @param {number} radius */
function box(radius) {
  const half = radius * 0.8;
  return `M${-half} ${-half}H${half}V${half}H${-half}Z`;
}
