/**
 * The stage: processes and channels at a step, and between two steps. It draws what changed and nothing else; where
 * everything is, the server says.
 */

import { ask, attempt } from "../ask.js";
import { called } from "../run/checkpoint.js";
import { faults } from "../run/fault.js";
import { isMember, snapshotOf } from "../run/scene.js";
import { standing } from "../run/snapshot.js";
import { tone } from "../run/tone.js";
import { set, svg } from "../svg.js";
import { phases } from "./motion.js";
import { plan as read } from "./plan.js";
import { process } from "./process.js";
import { spoken } from "./spoken.js";
import { tip } from "./tip.js";
import * as told from "./told.js";
import { tube } from "./tube.js";

/** How long a new size must stay before its plan is asked for, in milliseconds. Until then the picture is scaled. */
const SETTLE = 80;
/** A plan for nearly the same size is only scaled: a longer sentence beside the stage moves nothing. */
const NEAR = 0.05;
/** How long after a plan did not come it is asked for once more, in milliseconds. */
const AGAIN = 3_000;

/**
 * @param {HTMLElement} host
 * @param {import("../run/scene.js").Scene} scene the first one
 * @param {{words: Object, plan: string, branch: (action: string) => string, onHover: (message: number|null) => void,
 *   onPick: (process: string, node: Element) => void, onChannel: (channel: string, tube: Element) => void,
 *   onMessage: (message: number, channel: string, pill: Element) => boolean}} does `onMessage` says whether it opened anything;
 * `plan` is the address of the plans, which lacks the size
 */
export function stage(host, scene, does) {
  const { base } = scene;
  const { words } = does;
  const root = svg("svg", { class: "stage-picture", role: "group", "aria-label": words.word("player.stage"), width: "100%", height: "100%" });
  root.append(patterns());
  const layers = {};
  for (const name of ["tubes", "prints", "cards", "nodes", "messages", "labels"]) layers[name] = svg("g", { class: name }, root);
  const tubes = base.channels.map((channel) => tube(layers, channel, words));
  const processes = base.names.map((name, i) => process(layers, name, i, base, words));
  const speech = spoken(layers.labels, base, words);
  host.replaceChildren(root);

  let plan = null;
  let asked = null;
  let waiting = 0;
  let seen = null;
  let lit = null;

  /** The size of the stage. If the page leaves the height to the plan, it has limits. */
  function room() {
    const { clientWidth: width, clientHeight: height } = host;
    const { minHeight, maxHeight } = getComputedStyle(host);
    const [least, most] = maxHeight === "none" ? [height, height] : [minHeight, maxHeight].map((limit) => Math.round(parseFloat(limit)));
    return { width, least, most };
  }

  /** Ask for the plan of a stage of this size, unless that has been done. */
  async function fit() {
    const size = room();
    const hidden = !size.width || !size.most;
    if (hidden || (asked && Object.keys(size).every((side) => Math.abs(size[side] / asked[side] - 1) < NEAR))) return;
    asked = size;
    const url = `${does.plan}&${new URLSearchParams(size)}`;
    const answer = plan ? (await attempt(url)).answer : await ask(url, { at: host });
    if (asked !== size) return;
    if (answer?.ok) return layout(read(answer.text));
    // The plan of another size still shows everything, so nobody has to be told. A refusal would be the same again.
    if (plan && answer) return;
    asked = null;
    if (plan) waiting = setTimeout(fit, AGAIN);
  }

  function layout(next) {
    plan = { ...next, base };
    set(root, "viewBox", `0 0 ${plan.width} ${plan.height}`);
    for (const each of tubes) each.layout(plan);
    for (const each of processes) each.layout(plan);
    speech.layout(plan);
    root.dataset.look = plan.look;
    host.style.setProperty("--tall", `${plan.tall}px`);
    if (seen) show(...seen);
  }

  /**
   * @param {import("../run/scene.js").Scene} was @param {import("../run/scene.js").Scene} now @param {number} fraction
   * @param {number|null} shown the snapshot whose recording is drawn @param {boolean} settled
   */
  function show(was, now, fraction, shown, settled) {
    seen = [was, now, fraction, shown, settled];
    if (!plan) return;
    const began = snapshotOf(was, shown);
    const is = snapshotOf(now, shown);
    const { happening } = now;
    const phase = phases(happening);
    const hue = shown === null ? 0 : tone(base, shown);
    const about = {
      step: now.step,
      snapshot: shown,
      hue,
      actor: happening?.action.process ?? null,
      changed: happening?.changed ?? new Set(),
      silent: !settled,
      branch: does.branch,
      unseen: Boolean((is?.complete && !is.closed) || is?.aborted),
    };
    set(root, "data-hue", hue);
    set(root, "data-back", happening?.back ? "" : null);
    const back = happening?.back ? (happening.back.snapshot ? "back" : "anew") : "";
    if (was !== now && fraction < 1) tips.hide();
    const moved = happening?.moved;
    const wrong = faults(is, base.at);

    const useless = Boolean(is && is.aborted !== null);
    const backwards = (what, { source }) => (what?.back && (what.back.names.size === base.names.length || what.back.names.has(source)) ? back : "");
    const calm = { ...about, moved: false, faults: RIGHT };
    const storing = (i) => Boolean(is?.parts.get(i)) && standing(is.parts.get(i), is, base) === "storing";
    const dead = (i) => useless || Boolean(is?.parts.get(i)?.lost);
    const stirred = { ...calm, moved: true };
    for (const channel of base.channels) {
      const i = channel.i;
      const mood = moved?.has(i) && !back ? stirred : calm;
      const tube = now.channels.get(i);
      const found = troubles(tube, wrong.get(i));
      tubes[i].draw(
        was.channels.get(i),
        tube,
        began?.channels.get(i) ?? null,
        is?.channels.get(i) ?? null,
        fraction,
        phase,
        { ...mood, faults: found, away: away(now, channel), storing: storing(channel.to), capacity: base.capacity?.[channel.name], stuck: Boolean(is?.stuck?.channels.has(channel.name)), useless: dead(channel.to), back: backwards(happening, channel) },
      );
    }
    const rest = now.snapshots.filter((snapshot) => snapshot.id !== shown);
    for (let i = 0; i < processes.length; i += 1) {
      const others = rest.filter((snapshot) => snapshot.parts.get(i)).map((snapshot) => new Corner(snapshot.id, tone(base, snapshot.id), standing(snapshot.parts.get(i), snapshot, base)));
      processes[i].draw(
        was.processes.get(i),
        now.processes.get(i),
        partOf(began, was, i),
        partOf(is, now, i),
        others,
        fraction,
        phase,
        {
          ...about,
          stuck: Boolean(is?.stuck?.names.has(base.names[i])),
          region: is?.regions.get(base.names[i]) ?? "",
          back: happening?.back?.names.has(base.names[i]) ? back : "",
          acks: is && base.names[i] === base.root ? acks(is) : NO_ACKS,
        },
      );
    }
    speech.draw(happening?.spoken ?? RIGHT, was === now ? 1 : fraction);
    if (lit !== null) for (const each of tubes) each.light(lit);
  }

  root.addEventListener("pointerover", (event) => does.onHover(messageAt(event)));
  root.addEventListener("pointerleave", () => does.onHover(null));
  root.addEventListener("focusin", (event) => {
    refresh(event);
    does.onHover(messageAt(event));
  });
  root.addEventListener("pointerdown", refresh);
  root.addEventListener("click", (event) => {
    refresh(event);
    // With a key held down, a link is for the browser to open.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (pick(event.target)) event.preventDefault();
  });
  root.addEventListener("contextmenu", (event) => {
    if (pick(event.target)) event.preventDefault();
  });
  root.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    if (!pick(event.target)) return;
    event.preventDefault();
    event.stopPropagation();
  });

  const parts = new WeakMap();

  /** The name of what a process saved: the checkpoint's, if every process saves on its own. */
  function savedAs(name, number) {
    return base.private ? called(name, number) : words.word("player.stage.saved", { saved: number });
  }

  /** The recorded state of a process and its status; without a snapshot, what it saved on its own. Cached. */
  function partOf(snapshot, scene, i) {
    const part = snapshot?.parts.get(i);
    const { saved } = scene.processes.get(i);
    const source = part ?? (snapshot ? null : saved);
    if (!source) return null;
    const how = part ? standing(part, snapshot, base) : "whole";
    const known = parts.get(source);
    if (known?.standing === how) return known;
    const made = part ? { ...part, standing: how } : { state: saved.state, step: saved.step, saved: savedAs(base.names[i], saved.number), standing: how };
    parts.set(source, made);
    return made;
  }

  /** What the coordinator knows about the others' parts. */
  function acks(snapshot) {
    return base.names.flatMap((name, i) => {
      if (name === base.root) return [];
      const part = snapshot.parts.get(i);
      return [{ name, how: part?.lost ? "lost" : part && part.stored !== null ? "stored" : "open" }];
    });
  }

  /** Open the menu of a message, a process or a channel. @returns {boolean} was there one? */
  function pick(target) {
    const shape = target.closest?.("[data-message], [data-process], [data-channel]");
    if (!shape) return false;
    const { message, process: name, channel, on } = shape.dataset;
    if (message !== undefined) return does.onMessage(Number(message), on, shape);
    tips.hide();
    if (name) does.onPick(name, shape);
    else does.onChannel(channel, shape);
    return true;
  }

  /** The address of a branch carries the step, which changes while the shape stays: write it when it is needed. */
  function refresh(event) {
    const link = event.target.closest?.("[data-action]");
    if (link) link.setAttribute("href", does.branch(link.dataset.action));
  }

  function messageAt(event) {
    const shape = event.target.closest?.("[data-message]");
    return shape ? Number(shape.dataset.message) : null;
  }

  const tips = tip(root, host, (element) => {
    const [, now, , shown] = seen;
    const { process: name, channel, on } = element.dataset;
    if (name) return told.process(now, shown, base.index.get(name), words);
    return told.channel(now, shown, base.at.get(channel ?? on), words);
  });

  const ready = Promise.resolve().then(fit); // once the rest of the page is there, which decides the size
  new ResizeObserver(() => {
    clearTimeout(waiting);
    waiting = setTimeout(fit, plan ? SETTLE : 0);
  }).observe(host);
  return {
    show,
    /** The first plan is drawn, or there is no room for it. @type {Promise<void>} */
    ready,
    light(id) {
      lit = id;
      for (const each of tubes) each.light(id);
    },
  };
}

/** Nothing is wrong. */
const RIGHT = [];
const NO_ACKS = [];
const known = new WeakMap();

/** What is wrong with a channel: it is partitioned, just lost something, or failed a check. Cached by tube. */
function troubles(tube, judged = RIGHT) {
  const lost = tube.gone.filter(({ undone }) => !undone);
  if (!tube.partitioned && !lost.length) return judged;
  const found = known.get(tube);
  if (found?.judged === judged) return found.all;
  const network = tube.partitioned ? [{ kind: "partitioned", message: null }] : RIGHT;
  const all = [...network, ...lost.map(({ message }) => ({ kind: "dropped", message })), ...judged];
  known.set(tube, { judged, all });
  return all;
}

/** Is one of the channel's ends no member? */
function away(scene, { from, to }) {
  return !isMember(scene.processes.get(from)) || !isMember(scene.processes.get(to));
}

class Corner {
  constructor(id, hue, how) {
    Object.assign(this, { id, hue, how });
  }

  toString() {
    return `${this.id} ${this.how}`;
  }
}

function patterns() {
  const defs = svg("defs");
  for (const hue of [1, 2]) {
    const pattern = svg("pattern", { id: `hatch-${hue}`, width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, defs);
    svg("rect", { class: "paper", width: 10, height: 10 }, pattern);
    svg("rect", { class: `stripe hue${hue}`, width: 5, height: 10 }, pattern);
  }
  return defs;
}
