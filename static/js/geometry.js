/**
 * Geometry of the stage: where processes, recorded copies and channels are. Pure functions of the scene's places,
 * the texts to be shown and the size of the stage; the pictures that the server draws follow the same rules.
 *
 * Three looks, by the number of processes and how they stand:
 *   row     all on one height (two processes, chains): straight tubes with captions, copies hang below
 *   circle  up to twelve: nodes at equal distances on an ellipse, curved tubes, copies hang outside
 *   grid    more: small nodes, straight thin channels, states on hover
 */

/** Space kept free around everything, in stage units. */
export const MARGIN = 20;
/** Distance from a live process to its recorded copy: the dotted thread. */
export const THREAD = 12;
/** From a node to where a tube begins, and to where it ends: there its arrowhead stands. */
export const GAP = 12;
export const HEAD = 16;
/** Half the distance between the two tubes of a pair in a row. */
export const APART = 44;
/** How far a curved tube bows out, as a part of its length; together with SIDE it keeps pairs apart. */
export const BOW = 0.09;
/** Free space between the two tubes of a curved pair where they leave a node. */
export const SIDE = 5;
/** Free space between two messages in a tube, and before the first. */
export const SPACE = 5;
/** Points by which a curve's length is measured. */
const SAMPLES = 32;
/** The most processes for each look. */
export const CIRCLE = 12;

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box centre and size
 * @typedef {{x: number, y: number}} Point
 * @typedef {{d: string, points: Point[], lengths: number[], length: number}} Path
 * @typedef {{path: Path, tube: number, head: Point[], lane: Path, label: Point, below: boolean, print: number}} Track
 * @typedef {{look: "row"|"circle"|"grid", width: number, height: number, zoom: number, nodes: Box[], cards: Box[],
 *   tracks: Track[], pill: number, font: number, rows: number}} Plan
 */

/** How wide a text is, about, at a font size: wide signs (Chinese) count as one em. */
export function measure(text, size) {
  let em = 0;
  for (const sign of text) em += sign > "\u2e7f" ? 1 : /[MWmw@%]/.test(sign) ? 0.86 : /[ilI.,:;|!']/.test(sign) ? 0.32 : 0.61;
  return em * size;
}

/** The text, cut with … where it is wider than `width`. */
export function fit(text, size, width) {
  if (measure(text, size) <= width) return text;
  let kept = "";
  for (const sign of text) {
    if (measure(`${kept}${sign}…`, size) > width) break;
    kept += sign;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * The plan of the stage.
 * @param {{x: number, y: number}[]} places of the processes, in 0..1
 * @param {import("./scene.js").Channel[]} channels
 * @param {{width: number, height: number}} size of the stage in pixels
 * @param {{rows: number, line: number, value: number, name: number}} content the most rows of a state, its widest
 * row, its widest value in one line, and the widest name, in em
 * @returns {Plan}
 */
export function arrange(places, channels, size, content) {
  const n = places.length;
  const level = n <= 6 && places.every((p) => Math.abs(p.y - 0.5) < 0.01);
  const joined = channels.every((c) => Math.abs(places[c.from].x - places[c.to].x) < 1.01 / Math.max(1, n - 1));
  if (n > CIRCLE) return grid(places, channels, size);
  if (level && (joined || n < 3)) return row(places, channels, size, content);
  return circle(places, channels, size, content);
}

// --- a row --------------------------------------------------------------------------------------------------------

function row(places, channels, size, content) {
  const n = places.length;
  const w = Math.max(n > 3 ? 92 : 116, Math.min(180, 18 * content.name + 36, 220), Math.min(190, 15 * content.line + 56));
  const h = content.rows ? 50 + 24 * Math.min(content.rows, 5) : 92;
  const card = { w: Math.max(w, 124), h: content.rows ? 46 + 20 * Math.min(Math.ceil(content.rows / 2) + (content.rows > 4 ? 1 : 0), 3) : 62 };
  const tube = n > 3 ? 96 : 132;
  const need = { w: n * card.w + (n - 1) * tube + 2 * MARGIN, h: h + THREAD + 10 + card.h + 2 * MARGIN + 8 };
  const zoom = Math.max(0.45, Math.min(2.2, size.width / need.w, size.height / need.h));
  const width = size.width / zoom;
  const height = size.height / zoom;
  const pairs = channels.some((c) => c.back >= 0);
  const reach = Math.max(h / 2, pairs ? APART + 46 : 0);
  const free = height - reach - h / 2 - THREAD - 10 - card.h;
  const y = Math.max(MARGIN, free / 2) + reach;
  const inner = Math.min(width - 2 * MARGIN - card.w, (n - 1) * 620);
  const side = (width - inner) / 2;
  const nodes = places.map((p) => ({ x: n === 1 ? width / 2 : side + p.x * inner, y, w, h }));
  const cards = nodes.map((node) => ({ x: node.x, y: y + h / 2 + THREAD + 10 + card.h / 2, ...card }));
  const thick = 38;
  const tracks = channels.map((c) => {
    const a = nodes[c.from];
    const b = nodes[c.to];
    const right = b.x > a.x;
    const lift = c.back < 0 ? 0 : right ? -APART : APART;
    const from = { x: a.x + (right ? 1 : -1) * (a.w / 2 + GAP + thick / 2), y: y + lift };
    const to = { x: b.x - (right ? 1 : -1) * (b.w / 2 + GAP + HEAD + thick / 2), y: y + lift };
    const path = straight(from, to);
    const inward = lift ? -Math.sign(lift) : 1;
    const lane = straight({ x: from.x, y: from.y + inward * 31 }, { x: to.x, y: to.y + inward * 31 });
    const outward = lift > 0 ? 1 : -1;
    const label = { x: (from.x + to.x) / 2, y: from.y + outward * (thick / 2 + 16) };
    return { path, tube: thick, head: arrowhead(path, thick / 2 + 4, 13, 8), lane, label, below: lift > 0, print: 0.5 };
  });
  return { look: "row", width, height, zoom, nodes, cards, tracks, pill: 28, font: 14, rows: 5 };
}

// --- a circle -----------------------------------------------------------------------------------------------------

function circle(places, channels, size, content) {
  const n = places.length;
  const small = n > 6;
  const name = small ? 13 : 15;
  const wide = Math.max(content.name * name + 26, content.rows ? 13 * content.line + 30 : (content.name + content.value) * name + 44);
  const w = Math.max(small ? 68 : 88, Math.min(small ? 108 : 132, wide));
  const rows = small ? Math.min(content.rows, 1) : Math.min(content.rows, 3);
  const h = rows ? 26 + 17 * rows + 5 : small ? 32 : 38;
  const card = { w: small ? w : w + 12, h: 24 };
  const slot = h + THREAD + card.h;
  const need = { w: small ? w * 5.4 : w * 3 + 150, h: small ? slot * 4.1 : slot * 2 + 96 };
  const zoom = Math.max(0.45, Math.min(2, size.width / need.w, size.height / need.h));
  const width = size.width / zoom;
  const height = size.height / zoom;
  const centre = { x: width / 2, y: height / 2 };
  const rx = Math.min(width / 2 - MARGIN - card.w / 2, Math.max(height, 240) * 1.35);
  const ry = height / 2 - MARGIN / 2 - slot + h / 2;
  const nodes = around(places, centre, rx, ry).map((p) => ({ x: p.x, y: p.y, w, h }));
  // A copy hangs outside the circle, where no tube passes: above the upper processes, below all others.
  const cards = nodes.map((node) => {
    const up = node.y < centre.y - 4 ? -1 : 1;
    return { x: node.x, y: node.y + up * (h / 2 + THREAD + card.h / 2), ...card };
  });
  const ends = nodes.map(() => 0);
  for (const c of channels) {
    ends[c.from] += 1;
    ends[c.to] += 1;
  }
  const most = Math.max(1, ...ends);
  const tube = most <= 4 ? 24 : most <= 6 ? 20 : most <= 8 ? 15 : most <= 12 ? 11 : 7;
  const pill = Math.max(tube - 4, 15);
  const tracks = channels.map((c) => curved(c, nodes, cards, tube, centre));
  return { look: "circle", width, height, zoom, nodes, cards, tracks, pill, font: tube >= 24 ? 12 : 10.5, rows: small ? 1 : 3 };
}

/**
 * Places on the rim of a circle, moved to an ellipse with equal distances along it; a place in the middle stays there.
 * @returns {Point[]}
 */
export function around(places, centre, rx, ry) {
  const on = (p) => Math.hypot(p.x - 0.5, p.y - 0.5) > 0.4;
  const rim = places.filter(on).length;
  const turn = (p) => (Math.atan2(p.y - 0.5, p.x - 0.5) + Math.PI / 2 + 4 * Math.PI + 1e-9) % (2 * Math.PI);
  const steps = 720;
  const sums = [0];
  const at = (i) => {
    const angle = (i / steps) * 2 * Math.PI - Math.PI / 2;
    return { x: centre.x + rx * Math.cos(angle), y: centre.y + ry * Math.sin(angle) };
  };
  for (let i = 1; i <= steps; i += 1) {
    const a = at(i - 1);
    const b = at(i);
    sums.push(sums[i - 1] + Math.hypot(b.x - a.x, b.y - a.y));
  }
  return places.map((p) => {
    if (!on(p)) return { x: centre.x + (p.x - 0.5) * 2 * rx, y: centre.y + (p.y - 0.5) * 2 * ry };
    if (rim < 5) return { x: centre.x + (p.x - 0.5) * 2 * rx, y: centre.y + (p.y - 0.5) * 2 * ry };
    const goal = (turn(p) / (2 * Math.PI)) * sums[steps];
    let i = 0;
    while (i < steps && sums[i] < goal) i += 1;
    return at(i);
  });
}

/** A tube that bows to its own right-hand side, so that the two of a pair never touch. */
function curved(channel, nodes, cards, tube, centre) {
  const a = nodes[channel.from];
  const b = nodes[channel.to];
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const along = { x: (b.x - a.x) / far, y: (b.y - a.y) / far };
  const right = { x: -along.y, y: along.x };
  const paired = channel.back >= 0;
  const shift = paired ? tube / 2 + SIDE : 0;
  const start = { x: a.x + right.x * shift, y: a.y + right.y * shift };
  const stop = { x: b.x + right.x * shift, y: b.y + right.y * shift };
  const out = exit(start, along, [a, cards[channel.from]]) + GAP / 2 + tube / 2;
  const into = exit(stop, { x: -along.x, y: -along.y }, [b, cards[channel.to]]) + HEAD * 0.75 + tube / 2;
  const from = { x: start.x + along.x * out, y: start.y + along.y * out };
  const to = { x: stop.x - along.x * into, y: stop.y - along.y * into };
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  let bend = paired ? length * BOW : 0;
  if (!paired) {
    // A single channel between neighbours follows the rim a little, away from what lies in the middle.
    const middle = { x: (from.x + to.x) / 2 - centre.x, y: (from.y + to.y) / 2 - centre.y };
    const outside = Math.hypot(middle.x, middle.y);
    if (outside > 1) bend = Math.sign(middle.x * right.x + middle.y * right.y) * length * BOW * 0.8;
  }
  const control = { x: (from.x + to.x) / 2 + right.x * 2 * bend, y: (from.y + to.y) / 2 + right.y * 2 * bend };
  const path = quadratic(from, control, to);
  const beside = (tube / 2 + 9) * (bend < 0 ? -1 : 1);
  const lane = offset(path, beside);
  const label = point(path, path.length / 2, beside + 8);
  return { path, tube, head: arrowhead(path, tube / 2 + 2, tube > 12 ? 10 : 8, tube > 12 ? 7 : 5), lane, label, below: label.y > from.y, print: 0.24 };
}

/** How far from `start` in direction `way` the last of the boxes that touch is left. */
function exit(start, way, boxes) {
  let far = leave(start, way, boxes[0]);
  const edge = { x: start.x + way.x * far, y: start.y + way.y * far };
  const box = boxes[1];
  const reach = THREAD + 2;
  const near = Math.abs(edge.x - box.x) < box.w / 2 && Math.abs(edge.y - box.y) < box.h / 2 + reach;
  if (near) {
    const beyond = leave(start, way, box, true);
    const end = { x: start.x + way.x * beyond, y: start.y + way.y * beyond };
    const through = Math.abs(end.x - box.x) <= box.w / 2 + 1 && Math.abs(end.y - box.y) <= box.h / 2 + 1;
    if (through && beyond > far) far = beyond;
  }
  return far;
}

/** How far it is from `start` in direction `way` to where the box is left. */
function leave(start, way, box) {
  const tx = way.x > 0 ? (box.x + box.w / 2 - start.x) / way.x : way.x < 0 ? (box.x - box.w / 2 - start.x) / way.x : Infinity;
  const ty = way.y > 0 ? (box.y + box.h / 2 - start.y) / way.y : way.y < 0 ? (box.y - box.h / 2 - start.y) / way.y : Infinity;
  return Math.max(0, Math.min(tx, ty));
}

// --- a grid -------------------------------------------------------------------------------------------------------

function grid(places, channels, size) {
  const n = places.length;
  const columns = Math.ceil(Math.sqrt(2 * n));
  const rows = Math.ceil(n / columns);
  const tall = size.height > size.width;
  const across = tall ? rows : columns;
  const down = tall ? columns : rows;
  const zoom = Math.max(0.4, Math.min(1.8, size.width / (across * 74 + 2 * MARGIN), size.height / (down * 50 + 2 * MARGIN)));
  const width = size.width / zoom;
  const height = size.height / zoom;
  const cell = { w: (width - 2 * MARGIN) / (across + 0.5), h: (height - 2 * MARGIN) / down };
  const node = { w: Math.min(64, cell.w * 0.6), h: Math.min(26, cell.h * 0.42) };
  const nodes = places.map((p) => ({
    x: MARGIN + (tall ? p.y : p.x) * (width - 2 * MARGIN),
    y: MARGIN + (tall ? p.x : p.y) * (height - 2 * MARGIN),
    ...node,
  }));
  const cards = nodes.map((box) => ({ x: box.x, y: box.y + node.h / 2 + 5, w: node.w, h: 6 }));
  const tracks = channels.map((c) => {
    const a = nodes[c.from];
    const b = nodes[c.to];
    const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const way = { x: (b.x - a.x) / far, y: (b.y - a.y) / far };
    const shift = c.back >= 0 ? 4 : 0;
    const start = { x: a.x - way.y * shift, y: a.y + way.x * shift };
    const stop = { x: b.x - way.y * shift, y: b.y + way.x * shift };
    const out = leave(start, way, a) + 2;
    const into = leave(stop, { x: -way.x, y: -way.y }, b) + 9;
    const path = straight(
      { x: start.x + way.x * out, y: start.y + way.y * out },
      { x: stop.x - way.x * into, y: stop.y - way.y * into },
    );
    const lane = offset(path, 7);
    return { path, tube: 2, head: arrowhead(path, 0, 7, 3.5), lane, label: point(path, path.length / 2, 10), below: true, print: 0.3 };
  });
  return { look: "grid", width, height, zoom, nodes, cards, tracks, pill: 11, font: 8, rows: 0 };
}

// --- paths --------------------------------------------------------------------------------------------------------

/** @returns {Path} */
export function straight(from, to) {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  return { d: `M${r(from.x)} ${r(from.y)}L${r(to.x)} ${r(to.y)}`, points: [from, to], lengths: [0, length], length };
}

/** @returns {Path} */
export function quadratic(from, control, to) {
  const points = [];
  for (let i = 0; i <= SAMPLES; i += 1) {
    const t = i / SAMPLES;
    const u = 1 - t;
    points.push({
      x: u * u * from.x + 2 * u * t * control.x + t * t * to.x,
      y: u * u * from.y + 2 * u * t * control.y + t * t * to.y,
    });
  }
  const d = `M${r(from.x)} ${r(from.y)}Q${r(control.x)} ${r(control.y)} ${r(to.x)} ${r(to.y)}`;
  return measured(d, points);
}

/** The path beside another, `by` units to its right. */
export function offset(path, by) {
  const steps = path.points.length - 1;
  const points = [];
  for (let i = 0; i <= steps; i += 1) points.push(point(path, path.lengths[i], by));
  return measured(`M${points.map((p) => `${r(p.x)} ${r(p.y)}`).join("L")}`, points);
}

function measured(d, points) {
  const lengths = [0];
  for (let i = 1; i < points.length; i += 1) {
    lengths.push(lengths[i - 1] + Math.hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y));
  }
  return { d, points, lengths, length: lengths[lengths.length - 1] };
}

/**
 * The point at a distance along a path; before its beginning and behind its end the path goes on straight.
 * @param {Path} path @param {number} distance @param {number} [beside] units to the right of the path
 * @returns {Point & {angle: number}}
 */
export function point(path, distance, beside = 0) {
  const { points, lengths } = path;
  let i = 1;
  while (i < points.length - 1 && lengths[i] < distance) i += 1;
  const a = points[i - 1];
  const b = points[i];
  const span = lengths[i] - lengths[i - 1] || 1;
  const t = (distance - lengths[i - 1]) / span;
  const way = { x: (b.x - a.x) / span, y: (b.y - a.y) / span };
  return {
    x: a.x + (b.x - a.x) * t - way.y * beside,
    y: a.y + (b.y - a.y) * t + way.x * beside,
    angle: Math.atan2(way.y, way.x),
  };
}

/** The three corners of the arrowhead that stands `away` units behind the end of a path. */
function arrowhead(path, away, long, half) {
  const tip = point(path, path.length + away + long);
  const base = path.length + away;
  return [tip, point(path, base, half), point(path, base, -half)];
}

/**
 * Where the messages of a queue rest: distances along a tube of this length, the head's first. What does not fit
 * behind the others is counted instead: `hidden` many, shown at `more`.
 * @param {number[]} widths of the messages, from the head on @param {number} count how many there are in all
 * @returns {{places: number[], hidden: number, more: number}}
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
  if (!places.length && count) places.push(length / 2);
  return { places, hidden: count - places.length, more: Math.max(edge - SPACE - COUNTER / 2, 0) };
}

/** The width of the "+n" that counts what does not fit. */
export const COUNTER = 30;

function r(value) {
  return Math.round(value * 100) / 100;
}
