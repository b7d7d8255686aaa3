/**
 * While the cut is straight, the stage shows the run that could have been, at first in the moment of the cut. The keys
 * and the buttons of the player move in it until the cut is let go. Draws through the page.
 */

import { maybe, one } from "../page.js";
import { Player } from "../player.js";
import { imagine } from "../run/imagined.js";
import { beats } from "../run/beats.js";
import { html } from "../svg.js";

/** @import { Imagined, Sides } from "../run/imagined.js" */

/**
 * @typedef {{steps: Sides, places: ArrayLike<number>, cut: number}} Order the run's steps, and
 *   where they and the cut are
 * @typedef {{id: number, now: number, order: Order}} Cut a straight one: its snapshot, and the step from which it is seen
 *
 * @typedef {object} On
 * @property {(k: number, fraction: number, settled: boolean, made: Imagined, id: number) => void} show
 * @property {(place: number | null) => void} head where the playhead is, in steps of the diagram
 * @property {() => void} changed
 * @property {() => boolean} still is motion not wanted?
 */

/** Played from the line for the first time, the run begins at its beginning. */
class Played extends Player {
  #fresh = true;

  /** @param {number} line @param {import("../player.js").On} on */
  constructor(line, on) {
    super(on);
    this.line = line;
  }

  play() {
    if (this.#fresh && this.cursor === this.line) this.seek(0);
    this.#fresh = false;
    super.play();
  }
}

export class Imagining {
  /** @type {Player | null} */
  play = null;

  /** @param {import("../run/scenes.js").Scenes} scenes @param {import("../types.js").Words} words @param {On} on */
  constructor(scenes, words, on) {
    this.scenes = scenes;
    this.words = words;
    this.on = on;
    this.where = html("span");
    const could = html("b", "", words.word("spacetime.could"));
    this.title = html("p", { class: "could", role: "status", hidden: true }, could, this.where);
    maybe("stage-title")?.after(this.title);
  }

  /** Show the run of a straight cut, or the real one again. @param {Cut | null} straight */
  show(straight) {
    const made = straight && imagine(this.scenes, straight.order.steps, straight.id, straight.now);
    document.body.classList.toggle("imagined", made !== null);
    this.title.hidden = made === null;
    one("stage").inert = made !== null;
    this.play?.pause();
    this.play = made && straight && this.#player(made, straight);
    if (made) this.play?.seek(made.line);
    else this.on.head(null);
    this.on.changed();
  }

  /** @param {Imagined} made @param {Cut} straight */
  #player(made, { id, order: { places, cut } }) {
    const at = [
      0.5,
      ...made.events.map(({ step, side }) => (side ? places[step] + 0.5 * (places[step] === cut ? side / 2 : 1) : cut)),
    ];
    const play = new Played(made.line, {
      show: (k, fraction, settled) => {
        const from = at[Math.max(0, k - 1)];
        this.on.head(from + (at[k] - from) * fraction);
        this.on.show(k, fraction, settled, made, id);
      },
      changed: () => {
        this.#tell(made, play.cursor);
        this.on.changed();
      },
      still: this.on.still,
      lasts: (k) => beats(made.scenes[k].happening).lasts,
      said: () => this.where.textContent ?? "",
    });
    play.held = made.events.length;
    play.over = true;
    return play;
  }

  /** @param {Imagined} made @param {number} k */
  #tell({ events, line }, k) {
    const key = k === line ? "line" : k === 0 ? "begin" : k < line ? "before" : "after";
    const fields = { step: events[k - 1]?.step ?? 0, event: k < line ? k : k - 1, events: events.length - 1 };
    this.where.textContent = this.words.word(`spacetime.could.${key}`, fields);
  }
}
