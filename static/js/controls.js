/** The buttons of the bar, and the lamp of the connection. Draws what the player is. */

import { SPEEDS } from "./player.js";
import { set } from "./svg.js";

const one = (id) => document.getElementById(id);

/**
 * @param {Object} words @param {Object} player
 * @param {{next: (kind: string) => void, previous: (kind: string) => void}} does
 */
export function controls(words, player, does) {
  const on = (id, act) => one(id)?.addEventListener("click", act);
  const kind = one("kind");
  const speed = one("speed");
  on("first", () => player.first());
  on("back", () => player.back());
  on("play", () => player.toggle());
  on("forward", () => player.forward());
  on("last", () => player.last());
  on("next-kind", () => does.next(kind.value));
  on("previous-kind", () => does.previous(kind.value));
  speed?.addEventListener("change", () => player.pace(Number(speed.value)));
  if (speed && !SPEEDS.includes(Number(speed.value))) speed.value = "1";

  function show() {
    const word = words.word(player.playing ? "player.pause" : "player.play");
    const play = one("play");
    set(play, "aria-label", word);
    set(play, "title", word);
    set(play.querySelector("use"), "href", player.playing ? "#icon-pause" : "#icon-play");
    for (const id of ["first", "back"]) set(one(id), "aria-disabled", player.cursor === 0 ? "true" : null);
    for (const id of ["forward", "last"]) set(one(id), "aria-disabled", player.over && player.cursor === player.held ? "true" : null);
  }

  return {
    show,
    kind: () => kind.value,
    lamp(state) {
      const word = words.word(`player.lamp.${state}`);
      const lamp = one("lamp");
      lamp.dataset.state = state;
      lamp.setAttribute("aria-label", word);
      lamp.title = word;
    },
  };
}
