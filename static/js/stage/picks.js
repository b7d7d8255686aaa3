/** What visitors point at and choose on the stage. */

import { around, data } from "../page.js";

/** @import { Picks } from "./types.js" */

/**
 * @param {SVGSVGElement} root the stage @param {Picks} does
 * @param {() => void} opens before a menu of a process or a channel opens
 */
export function listen(root, does, opens) {
  /** Open the menu of a message, a process or a channel. @param {Event} event */
  function pick(event) {
    const shape = around(event.target, "[data-message], [data-process], [data-channel]", SVGElement);
    if (!shape) return false;
    const { message, process, channel, on } = shape.dataset;
    if (message !== undefined) {
      if (!does.onMessage(Number(message), on ?? "", shape)) return false;
    } else {
      opens();
      if (process) does.onPick(process, shape);
      else does.onChannel(channel ?? "", shape);
    }
    event.preventDefault();
    return true;
  }

  /**
   * The address of a branch carries the step, which changes while the shape stays: write it when it is needed.
   * @param {Event} event
   */
  function refresh(event) {
    const link = around(event.target, "[data-action]", SVGElement);
    if (link) link.setAttribute("href", does.branch(data(link, "action")));
  }

  /** @param {Event} event */
  function hover(event) {
    const shape = around(event.target, "[data-message]", SVGElement);
    does.onHover(shape ? Number(shape.dataset.message) : null);
  }

  root.addEventListener("pointerover", hover);
  root.addEventListener("pointerleave", () => does.onHover(null));
  root.addEventListener("focusin", (event) => {
    refresh(event);
    hover(event);
  });
  root.addEventListener("pointerdown", refresh);
  root.addEventListener("click", (event) => {
    refresh(event);
    // With a key held down, a link is for the browser to open.
    if (!event.ctrlKey && !event.metaKey && !event.shiftKey) pick(event);
  });
  root.addEventListener("contextmenu", pick);
  root.addEventListener("keydown", (event) => {
    if ((event.key === "Enter" || event.key === " ") && pick(event)) event.stopPropagation();
  });
}
