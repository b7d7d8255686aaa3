/** The scenes of a run, one for each step so far, and what is known at its end. Computes; never draws. */

import { beats } from "./beats.js";
import { begin, fold } from "./scene.js";

/** @import { End, Frame, Raw, Scene } from "../types.js" */

export class Scenes {
  /** @type {End | null} */
  end = null;
  /** @type {{now: Scene | null, over: number, scene: Scene | null}} the latest scene within a step */
  #within = { now: null, over: 0, scene: null };
  /** @type {Scene[]} */
  #all;

  /** @param {Raw} raw the scene of the wire format */
  constructor(raw) {
    this.#all = [begin(raw)];
    this.base = this.#all[0].base;
  }

  /** How many steps there are so far. */
  get held() {
    return this.#all.length - 1;
  }

  /** @param {number} step */
  at(step) {
    return this.#all[step];
  }

  /** The scene before a step; at the beginning, the beginning. @param {number} step */
  before(step) {
    return this.#all[Math.max(0, step - 1)];
  }

  /** The scene when so many beats of a step are over. @param {number} step @param {number} over @returns {Scene} */
  within(step, over) {
    const now = this.#all[step];
    const { happening } = now;
    const { all } = beats(happening);
    if (!happening || over === all.length) return now;
    const was = this.#all[step - 1];
    if (!over) return was;
    const { scene, ...known } = this.#within;
    if (scene && known.now === now && known.over === over) return scene;
    const notes = new Set(all.slice(0, over).flatMap((beat) => beat.notes));
    const { frame } = happening;
    const made = fold(was, { ...frame, n: frame.n.filter((_, i) => notes.has(i)) });
    this.#within = { now, over, scene: made };
    return made;
  }

  /** @param {Frame[]} frames */
  add(frames) {
    for (const each of frames) this.#all.push(fold(this.#all[this.held], each));
  }

  /** What happens in a step, as kinds that can be jumped to. @param {number} step @returns {string[]} */
  kinds(step) {
    return this.#all[step].happening?.kinds ?? [];
  }

  /** The nearest step of a kind after `from`, or before it if `by` is -1.
   * @param {string} kind @param {number} from @param {1 | -1} by */
  find(kind, from, by) {
    for (let step = from + by; step >= 1 && step <= this.held; step += by) {
      if (this.kinds(step).includes(kind)) return step;
    }
    return null;
  }
}
