/**
 * A marker that is dragged out of a process, with a mouse or a finger, into a channel. Dropped into a channel of that
 * process it presses the button that does the same, so the server judges it; the buttons stay for the keyboard. Draws.
 */

import { all, around, as, data, filled, first, holdStill, swallowClick } from "../page.js";
import { html } from "../svg.js";

/** How far a pointer moves before it drags, in px. */
const SLACK = 6;
/** How far beside a channel a marker may be dropped, in px, and in which directions. */
const NEAR = 18;
const SIDES = [
  [0, -1],
  [0, 1],
  [-1, 0],
  [1, 0],
];

/** Return the button that puts a marker into a channel. @param {Element} hand @param {string} channel */
function button(hand, channel) {
  return as(hand.querySelector(`button[value="${CSS.escape(`mark:${channel}`)}"]`), HTMLButtonElement);
}

/** Return the channel at a place, or the one nearest to it. @param {number} x @param {number} y @returns {SVGElement | null} */
function under(x, y) {
  for (const far of [0, NEAR / 2, NEAR])
    for (const [dx, dy] of SIDES)
      for (const element of document.elementsFromPoint(x + dx * far, y + dy * far)) {
        const found = around(element, "#hand [data-channel]", SVGElement);
        if (found) return found;
      }
  return null;
}

/** Is a marker in someone's hand? */
let held = false;

/** Say why a marker cannot go there. @param {HTMLElement} hand @param {string} process @param {string} channel */
function refuse(hand, process, channel) {
  hand.querySelector(".hand-refused")?.remove();
  const text = filled(data(hand, "elsewhere"), { process, channel: channel.replace("->", "→") });
  const said = html("p", { class: "hand-refused", role: "alert" });
  first(hand, ".hand-told").append(said);
  said.append(html("b", "", data(hand, "refused")), ` ${text}`);
}

/** A pointer goes down on a process. @param {PointerEvent} event @param {HTMLElement} hand @param {SVGElement} shape */
function grab(event, hand, shape) {
  const { clientX, clientY, pointerId } = event;
  const process = shape.dataset.process ?? "";
  const outputs = all(hand, "[data-channel]", SVGElement).filter((one) =>
    button(hand, one.dataset.channel ?? "")
      ?.closest("fieldset")
      ?.querySelector(`[value="record:${CSS.escape(process)}"]`),
  );
  if (!outputs.length) return;
  const marker = html("div", `hand-dragged hand-dragged-${data(hand, "drags")}`);
  const stop = new AbortController();
  /** @type {SVGElement | null} */
  let over = null;

  const follow = (/** @type {PointerEvent} */ now) => {
    if (now.pointerId !== pointerId) return;
    if (!marker.isConnected) {
      if (Math.hypot(now.clientX - clientX, now.clientY - clientY) < SLACK) return;
      document.body.append(marker);
      for (const one of outputs) one.classList.add("drop");
    }
    marker.style.translate = `${now.clientX}px ${now.clientY}px`;
    over?.classList.remove("over");
    over = under(now.clientX, now.clientY);
    over?.classList.add("over");
  };
  const leave = () => {
    stop.abort();
    held = false;
    marker.remove();
    over?.classList.remove("over");
    for (const one of outputs) one.classList.remove("drop");
  };
  const drop = (/** @type {PointerEvent} */ now) => {
    if (now.pointerId !== pointerId) return;
    const moved = marker.isConnected;
    leave();
    if (!moved) return;
    swallowClick(document);
    const channel = over?.dataset.channel;
    if (!channel) return;
    if (outputs.some((one) => one.dataset.channel === channel)) setTimeout(() => button(hand, channel)?.click());
    else refuse(hand, process, channel);
  };
  held = true;
  const { signal } = stop;
  addEventListener("pointermove", follow, { signal });
  addEventListener("pointerup", drop, { signal });
  addEventListener("pointercancel", leave, { signal });
  addEventListener("keydown", ({ key }) => key === "Escape" && leave(), { signal });
}

/** Markers can be dragged wherever an exercise says so. */
export function dragging() {
  document.addEventListener("pointerdown", (event) => {
    const shape = around(event.target, "#hand[data-drags] [data-process]", SVGElement);
    const hand = around(shape, "#hand", HTMLElement);
    if (event.button || !shape || !hand) return;
    event.preventDefault();
    grab(event, hand, shape);
  });
  holdStill(() => held);
}
