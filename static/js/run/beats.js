/**
 * The beats of a step: what happens in it one after another, cause before effect. A message arrives, the state changes,
 * the copy is taken, the channels' recordings open and close, messages leave, and the snapshot is judged. A step has
 * only the beats that its notes need. Computes; never draws.
 */

import { BEAT, HOLD } from "../pace.js";

/**
 * @typedef {"arrive" | "act" | "record" | "fill" | "leave" | "judge"} Kind
 * @typedef {[from: number, to: number]} Span of a step: 0 is its beginning, 1 its end
 * @typedef {object} Beat
 * @property {Kind} kind
 * @property {number[]} notes which notes of the step happen in it
 * @property {Span} span
 *
 * @typedef {{all: Beat[], lasts: number}} Beats `lasts`: the milliseconds of the whole step at normal speed
 */

/** What belongs to the beat of the note before it: it explains, and nothing moves. */
const EXPLAINS = new Set([
  "rule",
  "deferred",
  "discarded",
  "keeps",
  "catalogued",
  "done",
  "judged",
  "round",
  "counted",
]);

/** What is noted in which beat. @type {Record<Kind, string>} */
const NOTES = {
  arrive: "received told acked lost doubled overtook partitioned healed crashed down joined leaving forgotten paused",
  act: "changed output restored returned aborted",
  record: "started region recorded stored folded absent merged",
  fill: "opened logged copied closed derived blocked unblocked",
  leave: "sent hurried asked",
  judge: "completed assembled uncollected unreachable unusable left line orphans fallen stuck resumed",
};
const KIND = new Map(
  Object.entries(NOTES).flatMap(([kind, keys]) => keys.split(" ").map((key) => [key, /** @type {Kind} */ (kind)])),
);
/** What brings recorded states back. */
const BACK = new Set(["restored", "returned"]);
const RANK = /** @type {Kind[]} */ (Object.keys(BEAT));

/** Where notes of one kind follow those of a kind that usually comes later, they do so because of them: a process that
 * records and then receives must not show the received money in its copy. @type {Partial<Record<Kind, Kind[]>>} */
const CAUSES = { record: ["act"], fill: ["act"] };

/** The notes whose beats are known. */
export const KNOWN = new Set([...KIND.keys(), ...EXPLAINS]);

/** @type {WeakMap<object, Beats>} */
const known = new WeakMap();
/** @type {Beats} */
const NOTHING = { all: [{ kind: "act", notes: [], span: [0, 1] }], lasts: BEAT.act };

/** The beats of a step. @param {{frame: import("./types.js").Frame} | null} happening @returns {Beats} */
export function beats(happening) {
  if (!happening) return NOTHING;
  let found = known.get(happening);
  if (!found) known.set(happening, (found = timed(happening.frame.n.map(([key]) => key))));
  return found;
}

/** How many beats are over when a fraction of the step has happened. @param {Beats} of @param {number} fraction */
export function landed({ all }, fraction) {
  return all.filter(({ span }) => fraction >= span[1]).length;
}

/**
 * When each kind of motion happens; without a beat of its own, during the whole step.
 * @param {Beats} of
 */
export function spans({ all }) {
  const of = (/** @type {Kind} */ kind) => all.find((beat) => beat.kind === kind)?.span;
  /** @type {Span} */
  const whole = [0, 1];
  const arrive = of("arrive");
  const [act, record, fill, enter] = [of("act"), of("record"), of("fill"), of("leave")];
  return {
    arrive: arrive ?? whole,
    act: act ?? whole,
    record: record ?? fill ?? whole,
    fill: fill ?? record ?? whole,
    copy: fill ?? record ?? whole,
    enter: enter ?? whole,
    speak: arrive ?? enter ?? whole,
  };
}

/**
 * The processes and channels that a step is about.
 * @param {import("./types.js").Happening} happening @param {import("../types.js").Base} base
 */
export function involved({ row, moved, changed, spoken, lives, back, frame }, base) {
  const found = new Set([...changed, ...(back?.names ?? [])]);
  if (row !== null) found.add(base.names[row]);
  for (const each of lives) found.add(base.names[each.row]);
  for (const { from, to } of spoken) for (const name of [from, to]) if (name) found.add(name);
  for (const [key, _, name] of frame.n) if (key === "recorded" || key === "absent") found.add(name);
  for (const i of moved) found.add(base.channels[i].name);
  // A network that acts alone does so between two processes.
  if (row === null) for (const i of moved) found.add(base.channels[i].source).add(base.channels[i].target);
  return found;
}

/**
 * The notes of a step in beats: one for each kind.
 * @param {string[]} keys @returns {{kind: Kind, notes: number[]}[]}
 */
function ordered(keys) {
  /** @type {{kind: Kind, notes: number[]}[]} */
  const found = [];
  /** @type {number[]} */
  const early = [];
  let last = found[0];
  keys.forEach((key, note) => {
    // A verdict on a complete snapshot is the end of the step; others are not seen.
    const judges = key === "judged" && found.some((beat) => beat.kind === "judge");
    const kind = judges ? "judge" : KIND.get(key);
    if (kind) last = join(found, kind);
    if (last) last.notes.push(note);
    else early.push(note);
  });
  if (!last) return [{ kind: "act", notes: early }];
  found[0].notes.unshift(...early);
  return found;
}

/** The beat that a note of a kind joins. @param {{kind: Kind, notes: number[]}[]} found @param {Kind} kind */
function join(found, kind) {
  const same = found.find((beat) => beat.kind === kind);
  if (same) return same;
  let at = found.length;
  while (at > 0 && isLater(found[at - 1].kind, kind)) at -= 1;
  const made = { kind, notes: [] };
  found.splice(at, 0, made);
  return made;
}

/** May a beat of the kind `other` come after one that is noted later? @param {Kind} other @param {Kind} kind */
function isLater(other, kind) {
  return RANK.indexOf(other) > RANK.indexOf(kind) && !CAUSES[other]?.includes(kind);
}

/** @param {string[]} keys @returns {Beats} */
function timed(keys) {
  const found = ordered(keys);
  // A rollback moves copies, like a recording; what merely changes is quicker.
  const move = (/** @type {{kind: Kind, notes: number[]}} */ { kind, notes }) =>
    notes.some((note) => BACK.has(keys[note])) ? BEAT.record : BEAT[kind];
  const lasts = found.reduce((sum, beat) => sum + move(beat) + HOLD, -HOLD);
  let from = 0;
  const all = found.map((beat, i) => {
    const { kind, notes } = beat;
    const to = i === found.length - 1 ? lasts : from + move(beat);
    /** @type {Span} */
    const span = [from / lasts, to / lasts];
    from = to + HOLD;
    return { kind, notes: notes.sort((a, b) => a - b), span };
  });
  return { all, lasts };
}
