/** Beats: where a run is between two of them, and how far its snapshots are. Computes; never draws. */

/**
 * On the way to a beat, a run takes all its steps since the previous beat, each for an equal share of the time.
 * @param {number[]} steps the run's step at each beat @param {number} beat @param {number} fraction of the way to it
 * @returns {{step: number, part: number}} the step under way, and how far it has come
 */
export function at(steps, beat, fraction) {
  const to = steps[beat];
  const from = beat ? steps[beat - 1] : to;
  const place = from + (to - from) * fraction;
  const step = Math.ceil(place);
  return { step, part: step === place ? 1 : place - (step - 1) };
}

/**
 * What to say about each snapshot of a scene, in the order of their ids.
 * @param {import("../types.js").Scene} scene
 * @returns {{key: string, snapshot: number, done: number, count: number}[]}
 */
export function standing(scene) {
  return scene.snapshots.map((each) => {
    const wrong = Object.values(each.checks).some((check) => !check.holds);
    const key =
      each.aborted !== null
        ? "given-up"
        : each.unusable.length
          ? "unusable"
          : each.complete
            ? wrong
              ? "wrong"
              : "complete"
            : "progress";
    return { key, snapshot: each.id, done: each.done, count: scene.base.names.length };
  });
}
