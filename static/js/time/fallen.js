/**
 * What the space-time diagram shows if every process saves on its own: its checkpoints, the recovery lines, and the
 * messages whose sending was undone, read from the frames of a run. Computes; draws nothing.
 */

const NEVER = Infinity;

/**
 * @typedef {{row: number, number: number, step: number, until: number}} Checkpoint `until`: the step in which it was
 *   discarded
 * @typedef {{step: number, crash: number, at: (number|null)[], useless: Object<string, number[]>}} Line `at`: by row, the
 *   step of the checkpoint, 0 for the beginning, null if the process stays
 */

/** Grows with the notes of a run. */
export class Fallen {
  /** @param {string[]} names */
  constructor(names) {
    this.rows = new Map(names.map((name, row) => [name, row]));
    this.names = names;
    /** @type {Checkpoint[]} */
    this.checkpoints = [];
    /** @type {Line[]} */
    this.lines = [];
    this.orphanings = [{ step: 0, ids: new Set() }];
  }

  /** Learn one note of a step. */
  learn(step, key, values) {
    if (key === "stored") this.#stored(step, values);
    else if (key === "returned") this.#returned(step, values);
    else if (key === "line") this.#line(step, values);
    else if (key === "orphans") this.orphanings.push({ step, ids: new Set(values[0]) });
  }

  #stored(step, [name, number]) {
    this.checkpoints.push({ row: this.rows.get(name), number, step, until: NEVER });
  }

  #returned(step, [name, number]) {
    for (const each of this.#kept(name)) if (each.number > number) each.until = step;
  }

  /** The line goes through checkpoints that existed at the crash. */
  #line(step, [crash, places, , useless]) {
    const at = this.names.map((name) => {
      const place = places[name];
      if (!place) return place;
      const found = this.checkpoints.filter(({ row, number, step: since, until }) => this.names[row] === name && number === place && since < crash && until >= step);
      return found.at(-1)?.step ?? 0;
    });
    this.lines.push({ step, crash, at, useless });
  }

  #kept(name) {
    return this.checkpoints.filter(({ row, until }) => this.names[row] === name && until === NEVER);
  }

  /** Has the message, after `now` steps, been received although its sending was undone? */
  orphan(id, now) {
    return this.orphanings.findLast(({ step }) => step <= now).ids.has(id);
  }

  /** The latest recovery line after `now` steps, or null. */
  line(now) {
    return this.lines.findLast(({ step }) => step <= now) ?? null;
  }
}
