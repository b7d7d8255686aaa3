/** The recorded state of a channel: what is in its tray, and the copies on their way there. Draws. */

import { caption } from "./caption.js";
import { place, shapeOf } from "./message.js";
import { during, middle } from "./motion.js";
import { between, point } from "./paths.js";
import { badge, beside } from "./print.js";
import { classes, hued } from "./shapes.js";

/** @import { Channel, Filled, Message, Moment, Point, Recording, Resting, Setting, TubeView } from "./types.js" */

/** @param {Channel} channel @param {Setting} setting */
export function recording(channel, setting) {
  const { path, badge: spot, tray, label } = setting.tracks[channel.i];
  const row = setting.look === "row" ? caption(channel, setting) : null;
  const on = row ? null : badge(channel, setting);
  const move = twin(setting);
  const aim = spot ? beside(spot, 20, 20) : point(tray ?? path, (tray ?? path).length / 2);

  /**
   * @param {TubeView} view @param {Moment} moment @param {number} fraction @param {Filled} filled
   * @param {Resting} from where the channel's messages were
   */
  return (view, moment, fraction, filled, from) => {
    const { began, is } = view;
    const message = fraction < 1 ? taken(began, is) : null;
    const settled = message ? began : is;
    row?.draw(fraction < middle(moment.phase.fill) ? began : is, settled, filled, view, moment);
    on?.(settled, view, filled.state, moment.hue);
    if (!message) return move(null, "", aim, 0, 1);
    const name = classes("message", "ghost", hued(moment.hue));
    const t = during(fraction, moment.phase.copy);
    const seen = from.items.find((item) => item.message.id === message.id);
    const begin = point(path, seen?.at ?? path.length);
    const to = row ? { x: row.end(), y: label.y } : aim;
    return move(message, name, between(begin, to, t), fraction < moment.phase.copy[0] ? 0 : 1, 1 - 0.2 * t);
  };
}

/** The message that a recording has just taken. @param {Recording | null} began @param {Recording | null} is */
function taken(began, is) {
  if (!is || began === is || is.log.length <= (began?.log.length ?? 0)) return null;
  return is.log.at(is.log.length - 1);
}

/**
 * The twin of a message that is being recorded: it moves from the message to the copy's place.
 * @param {Setting} setting
 */
function twin(setting) {
  /** @type {{message: Message, shape: SVGAElement} | null} */
  let drawn = null;

  /** @param {Message | null} message @param {string} name @param {Point} at @param {number} shade @param {number} scale */
  return (message, name, at, shade, scale) => {
    if (drawn?.message.id !== message?.id) {
      drawn?.shape.remove();
      drawn = message && { message, shape: shapeOf(message, setting) };
      drawn?.shape.setAttribute("class", name);
      drawn?.shape.setAttribute("aria-hidden", "true");
      if (drawn) setting.layers.messages.append(drawn.shape);
    }
    if (drawn) place(drawn.shape, at, shade, scale);
  };
}
