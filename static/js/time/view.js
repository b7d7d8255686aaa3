/** What the layers of the diagram draw: a moment of the run in the visible window. Computes; draws nothing. */

import { tone } from "../run/snapshot.js";
import { AFTER } from "./come.js";
import { mix } from "./scale.js";

/** @import { Flight } from "./history.js" */
/** @import { Order } from "./order.js" */

/** With more arrows than this, those that only pass through the window are left out: they would hide the others. */
const MANY = 60;

/**
 * @typedef {{part: number, order: Order | null, head: number | null}} Straightness how straight the cut is, 0–1; if it is
 *   not 0, the run of Theorem 1; and where that is, in steps, while it is played
 */

/** A moment of the run. */
export class Moment {
  /** @param {import("./history.js").History} history
   * @param {number} k @param {number} fraction of step k @param {number | null} chosen the snapshot that is wanted */
  constructor(history, k, fraction, chosen) {
    this.history = history;
    /** Now, in steps. */
    this.t = k - 1 + fraction + AFTER;
    /** How many steps have happened. */
    this.reached = Math.min(Math.max(0, Math.floor(this.t)), history.steps);
    /** The cuts that have begun. */
    this.begun = history.begun(this.reached);
    /** The cut of the chosen snapshot, or the latest. */
    this.cut =
      this.begun.find(({ id }) => id === chosen) ??
      this.begun.reduce((last, each) => (last && last.started > each.started ? last : each), this.begun.at(0) ?? null);
  }
}

export class View {
  /**
   * @param {Moment} moment @param {import("./scale.js").Scale} scale @param {number} seen the window's left edge, in px
   * @param {Straightness} straight @param {number} steps how many there will be @param {number | null} lit the
   * highlighted message @param {import("./labels.js").Labels} labels
   */
  constructor({ history, t, reached, begun, cut }, scale, seen, { part, order, head }, steps, lit, labels) {
    this.history = history;
    this.scale = scale;
    this.t = t;
    this.reached = reached;
    this.begun = begun;
    this.cut = cut;
    this.seen = seen;
    this.part = part;
    this.order = part ? order : null;
    /** Where the playhead of the imagined run is, in px of the world. */
    this.head = head === null ? null : head * scale.unit;
    this.lit = lit;
    this.labels = labels;
    /** Now, in px of the world. */
    this.nowX = t * scale.unit;
    /** The end of the lines, in steps. */
    this.end = steps + 1;
    /** The window, in steps. */
    this.first = seen / scale.unit - 1;
    this.last = (seen + scale.room) / scale.unit + 1;
    this.happenings = this.#happenings();
    const flights = this.#flights();
    /** The arrows that only show where much is going on: in a whole run that is squeezed, all but those that matter. */
    this.web = scale.squeezed ? flights.filter((flight) => !this.#matters(flight)) : [];
    this.flights = scale.squeezed ? flights.filter((flight) => this.#matters(flight)) : flights;
  }

  /** Where a step is drawn, in steps. @param {number} step */
  place(step) {
    return this.order && step < this.order.places.length ? mix(step, this.order.places[step], this.part) : step;
  }

  /** Where a step is drawn, in px. @param {number} step */
  x(step) {
    return this.place(step) * this.scale.unit;
  }

  /** Where the lines end that are still growing, in px. */
  get endX() {
    return this.order ? mix(this.t, this.order.end + 0.7, this.part) * this.scale.unit : this.nowX;
  }

  /** The class of what belongs to the second snapshot, the fourth, …: they have the second colour.
   * @param {number} id */
  second(id) {
    return tone(this.history.base, id) === 2 ? " st-second" : "";
  }

  /** Is a step in the window? @param {number} step */
  shows(step) {
    const at = this.place(step);
    return at >= this.first && at <= this.last;
  }

  #happenings() {
    const { history, first, last, reached } = this;
    if (this.order) return history.happenings(1, reached).filter(({ step }) => this.shows(step));
    return history.happenings(Math.max(1, Math.floor(first)), Math.min(reached, Math.ceil(last)));
  }

  #flights() {
    const { history, first, last, reached, lit } = this;
    const found = this.order
      ? history.sendings.filter((flight) => this.#meetsWindow(flight))
      : history.between(first, last, reached);
    if (this.scale.squeezed || (found.length <= MANY && !this.scale.dense)) return found;
    const inside = (/** @type {number} */ step) => step <= reached && this.shows(step);
    return found.filter(({ id, sent, received }) => id === lit || inside(sent) || inside(received)).slice(-MANY);
  }

  /** Does a message cross the cut, is it wrong or lost, or is it looked at? @param {Flight} flight */
  #matters(flight) {
    const lost = flight.lost <= this.reached && !flight.undone && flight.kind === "app";
    return lost || flight.id === this.lit || this.history.fate(flight, this.cut, this.reached) !== "plain";
  }

  /** @param {Flight} flight */
  #meetsWindow({ sent, forked, received, lost }) {
    if (sent > this.reached || (forked !== Infinity && forked > this.reached)) return false;
    const from = this.place(sent);
    const until = Math.min(received, lost);
    const to = until <= this.reached ? this.place(until) : Infinity;
    return Math.max(from, to) >= this.first && Math.min(from, to) <= this.last;
  }
}
