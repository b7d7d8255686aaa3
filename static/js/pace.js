/** How long everything takes while a run is played, in milliseconds at normal speed. All of it is here. Computes. */

/** How long each kind of beat moves; see `run/beats.js`. Its order is the usual order of the beats of a step. */
export const BEAT = { arrive: 550, act: 400, record: 600, fill: 450, leave: 550, judge: 350 };
/** The rest between two beats of a step. */
export const HOLD = 150;
/** A step without beats, a step backwards, and a step while its key is held down. */
export const MOVE = 600;
export const BACK = 400;
export const SCRUB = 220;
/** What is said stays for this long at least, and this long for each word. */
const LEAST = 1500;
const WORD = 250;
/** How many words a Chinese character counts as. */
const CHARACTER = 0.6;

/** How long a text takes to read. @param {string} text */
export function reading(text) {
  const characters = text.match(/\p{Script=Han}/gu)?.length ?? 0;
  const words = text.replace(/\p{Script=Han}/gu, " ").match(/[\p{L}\p{N}]+/gu)?.length ?? 0;
  return Math.max(LEAST, WORD * (words + CHARACTER * characters));
}
