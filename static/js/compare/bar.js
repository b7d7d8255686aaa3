/** The bar under the stages: buttons, the slider over the beats, its sentence, and the keys. Draws. */

import { around, first, one } from "../page.js";
import { say, set } from "../svg.js";

/** @import { Player } from "../player.js" */

/** @type {Record<string, "forward" | "back" | "toggle" | "first" | "last">} */
const KEYS = {
  ArrowRight: "forward",
  PageDown: "forward",
  ArrowLeft: "back",
  PageUp: "back",
  " ": "toggle",
  Home: "first",
  End: "last",
};

/**
 * @param {import("../types.js").Words} words @param {Player} play the player over the beats
 * @param {{told: string[], last: number}} page what happens at the beats that are application events, and the last beat
 * @param {Record<string, () => unknown>} keys other keys, and what they do
 */
export function bar(words, play, page, keys) {
  const slider = one("beat", HTMLInputElement);
  const sentence = one("said");
  const events = page.told.length;

  for (const name of /** @type {const} */ (["first", "back", "forward", "last"]))
    one(name).addEventListener("click", () => play[name]());
  one("play").addEventListener("click", () => play.toggle());
  slider.addEventListener("input", () => {
    play.pause();
    play.seek(Number(slider.value));
  });
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = KEYS[event.key];
    const act = name ? () => play[name]() : keys[event.key];
    if (!act) return;
    if (around(event.target, "input:not([type=range]), select, textarea, .wide")) return;
    if (event.key === " " && around(event.target, "button, a, summary")) return;
    event.preventDefault();
    act();
  });

  function where() {
    const beat = play.cursor;
    if (beat === 0) return words.word(play.held || play.over ? "compare.begin" : "compare.loading");
    if (beat <= events) return words.word("compare.event", { event: beat, events });
    return words.word("compare.after", { beat: beat - events, beats: page.last - events });
  }

  return {
    show() {
      const beat = play.cursor;
      if (Number(slider.value) !== beat) slider.value = String(beat);
      const event = beat > 0 && beat <= events;
      const text = event ? `${where()}${words.word("step.colon")}${page.told[beat - 1]}` : where();
      say(sentence, text);
      set(slider, "aria-valuetext", text);
      const word = words.word(play.playing ? "player.pause" : "player.play");
      set(one("play"), "aria-label", word);
      set(one("play"), "title", word);
      set(first(one("play"), "use", SVGUseElement), "href", play.playing ? "#icon-pause" : "#icon-play");
      for (const id of ["first", "back"]) set(one(id), "aria-disabled", beat === 0 ? "true" : null);
      for (const id of ["forward", "last"])
        set(one(id), "aria-disabled", play.over && beat === play.held ? "true" : null);
    },
  };
}
