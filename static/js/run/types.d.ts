/** Scenes: the state of a run after each step, as `scene.js` folds it from the frames; only editors and tests read
 * it. */

import type { Base, Sentence } from "../types.js";
import type { Action } from "./scene.js";
import type { Queue } from "./queue.js";
import type { Vector } from "./vector.js";

/** A step as the server sends it: the action, the notes (see `app/wire/note_codec.py`) and the sentences. */
export interface Frame {
  a: string;
  n: [key: string, ...values: any[]][];
  s: Sentence[];
}

export interface Scene {
  step: number;
  base: Base;
  processes: Vector<Process>;
  channels: Vector<Tube>;
  /** In the order of their ids. */
  snapshots: Snapshot[];
  /** When all rolled back last, and to what. */
  restored: { snapshot: number; step: number } | null;
  /** The recovery line, if every process saves on its own. */
  line: Line | null;
  /** The messages that have been received although their sending was undone. */
  orphans: Set<number>;
  happening: Happening | null;
}

/** JSON of the server: a state, a payload, a tag, an item. */
export type Json = any;

export interface Message {
  id: number;
  kind: "app" | "marker" | "control" | "part" | "word";
  payload: Json;
  snapshot: number | null;
  tag: Json;
  /** The place of its channel. */
  channel: number;
  sent: number;
  /** The first message of which this one is a repetition. */
  origin: number | null;
  /** The message that the network copied. */
  twin: number | null;
  /** The step in which it was put back, as recorded. */
  back?: number;
}

export interface Channel {
  name: string;
  i: number;
  source: string;
  target: string;
  from: number;
  to: number;
  /** The place of the channel in the other direction, or -1. */
  back: number;
  /** Does it lead back, in a dataflow? */
  against: boolean;
  /** Are its markers those of a dataflow? */
  barriers: boolean;
}

export type Life = "member" | "unborn" | "leaving" | "left" | "crashed" | "down";

export interface Process {
  state: Json;
  changed: number;
  life: Life;
  paused: boolean;
  /** What has left the system here. */
  outside: [item: Json, identity: string][] | null;
  /** What it saved last on its own. */
  saved: Saved | null;
  /** The steps in which it saved, by number from 1. */
  saves: readonly number[];
  keeps: Keeps | null;
}

export interface Saved {
  number: number;
  state: Json;
  step: number;
}

/** The ids of the messages that a process knows, and what it sent and may have to send again. */
export interface Keeps {
  ids: string[];
  unheard: [id: string, payload: Json, item: string | null][];
}

export interface Tube {
  queue: Queue;
  lane: Queue;
  partitioned: boolean;
  paused: boolean;
  /** For which snapshot this input is blocked. */
  blocked: number | null;
  /** What this step lost. */
  gone: readonly Gone[];
}

export interface Gone {
  message: Message;
  rank: number;
  /** Was it taken back, because its sender was? */
  undone?: boolean;
}

export interface Recording {
  open: boolean;
  log: Queue;
  since: number;
  closed: number | null;
}

/** A recorded state. */
export interface Part {
  state: Json;
  step: number;
  /** When it was recorded first: a broken algorithm records again. */
  first: number;
  /** Since when it is completely stored. */
  stored: number | null;
  /** Since when it is gone, because its process crashed before that. */
  lost: number | null;
  folded?: number;
}

export interface Verdict {
  holds: boolean | null;
  witness: Json;
  step: number;
}

/** A process that takes no part in a snapshot: since when, and whether all that it did lies inside the cut. */
export interface Absence {
  since: number;
  inside: boolean;
}

export interface Snapshot {
  id: number;
  begun: number;
  parts: Vector<Part | null>;
  channels: Vector<Recording | null>;
  recorded: number;
  closed: number;
  done: number;
  complete: number | null;
  unreachable: readonly string[];
  checks: Record<string, Verdict>;
  /** How many have not done their part. */
  waiting: number;
  aborted: number | null;
  absent: Map<string, Absence>;
  unusable: readonly string[];
  /** The master of each process. */
  regions: Map<string, string>;
  /** Which processes wait in a cycle, and on which inputs. */
  stuck: { names: Set<string>; channels: Set<string> } | null;
}

/** Checkpoints at a crash, and the recovery line through them, by process. */
export interface Line {
  crash: number;
  since: number;
  /** Which checkpoint each rolls back to, 0 for its beginning, null if it stays. */
  places: Record<string, number | null>;
  /** The steps of these checkpoints, in the order of the processes. */
  at: (number | null)[];
  disk: Record<string, number>;
  useless: Record<string, number[]>;
  /** Known once recovery is over. */
  cost: { rollbacks: number; lost: Record<string, number>; exact: boolean } | null;
}

/** What a step did. */
export interface Happening extends Deeds {
  step: number;
  action: Action;
  frame: Frame;
  /** The process that acts; null if none does. */
  row: number | null;
  /** What can be marked on the timeline and jumped to. */
  kinds: string[];
  received: Message | null;
}

/** What the notes of a step say was done. */
export interface Deeds {
  lines: string[];
  moved: Set<number>;
  changed: Set<string>;
  spoken: Spoken[];
  /** Which processes roll back, and to what. */
  back: { snapshot: number; names: Set<string>; all: boolean } | null;
  /** The channels that lost something. */
  emptied: Set<number>;
  /** The application event, or null for control. */
  event: "send" | "receive" | "change" | null;
  /** The application message that was sent or received. */
  message: number | null;
  /** The messages that are new in their channels, and those that have arrived. */
  entered: Message[];
  arrived: Message[];
  /** What the process recorded, in order; snapshot 0 is what it saves on its own. */
  records: { snapshot: number; state: Json }[];
  /** Whose life changed. */
  lives: { row: number; life: Life }[];
  setbacks: Setback[];
}

/** What is said outside the channels, and heard. */
export interface Spoken {
  from: string;
  to: string | null;
  word: string;
  snapshot: number | null;
}

/** What happened until a step has not happened. */
export interface Setback {
  step: number;
  /** What all rolled back to (0: the beginning); for one process, the number of what it had saved. */
  snapshot: number;
  /** The only process that rolled back, null if all did. */
  row: number | null;
  /** For one process, the step in which that was saved. */
  since: number;
}
