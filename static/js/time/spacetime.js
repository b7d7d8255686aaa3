/**
 * The space-time diagram: a line for each process, time to the right, messages as arrows, and the cut.
 *
 * Between two steps only what moves is redrawn: "now", the arrows in flight, a cut that is still forming. A window that
 * follows "now" shows a part of a run that is longer than the page. Only what is in the window has nodes.
 */

import { on } from "../cut_curve.js";
import { around, data, maybe } from "../page.js";
import { set } from "../svg.js";
import { bendsOf } from "./bends.js";
import { hands, messageOf } from "./hands.js";
import { Labels } from "./labels.js";
import { Layers } from "./layers.js";
import { Pane } from "./pane.js";
import { FEW, Roving } from "./roving.js";
import { lineOf, scale } from "./scale.js";
import { Straight } from "./straight.js";
import { Moment, View } from "./view.js";

/** With more processes than this, labels may cover the cut. */
const MOST = 24;

/**
 * @typedef {object} Does
 * @property {import("../types.js").Word} words
 * @property {(step: number) => void} onJump
 * @property {(message: number | null) => void} onHover
 * @property {(whole: boolean, long: boolean) => void} onFit is the whole run shown, and would it not fit otherwise?
 * @property {(straight: {id: number, now: number, order: import("./order.js").Order} | null) => void} onStraight the cut
 *   has become straight, or is no more
 */

export class Spacetime {
  #k = 0;
  #fraction = 1;
  /** @type {number | null} the highlighted message */
  #lit = null;
  /** @type {number | null} the snapshot that was chosen */
  #chosen = null;
  /** @type {import("./scale.js").Scale | null} */
  #scale = null;
  // A lecture hall needs everything larger.
  #zoom = 1;
  #pane = new Pane();
  #labels = new Labels();
  /** @type {{reached: number, cut: import("./cut.js").Cut | null, origin: number, steps: number, end: object | null} | null} */
  #drawn = null;
  #whole = false;
  /** Which cut is straight, seen from which step. */
  #straight = "";
  /** For which cut, and how much of the run, the labels have their places. */
  #kept = "";

  /** @param {HTMLElement} host @param {import("./history.js").History} history @param {Does} does */
  constructor(host, history, does) {
    const { base } = history;
    this.host = host;
    this.does = does;
    this.planned = base.run.steps;
    this.history = history;
    this.layers = new Layers(host, base, does.words);
    this.straight = new Straight(maybe("rubber"), does.words, (begins) => {
      this.#pane.follows ||= begins;
      this.rest();
      this.#draw();
    });
    const { svg } = this.layers;
    this.roving = new Roving(svg, does.onJump);
    hands(svg, {
      point: (message) => this.#point(message),
      click: (target, x) => this.#click(target, x),
      hold: () => (this.#scale?.scrolls ? this.#pane.origin : null),
      scroll: (to) => this.#scroll(to),
      zoom: () => this.#zoom,
    });
    new ResizeObserver(() => {
      this.#measure();
      this.#draw();
    }).observe(host);
  }

  /** The history has grown. */
  grow() {
    if (this.history.steps > this.planned || !this.#scale) this.#measure();
    this.#update();
  }

  /** Will another step be shown soon? */
  get waits() {
    return this.layers.svg.hasAttribute("aria-busy");
  }

  /** Another step will be shown soon. */
  wait() {
    set(this.layers.svg, "aria-busy", "true");
  }

  /** Show a fraction of step `k`. @param {number} k @param {number} fraction
   * @param {number | null} chosen the snapshot whose cut is marked */
  show(k, fraction, chosen) {
    set(this.layers.svg, "aria-busy", null);
    const other = k !== this.#k;
    this.#k = k;
    this.#fraction = fraction;
    this.#chosen = chosen;
    if (other && this.#scale) this.#pane.bringBack(this.#scale, this.#moment().t);
    this.#update();
  }

  /** Highlight a message. @param {number | null} message */
  light(message) {
    if (message === this.#lit) return;
    this.#lit = message;
    if (this.#scale) this.#draw();
  }

  /** Show the whole run, or as much as there is room for. */
  fit() {
    this.#whole = !this.#whole;
    this.#pane.follows = true;
    this.#measure();
    this.#draw();
  }

  /** Move the playhead of the imagined run. @param {number | null} place in steps of the diagram */
  head(place) {
    this.straight.head = place;
    if (this.#scale) this.layers.advance(this.#view(this.#moment(), this.#scale));
  }

  /** Offer the rubber band, or say why not: that looks at every message, which must not slow down a drag. */
  rest() {
    this.straight.offer(this.#moment());
  }

  /** How many steps there will be, as far as that is known. */
  get #steps() {
    return Math.max(this.planned, this.history.steps);
  }

  #moment() {
    return new Moment(this.history, this.#k, this.#fraction, this.#chosen);
  }

  #measure() {
    const style = getComputedStyle(this.host);
    const { clientWidth, clientHeight } = this.host;
    this.#zoom = parseFloat(style.getPropertyValue("--zoom")) || 1;
    const room = clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const [width, height] = [Math.floor(room / this.#zoom), clientHeight / this.#zoom];
    if (width <= 0 || !height) return;
    const before = this.#scale?.unit;
    const phases = this.layers.ribbon.any;
    const asked = { width, height, names: this.history.names, steps: this.#steps, phases };
    this.#scale = scale({ ...asked, whole: this.#whole });
    this.does.onFit(this.#whole, scale(asked).scrolls);
    if (before) this.#pane.origin *= this.#scale.unit / before;
    this.layers.fit(this.#scale, this.#zoom);
    this.#labels.clear();
    this.#kept = "";
  }

  #draw() {
    if (!this.#scale) this.#measure();
    if (!this.#scale) return;
    const moment = this.#moment();
    if (this.straight.part) this.straight.offer(moment);
    const view = this.#view(moment, this.#scale);
    this.#keepFree(view);
    const { held } = this.roving;
    this.layers.draw(view);
    if (this.history.steps <= FEW) this.roving.settle(held);
    const { steps, scenes } = this.history;
    const { reached, cut } = moment;
    this.#drawn = { reached, cut, origin: this.#column(this.#scale), steps, end: scenes.end };
    this.#tell(moment);
  }

  /** Tell the page when the cut has become straight, and when it is no longer. @param {Moment} moment */
  #tell({ cut, reached }) {
    const { part, order } = this.straight;
    const straight = part === 1 && order && cut ? { id: cut.id, now: reached, order } : null;
    const told = straight ? `${straight.id} ${reached}` : "";
    if (told === this.#straight) return;
    this.#straight = told;
    this.does.onStraight(straight);
  }

  #update() {
    if (!this.#scale) {
      this.#draw();
      return;
    }
    const moment = this.#moment();
    this.#pane.keep(this.#scale, moment.t, this.#steps, this.straight);
    const { reached, cut, origin, steps, end } = this.#drawn ?? {};
    const known = steps === this.history.steps && end === this.history.scenes.end && cut === moment.cut;
    const same = known && origin === this.#column(this.#scale) && reached === moment.reached;
    if (this.straight.part || !same) this.#draw();
    else this.layers.advance(this.#view(moment, this.#scale));
  }

  /** The view of a moment. The window follows it. @param {Moment} moment @param {import("./scale.js").Scale} at */
  #view(moment, at) {
    this.#pane.keep(at, moment.t, this.#steps, this.straight);
    return new View(moment, at, this.#pane.origin, this.straight, this.#steps, this.#lit, this.#labels);
  }

  /** The first visible step. @param {import("./scale.js").Scale} at */
  #column({ unit }) {
    return Math.round(this.#pane.origin / unit);
  }

  /** Place labels anew where the cut is another one, or more of the run is known, and keep them off the cut, even off
   * where it will be, and off the lines at which all roll back. @param {View} view */
  #keepFree({ cut, scale: at, part }) {
    const kept = `${cut?.id} ${this.history.steps}`;
    if (part || this.#kept === kept || this.history.names.length > MOST) return;
    this.#labels.clear();
    this.#kept = kept;
    for (const { step, row } of this.history.setbacks) {
      if (row === null) this.#labels.reserve(step * at.unit - 8, (at.top + at.bottom) / 2, 20, at.bottom - at.top);
    }
    if (!cut) return;
    const bends = bendsOf(cut, this.history, at);
    cut.recorded.forEach((step, row) => {
      const next = cut.recorded[row + 1] ?? Infinity;
      if (step === Infinity) return;
      /** @type {import("./scale.js").Point} */
      const start = [step * at.unit, lineOf(at, row)];
      this.#labels.reserve(...start, at.square);
      if (next === Infinity) return;
      for (let part = 0.1; part < 0.95; part += 0.1) {
        const [x, y] = on(start, [next * at.unit, lineOf(at, row + 1)], bends[row], part);
        this.#labels.reserve(x, y, 8);
      }
    });
  }

  /** @param {number} to @returns {number} */
  #scroll(to) {
    this.#pane.scroll(to);
    this.#draw();
    return this.#pane.origin;
  }

  /** @param {number | null} message */
  #point(message) {
    if (message === this.#lit) return;
    this.does.onHover(message);
    this.light(message);
  }

  /** Jump to the step that a click means: an event's own, or the nearer end of an arrow.
   * @param {EventTarget | null} target @param {number} x */
  #click(target, x) {
    if (!this.#scale) return;
    const named = around(target, "[data-step]", SVGElement);
    const step = named ? Number(data(named, "step")) : this.#end(messageOf(target), x, this.#scale);
    if (step !== null) this.does.onJump(step);
  }

  /** The nearer end of an arrow.
   * @param {number | null} message @param {number} x @param {import("./scale.js").Scale} at */
  #end(message, x, at) {
    const flight = message === null ? null : this.history.flights.get(message);
    if (!flight) return null;
    const { sent, received } = flight;
    const view = this.#view(this.#moment(), at);
    if (received > view.reached) return sent;
    const here = (x - at.left + view.seen) / at.unit;
    return here - view.place(sent) < view.place(received) - here ? sent : received;
  }
}
