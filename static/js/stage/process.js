/** One process: live, with its state and its role, and the recorded copy beside it. Draws. */

import { say, set, svg } from "../svg.js";
import { card } from "./card.js";
import { corners, sign } from "./edge.js";
import { foot } from "./foot.js";
import { holdings } from "./holdings.js";
import { middle } from "./motion.js";
import { changed, parted } from "./rows.js";
import { classes, hued, ifSeen, isSame, moved } from "./shapes.js";
import { state } from "./state.js";

/** @import { Box, Moment, ProcessView, Role, Setting } from "./types.js" */

/** How round its corners are, and how much wider than it its ring is. */
const ROUND = { row: 14, circle: 10, wires: 10, grid: 5 };
const RING = { row: 12, circle: 12, wires: 9, grid: 7 };

/** @param {SVGGElement} group to draw into @param {number} i @param {Setting} setting */
export function process(group, i, setting) {
  const { base, look } = setting;
  const name = base.names[i];
  const role = base.roles?.[name] ?? null;
  const { larger } = setting;
  const { x, y, w, h } = setting.nodes[i];
  const node = { x, y, w: w / larger, h: h / larger };
  const { low, high } = setting.feet[i];
  const kept = card(i, role, setting);
  const title = svg("title", {}, group);
  const describe = describer(group, title, name, role, setting);
  const box = frame("box", node, 0, ROUND[look], low);
  const ring = ifSeen(() => {
    const made = frame("ring", node, RING[look], ROUND[look] + RING[look] / 2, low);
    box.before(made);
    return made;
  });
  group.append(box);
  const inside = svg("g", { class: "inside", ...(high && { transform: `translate(0 ${-high / 2})` }) }, group);
  const write = state(inside, name, { ...node, h: node.h - high }, setting);
  const work = foot(group, name, setting.feet[i], setting);
  const mark = corners(group, name, node, setting);
  const warn = sign(group, node, high, setting);
  /** @type {Record<string, unknown>} */
  let last = {};
  set(group, "transform", `${moved(node)}${larger > 1 ? ` scale(${larger})` : ""}`);

  /** @param {ProcessView} view @param {Moment} moment @param {number} fraction */
  return (view, moment, fraction) => {
    const { was, now, had, has } = view;
    const moving = fraction < 1 && (was !== now || had !== has);
    // In one step nothing else changes from frame to frame.
    const key = last.view === view ? last.key : keyOf(view, moment);
    const done = !moving && isSame(last, { now, has, key, moving });
    last = { view, now, has, key, moving };
    if (done) return;
    const present = moving && fraction < middle(moment.phase.act) ? was : now;
    const { main, pending, logs } = parted(present.state, role);
    const back = present === now ? view.back : "";
    write(main, present === now && !back ? fresh(view, main) : null);
    work(present, pending, logs, view.acks);
    ring(view.acts);
    set(group, "class", classOf(view, back, moment.hue));
    const how = conditionOf(now, view.stuck, pending.length > 0);
    warn(how, colourAt(view, moment, moving ? fraction : 1));
    kept(view, moment, fraction);
    mark(view.others);
    setting.later(group, () => describe(view, moment, how));
  };

  /**
   * What the step has changed in the state, not what differs from what was shown before: that may be any other step.
   * @param {ProcessView} view @param {any} main
   */
  function fresh({ was, changed: isChanged }, main) {
    return isChanged ? changed(main, parted(was.state, role).main) : null;
  }
}

/**
 * For those who do not see it, and for the pointer.
 * @param {SVGElement} group @param {SVGElement} title @param {string} name @param {Role | null} role
 * @param {Setting} setting
 */
function describer(group, title, name, role, { words }) {
  /** @param {ProcessView} view @param {Moment} moment @param {string} how */
  return ({ now, has }, { snapshot }, how) => {
    const shown = holdings(now, role, words).join(stop(words));
    const recorded = has ? words.readable(has.state) : "";
    const spoken = words.word(`player.stage.process${wordsFor(has, snapshot)}`, {
      process: name,
      state: shown || words.word("player.stage.process.none"),
      recorded: recorded || words.word("player.stage.process.none"),
      snapshot,
    });
    const told = how && words.word(`player.stage.life.${how}`);
    set(group, "aria-label", told ? `${told}${stop(words)}${spoken}` : spoken);
    const whose = { process: snapshot === null ? name : `#${snapshot}` };
    const copy = has ? `\n${words.word("player.stage.recorded", whose)}: ${recorded}` : "";
    say(title, `${name}: ${shown}${told && ` (${told})`}${copy}\n${words.word("player.stage.opens")}`);
  };
}

/** Between sentences. @param {import("../types.js").Words} words */
function stop({ lang }) {
  return lang === "zh" ? "。" : ". ";
}

/** The end of the key of what is said: where processes record by themselves, no snapshot has a number.
 * @param {ProcessView["has"]} has @param {number | null} snapshot */
function wordsFor(has, snapshot) {
  if (!has) return "";
  return snapshot === null ? ".saved" : ".recorded";
}

/**
 * A frame of the process, `more` wider than it; `low` of its height lies below it.
 * @param {string} name @param {Box} node @param {number} more @param {number} round @param {number} low
 */
function frame(name, { w, h }, more, round, low) {
  const [width, height] = [w + more, h + more - low];
  const at = { x: -width / 2, y: -(height + low) / 2 };
  return svg("rect", { class: name, ...at, width, height, rx: round });
}

/** What is equal for views that look the same, but for what moves. @param {ProcessView} view @param {Moment} moment */
function keyOf({ was: _was, now: _now, had: _had, has: _has, ...more }, { snapshot, hue }) {
  return JSON.stringify([more, snapshot, hue]);
}

/** The colour that it has by then, if it has one. @param {ProcessView} view @param {Moment} moment
 * @param {number} fraction */
function colourAt({ colours }, { phase }, fraction) {
  return colours && colours[fraction < middle(phase.record) ? 0 : 1];
}

/** @param {ProcessView} view @param {string} back @param {number} hue */
function classOf({ now, has, acts, stuck, acks }, back, hue) {
  const standing = has && `has-copy ${has.standing}`;
  const second = (has || back || acks.length) && hued(hue);
  return classes("node", now.life, acts && "acts", standing, now.paused && "paused", stuck && "stuck", back, second);
}

/** Is it no member, waiting, or busy? @param {ProcessView["now"]} now @param {boolean} stuck @param {boolean} busy */
function conditionOf({ life, paused }, stuck, busy) {
  if (life !== "member") return life;
  if (stuck) return "stuck";
  if (paused) return "paused";
  return busy ? "busy" : "";
}
