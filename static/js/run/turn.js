/** One step while it is folded: the drafts of what it changes, and what it does. Computes; never draws. */

import { draft } from "./snapshot.js";

/** @import { Deeds, Frame, Life, Message, Process, Scene, Tube } from "./types.js" */

export class Turn {
  /** @param {Scene} scene the one before @param {Frame} frame */
  constructor(scene, frame) {
    this.before = scene;
    this.base = scene.base;
    this.step = scene.step + 1;
    this.notes = frame.n;
    this.processes = scene.processes.edit();
    this.channels = scene.channels.edit();
    /** @type {Map<number, import("./snapshot.js").Draft>} */
    this.snapshots = new Map();
    this.restored = scene.restored;
    this.line = scene.line;
    this.orphans = scene.orphans;
    /** @type {Set<string>} */
    this.kinds = new Set();
    /** @type {Deeds} */
    this.deeds = {
      lines: [],
      moved: new Set(),
      changed: new Set(),
      spoken: [],
      back: null,
      emptied: new Set(),
      event: frame.a.startsWith("change ") ? "change" : null,
      message: null,
      entered: [],
      arrived: [],
      records: [],
      lives: [],
      setbacks: [],
    };
  }

  /** The place of a process. @param {string} name */
  row(name) {
    return /** @type {number} */ (this.base.index.get(name));
  }

  /** The place of a channel. @param {string} name */
  at(name) {
    return /** @type {number} */ (this.base.at.get(name));
  }

  /** @param {string} name */
  process(name) {
    return this.processes.get(this.row(name));
  }

  /** @param {string} name @param {Partial<Process>} values */
  change(name, values) {
    this.processes.set(this.row(name), { ...this.process(name), ...values });
  }

  /** @param {string} name @param {Life} life */
  live(name, life) {
    this.change(name, { life });
    this.deeds.lives.push({ row: this.row(name), life });
  }

  /** A crashed process is back. @param {string} name */
  rise(name) {
    if (this.process(name).life === "down") this.live(name, "member");
  }

  /** @param {string} name */
  tube(name) {
    return this.channels.get(this.at(name));
  }

  /** @param {string} name @param {Partial<Tube>} values */
  hold(name, values) {
    this.channels.set(this.at(name), { ...this.tube(name), ...values });
  }

  /** Change a channel so that it is drawn in motion. @param {string} name @param {Partial<Tube>} values */
  move(name, values) {
    this.hold(name, values);
    this.deeds.moved.add(this.at(name));
  }

  /** Put a message at the end of its channel. @param {string} name @param {Message} message */
  enter(name, message) {
    const place = message.kind === "part" || message.kind === "word" ? "lane" : "queue";
    this.move(name, { [place]: this.tube(name)[place].push(message) });
    this.deeds.entered.push(message);
  }

  /** Messages are gone from their channel, and were not received.
   * @param {string} name @param {number[]} ids @param {boolean} undone */
  lose(name, ids, undone) {
    let { queue, gone } = this.tube(name);
    for (const id of ids) {
      const rank = queue.find(id);
      gone = [...gone, { message: queue.at(rank), rank, undone }];
      queue = queue.without(rank);
    }
    this.move(name, { queue, gone });
    this.deeds.emptied.add(this.at(name));
  }

  /** The snapshot as this step changes it. @param {number} id */
  snapshot(id) {
    let found = this.snapshots.get(id);
    if (!found) this.snapshots.set(id, (found = draft(this, id)));
    return found;
  }
}

/** A message that was recorded.
 * @param {any[]} told its id, its payload, and perhaps a tag @param {number} channel @returns {Message} */
export function recorded([id, payload, tag = null], channel) {
  return { id, kind: "app", payload, snapshot: null, tag, channel, sent: 0, origin: null, twin: null };
}
