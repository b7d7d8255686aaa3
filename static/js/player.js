/**
 * The player: a cursor on the steps and one clock. It draws nothing and knows nothing of scenes.
 *
 * The cursor moves at once: the address, the slider and the buttons follow it, and nobody has to wait for a picture. The
 * picture follows in its own time, `at` says how far it is. Another press finishes the present motion and goes on. A step
 * backwards is its own motion in reverse, but in one go: what has been understood needs no beats.
 */

import { BACK, MOVE, SCRUB, reading } from "./pace.js";

export const SPEEDS = [0.25, 0.5, 1, 2, 4];

/**
 * @typedef {object} On
 * @property {(k: number, fraction: number, settled: boolean) => void} show `fraction` of step k has happened (1: all of
 * it). Backwards it shows the same in reverse.
 * @property {() => void} changed cursor, speed or playing changed
 * @property {() => boolean} still is motion not wanted?
 * @property {(k: number) => boolean} [stops] does playing stop at step k?
 * @property {(k: number) => number} [lasts] how long step k moves, in milliseconds at normal speed
 * @property {() => string} [said] what is to be read before the run plays on
 */

export class Player {
  /** How many steps can be shown. */
  held = 0;
  playing = false;
  speed = 1;
  /** Will no more steps come? */
  over = false;
  /** Has the cursor come here from the step before, or did it jump? */
  stepped = false;
  /** The step under the cursor. */
  cursor = 0;
  /** Where the motion towards the cursor is, in steps. */
  #at = 0;
  /** @type {number | null} the step to go to as soon as it arrives */
  #wanted = null;
  /** How much of the time for reading is left, in milliseconds at normal speed; null: not known yet. */
  /** @type {number | null} */
  #rest = null;
  /** How long the present motion takes, in milliseconds at normal speed. */
  #lasts = MOVE;
  /** When the clock was read last, in milliseconds. */
  #last = 0;
  #ticking = 0;
  /** @type {On} */
  #on;

  /** @param {On} on */
  constructor(on) {
    this.#on = on;
  }

  /** Draw again, for example after the window was resized. */
  draw() {
    const k = Math.ceil(this.#at);
    this.#on.show(k, k === 0 ? 1 : this.#at - (k - 1), this.#at === this.cursor);
  }

  /** More steps can be shown. @param {number} count */
  grow(count) {
    this.held = count;
    if (this.#wanted !== null && count >= this.#wanted) {
      const k = this.#wanted;
      this.#wanted = null;
      this.#advance(k);
    }
    this.#on.changed();
    this.#wind();
  }

  /** No more steps will come. */
  end() {
    this.over = true;
    if (this.#wanted !== null) this.seek(this.held);
    this.#on.changed();
  }

  play() {
    if (this.over && this.cursor === this.held) this.seek(0);
    this.playing = true;
    this.#rest = 0;
    this.#last = performance.now();
    this.#on.changed();
    this.#wind();
  }

  pause() {
    if (!this.playing) return;
    this.playing = false;
    this.#on.changed();
  }

  toggle() {
    if (this.playing) this.pause();
    else this.play();
  }

  /** @param {boolean} [held] is the key held down? Then one step follows the other, each as a single motion. */
  forward(held = false) {
    if (held && this.#hurries()) return;
    this.pause();
    const next = (this.#wanted ?? this.cursor) + 1;
    if (next > this.held && !this.over) this.#wanted = next;
    else this.#advance(next, held);
  }

  /** @param {boolean} [held] */
  back(held = false) {
    if (held && this.#hurries()) return;
    this.#wanted = null;
    this.pause();
    this.#advance(this.cursor - 1, held);
  }

  first() {
    this.pause();
    this.seek(0);
  }

  last() {
    this.pause();
    this.seek(this.held);
    if (!this.over) this.#wanted = Infinity;
  }

  /** Go to step k at once; if it has not arrived yet, as soon as it does. @param {number} k */
  seek(k) {
    this.#wanted = k > this.held && !this.over ? k : null;
    const next = this.#clamp(k);
    this.#rest = null;
    this.#at = next;
    const moved = next !== this.cursor;
    this.stepped = false;
    this.cursor = next;
    this.draw();
    if (moved) this.#on.changed();
  }

  /** @param {number} speed */
  pace(speed) {
    this.speed = speed;
    this.#on.changed();
  }

  /** @param {number} k */
  #clamp(k) {
    return Math.max(0, Math.min(this.held, k));
  }

  /** Is the picture still on its way to the cursor? */
  get moving() {
    return this.#at !== this.cursor;
  }

  /** Is the step to go to still to arrive? */
  get awaits() {
    return this.#wanted !== null;
  }

  /** The step to go to, or the one under the cursor: an address names it before it has arrived. */
  get aim() {
    return Number.isFinite(this.#wanted) ? Number(this.#wanted) : this.cursor;
  }

  /** How much of the step under the cursor has happened: less than all of it only on the way forwards. */
  get part() {
    return this.#at < this.cursor ? this.#at - (this.cursor - 1) : 1;
  }

  /** While a key is held down, the present motion is not cut short but soon over. */
  #hurries() {
    this.#lasts = Math.min(this.#lasts, SCRUB);
    return this.moving;
  }

  /** Move the cursor to k: through the step if it is the next one, at once if it is far.
   * @param {number} k @param {boolean} [held] */
  #advance(k, held = false) {
    const next = this.#clamp(k);
    this.#rest = null;
    if (next === this.cursor) return;
    this.stepped = next === this.cursor + 1;
    const near = Math.abs(next - this.cursor) === 1 && !this.#on.still();
    this.#lasts = held ? SCRUB : next < this.cursor ? BACK : (this.#on.lasts?.(next) ?? MOVE);
    // A second click does not wait: the current motion is finished, and the new step begins.
    this.#at = near ? this.cursor : next;
    this.cursor = next;
    this.draw();
    this.#on.changed();
    this.#last = performance.now();
    this.#wind();
  }

  #wind() {
    if (this.#ticking || (!this.moving && !this.playing)) return;
    if (!this.#last) this.#last = performance.now();
    this.#ticking = requestAnimationFrame((now) => this.#tick(now));
  }

  /** @param {number} now in milliseconds */
  #tick(now) {
    // A frame's time may be before the click that asked for it.
    const passed = Math.max(0, Math.min(now - this.#last, 100));
    this.#last = now;
    this.#ticking = 0;
    if (this.moving) this.#move(passed * this.speed);
    else if (this.playing) this.#read(passed * this.speed);
    this.#wind();
  }

  /** @param {number} passed in milliseconds at normal speed */
  #read(passed) {
    if (this.over && this.cursor === this.held) {
      this.pause();
      return;
    }
    if (this.#rest === null && this.#on.stops?.(this.cursor)) {
      this.pause();
      return;
    }
    this.#rest = (this.#rest ?? reading(this.#on.said?.() ?? "")) - passed;
    if (this.#rest <= 0 && this.cursor < this.held) this.#advance(this.cursor + 1);
  }

  /** @param {number} passed in milliseconds at normal speed */
  #move(passed) {
    const reach = passed / this.#lasts;
    this.#at =
      this.#at < this.cursor ? Math.min(this.cursor, this.#at + reach) : Math.max(this.cursor, this.#at - reach);
    this.draw();
  }
}
