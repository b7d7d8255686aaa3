/** One column of a comparison: a run, its stage at a beat, and how far its snapshots are. Draws. */

import { first, one } from "../page.js";
import { piece } from "../piece.js";
import { Scenes } from "../run/scenes.js";
import { current, tone } from "../run/snapshot.js";
import { stage } from "../stage/stage.js";
import { stream } from "../stream.js";
import { html, say, set } from "../svg.js";
import { knowing } from "../time/come.js";
import { History } from "../time/history.js";

/** @import { Raw, Scene, Words } from "../types.js" */

/** How many snapshots are described in one line. */
const MOST = 3;

/**
 * On the way to a beat, a run takes all its steps since the previous beat, each for an equal share of the time.
 * @param {number[]} steps the run's step at each beat @param {number} beat @param {number} fraction of the way to it
 * @returns {{step: number, part: number}} the step under way, and how far it has come
 */
function at(steps, beat, fraction) {
  const to = steps[beat];
  const from = beat ? steps[beat - 1] : to;
  const place = from + (to - from) * fraction;
  const step = Math.ceil(place);
  return { step, part: step === place ? 1 : place - (step - 1) };
}

/** What to say about each snapshot of a scene, in the order of their ids. @param {Scene} scene */
function standing(scene) {
  const count = scene.base.names.length;
  return scene.snapshots.map(({ id: snapshot, aborted, unusable, complete, checks, done }) => {
    let key = "progress";
    if (aborted !== null) key = "given-up";
    else if (unusable.length) key = "unusable";
    else if (complete) key = Object.values(checks).every((check) => check.holds) ? "complete" : "wrong";
    return { key, snapshot, done, count };
  });
}

/**
 * @param {HTMLElement} section @param {Raw} raw the scene of the wire format
 * @param {{steps: number[], controls: number[], events: string, plan: string, run: string}} about by beat: the step, and
 * how many control messages there were; where the run's events, the plans of its stage and its page are
 * @param {Words} words @param {{grown: () => void}} on
 */
export function column(section, raw, about, words, on) {
  const scenes = new Scenes(raw);
  const history = new History(scenes);
  const host = first(section, ".host");
  // The stage is only for watching: to act, open the run.
  const inner = html("div", { class: "looking-on", inert: true });
  host.replaceChildren(inner);
  const drawn = stage(inner, scenes.at(0), { words, plan: about.plan, ...knowing(() => history) });
  // The hatching of one stage serves all stages of the page: an id must be unique.
  if (document.querySelectorAll("#hatch-1").length > 1) inner.querySelector("defs")?.remove();
  const name = first(section, "h2").textContent;
  const count = first(section, ".column-count b");
  const state = first(section, ".column-state");
  const link = first(section, ".column-run");
  const spoken = piece(first(section, ".column-words [data-from]"));
  let ended = false;

  return {
    ready: drawn.ready,
    held: () => about.steps.findLastIndex((step) => step <= scenes.held),
    whole: () => ended,
    open() {
      stream(about.events, 0, one("bar"), {
        frames(frames) {
          scenes.add(frames);
          history.grow();
          on.grown();
        },
        ended() {
          ended = true;
          on.grown();
        },
      });
    },
    /** @param {number} beat @param {number} fraction @param {boolean} settled */
    show(beat, fraction, settled) {
      const { step, part } = at(about.steps, beat, fraction);
      const now = scenes.at(step);
      drawn.show(scenes.before(step), now, part, current(now), settled);
    },
    /** What the lines around the stage say. */
    standing: () =>
      `${name}${words.word("step.colon")}${state.textContent} · ${count.parentElement?.title} ${count.textContent}`,
    /** The line under the stage, the counter, the frame and the link, at a beat. @param {number} beat */
    tell(beat) {
      const step = about.steps[beat];
      const now = scenes.at(step);
      const shown = now.snapshots.find(({ id }) => id === current(now));
      const told = standing(now)
        .slice(-MOST)
        .map(({ key, ...fields }) => words.word(`compare.${key}`, fields));
      say(state, [words.word("player.step", { step, steps: about.steps.at(-1) }), ...told].join(" · "));
      say(count, String(about.controls[beat]));
      spoken.show(step);
      const wrong = shown && standing(now).some(({ key, snapshot }) => key === "wrong" && snapshot === shown.id);
      // What became of the run is known at its end.
      section.classList.toggle("over", step === about.steps.at(-1));
      section.classList.toggle("complete", Boolean(shown?.complete));
      section.classList.toggle("wrong", Boolean(wrong));
      section.dataset.hue = String(shown ? tone(now.base, shown.id) : 0);
      set(link, "href", step ? `${about.run}&step=${step}` : about.run);
    },
  };
}
