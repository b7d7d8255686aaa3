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
export const GAP = 14;
export const HEAD = 16;
/** Half the distance between the two tubes of a pair in a row. */
export const APART = 44;
/** How far a curved tube bows out, as a part of its length; together with SIDE it keeps pairs apart. */
export const BOW = 0.09;
/** Free space between the two tubes of a curved pair where they leave a node. */
export const SIDE = 5;
/** Free space between two messages in a tube, and before the first. */
export const SPACE = 5;
/** From a node to the ellipse on which its tubes begin and end. */
export const HALO = 16;
/** How far to both sides of its copy no tube meets a node, as an angle. */
export const CLOSED = (52 * Math.PI) / 180;
/** How far a tube is bent towards the middle of a circle where another node is in its way, in turn. */
export const DETOURS = [0, 24, 48, 72, 100, 130];
/** Points by which a curve's length is measured. */
const SAMPLES = 32;
/** The most processes for each look. */
export const CIRCLE = 12;

/**
 * @typedef {{x: number, y: number, w: number, h: number}} Box centre and size
 * @typedef {{x: number, y: number}} Point
 * @typedef {{d: string, points: Point[], lengths: number[], length: number}} Path
 * @typedef {{path: Path, tube: number, head: Point[], lane: Path, label: Point, room: number, print: number}} Track
 * `room` is how wide the caption may be, `print` where along the tube its recorded content stands
 * @typedef {{look: "row"|"circle"|"grid", width: number, height: number, zoom: number, nodes: Box[], cards: Box[],
 *   tracks: Track[], pill: number, font: number, rows: number}} Plan
 */

/** How wide a text is, about, at a font size: wide signs (Chinese) count as one em. */
export function measure(text, size) {
  let em = 0;
  for (const sign of text) em += sign > "\u2e7f" ? 1 : /[MWmw@%]/.test(sign) ? 0.94 : /[ilI.,:;|!']/.test(sign) ? 0.36 : /[A-Z=+<>→]/.test(sign) ? 0.74 : 0.66;
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
  const narrow = n > 3 || size.width < 480;
  const sheet = Math.max(w, narrow ? 124 : 164);
  const lines = Math.ceil((content.rows * (content.line * 14 + 12)) / (sheet - 16));
  const card = { w: sheet, h: content.rows ? 42 + 20 * Math.min(lines, 3) : 62 };
  const tube = n > 3 ? 96 : 132;
  const pairs = channels.some((c) => c.back >= 0);
  const reach = Math.max(h / 2, pairs ? APART + 38 : 30) + 8;
  const need = { w: n * card.w + (n - 1) * tube + 2 * MARGIN, h: reach + h / 2 + THREAD + 10 + card.h + 12 };
  const zoom = Math.max(0.45, Math.min(2.2, size.width / need.w, size.height / need.h));
  const width = size.width / zoom;
  const height = size.height / zoom;
  const y = Math.max(0, height - need.h) / 2 + reach;
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
    // Below, the caption stands between the two copies.
    const room = lift > 0 ? Math.abs(b.x - a.x) - card.w - 16 : path.length + thick + 40;
    return { path, tube: thick, head: arrowhead(path, thick / 2 + 4, 13, 8), lane, label, room, print: 0.5 };
  });
  return { look: "row", width, height, zoom, nodes, cards, tracks, pill: 28, font: 14, rows: 5 };
}

// --- a circle -----------------------------------------------------------------------------------------------------

function circle(places, channels, size, content) {
  const n = places.length;
  const small = n > 6;
  const name = small ? 13 : 15;
  const rows = small ? 0 : Math.min(content.rows, 3);
  const wide = small
    ? Math.max(content.name, Math.min(content.value, 5)) * name + 22
    : Math.max(content.name * name + 26, content.rows ? 13 * content.line + 30 : content.value * 18 + 24);
  const w = Math.max(small ? 60 : 84, Math.min(small ? 84 : 136, wide));
  const h = rows ? 26 + 17 * rows + 5 : small ? 42 : 54;
  const card = { w: small ? w : w + 12, h: small ? 20 : 24 };
  const slot = h + THREAD + card.h;
  const need = { w: small ? w * 7.2 : w * 3 + 170, h: small ? slot * 4 : slot * 2 + 112 };
  // A large stage makes tubes longer before it makes everything larger.
  const ease = { w: need.w * 1.4, h: need.h * (small ? 1.2 : 1.35) };
  const zoom = Math.max(
    Math.max(0.45, Math.min(1, size.width / need.w, size.height / need.h)),
    Math.min(2, size.width / ease.w, size.height / ease.h),
  );
  const width = size.width / zoom;
  const height = size.height / zoom;
  const centre = { x: width / 2, y: height / 2 };
  const rx = Math.min(width / 2 - MARGIN - card.w / 2, Math.max(height, 240) * (small ? 1.6 : 1.2));
  const ry = height / 2 - 8 - slot + h / 2;
  const nodes = turned(places, centre, rx, ry, w + 80, slot + 30).map((p) => ({ x: p.x, y: p.y, w, h }));
  // A copy hangs outside the circle, where no tube passes: above the upper processes, below all others.
  const sides = nodes.map((node) => (node.y < centre.y - 4 ? -1 : 1));
  const cards = nodes.map((node, i) => ({ x: node.x, y: node.y + sides[i] * (h / 2 + THREAD + card.h / 2), ...card }));
  const { ports, room } = dock(nodes, sides, channels, (small ? 20 : 24) + SIDE);
  const tube = Math.max(3, room - SIDE);
  const pill = Math.max(tube - 4, 16);
  const tracks = channels.map((c) => {
    const others = nodes.filter((_, i) => i !== c.from && i !== c.to);
    return clear(ports[2 * c.i], ports[2 * c.i + 1], c.back >= 0, tube, others, centre);
  });
  return { look: "circle", width, height, zoom, nodes, cards, tracks, pill, font: tube >= 22 ? 12.5 : 11, rows: small ? 0 : 3 };
}

/**
 * Where tubes meet their nodes: on an ellipse around each, but not where its copy hangs; in the order of the
 * directions in which they leave, and never nearer to each other than there is room for. Of a pair, the outgoing one
 * keeps to the right.
 * @returns {{ports: (Point & {nx: number, ny: number})[], room: number}} two ports a channel: where it begins and
 * where it ends, with the normal of the ellipse; `room` is the least distance between two
 */
function dock(nodes, sides, channels, wish) {
  const ends = nodes.map(() => []);
  for (const c of channels) {
    ends[c.from].push({ at: 2 * c.i, other: c.to, lean: 1e-3 });
    ends[c.to].push({ at: 2 * c.i + 1, other: c.from, lean: -1e-3 });
  }
  const rim = ellipse(nodes[0].w / 2 + HALO, nodes[0].h / 2 + HALO);
  const [least, most] = [lengthAt(rim, CLOSED), lengthAt(rim, 2 * Math.PI - CLOSED)];
  const ports = [];
  let room = Infinity;
  nodes.forEach((node, i) => {
    const side = sides[i];
    for (const end of ends[i]) {
      const other = nodes[end.other];
      // As if every copy hung below: above it is the same, mirrored, and so is what is right and left.
      const turn = Math.atan2(-(other.x - node.x) / rim.a, ((other.y - node.y) * side) / rim.b);
      end.turn = (turn + end.lean * side + 2 * Math.PI) % (2 * Math.PI);
      end.want = Math.min(most, Math.max(least, lengthAt(rim, end.turn)));
    }
    ends[i].sort((a, b) => a.turn - b.turn);
    const gap = Math.min(wish, (most - least) / Math.max(1, ends[i].length - 1));
    if (ends[i].length > 1) room = Math.min(room, gap);
    spread(ends[i], gap, least, most);
    for (const end of ends[i]) {
      const turn = turnAt(rim, end.place);
      const [x, y] = [-Math.sin(turn) * rim.a, Math.cos(turn) * rim.b * side];
      const [nx, ny] = [x / rim.a ** 2, y / rim.b ** 2];
      const size = Math.hypot(nx, ny);
      ports[end.at] = { x: node.x + x, y: node.y + y, nx: nx / size, ny: ny / size };
    }
  });
  return { ports, room: Math.min(room, wish) };
}

/** An ellipse and the lengths of its arc, from below clockwise. */
function ellipse(a, b) {
  const lengths = [0];
  for (let i = 1; i <= 360; i += 1) {
    const [s, t] = [((i - 1) * Math.PI) / 180, (i * Math.PI) / 180];
    lengths.push(lengths[i - 1] + Math.hypot(a * (Math.sin(t) - Math.sin(s)), b * (Math.cos(t) - Math.cos(s))));
  }
  return { a, b, lengths };
}

function lengthAt({ lengths }, turn) {
  const at = (turn * 180) / Math.PI;
  const i = Math.min(359, Math.floor(at));
  return lengths[i] + (lengths[i + 1] - lengths[i]) * (at - i);
}

function turnAt({ lengths }, length) {
  let i = 0;
  while (i < 359 && lengths[i + 1] < length) i += 1;
  return ((i + (length - lengths[i]) / (lengths[i + 1] - lengths[i])) * Math.PI) / 180;
}

/** Give every end its place: as near to where it wants to be as the distance `gap` to its neighbours allows. */
function spread(ends, gap, least, most) {
  const up = [];
  const down = [];
  ends.forEach((end, i) => {
    up[i] = Math.max(end.want, i ? up[i - 1] + gap : least);
  });
  for (let i = ends.length - 1; i >= 0; i -= 1) down[i] = Math.min(ends[i].want, i < ends.length - 1 ? down[i + 1] - gap : most);
  ends.forEach((end, i) => {
    end.place = (up[i] + down[i]) / 2;
  });
  for (let i = 0; i < ends.length; i += 1) ends[i].place = Math.max(ends[i].place, i ? ends[i - 1].place + gap : least);
  for (let i = ends.length - 1; i >= 0; i -= 1) ends[i].place = Math.min(ends[i].place, i < ends.length - 1 ? ends[i + 1].place - gap : most);
}

/**
 * The places on the ellipse, turned so that the nearest two are farthest apart, measured in boxes of w by h.
 * @returns {Point[]}
 */
function turned(places, centre, rx, ry, w, h) {
  const rim = places.filter((p) => Math.hypot(p.x - 0.5, p.y - 0.5) > 0.4).length;
  let best = null;
  // Four stand on corners: their diagonals cross in the middle, and nothing is in the way.
  for (const by of rim === 4 ? [Math.PI / 4] : [0, Math.PI / rim, Math.PI / 2]) {
    const found = around(places, centre, rx, ry, by);
    let least = Infinity;
    found.forEach((a, i) => {
      for (const b of found.slice(i + 1)) least = Math.min(least, Math.max(Math.abs(a.x - b.x) / w, Math.abs(a.y - b.y) / h));
    });
    if (!best || least > best.least + 0.1) best = { found, least };
  }
  return best.found;
}

/**
 * Places on the rim of a circle, moved to an ellipse with equal distances along it; a place in the middle stays there.
 * @returns {Point[]}
 */
export function around(places, centre, rx, ry, by = 0) {
  const on = (p) => Math.hypot(p.x - 0.5, p.y - 0.5) > 0.4;
  const rim = places.filter(on).length;
  const turn = (p) => (Math.atan2(p.y - 0.5, p.x - 0.5) + Math.PI / 2 + by + 4 * Math.PI + 1e-9) % (2 * Math.PI);
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
    if (rim < 5) {
      // Few stand on the corners of a box rather than on its rounded rim: there is more room between them.
      const [x, y] = [Math.sin(turn(p)), -Math.cos(turn(p))];
      const stretch = rim === 4 && by ? 1.3 : 1;
      return { x: centre.x + Math.max(-1, Math.min(1, x * stretch)) * rx, y: centre.y + Math.max(-1, Math.min(1, y * stretch)) * ry };
    }
    const goal = (turn(p) / (2 * Math.PI)) * sums[steps];
    let i = 0;
    while (i < steps && sums[i] < goal) i += 1;
    return at(i);
  });
}

/** The tube that passes behind no other node: it is bent towards the middle as far as that takes. */
function clear(a, b, paired, tube, others, centre) {
  let best = null;
  for (const inward of DETOURS) {
    const track = curved(a, b, paired, tube, inward, centre);
    const hits = covered(track.path, others, tube / 2 + 3);
    // A corner that is barely touched is better than a wide detour.
    const cost = hits + inward * 0.04;
    if (!best || cost < best.cost) best = { track, cost };
    if (!hits) break;
  }
  return best.track;
}

/** How many points of the path lie behind the boxes. */
function covered(path, boxes, margin) {
  let hits = 0;
  for (const p of path.points) {
    for (const box of boxes) {
      if (Math.abs(p.x - box.x) < box.w / 2 + margin && Math.abs(p.y - box.y) < box.h / 2 + margin) hits += 1;
    }
  }
  return hits;
}

/** A tube between two ports; each of a pair bows to its own right, and both `inward` units towards the middle. */
function curved(a, b, paired, tube, inward, centre) {
  const far = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const along = { x: (b.x - a.x) / far, y: (b.y - a.y) / far };
  const out = tube / 2 - 4;
  const into = HEAD - 6 + tube / 2;
  const pull = Math.min(0.28 * far, 80);
  // Short tubes are straight: there is no room for a curve.
  const square = Math.max(0, Math.min(0.38, (far - 70) / 300));
  const start = lean(a, along, square, out, pull);
  const stop = lean(b, { x: -along.x, y: -along.y }, square, into, pull);
  const bend = paired ? Math.min(14, far * BOW) : 0;
  const middle = { x: centre.x - (a.x + b.x) / 2, y: centre.y - (a.y + b.y) / 2 };
  const away = Math.hypot(middle.x, middle.y) || 1;
  const dx = (middle.x / away) * inward - along.y * bend;
  const dy = (middle.y / away) * inward + along.x * bend;
  const c1 = { x: start.control.x + dx, y: start.control.y + dy };
  const c2 = { x: stop.control.x + dx, y: stop.control.y + dy };
  const path = cubic(start.at, c1, c2, stop.at);
  const beside = tube / 2 + 9;
  return {
    path,
    tube,
    head: arrowhead(path, tube / 2 + 2, tube > 12 ? 10 : 7, tube > 12 ? 7 : 4),
    lane: offset(path, beside),
    label: point(path, path.length / 2, beside + 8),
    room: path.length,
    print: 0.3,
  };
}

/** Where a tube begins at a port, and where its curve is drawn to: between straight out and straight on. */
function lean(port, along, square, away, pull) {
  const mix = { x: port.nx * square + along.x * (1 - square), y: port.ny * square + along.y * (1 - square) };
  const size = Math.hypot(mix.x, mix.y) || 1;
  const way = { x: mix.x / size, y: mix.y / size };
  const at = { x: port.x + way.x * away, y: port.y + way.y * away };
  return { at, control: { x: at.x + way.x * pull, y: at.y + way.y * pull } };
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
    return { path, tube: 2, head: arrowhead(path, 0, 7, 3.5), lane, label: point(path, path.length / 2, 10), room: path.length, print: 0.3 };
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
export function cubic(from, c1, c2, to) {
  const points = [];
  for (let i = 0; i <= SAMPLES; i += 1) {
    const t = i / SAMPLES;
    const u = 1 - t;
    const k = [u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t];
    points.push({
      x: k[0] * from.x + k[1] * c1.x + k[2] * c2.x + k[3] * to.x,
      y: k[0] * from.y + k[1] * c1.y + k[2] * c2.y + k[3] * to.y,
    });
  }
  const d = `M${r(from.x)} ${r(from.y)}C${r(c1.x)} ${r(c1.y)} ${r(c2.x)} ${r(c2.y)} ${r(to.x)} ${r(to.y)}`;
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
