/** Where the messages of a queue rest in their channel. Pure functions. */

/** Free space between two messages in a tube, and before the first. */
const SPACE = 5;
/** The width of the "+n" that counts what does not fit. */
const COUNTER = 30;

/**
 * @typedef {{places: number[], scales: number[]|null, hidden: number, more: number, size: number, aside: boolean}} Rest
 * distances along the channel, the head's first; messages that do not fit are counted instead: `hidden` is their
 * number, drawn at `more` in size `size`, or (`aside`) beside the channel
 */

/**
 * In a tube, one behind another.
 * @param {number[]} widths of the messages, from the head on @param {number} count how many there are in all
 * @param {number} length of the tube @param {number} [pad] how far they may rest beyond its ends
 * @returns {Rest}
 */
export function slots(widths, count, length, pad = 0) {
  const places = [];
  let edge = length + pad;
  const floor = -pad;
  for (let i = 0; i < widths.length; i += 1) {
    const next = edge - widths[i] - (i ? SPACE : 0);
    const last = i === count - 1;
    if (next < floor + (last ? 0 : COUNTER)) break;
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
 * @param {import("./plan.js").Station[]} stations @param {number} count how many messages there are
 * @returns {Rest}
 */
export function stops(stations, count) {
  const fits = count <= stations.length ? count : Math.max(0, stations.length - 1);
  const shown = stations.slice(0, fits);
  const next = stations[fits] ?? { at: 0, scale: 1 };
  return {
    places: shown.map((one) => one.at),
    scales: shown.map((one) => one.scale),
    hidden: stations.length ? count - fits : 0,
    more: next.at,
    size: next.scale,
    aside: false,
  };
}

/** With a single station, the head is shown. @returns {Rest} */
export function single(station, count) {
  const shown = station && count ? [station] : [];
  return { places: shown.map((one) => one.at), scales: shown.map((one) => one.scale), hidden: 0, more: station?.at ?? 0, size: 1, aside: false };
}
