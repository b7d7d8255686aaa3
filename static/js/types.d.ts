/** What the scripts share with the server and with the libraries of the page; only editors and tests read it. */

import type { Phase } from "./run/phases.js";
import type { Kind } from "./run/predict.js";
import type { Channel, Json } from "./run/types.js";
import type { words } from "./words.js";

export type { Phase } from "./run/phases.js";
export type { Channel, Frame, Json, Line, Message, Part, Process, Recording, Scene, Snapshot } from "./run/types.js";

/** The sentences of the page's language. */
export type Words = ReturnType<typeof words>;

/** Words a key with its fields. */
export type Word = (key: string, fields?: object) => string;

/** A sentence of a step: its key, and its values in the order of its fields. */
export type Sentence = [key: string, ...values: unknown[]];

/** What happened to a process while a snapshot was in progress, and how it stands since. */
export type Membership = [process: string, event: string, step: number, standings: [from: number, stands: string][]];

/** What is the same in every scene of a run, as the server sends it. */
export interface Raw {
  processes: { name: string; state: Json }[];
  channels: string[];
  /** The channels that lead back, in a dataflow. */
  back: string[];
  /** Processes that are not members yet, and those that will bring them in. */
  newcomers: Record<string, string>;
  /** The number of the first snapshot. */
  first: number;
  /** How many snapshots there may be. */
  most: number;
  /** The checks by name, in the order in which they are judged. */
  checks: string[];
  /** The coordinator, if there is one. */
  root: string | null;
  /** Does every process save on its own? */
  private: boolean;
  /** Do messages carry the number of the last snapshot that the sender had recorded? */
  colours: boolean;
  /** Of a dataflow, by process. */
  roles?: Record<string, Role>;
  /** The most messages, by channel. */
  capacity?: Record<string, number>;
  run: { steps: number; discipline: string };
  /** The channels with another order of delivery. */
  orders: Record<string, string>;
  /** What there is of what the program conserves, by quantity. */
  total: Json;
  pseudocode: [name: string, depth: number][];
  /** The wrong line of a broken variant. */
  wrong: string | null;
  captions?: Record<number, Record<string, string>>;
  /** What the author asks after a step. */
  predict?: Record<number, Kind>;
  phases: Record<number, Phase[]>;
  membership: Record<number, Membership[]>;
}

/** What a process of a dataflow does, as `app/wire/dataflow_roles.py` writes it. */
export interface Role {
  role: "coordinator" | "source" | "operator" | "sink";
  logs?: true;
  /** The items of a source, and whether it ends after them. */
  log?: unknown[];
  ends?: true;
  sink?: string;
  does?: string;
  keyed?: true;
}

/** The same, and what follows from it. */
export interface Base extends Omit<Raw, "channels"> {
  names: string[];
  /** Processes by name. */
  index: Map<string, number>;
  /** Channels by name. */
  at: Map<string, number>;
  channels: Channel[];
  /** Are its markers those of a dataflow? */
  barriers: boolean;
  /** Are the states of its processes numbers of tokens? */
  tokens: boolean;
}

/** What is known at the end of a run. */
export interface End {
  full: boolean;
  undisturbed: boolean;
  /** By snapshot, when the stable property holds. */
  stable: Record<number, Record<string, boolean>>;
  deadlock: Record<number, Deadlock>;
  astray?: [step: number, snapshot: number];
  card: Card;
}

/** The last word about a run, as `app/wire/end_card.py` makes it. */
export interface Card {
  tone: "right" | "wrong" | "waiting" | "given-up" | "plain";
  said: Sentence[];
  recorded: Sentence | null;
  /** Each sum, and whether it comes out. */
  sums: [text: string, right: boolean][];
  /** Where a fault shows. */
  step: number | null;
  snapshot: number | null;
  /** How each snapshot ended that is neither right nor wrong. */
  ends: Record<number, "unusable" | "stuck" | "never" | "abandoned" | "open">;
}

/** Which processes wait for whose barrier. */
export interface Deadlock {
  process: string;
  waits: [process: string, source: string][];
  blocked: string[];
}

/** An answer to a question, and whether it was right; null if only the right answer was asked for. */
export interface Judged {
  question: string | undefined;
  right: boolean | null;
  given: unknown;
}

/** A request of htmx. */
export interface Request {
  sourceElement: HTMLElement;
  sourceEvent?: Event & { submitter?: HTMLElement | null };
  target: HTMLElement;
  request: { action: string; body: FormData };
  response: { raw: Response; status: number; headers: Headers };
  text?: string;
  fetch: typeof fetch;
}

/** Where htmx is about to put something. */
export interface Swap {
  target: Element | string;
  fragment: DocumentFragment;
}

/** A figure, as `app/pictures/chart.py` writes it. */
export interface Figure {
  title: string;
  x: Axis;
  y: Axis;
  series: Series[];
}

export interface Axis {
  label: string;
  scale: "linear" | "log" | "symlog" | "names";
  names: string[];
  domain?: [number, number];
}

export interface Series {
  name: string;
  mark: "point" | "line" | "step" | "bar" | "trend" | "box";
  points: Point[];
  whole?: boolean;
  same?: string;
}

/** A value along an axis: by its scale a name or a number; null if there is nothing to measure. */
export type Value = any;

export type Point = [
  x: Value,
  y: Value,
  href?: string | null,
  words?: string | null,
  to?: number | null,
  wrong?: true | null,
  spread?: number[],
];

/** What the scripts use of d3-scale. */
export interface Scale {
  (value: number): number;
  domain(): number[];
  domain(values: number[]): this;
  range(): number[];
  range(values: number[]): this;
  nice(): this;
  ticks(count?: number): number[];
}

export interface Band {
  (name: string): number;
  domain(names: string[]): this;
  range(values: number[]): this;
  paddingInner(part: number): this;
  paddingOuter(part: number): this;
  bandwidth(): number;
}

/** What the scripts use of d3. */
export interface D3 {
  scaleLinear(): Scale;
  scaleLog(): Scale;
  scaleSymlog(): Scale;
  scaleBand(): Band;
  line(): Path;
  curveStepAfter: object;
  symbol(kind: object, size: number): () => string;
  symbolCircle: object;
  symbolSquare: object;
  symbolTriangle: object;
  symbolDiamond: object;
  symbolStar: object;
  symbolCross: object;
}

/** The path of a line through points. */
export interface Path {
  (points: Point[]): string | null;
  x(of: (point: Point) => number): this;
  y(of: (point: Point) => number): this;
  defined(is: (point: Point) => boolean): this;
  curve(kind: object): this;
}

/** What the scripts use of CodeMirror. */
export type CodeMirror = typeof import("../../tests/js/codemirror.js");
export type EditorView = InstanceType<CodeMirror["EditorView"]>;

declare global {
  /** On pages that have loaded it. */
  var htmx: { process(element: Element): void } | undefined;

  interface DocumentEventMap {
    "asked:judged": CustomEvent<Judged>;
    "htmx:config:request": CustomEvent<{ ctx: Request }>;
    "htmx:before:request": CustomEvent<{ ctx: Request }>;
    "htmx:before:response": CustomEvent<{ ctx: Request }>;
    "htmx:after:request": CustomEvent<{ ctx: Request }>;
    "htmx:finally:request": CustomEvent<{ ctx: Request }>;
    "htmx:error": CustomEvent<{ ctx?: Request }>;
    "htmx:before:swap": CustomEvent<{ ctx: Request; tasks: Swap[] }>;
    "htmx:after:swap": CustomEvent<{ ctx: Request }>;
    "htmx:after:history:push": CustomEvent<{ path: string }>;
  }

  interface Window {
    d3: D3;
    codemirror: CodeMirror;
    htmx: {
      ajax(verb: string, path: string, context: object): Promise<void>;
      trigger(at: Element, event: string): void;
      config: { morphIgnore: string[] };
    };
  }
}
