/** Rings around what decides a question. Draws. */

import { all } from "./page.js";
import { html } from "./svg.js";

/** How far a ring is from what it is around, in pixels. */
const GAP = 7;

/**
 * Put rings around parts of a picture. They follow it when it changes its size.
 * @param {HTMLElement} host around the picture @param {string[]} names as the server writes them: a process,
 * `copy:PROCESS`, a channel, the number of a message, or an event
 */
export function circles(host, names) {
  const layer = html("div", { class: "circles", "aria-hidden": "true" });
  host.append(layer);
  let on = false;
  let asked = 0;
  /** A picture comes, or gets its places, after its room. */
  const changes = new MutationObserver(() => {
    asked ||= requestAnimationFrame(draw);
  });

  function draw() {
    asked = 0;
    layer.replaceChildren(...(on ? names.flatMap((name) => ring(find(host, name), layer)) : []));
    changes.takeRecords();
  }

  /** @param {boolean} shown */
  function put(shown) {
    if (on === shown) return;
    on = shown;
    draw();
    if (on)
      changes.observe(host, {
        subtree: true,
        childList: true,
        attributeFilter: ["viewBox", "visibility", "transform"],
      });
    else changes.disconnect();
  }

  new ResizeObserver(draw).observe(host);
  return { show: () => put(true), hide: () => put(false) };
}

/** @param {HTMLElement} host @param {string} name @returns {Element | undefined} what can be seen of that name */
function find(host, name) {
  const value = CSS.escape(name);
  const found = name.startsWith("copy:")
    ? `[data-recorded="${CSS.escape(name.slice(5))}"]`
    : `[data-process="${value}"], [data-channel="${value}"], [data-message="${value}"], [data-event="${CSS.escape(name.replace(/\.(\d+)$/, ":$1"))}"]`;
  return all(host, found, SVGElement).find((each) => each.checkVisibility({ visibilityProperty: true }));
}

/** @param {Element | undefined} part @param {HTMLElement} layer @returns {HTMLElement[]} */
function ring(part, layer) {
  if (!part) return [];
  const { left, top, width, height } = part.getBoundingClientRect();
  if (!width && !height) return [];
  const from = layer.getBoundingClientRect();
  const gap = GAP + thick(part);
  const made = html("div", "circled");
  Object.assign(made.style, {
    left: `${left - from.left - gap}px`,
    top: `${top - from.top - gap}px`,
    width: `${width + 2 * gap}px`,
    height: `${height + 2 * gap}px`,
  });
  return [made];
}

/** Half the width of the channel that a part is, in pixels: a box is that of the line in its middle. @param {Element} part */
function thick(part) {
  const way = part.matches("[data-channel]") && all(part, "path[stroke-width]", SVGPathElement)[0];
  return way ? (Number(way.getAttribute("stroke-width")) * (way.getScreenCTM()?.a ?? 1)) / 2 : 0;
}
