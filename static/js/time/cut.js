/** The cut of a snapshot in the whole known run. Computes; draws nothing. */

const NEVER = Infinity;

export class Cut {
  /** @param {import("../types.js").Snapshot} snapshot @param {string[]} names */
  constructor({ id, parts, absent, aborted, complete }, names) {
    this.id = id;
    /** By row, the step in which the process recorded; Infinity while it is not known to. */
    this.recorded = names.map((_, row) => parts.get(row)?.first ?? NEVER);
    /** By row, since when the process takes no part: all that it does belongs to the past (`inside`), or nothing. */
    this.absent = names.map((name) => absent.get(name) ?? null);
    const known = this.absent.map((each) => each?.since ?? NEVER);
    this.started = Math.min(...this.recorded, ...known, aborted ?? NEVER, complete ?? NEVER);
    /** When it is complete: the step after which every process that takes part has recorded. */
    this.whole = Math.max(0, ...names.map((_, row) => this.settled(row)));
  }

  /** The step that separates the past of a process from its future. @param {number} row */
  border(row) {
    const absent = this.absent[row];
    return absent ? (absent.inside ? NEVER : 0) : this.recorded[row];
  }

  /** The step after which that is known. @param {number} row */
  settled(row) {
    return this.absent[row]?.since ?? this.recorded[row];
  }

  /**
   * The relation of an application message to the cut, as far as `now` decides it.
   *
   * If a process sends and records in one step, the send is first; if it records and receives, recording is first. A
   * retransmission is not an orphan if the first was sent before the cut: it is the same message.
   * @param {import("./history.js").Flight} flight @param {number} now
   * @returns {"plain" | "crossing" | "orphan"} crossing: sent before the cut and received after it; orphan: the reverse
   */
  fate(flight, now) {
    if (flight.kind !== "app" || this.settled(flight.to) > now) return "plain";
    const border = this.border(flight.from);
    if (flight.received < this.border(flight.to)) return flight.first <= border ? "plain" : "orphan";
    return flight.sent <= border ? "crossing" : "plain";
  }
}
