/** How straight the cut is: what the rubber band may do, and what it says. Computes, and tells the control. */

import { Order } from "./order.js";
import { rubber } from "./rubber.js";

/** @import { Moment } from "./view.js" */

/** How it is said that a snapshot has no use. */
const ENDS = { "given-up": "aborted", unusable: "unusable", never: "incomplete", stuck: "incomplete" };

export class Straight {
  part = 0;
  /** Is the cut inconsistent? */
  #wrong = false;
  /** @type {Order | null} */
  order = null;
  /** @type {number | null} where the playhead of the imagined run is, in steps of the diagram */
  head = null;

  /** @param {HTMLElement | null} band
   * @param {import("../types.js").Word} words @param {(begins: boolean) => void} changed */
  constructor(band, words, changed) {
    this.words = words;
    this.control = band && rubber(band, { words, onChange: (part) => this.#set(part, changed) });
  }

  /** @param {number} part @param {(begins: boolean) => void} changed */
  #set(part, changed) {
    const begins = part > 0 && !this.part;
    this.part = part;
    if (!part) this.order = null;
    changed(begins);
  }

  /** Offer the rubber band, or say why not; and order the run for it. @param {Moment} moment */
  offer(moment) {
    const { history, cut, reached } = moment;
    const reason = this.#refusal(moment);
    if (reason !== null && this.part) {
      this.part = 0;
      this.order = null;
      this.control?.release();
    }
    this.control?.offer(reason, this.#wrong);
    if (reason !== null || !cut) return;
    const { part } = this;
    this.control?.tell(this.words(`spacetime.straighten.${part === 1 ? "done" : part ? "half" : "hint"}`), false);
    if (part) this.order = new Order(history, cut, reached);
  }

  /** @param {Moment} moment @returns {string | null} null if the cut can be straightened */
  #refusal(moment) {
    const { words } = this;
    const { history, cut, reached } = moment;
    this.#wrong = false;
    if (!cut) return words("spacetime.straighten.none");
    const { whole } = cut;
    const ruined = history.ruined(cut, reached);
    if (ruined && (whole <= reached || ruined === "given-up"))
      return words(`spacetime.straighten.${ENDS[ruined]}`, { snapshot: cut.id });
    if (whole > reached) return this.#open(moment, cut);
    const [orphan] = history.orphans(cut, reached);
    if (orphan) {
      this.#wrong = true;
      return this.#impossible(orphan, "impossible");
    }
    const repeated = history.repeated(cut, reached);
    return repeated ? this.#impossible(repeated, "repeated") : null;
  }

  /** Who still has to record, or never will. @param {Moment} moment @param {import("./cut.js").Cut} cut */
  #open({ history, reached }, cut) {
    const { words } = this;
    const { whole, absent } = cut;
    // If it never becomes complete, only processes that never record are to blame, not those that still will.
    const limit = whole === Infinity ? history.steps : reached;
    const open = history.names.map((name, row) => ({ name, row })).filter(({ row }) => cut.settled(row) > limit);
    const parts = open.filter(({ row }) => !absent[row]);
    const processes = (parts.length ? parts : open).slice(0, 5).map(({ name }) => name);
    if (whole === Infinity) return words("spacetime.straighten.never", { snapshot: cut.id, processes });
    return words("spacetime.straighten.later", { processes, step: whole });
  }

  /** @param {import("./history.js").Flight} message @param {"impossible" | "repeated"} why */
  #impossible({ payload, channel }, why) {
    return this.words(`spacetime.straighten.${why}`, { message: payload, channel });
  }

  /** Let the cut go, as the button does. */
  letGo() {
    this.control?.letGo();
  }
}
