/** The keys and buttons that move a player. Draws. */

import { first, one } from "./page.js";
import { set } from "./svg.js";

/** @import { Player } from "./player.js" */

/** What keys do, and presenters' clickers. @type {Record<string, "forward" | "back" | "toggle" | "first" | "last">} */
export const KEYS = {
  ArrowRight: "forward",
  PageDown: "forward",
  ArrowLeft: "back",
  PageUp: "back",
  " ": "toggle",
  Home: "first",
  End: "last",
};

/**
 * Let the buttons of the page move a player.
 * @param {import("./types.js").Words} words @param {() => Player} acting
 * @returns {() => void} draws how the player is
 */
export function buttons(words, acting) {
  const play = one("play");
  for (const name of /** @type {const} */ (["first", "back", "forward", "last"]))
    one(name).addEventListener("click", () => acting()[name]());
  play.addEventListener("click", () => acting().toggle());

  return () => {
    const { playing, cursor, over, held } = acting();
    const word = words.word(playing ? "player.pause" : "player.play");
    set(play, "aria-label", word);
    set(play, "title", word);
    set(first(play, "use", SVGUseElement), "href", playing ? "#icon-pause" : "#icon-play");
    set(play, "aria-disabled", over && held === 0 ? "true" : null);
    for (const id of ["first", "back"]) set(one(id), "aria-disabled", cursor === 0 ? "true" : null);
    for (const id of ["forward", "last"]) set(one(id), "aria-disabled", over && cursor === held ? "true" : null);
  };
}
