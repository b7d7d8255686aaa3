/**
 * The run of Theorem 1, as it could have been: the application's events before the cut, then the moment in which all
 * take the snapshot at once, then the application's other events. At that moment the system is in the recorded state.
 * Computes; never draws.
 */

import { fold } from "./scene.js";

/** @import { Scene } from "./types.js" */

/**
 * @typedef {import("./types.js").Frame["n"]} Notes
 * @typedef {{step: number, side: number}[]} Sides each step of the run, and on which side of the cut it is: -1, 0 (it
 *   records) or 1
 *
 * @typedef {object} Imagined
 * @property {Scene[]} scenes
 * @property {number} line which of them is the recorded state
 * @property {{step: number, side: number}[]} events after each scene but the first: the real step; at the line, step 0
 */

/** What an application does, what the network does to its messages, and how processes come, go and go back. */
const APPLICATION = new Set(
  "sent received changed output keeps lost doubled overtook joined leaving left crashed down restored returned".split(
    " ",
  ),
);

/**
 * @param {import("./scenes.js").Scenes} known @param {Sides} sides @param {number} id of the snapshot
 * @param {number} now the step from which the snapshot is taken
 * @returns {Imagined | null} null if the events cannot be shown in this order
 */
export function imagine(known, sides, id, now) {
  const letters = new Letters();
  const parts = sides.map(({ step, side }) => ({ step, side, frame: known.at(step).happening?.frame ?? NOTHING }));
  const all = parts.flatMap(({ step, side, frame }) => {
    const own = frame.n.filter((note) => letters.keeps(note));
    const at = own.findIndex(([key, of]) => key === "recorded" && of === id);
    const made = (/** @type {number} */ on, /** @type {Notes} */ n) => {
      return { step, side: on, frame: { ...frame, n, s: [] } };
    };
    // The past first: what a process receives in the step in which it records, it receives after that.
    const early = own.slice(0, Math.max(0, at)).filter(([key]) => key !== "received");
    const late = own.filter((note) => !early.includes(note));
    return side ? [made(side, own)] : [made(-1, early), made(1, late)];
  });
  for (const { frame } of all) frame.n = frame.n.filter(([key]) => APPLICATION.has(key));
  const happens = all.filter(({ frame }) => frame.n.length);
  const before = happens.filter(({ side }) => side < 0);
  const after = happens.filter(({ side }) => side > 0);
  if (!isLegal([...before, ...after].flatMap(({ frame }) => frame.n))) return null;
  const scenes = [known.at(0)];
  for (const { frame } of before) scenes.push(fold(/** @type {Scene} */ (scenes.at(-1)), frame));
  scenes.push(taken(/** @type {Scene} */ (scenes.at(-1)), known.at(now), id));
  for (const { frame } of after) scenes.push(fold(/** @type {Scene} */ (scenes.at(-1)), frame));
  const events = [...before, { step: 0, side: 0 }, ...after].map(({ step, side }) => ({ step, side }));
  return { scenes, line: before.length + 1, events };
}

/** @type {import("./types.js").Frame} */
const NOTHING = { a: "restore", n: [], s: [] };

/** The application's messages, by their ids. */
class Letters {
  #ids = new Set();

  /** Is a note about them, or does it concern no message? @param {Notes[number]} note */
  keeps([key, , id, last]) {
    if (key === "sent" && last === "app") this.#ids.add(id);
    if (key === "doubled" && this.#ids.has(id)) this.#ids.add(last);
    return !["sent", "received", "lost", "overtook", "doubled"].includes(key) || this.#ids.has(id);
  }
}

/** Is everything sent before it arrives? @param {Notes} notes */
function isLegal(notes) {
  let flying = new Set();
  return notes.every(([key, , id, copy, retracted]) => {
    if (key === "sent") flying.add(id);
    if (key === "doubled") flying.add(copy);
    // In the channels is what was recorded, and nothing else.
    if (key === "restored") flying = new Set(/** @type {any[][]} */ (Object.values(copy)).flat().map(([one]) => one));
    if (key === "returned") return retracted.every((/** @type {any[]} */ [, one]) => flying.delete(one));
    return key === "received" || key === "lost" ? flying.delete(id) : true;
  });
}

/** The moment of the snapshot: nothing happens but that all record. @param {Scene} scene @param {Scene} real @param {number} id */
function taken(scene, real, id) {
  const { names, channels } = scene.base;
  const made = fold(scene, NOTHING);
  const n = [...names, ...channels.map(({ name }) => name)].map(
    (name) => /** @type {Notes[number]} */ (["recorded", id, name]),
  );
  const snapshots = real.snapshots.filter((snapshot) => snapshot.id === id);
  return { ...made, snapshots, happening: made.happening && { ...made.happening, frame: { ...NOTHING, n } } };
}
