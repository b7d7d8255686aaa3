/** Where the messages of a queue rest in their channel. Pure functions. * @typedef {import("./types.js").Rest} Rest
 * @typedef {import("./types.js").Station} Station
 */

/** Free space between two messages in a tube, and before the first. */
const SPACE = 5;
/** The width of the "+n" that counts what does not fit. */
const COUNTER = 30;

/**
 * In a tube, one behind another.
 * @param {number[]} widths of the messages, from the head on @param {number} count how many there are in all
 * @param {number} length of the tube @param {number} [pad] how far they may rest beyond its ends
 * @returns {Rest}
 */
export function slots(widths, count, length, pad = 0) {
  const places = [];
  let edge = length + pad;
  for (let i = 0; i < widths.length; i += 1) {
    const next = edge - widths[i] - (i ? SPACE : 0);
    if (next < (i === count - 1 ? 0 : COUNTER) - pad) break;
    places.push(next + widths[i] / 2);
    edge = next;
  }
  const aside = !places.length && count > 0;
  if (aside) places.push(length / 2);
  const more = aside ? 0 : Math.max(edge - SPACE - COUNTER / 2, 0);
  return { places, scales: null, hidden: count - places.length, more, size: 1, aside };
}

/**
 * On a wire, at its stations; the last station counts messages without one.
 * @param {Station[]} stations @param {number} count how many messages there are
 * @returns {Rest}
 */
export function stops(stations, count) {
  const fits = count <= stations.length ? count : Math.max(0, stations.length - 1);
  const { at, scale } = stations[fits] ?? { at: 0, scale: 1 };
  return { ...resting(stations.slice(0, fits)), hidden: stations.length ? count - fits : 0, more: at, size: scale };
}

/** With a single station, the head is shown. @param {Station | null} station @param {number} count @returns {Rest} */
export function single(station, count) {
  return { ...resting(station && count ? [station] : []), hidden: 0, more: station?.at ?? 0, size: 1 };
}

/** @param {Station[]} stations */
function resting(stations) {
  return { places: stations.map(({ at }) => at), scales: stations.map(({ scale }) => scale), aside: false };
}
