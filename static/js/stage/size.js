/** The size of the stage, and the plan for it from the server. Reads. */

import { ask, attempt } from "../ask.js";
import { measured } from "./paths.js";

/** @import { Plan } from "./types.js" */

/** How long a new size must stay before its plan is asked for, in milliseconds. Until then the picture is scaled. */
const SETTLE = 80;
/** A plan for nearly the same size is only scaled, so that a longer sentence beside the stage moves nothing. */
const NEAR = 0.05;
/** How long after a plan did not come it is asked for once more, in milliseconds. */
const AGAIN = 3_000;

/**
 * @typedef {{width: number, least: number, most: number, letters: number}} Size of the stage; its height has limits;
 * `letters`: no letter in a process is to be smaller, in px
 */

/**
 * Give `layout` the plan of the stage whenever its size changes.
 * @param {HTMLElement} host @param {string} address of the plans, which lacks the size
 * @param {(plan: Plan) => void} layout
 * @returns {Promise<void>} the first plan is there, or there is no room for it
 */
export function follow(host, address, layout) {
  let planned = false;
  let waiting = 0;
  /** @type {Size | null} */
  let asked = null;

  /** Ask for the plan of a stage of this size, unless that has been done. */
  async function fit() {
    const size = sizeOf(host);
    if (!size.width || !size.most || (asked && isNear(size, asked))) return;
    asked = size;
    const { width, least, most, letters } = size;
    const url = `${address}&width=${width}&least=${least}&most=${most}${letters ? `&letters=${letters}` : ""}`;
    const answer = planned ? (await attempt(url)).answer : await ask(url, { at: host });
    if (asked !== size) return;
    if (answer?.ok) {
      planned = true;
      layout(plan(answer.text));
    } else if (!planned) asked = null;
    // The plan of another size still shows everything, so nobody has to be told. A refusal would be the same again.
    else if (!answer) {
      asked = null;
      waiting = setTimeout(fit, AGAIN);
    }
  }

  const ready = Promise.resolve().then(fit); // once the rest of the page is there, which decides the size
  new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(fit, planned ? SETTLE : 0);
  }).observe(host);
  return ready;
}

/** If the page leaves the height to the plan, it has limits. @param {HTMLElement} host @returns {Size} */
function sizeOf(host) {
  const { clientWidth: width, clientHeight: height } = host;
  const style = getComputedStyle(host);
  // In a lecture, a share of the height of the screen.
  const letters = Math.ceil((Number(style.getPropertyValue("--letters")) / 100) * innerHeight);
  if (style.maxHeight === "none") return { width, least: height, most: height, letters };
  const [least, most] = [style.minHeight, style.maxHeight].map((px) => Math.round(parseFloat(px)));
  return { width, least, most, letters };
}

/** Letters that must not be smaller allow no smaller size. @param {Size} size @param {Size} asked */
function isNear(size, asked) {
  if (size.letters !== asked.letters) return false;
  const ratios = [size.width / asked.width, size.least / asked.least, size.most / asked.most];
  return ratios.every((ratio) => ratio < 1 + NEAR && (size.letters ? ratio >= 1 : ratio > 1 - NEAR));
}

/** The plan that the server has made, see app/pictures/layout/plan.py. @param {string} text JSON @returns {Plan} */
function plan(text) {
  const read = JSON.parse(text);
  for (const track of read.tracks) {
    track.path = measured(track.path);
    track.tray = track.tray && { ...measured(track.tray), thick: track.tray.thick };
    track.lane = measured(track.lane);
  }
  return read;
}
