/** What the parts of the stage share; only editors and tests read it. */

import type { Fault } from "../run/fault.js";
import type { Queue } from "../run/queue.js";
import type { Process, Recording, Tube } from "../run/types.js";
import type { Standing } from "../run/snapshot.js";
import type { Base, Message, Scene, Words } from "../types.js";

export type { Fault } from "../run/fault.js";
export type { Queue } from "../run/queue.js";
export type { Gone, Happening, Process, Recording, Spoken, Tube } from "../run/types.js";
export type { Standing } from "../run/snapshot.js";
export type { Value } from "../svg.js";
export type { Base, Channel, Message, Role, Scene, Snapshot, Words } from "../types.js";

export type Look = "row" | "circle" | "wires" | "grid";

export interface Point {
  x: number;
  y: number;
}

/** Centre and size. */
export interface Box extends Point {
  w: number;
  h: number;
}

/** A path, and the distances of its points from its beginning. */
export interface Path {
  d: string;
  points: number[][];
  lengths: number[];
  length: number;
}

/** A place along a path that is one message's own, and how large that may be. */
export interface Station {
  at: number;
  scale: number;
}

/** A part of a path on which nothing but other messages is in the way. */
export interface Stretch {
  begin: number;
  end: number;
}

/** Where everything about a channel is. If many channels cross, messages keep to stretches. */
export interface Track {
  path: Path;
  tube: number;
  head: Point[];
  lane: Path;
  label: Point;
  /** How wide the caption may be. */
  room: number;
  /** On which side of the channel neither caption nor tray is (1 right). */
  inner: number;
  /** What takes the copies of its messages; in a row it is as wide as its caption. */
  tray: (Path & { thick: number }) | null;
  /** Where a fault has a line of its own. */
  wrong: Point | null;
  /** Where messages may be, the head's first, and how far apart they are at least. */
  stretches: Stretch[] | null;
  gap: number;
  /** Where they are counted if there is not enough room. */
  home: Station | null;
  /** The edge of the recorded content, the direction away from the channel, and how wide it may be. */
  badge: { x: number; y: number; nx: number; ny: number; w: number; gap: number } | null;
  /** The same of the lane. */
  sheets: Stretch[] | null;
  perch: Station | null;
}

/** The cells of a process of a dataflow. */
export interface Feet {
  /** How much of its height they take, and how much of that lies below it. */
  high: number;
  low: number;
  /** How high a line of a log is. */
  line: number;
  font: number;
  /** Where cells in it and below it are, by their upper left corners. */
  box: Box;
  below: Box;
}

/** What the room for a stage depends on in a lecture: do several stand on one level, and how many layers has a flow? */
export interface Shape {
  look: Look;
  level: boolean;
  flow: number;
}

/** Where everything is, see app/pictures/layout/plan.py. */
export interface Plan extends Shape {
  width: number;
  height: number;
  nodes: Box[];
  cards: Box[];
  tracks: Track[];
  feet: Feet[];
  /** How high a message is, and how wide it may be. */
  pill: number;
  wide: number;
  font: number;
  /** How many rows of a state a node shows (0: one line). */
  rows: number;
  /** The size of the smallest letters, which do not shrink with what they are on. */
  least: number;
  /** The same on channels. */
  loud: number;
  /** The size of small letters: in a row, larger in a lecture. */
  small: number;
  /** How much larger than all else processes and their copies are drawn. */
  larger: number;
  /** The height in px that suits the stage. */
  tall: number;
}

/** What all parts of a stage share. */
export interface Setting extends Plan, Knows {
  base: Base;
  words: Words;
  layers: Record<string, SVGGElement>;
  /** The shapes of all messages. */
  crowd: import("./crowd.js").Crowd;
  /** Write what nobody sees when the picture rests. */
  later: import("./later.js").Later;
  /** The address of a branch. */
  branch: (action: string) => string;
}

/** Where the messages of a queue rest: distances along the channel, the head's first; the others are counted. */
export interface Rest extends Count {
  places: number[];
  scales: number[] | null;
}

/** The number of messages that are not shown, and where they are counted: along the channel, or beside it. */
export interface Count {
  hidden: number;
  more: number;
  size: number;
  aside: boolean;
}

/** A message on its way; `rank` is its place in the queue (-1: it has left), `shade` how visible it is. */
export interface Item {
  message: Message;
  at: number;
  scale: number;
  rank: number;
  shade: number;
}

/** The messages of a queue at rest, and the number of the others. */
export interface Resting extends Count {
  queue: Queue | null;
  items: Item[];
}

/** The messages of a queue in motion, and the number of the others. */
export interface Traffic extends Count {
  items: Item[];
}

/** Of a step. */
export type Span = [from: number, to: number];

/** When each kind of motion happens: see `spans` in `run/beats.js`. */
export type Phase = Record<"arrive" | "act" | "record" | "fill" | "enter" | "copy" | "speak", Span>;

/** What all parts of the stage show. */
export interface Moment {
  step: number;
  /** The snapshot whose recording is shown, and its colour. */
  snapshot: number | null;
  hue: number;
  phase: Phase;
  /** Can nothing be chosen? */
  silent: boolean;
  /** Will what is not recorded yet never be? */
  unseen: boolean;
}

/** Whether something rolls back, to a snapshot or to the beginning. */
export type Back = "" | "back" | "anew";

/** A channel and its recording, before and after. */
export interface TubeView {
  was: Tube;
  now: Tube;
  began: Recording | null;
  is: Recording | null;
  fresh: boolean;
  faults: Fault[];
  full: boolean;
  /** Is one of its ends no member? */
  away: boolean;
  /** Is its receiver's part not stored yet? */
  storing: boolean;
  stuck: boolean;
  /** Can its recording not be used? */
  useless: boolean;
  back: Back;
}

/** How far a tray is open, how far it is sealed, and what that makes it. */
export interface Filled {
  hatch: number;
  solid: number;
  state: "closed" | "recording" | "idle";
}

/** What is recorded of a process; `saved` is its number if it was saved without a snapshot. */
export interface Copy {
  state: any;
  saved: number | null;
  standing: Standing;
}

/** Another snapshot for which the process has recorded. */
export interface Corner {
  id: number;
  hue: number;
  standing: Standing;
}

/** What the coordinator knows about a part. */
export interface Ack {
  name: string;
  how: "lost" | "stored" | "open";
}

/** A process and what is recorded of it, before and after. */
export interface ProcessView {
  was: Process;
  now: Process;
  had: Copy | null;
  has: Copy | null;
  others: Corner[];
  /** If processes have colours: the last snapshot that it has recorded, before and after; 0 if none. */
  colours: [before: number, after: number] | null;
  acts: boolean;
  changed: boolean;
  stuck: boolean;
  region: string;
  back: Back;
  acks: Ack[];
}

export interface View {
  was: Scene;
  now: Scene;
  moment: Moment;
  tubes: TubeView[];
  processes: ProcessView[];
}

/** A line of the offset log; does the commit log have it, too? */
export interface Batch {
  number: string;
  range: string;
  done: boolean;
}

/** A cell at the foot of a process: its text and its kind. */
export interface Cell {
  text: string;
  how: string;
}

/** Where cells are drawn: the place by its upper left corner. */
export interface Ground {
  group: SVGGElement;
  place: Box;
  font: number;
}

/** A line of a description. */
export interface Line {
  text: string;
  tone: "" | "recorded" | "wrong";
}

/** A fault with the message in it, and its width. */
export interface Mark {
  kind: string;
  text: string;
  size: number;
  w: number;
}

/** A fault with the word behind it, and the width of both. */
export interface Worded extends Mark {
  word: string;
  wide: number;
}

/** What the stage knows of the whole run. */
export interface Knows {
  /** How much of its way a message has behind it after a step; null if nothing says so. */
  come: (message: number, step: number) => number | null;
  /** How much of the run is known: what is known of a message may change with it. */
  known: () => number;
}

/** What visitors choose on the stage. */
export interface Picks {
  branch: (action: string) => string;
  onHover: (message: number | null) => void;
  onPick: (process: string, node: SVGElement) => void;
  onChannel: (channel: string, tube: SVGElement) => void;
  /** Says whether it opened anything. */
  onMessage: (message: number, channel: string, pill: SVGElement) => boolean;
}
