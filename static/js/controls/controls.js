/** The buttons of the bar, and the lamp of the connection. Draws the player's state. */

import { all, maybe, one } from "../page.js";
import { SPEEDS } from "../player.js";
import { buttons } from "../buttons.js";
import { lists } from "../lists.js";

/** @import { Player } from "../player.js" */

/**
 * @typedef {{next: () => void, previous: () => void, only: (kind: string | null) => void}} Does go to the next step of the
 *   kind, or the one before; mark a kind alone, or all
 */

/**
 * @param {import("../types.js").Words} words @param {() => Player} acting the player that the buttons move
 * @param {Does & {step: () => number}} does
 */
export function controls(words, acting, does) {
  const chosen = legend(does);
  const speed = maybe("speed", HTMLSelectElement);
  const forms = ["", "more-"].flatMap((place) => maybe(`${place}picks`, HTMLFormElement) ?? []);
  lists(forms);
  for (const picks of forms) {
    // Another run is shown from the current step.
    picks.addEventListener("formdata", ({ formData }) => {
      const step = does.step();
      if (step) formData.set("step", String(step));
      else formData.delete("step");
    });
  }
  speed?.addEventListener("change", () => acting().pace(Number(speed.value)));
  if (speed && !SPEEDS.includes(Number(speed.value))) speed.value = "1";

  return {
    show: buttons(words, acting),
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

/** The legend of the timeline: the kind that is chosen is marked alone, and what is gone to.
 * @param {Does} does @returns {() => string} the kind to go to: by default recordings */
function legend({ next, previous, only }) {
  /** @type {string | null} */
  let chosen = null;
  const kinds = all(document, ".kinds [data-kind]", HTMLButtonElement);
  for (const one of kinds)
    one.addEventListener("click", () => {
      const { kind = null } = one.dataset;
      chosen = kind === chosen ? null : kind;
      for (const each of kinds) each.setAttribute("aria-pressed", String(each.dataset.kind === chosen));
      only(chosen);
    });
  maybe("next-kind")?.addEventListener("click", next);
  maybe("previous-kind")?.addEventListener("click", previous);
  return () => chosen ?? "record";
}
