/** The buttons of the bar, and the lamp of the connection. Draws the player's state. */

import { first, maybe, one } from "../page.js";
import { SPEEDS } from "../player.js";
import { set } from "../svg.js";
import { legend } from "./legend.js";

/** @import { Player } from "../player.js" */

/**
 * @param {import("../types.js").Words} words @param {() => Player} acting the player that the buttons move
 * @param {import("./legend.js").Does & {step: () => number}} does
 */
export function controls(words, acting, does) {
  /** @param {string} id @param {() => void} act */
  const on = (id, act) => maybe(id)?.addEventListener("click", act);
  const chosen = legend(does);
  const speed = maybe("speed", HTMLSelectElement);
  on("first", () => acting().first());
  on("back", () => acting().back());
  on("play", () => acting().toggle());
  on("forward", () => acting().forward());
  on("last", () => acting().last());
  for (const place of ["", "more-"]) {
    const picks = maybe(`${place}picks`, HTMLFormElement);
    picks?.addEventListener("change", () => picks.requestSubmit());
    // Another run is shown from the current step.
    picks?.addEventListener("formdata", ({ formData }) => {
      const step = does.step();
      if (step) formData.set("step", String(step));
      else formData.delete("step");
    });
  }
  speed?.addEventListener("change", () => acting().pace(Number(speed.value)));
  if (speed && !SPEEDS.includes(Number(speed.value))) speed.value = "1";

  function show() {
    const player = acting();
    const word = words.word(player.playing ? "player.pause" : "player.play");
    const play = one("play");
    set(play, "aria-label", word);
    set(play, "title", word);
    set(first(play, "use", SVGUseElement), "href", player.playing ? "#icon-pause" : "#icon-play");
    set(play, "aria-disabled", player.over && player.held === 0 ? "true" : null);
    for (const id of ["first", "back"]) set(one(id), "aria-disabled", player.cursor === 0 ? "true" : null);
    for (const id of ["forward", "last"])
      set(one(id), "aria-disabled", player.over && player.cursor === player.held ? "true" : null);
  }

  return {
    show,
    kind: chosen,
    /** @param {import("../stream.js").Lamp} state */
    lamp(state) {
      const word = words.word(`player.lamp.${state}`);
      const lamp = one("lamp");
      lamp.dataset.state = state;
      lamp.setAttribute("aria-label", word);
      lamp.title = word;
    },
  };
}
