/** The frame around the stage, which says how the shown snapshot is: complete, wrong, of no use. Draws. */

import { snapshotOf, tone } from "../run/snapshot.js";

/** @param {HTMLElement} section @param {import("../types.js").Scene} scene @param {number | null} id of the shown snapshot */
export function frame(section, scene, id) {
  const { classList, dataset } = section;
  /** @type {import("../types.js").Snapshot | null} */
  const snapshot = snapshotOf(scene, id);
  const complete = Boolean(snapshot?.complete);
  classList.toggle("complete", complete && snapshot?.aborted === null);
  classList.toggle("back", Boolean(scene.happening?.back?.snapshot));
  classList.toggle("wrong", complete && Object.values(snapshot?.checks ?? {}).some((check) => !check.holds));
  classList.toggle("useless", Boolean(snapshot && (snapshot.aborted !== null || snapshot.unusable.length)));
  dataset.hue = String(id === null ? 0 : tone(scene.base, id));
}
