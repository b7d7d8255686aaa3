/**
 * The recorded state of a channel: in a row a caption beside it and its content within, otherwise a small badge on it;
 * and messages on their way there. Draws.
 */

import { caption } from "./caption.js";
import { place, shapeOf } from "./message.js";
import { during, middle } from "./motion.js";
import { between, point } from "./paths.js";
import { badge, inside } from "./print.js";

/**
 * @typedef {import("./types.js").Channel} Channel
 * @typedef {import("./types.js").Message} Message
 * @typedef {import("./types.js").Moment} Moment
 * @typedef {import("./types.js").Point} Point
 * @typedef {import("./types.js").Setting} Setting
 * @typedef {import("./types.js").TubeView} TubeView
 */

/** @param {Channel} channel @param {Setting} setting */
export function recording(channel, setting) {
  const { path, badge: spot, print, label } = setting.tracks[channel.i];
  const beside = setting.look === "row" ? caption(channel, setting) : null;
  const on = (beside ? inside : badge)(channel, setting);
  const move = twin(setting);
  const from = point(path, path.length - 10);

  /**
   * @param {TubeView} view @param {Moment} moment @param {number} fraction @param {string} state of the tube
   * @param {number} near the distance of resting messages from the channel's beginning
   */
  return (view, moment, fraction, state, near) => {
    const { began, is } = view;
    const arriving = began !== is && fraction < 1 && is !== null && is.log.length > (began?.log.length ?? 0);
    const settled = arriving ? began : is;
    beside?.draw(fraction < middle(moment.phase.fill) ? began : is, settled, state, view, moment);
    on(settled, view, state, near);
    const message = arriving ? is.log.at(is.log.length - 1) : null;
    const t = during(fraction, moment.phase.copy);
    const to = beside ? { x: beside.end(), y: label.y } : point(path, spot?.at ?? path.length * print);
    move(message, between(from, to, t), fraction < moment.phase.copy[0] ? 0 : 1, 1 - 0.2 * t);
  };
}

/**
 * The twin of a message that is being recorded: it moves from the message to the copy's place.
 * @param {Setting} setting
 */
function twin(setting) {
  /** @type {{message: Message, shape: SVGAElement} | null} */
  let drawn = null;

  /** @param {Message | null} message @param {Point} at @param {number} shade @param {number} scale */
  return (message, at, shade, scale) => {
    if (drawn?.message.id !== message?.id) {
      drawn?.shape.remove();
      drawn = message && { message, shape: shapeOf(message, setting) };
      drawn?.shape.setAttribute("class", "message ghost");
      drawn?.shape.setAttribute("aria-hidden", "true");
      if (drawn) setting.layers.messages.append(drawn.shape);
    }
    if (drawn) place(drawn.shape, at, shade, scale);
  };
}
