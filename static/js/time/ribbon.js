/** The ribbon below the diagram: the phases of the selected snapshot, up to now. Draws. */

import { span } from "../run/phases.js";
import { html } from "../svg.js";
import { breadth } from "./labels.js";
import { Nodes, node, put, say } from "./nodes.js";

const TALL = 14;
const SIZE = 10.5;
/** Below the last line: under the numbers of the steps. */
const BELOW = 22;
const FEW = 60;

/**
 * @param {SVGElement} world
 * @param {HTMLElement} host
 * @param {Object<string, import("../run/phases.js").Phase[]>} phases by snapshot
 * @param {(key: string, fields?: object) => string} words
 */
export function ribbon(world, host, phases, words) {
  const layer = node("g", { class: "st-phases" });
  world.append(layer);
  const pool = new Nodes(layer, () => node("g", {}, [node("rect", { rx: 2, height: TALL }), node("text", { "text-anchor": "middle", "font-size": SIZE })]));
  const tip = html("p", "tip st-phase-tip");
  tip.setAttribute("aria-hidden", "true");
  tip.hidden = true;

  function told([name, first, last, end], reached) {
    return words("phase.said", { phase: span(words, [name, first, last, end], reached), about: words(`phase.${name}.about`) });
  }

  function draw(view) {
    const { scale, snapshot, reached, part, history, seen } = view;
    const found = (snapshot && phases[snapshot.id]) ?? [];
    put(layer, { opacity: part ? Math.max(0, 1 - part * 3).toFixed(2) : null, display: part === 1 ? "none" : null });
    for (const phase of found) {
      const [name, first, last, end] = phase;
      if (first > reached) continue;
      const drawn = pool.take(`${snapshot.id} ${name}`);
      const said = told(phase, reached);
      const access = history.steps <= FEW ? { role: "button", tabindex: -1, "aria-label": said } : { role: null, tabindex: null, "aria-label": null };
      put(drawn, { class: `st-phase st-${name}${end === "ends" || reached < last ? "" : " st-torn"}`, "data-phase": said, "data-step": first, ...access });
      put(drawn.children[0], { y: scale.bottom + BELOW });
      put(drawn.children[1], { y: scale.bottom + BELOW + 10.5 });
      // A phase that is partly outside the window has its name in the visible part.
      const [left, right] = [Math.max((first - 1 / 2) * scale.unit, seen), Math.min((Math.min(last, reached) + 1 / 2) * scale.unit, seen + scale.room)];
      const label = words(`phase.${name}`);
      const fits = breadth(label, SIZE, 0.72) + 8 <= right - left;
      put(drawn.children[1], { x: ((left + right) / 2).toFixed(1) });
      say(drawn.children[1], fits ? label : "");
    }
    pool.sweep();
    advance(view);
  }

  /** Only the current phase grows. */
  function advance({ scale, snapshot, reached, nowX }) {
    for (const [name, first, last] of (snapshot && phases[snapshot.id]) ?? []) {
      const drawn = pool.get(`${snapshot.id} ${name}`);
      if (!drawn || first > reached) continue;
      const left = (first - 1 / 2) * scale.unit;
      const right = Math.min((last + 1 / 2) * scale.unit, nowX);
      put(drawn.children[0], { x: (left + 1 / 2).toFixed(1), width: Math.max(1, right - left - 1).toFixed(1) });
    }
  }

  function show({ target }) {
    const phase = target.closest?.("[data-phase]");
    tip.hidden = !phase;
    if (!phase) return;
    if (!tip.isConnected) host.append(tip);
    tip.textContent = phase.getAttribute("data-phase");
    const [around, at] = [host.getBoundingClientRect(), phase.getBoundingClientRect()];
    const left = at.left - around.left + at.width / 2 - tip.offsetWidth / 2;
    tip.style.left = `${Math.max(4, Math.min(around.width - tip.offsetWidth - 4, left))}px`;
    tip.style.top = `${Math.max(4, at.top - around.top - tip.offsetHeight - 6)}px`;
  }

  const hide = () => {
    tip.hidden = true;
  };
  host.addEventListener("pointerover", show);
  host.addEventListener("focusin", show);
  host.addEventListener("pointerleave", hide);
  host.addEventListener("focusout", hide);

  return { draw, advance, any: Object.keys(phases).length > 0 };
}
