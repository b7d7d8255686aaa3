/** Choosing in the picture instead of the list: both always agree. Draws. */

import { all, as } from "../page.js";
import { svg } from "../svg.js";

const INK = "#1b1f24";

/**
 * @param {Element} asked the question
 * @param {HTMLElement} pictures its pictures, whose `data-picks` says what can be clicked
 */
export function picking(asked, pictures) {
  const kind = pictures.dataset.picks;
  const form = asked.querySelector("form");
  if (!kind || !form || form.querySelector("fieldset:disabled")) return;
  /** @type {[HTMLInputElement, SVGGraphicsElement[]][]} */
  const pairs = all(form, "input[name=answer][value]", HTMLInputElement).map((input) => [
    input,
    // A hidden picture, for another size of the page, has no measures.
    hooks(pictures, kind, input.value).filter((hook) => hook.checkVisibility() && !hook.matches(".pickable")),
  ]);
  const hint = as(asked.querySelector(".asked-click"));
  if (hint) hint.hidden = !pairs.some(([, found]) => found.length);
  for (const [input, found] of pairs) {
    for (const hook of found) {
      outline(hook, kind);
      hook.classList.add("pickable");
      hook.addEventListener("click", () => {
        input.click();
        input.focus({ preventScroll: true });
      });
    }
    const point = (/** @type {boolean} */ on) => found.forEach((hook) => hook.classList.toggle("pointed", on));
    input.closest("li")?.addEventListener("pointerenter", () => point(true));
    input.closest("li")?.addEventListener("pointerleave", () => point(false));
  }
  const same = () =>
    pairs.forEach(([input, found]) => found.forEach((hook) => hook.classList.toggle("picked", input.checked)));
  form.addEventListener("change", same);
  same();
}

/**
 * The shapes that represent an option in the pictures.
 * @param {HTMLElement} pictures @param {string} kind @param {string} value @returns {SVGGraphicsElement[]}
 */
function hooks(pictures, kind, value) {
  const name = CSS.escape(kind === "event" ? value.replace(/\.(\d+)$/, ":$1") : value);
  if (kind !== "message") return all(pictures, `[data-${kind}="${name}"]`, SVGGraphicsElement).map(grouped);
  return all(pictures, "svg[role]", SVGSVGElement).flatMap((svg) => {
    const known = svg.querySelector("[data-identity]") ? "identity" : "message";
    return all(svg, `[data-${known}="${name}"][data-kind=app]`, SVGGraphicsElement);
  });
}

/** Put a shape into a group of its own, so that more can be added beside it. @param {SVGGraphicsElement} shape */
function grouped(shape) {
  if (shape.tagName === "g") return shape;
  const group = svg("g");
  shape.replaceWith(group);
  group.append(shape);
  return group;
}

/**
 * What can be clicked, and what shows that it was: a line along a path, a ring around anything else.
 * @param {SVGGraphicsElement} hook @param {string} kind
 */
function outline(hook, kind) {
  if (kind === "channel" || hook.dataset.fate !== undefined) {
    const wide = (/** @type {SVGPathElement} */ path) => Number(path.getAttribute("stroke-width"));
    // Not the cross of an orphan, which has a place of its own.
    const way = all(hook, "path[stroke-width]:not([transform])", SVGPathElement).reduce((most, path) =>
      wide(path) > wide(most) ? path : most,
    );
    hook.prepend(line(way, wide(way) + 10, "pick-line"));
    hook.append(line(way, Math.max(wide(way), 20), "pick-area"));
    return;
  }
  const { x, y, width, height } = hook.getBBox();
  const room = 7;
  for (const name of ["pick-ring", "pick-area"]) {
    hook.append(
      svg("rect", {
        x: x - room,
        y: y - room,
        width: width + 2 * room,
        height: height + 2 * room,
        rx: Math.min(14, height / 2 + room),
        class: name,
        fill: name === "pick-area" ? INK : "none",
        stroke: INK,
        "stroke-width": 4,
      }),
    );
  }
}

/** @param {SVGPathElement} way @param {number} width @param {string} name */
function line(way, width, name) {
  return svg("path", {
    d: way.getAttribute("d"),
    class: name,
    fill: "none",
    stroke: INK,
    "stroke-width": width,
    "stroke-linecap": "round",
  });
}
