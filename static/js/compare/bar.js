/** The bar under the stages: buttons, the slider over the beats, its sentence, and the keys. Draws. */

import { KEYS, buttons } from "../buttons.js";
import { around, one } from "../page.js";
import { say, set } from "../svg.js";
import { acts } from "../wishes.js";

/** @import { Player } from "../player.js" */

/**
 * @param {import("../types.js").Words} words @param {Player} play the player over the beats
 * @param {{told: string[], last: number}} page what happens at the beats that are application events, and the last beat
 * @param {Record<string, () => unknown>} keys other keys, and what they do
 * @param {() => string[]} standing what is read aloud of the runs when they are at rest
 */
export function bar(words, play, page, keys, standing) {
  const slider = one("beat", HTMLInputElement);
  const sentence = one("said");
  const aloud = one("said-aloud");
  const events = page.told.length;
  const drawn = buttons(words, () => play);

  slider.addEventListener("input", () => {
    play.pause();
    play.seek(Number(slider.value));
  });
  addEventListener("keydown", (event) => {
    if (!acts(event)) return;
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
      if (!play.playing) say(aloud, [text, ...standing()].join(". "));
      set(slider, "aria-valuetext", text);
      drawn();
    },
  };
}
