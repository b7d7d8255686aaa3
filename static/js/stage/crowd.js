/**
 * The shapes of the messages of all channels. What no channel shows any more serves another message that looks the
 * same: after a jump most shapes only move. Draws.
 */

import { set } from "../svg.js";
import { signature } from "./labels.js";
import { shapeOf } from "./message.js";

/** @import { Message, Setting } from "./types.js" */

/**
 * @typedef {{link: SVGAElement, looks: string, name: string, gone: boolean, at: number}} Drawn a message; `name`: its class,
 * `at`: its place among those in the picture, the lowest first
 * @typedef {ReturnType<typeof crowd>} Crowd
 */

/** How many unused shapes are kept. */
const SPARE = 64;

/** @param {Setting} setting */
export function crowd(setting) {
  const { messages } = setting.layers;
  /** By look: those in the picture that nobody needs, and those that are not in it. @type {Map<string, Drawn[]>[]} */
  const [freed, spare] = [new Map(), new Map()];
  let kept = 0;
  let highest = 0;
  /** What is to be put into the picture, when it is known which shapes are free. @type {(() => void)[]} */
  let waiting = [];

  /** @param {Map<string, Drawn[]>} pool @param {Drawn} drawn */
  function keep(pool, drawn) {
    const known = pool.get(drawn.looks);
    if (known) known.push(drawn);
    else pool.set(drawn.looks, [drawn]);
  }

  /** @param {string} looks @param {Message} message @param {number} above what lies below it @returns {Drawn} */
  function shape(looks, message, above) {
    const free = freed.get(looks) ?? [];
    const found = free.findIndex(({ at }) => at > above);
    if (found >= 0) return free.splice(found, 1)[0];
    const again = spare.get(looks)?.pop();
    if (again) kept -= 1;
    const drawn = again ?? { link: shapeOf(message, setting), looks, name: "", gone: false, at: 0 };
    drawn.at = highest += 1;
    messages.append(drawn.link);
    return drawn;
  }

  return {
    /** Draw a message with any shape that looks like it. @param {Message} message @param {string} channel
     * @param {() => number} above what lies below it @param {(drawn: Drawn) => void} draw */
    want(message, channel, above, draw) {
      waiting.push(() => {
        const drawn = shape(signature(message, setting), message, above());
        set(drawn.link, "data-message", message.id);
        set(drawn.link, "data-on", channel);
        for (const name of ["data-aside", "data-far"]) set(drawn.link, name, null);
        draw(drawn);
      });
    },
    /** A message is not shown any more. @param {Drawn} drawn */
    free(drawn) {
      if (drawn.gone) drawn.link.remove();
      else keep(freed, drawn);
    },
    /** All channels are drawn. */
    settle() {
      for (const free of freed.values()) free.sort((a, b) => a.at - b.at);
      for (const each of waiting) each();
      waiting = [];
      for (const drawn of [...freed.values()].flat()) {
        drawn.link.remove();
        if (kept >= SPARE) continue;
        kept += 1;
        keep(spare, drawn);
      }
      freed.clear();
    },
  };
}
