/** The ribbon below the diagram: the phases of the selected snapshot, up to now. Draws. */

import { around, data } from "../page.js";
import { span } from "../run/phases.js";
import { html, say } from "../svg.js";
import { breadth } from "./labels.js";
import { Nodes, node, put } from "./nodes.js";
import { FEW } from "./roving.js";

/** @import { Phase, Word } from "../types.js" */
/** @import { View } from "./view.js" */

const TALL = 14;
const SIZE = 11;
/** Below the last line: under the numbers of the steps. */
const BELOW = 22;

export class Ribbon {
  /** @param {SVGElement} world @param {HTMLElement} host
   * @param {Record<number, Phase[]>} phases by snapshot @param {Word} words */
  constructor(world, host, phases, words) {
    this.phases = phases;
    this.words = words;
    this.any = Object.keys(phases).length > 0;
    this.layer = node("g", { class: "st-phases" });
    world.append(this.layer);
    this.pool = new Nodes(this.layer, () =>
      node("g", {}, [
        node("rect", { rx: 2, height: TALL }),
        node("text", { "text-anchor": "middle", "font-size": SIZE }),
      ]),
    );
    hints(host);
  }

  /** The phases that have begun, by their keys. @param {View} view @returns {{key: string, phase: Phase}[]} */
  #begun({ cut, reached, scale }) {
    if (!scale.ribbon) return [];
    const begun = ((cut && this.phases[cut.id]) ?? []).filter(([, first]) => first <= reached);
    return begun.map((phase) => ({ key: `${cut?.id} ${phase[0]}`, phase }));
  }

  /** @param {View} view */
  draw(view) {
    const { part } = view;
    const opacity = part ? Math.max(0, 1 - part * 3).toFixed(2) : null;
    put(this.layer, { opacity, display: part === 1 ? "none" : null });
    for (const { key, phase } of this.#begun(view)) this.#phase(this.pool.take(key), phase, view);
    this.pool.sweep();
    this.advance(view);
  }

  /** @param {SVGElement} drawn @param {Phase} phase @param {View} view */
  #phase(drawn, phase, { scale, reached, history, seen }) {
    const { words } = this;
    const [name, first, last, end] = phase;
    const about = words(`phase.${name}.about`);
    const said = words("phase.said", { phase: span(words, phase, reached), about });
    const few = history.steps <= FEW;
    put(drawn, {
      class: `st-phase st-${name}${end === "ends" || reached < last ? "" : " st-torn"}`,
      "data-phase": said,
      "data-step": first,
      role: few ? "button" : null,
      tabindex: few ? -1 : null,
      "aria-label": few ? said : null,
    });
    const [box, text] = drawn.children;
    put(box, { y: scale.bottom + BELOW });
    // A phase that is partly outside the window has its name in the visible part.
    const left = Math.max((first - 1 / 2) * scale.unit, seen);
    const right = Math.min((Math.min(last, reached) + 1 / 2) * scale.unit, seen + scale.room);
    const label = words(`phase.${name}`);
    const fits = breadth(label, SIZE, 0.72) + 8 <= right - left;
    put(text, { y: scale.bottom + BELOW + 10.5, x: ((left + right) / 2).toFixed(1) });
    say(text, fits ? label : "");
  }

  /** Only the current phase grows. @param {View} view */
  advance(view) {
    const { scale, nowX } = view;
    for (const { key, phase } of this.#begun(view)) {
      const box = this.pool.get(key)?.children[0];
      const [, first, last] = phase;
      const left = (first - 1 / 2) * scale.unit;
      const right = Math.min((last + 1 / 2) * scale.unit, nowX);
      if (box) put(box, { x: (left + 1 / 2).toFixed(1), width: Math.max(1, right - left - 1).toFixed(1) });
    }
  }
}

/** A phase explains itself to the mouse and the keyboard. @param {HTMLElement} host */
function hints(host) {
  const tip = html("p", { class: "tip st-phase-tip", "aria-hidden": "true", hidden: true });

  /** @param {Event} event */
  function show({ target }) {
    const phase = around(target, "[data-phase]", SVGElement);
    tip.hidden = !phase;
    if (!phase) return;
    if (!tip.isConnected) host.append(tip);
    tip.textContent = data(phase, "phase");
    const [outer, inner] = [host.getBoundingClientRect(), phase.getBoundingClientRect()];
    const left = inner.left - outer.left + inner.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(4, Math.min(outer.width - tip.offsetWidth - 4, left))}px`;
    tip.style.top = `${Math.max(4, inner.top - outer.top - tip.offsetHeight - 6)}px`;
  }

  const hide = () => (tip.hidden = true);
  host.addEventListener("pointerover", show);
  host.addEventListener("focusin", show);
  host.addEventListener("pointerleave", hide);
  host.addEventListener("focusout", hide);
}
