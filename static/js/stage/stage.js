/**
 * The stage: processes and channels at a step, and between two steps. It draws what changed and nothing else; where
 * everything is, the server says.
 */

import { set, svg } from "../svg.js";
import { balloons } from "./balloons.js";
import { crowd } from "./crowd.js";
import { describeChannel, describeProcess } from "./description.js";
import { focus } from "./focus.js";
import { later } from "./later.js";
import { neighbours } from "./neighbours.js";
import { listen } from "./picks.js";
import { process } from "./process.js";
import { resting } from "./resting.js";
import { follow } from "./size.js";
import { tip } from "./tip.js";
import { tube } from "./tube.js";
import { viewOf } from "./view.js";

/** @import { Base, Knows, Picks, Plan, Scene, Setting, View, Words } from "./types.js" */

/** From the lowest to the uppermost. */
const LAYERS = ["tubes", "heads", "prints", "cards", "nodes", "messages", "labels"];
/** The layers without groups that stay. */
const DRAWN = LAYERS.filter((name) => name !== "tubes" && name !== "nodes");

/**
 * Say how the stage is drawn: in a lecture, its room depends on it.
 * @param {SVGSVGElement} root @param {Partial<import("./types.js").Shape>} shape
 */
function shaped(root, { look, level = false, flow }) {
  if (look) root.dataset.look = look;
  // How many layers a dataflow has.
  if (flow) root.dataset.flow = String(flow);
  root.toggleAttribute("data-level", level);
}

/**
 * @param {HTMLElement} host @param {Scene} scene the first one
 * @param {{words: Words, plan: string, shape?: Partial<import("./types.js").Shape>, picks?: Picks} & Knows} does
 * `plan` is the address of the plans, which lacks the size; `shape`: what it will be, if that is known; without `picks` it
 * is only for watching
 */
export function stage(host, scene, { words, plan: plans, shape = {}, picks, come, known }) {
  const { base } = scene;
  const branch = picks?.branch ?? (() => "");
  const size = { width: "100%", height: "100%" };
  const root = svg("svg", { class: "stage-picture", role: "group", "aria-label": words.word("player.stage"), ...size });
  root.append(patterns());
  const unseen = later(root);
  const layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { class: name }, root)]));
  const groups = controls(layers, base);
  host.replaceChildren(root);

  /** @type {ReturnType<typeof parts> | null} */
  let drawn = null;
  /** @type {View | null} */
  let view = null;
  let moved = 1;
  let asked = "";
  /** @type {number | null} */
  let lit = null;

  shaped(root, shape);

  /** @param {Plan} plan */
  function layout(plan) {
    for (const group of [...groups.tubes, ...groups.nodes, ...DRAWN.map((name) => layers[name])])
      group.replaceChildren();
    const shared = { base, words, layers, branch, come, known, later: unseen };
    drawn = parts(root, groups, { ...plan, ...shared });
    set(root, "viewBox", `0 0 ${plan.width} ${plan.height}`);
    shaped(root, plan);
    host.style.setProperty("--tall", `${plan.tall}px`);
    light(lit);
    draw();
  }

  /**
   * Show what has happened of a step.
   * @param {Scene} was @param {Scene} now @param {number} fraction of the step
   * @param {number | null} shown the snapshot whose recording is drawn @param {boolean} settled
   */
  function show(was, now, fraction, shown, settled) {
    if (view?.was !== was || view.now !== now || asked !== `${shown} ${settled}`)
      view = viewOf(was, now, shown, settled);
    asked = `${shown} ${settled}`;
    moved = fraction;
    draw();
  }

  function draw() {
    if (!drawn || !view) return;
    const { was, now, moment } = view;
    set(root, "data-hue", moment.hue);
    set(root, "data-back", now.happening?.back ? "" : null);
    const moving = was !== now && moved < 1;
    if (moving) tips.hide();
    drawn.focus(moving ? now.happening : null);
    const to = drawn.rests(now);
    const from = moving ? drawn.rests(was) : to;
    for (let i = 0; i < drawn.tubes.length; i += 1) drawn.tubes[i].draw(view.tubes[i], moment, moved, from[i], to[i]);
    drawn.crowd.settle();
    for (let i = 0; i < drawn.processes.length; i += 1) drawn.processes[i](view.processes[i], moment, moved);
    drawn.speech(now.happening?.spoken ?? [], was === now ? 1 : moved, moment.phase.speak);
    unseen.due();
  }

  /** @param {number | null} id of the message to light up */
  function light(id) {
    lit = id;
    for (const each of drawn?.tubes ?? []) each.light(id);
  }

  const tips = tip(root, host, (element) => (view ? describe(element, view, words) : []));
  if (picks) listen(root, picks, tips.hide);
  neighbours(root, layers, base);
  return { show, ready: follow(host, plans, layout), light };
}

/**
 * The groups of processes and channels, which open menus: they stay when the plan changes.
 * @param {Record<string, SVGGElement>} layers @param {Base} base
 */
function controls(layers, base) {
  const menu = { role: "button", "aria-haspopup": "menu" };
  return {
    tubes: base.channels.map(({ name }) =>
      svg("g", { class: "tube", ...menu, "aria-label": name, "data-channel": name }, layers.tubes),
    ),
    nodes: base.names.map((name) =>
      svg("g", { class: "node", tabindex: 0, ...menu, "aria-label": name, "data-process": name }, layers.nodes),
    ),
  };
}

/** The lines of a tip. @param {SVGElement} element @param {View} view @param {Words} words */
function describe({ dataset }, { now, moment }, words) {
  const { process: name, channel, on } = dataset;
  const { index, at } = now.base;
  if (name) return describeProcess(now, moment.snapshot, index.get(name) ?? 0, words);
  return describeChannel(now, moment.snapshot, at.get(channel ?? on ?? "") ?? 0, words);
}

/**
 * The parts of the stage.
 * @param {SVGSVGElement} root @param {ReturnType<typeof controls>} groups @param {Omit<Setting, "crowd">} shared
 */
function parts(root, { tubes, nodes }, shared) {
  const setting = /** @type {Setting} */ (shared);
  if (setting.look === "row") setting.font = Math.max(setting.font, setting.small);
  setting.crowd = crowd(setting);
  const { channels, names } = setting.base;
  const focused = focus(setting, root);
  return {
    tubes: channels.map((channel, i) => focused.owned(channel.name, tubes[i], () => tube(tubes[i], channel, setting))),
    processes: names.map((name, i) => focused.owned(name, nodes[i], () => process(nodes[i], i, setting))),
    crowd: setting.crowd,
    speech: balloons(setting),
    focus: focused.on,
    rests: resting(setting),
  };
}

/** What fills a channel while it is recorded, by hue. */
function patterns() {
  const defs = svg("defs");
  const tile = { width: 10, height: 10, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" };
  for (const hue of [1, 2]) {
    const pattern = svg("pattern", { id: `hatch-${hue}`, ...tile }, defs);
    svg("rect", { class: "paper", width: 10, height: 10 }, pattern);
    svg("rect", { class: `stripe hue${hue}`, width: 5, height: 10 }, pattern);
  }
  return defs;
}
