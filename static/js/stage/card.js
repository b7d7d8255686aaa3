/**
 * The recorded state of a process: a copy that hangs on a thread beside it and no longer changes. While it is being
 * stored it is an outline; if unusable, it is struck out; and when the system rolls back, it moves back in. Draws.
 */

import { set, svg } from "../svg.js";
import { during, middle } from "./motion.js";
import { between } from "./paths.js";
import { around, classes, hued, moved, redraw } from "./shapes.js";
import { sheet } from "./sheet.js";

/** @import { Box, Moment, ProcessView, Role, Setting } from "./types.js" */

/** How visible what was saved before is while something is saved anew. */
const FADED = 0.4;

/** @param {number} i the process @param {Role | null} role @param {Setting} setting */
export function card(i, role, setting) {
  const { look, layers, larger } = setting;
  // In a grid the box itself turns blue: a copy beside it would be in the way.
  if (look === "grid") return () => {};
  const [node, goal] = [setting.nodes[i], setting.cards[i]];
  const round = look === "row" ? 10 : 6;
  const thread = svg("path", { class: "thread" }, layers.cards);
  const ghost = svg("rect", { ...around(goal.w, goal.h, round) }, layers.cards);
  const group = svg(
    "g",
    { class: "card", "aria-hidden": "true", "data-recorded": setting.base.names[i] },
    layers.cards,
  );
  const write = sheet(group, i, role, setting, round);
  for (const shape of [thread, group, ghost]) set(shape, "visibility", "hidden");

  /**
   * The copy peels off the live process and stops beside it.
   * @param {ProcessView} view @param {Moment} moment @param {number} fraction
   */
  return (view, moment, fraction) => {
    const { had, back, region } = view;
    const { kept, part, anew } = peeled(view, during(fraction, moment.phase.record));
    const apart = kept !== null && part > 0;
    for (const shape of [group, thread]) set(shape, "visibility", apart ? "visible" : "hidden");
    const returns = apart && back && fraction < 1;
    set(ghost, "visibility", returns || anew ? "visible" : "hidden");
    if (!apart) return;
    const { place, d } = hung(node, goal, part);
    // It comes off as wide as its process, so that nothing of it shows beside that.
    const narrow = part < 1 ? Math.min(1, (node.w + (goal.w - node.w) * part) / goal.w) : 1;
    set(group, "transform", `${moved(place)}${scaled(narrow * larger, larger)}`);
    set(thread, "d", d);
    const { standing } = fraction < middle(moment.phase.record) && had ? had : kept;
    const { snapshot, hue } = moment;
    set(group, "class", classes("card", standing, hued(hue)));
    set(thread, "class", classes("thread", standing, hued(hue)));
    set(ghost, "class", classes("back-sheet", hued(hue)));
    redraw(group, [snapshot, hue, region, kept.saved, standing, kept.state], () =>
      write(kept, region, moment, standing === "struck"),
    );
    // The way back: a second copy goes into the process.
    const t = returns ? during(fraction, moment.phase.act) : 0;
    const narrower = Math.min(1, (goal.w + (node.w - goal.w) * t) / goal.w);
    set(ghost, "transform", `${moved(between(goal, node, t))} scale(${narrower.toFixed(3)} 1)`);
    set(ghost, "opacity", (anew ? FADED : 1 - 0.6 * t).toFixed(2));
  };
}

/** @param {number} across @param {number} down */
function scaled(across, down) {
  return across === 1 && down === 1 ? "" : ` scale(${across.toFixed(3)} ${down})`;
}

/**
 * The copy that is seen, and how far it has come off. What is saved `anew` comes off, too, and covers what was saved before.
 * @param {ProcessView} view @param {number} t how far what changes has come
 */
function peeled({ had, has, back }, t) {
  if (!has || !had) return { kept: has ?? had, part: has ? t : 1 - t, anew: false };
  const anew = !back && had.saved !== has.saved && t > 0 && t < 1;
  return { kept: t > 0 || back ? has : had, part: anew ? t : 1, anew };
}

/**
 * Where the copy and its thread are after `part` of its way.
 * @param {Box} node @param {Box} goal @param {number} part
 */
function hung(node, goal, part) {
  // It hangs above or below, or, if the flow goes downwards, to the left.
  const beside = Math.abs(goal.x - node.x) > node.w / 2;
  const side = beside ? "x" : "y";
  const [own, room] = beside ? [node.w, goal.w] : [node.h, goal.h];
  const far = goal[side] < node[side] ? -1 : 1;
  const from = node[side] + far * Math.max(0, (own - room) / 2);
  const place = { x: goal.x, y: goal.y, [side]: from + (goal[side] - from) * part };
  const edge = node[side] + (far * own) / 2;
  const near = place[side] - (far * room) / 2;
  return { place, d: beside ? `M${edge} ${goal.y}H${near}` : `M${goal.x} ${edge}V${near}` };
}
