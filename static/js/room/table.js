/**
 * Somebody who is a process or a channel of a system made of people. What the group sees comes whole; every button is
 * something that is possible now. Draws.
 */

import { all, as, json, one, refocused } from "../page.js";
import { html } from "../svg.js";
import { words as wordsOf } from "../words.js";
import { listen, say } from "./line.js";
import { verdict } from "./verdict.js";

/**
 * @typedef {{deed: string, who: string, text: string, channel?: string, amount?: unknown, into?: string}} Act
 * @typedef {{state: unknown, copy: unknown, done: boolean, markers: string[]}} Process
 * @typedef {{source: string, target: string, queue: unknown[], log: unknown[], closed: boolean, sent: boolean}} Channel
 * @typedef {{processes: Record<string, Process>, channels: Record<string, Channel>, snapshot: number, version: number,
 *   round: number, stage: string, frozen: boolean, deeds: string[], acts: Act[], end: string}} Table
 */

const { code, group, role, lead, turn: last, document: first } = json("data-table");
const words = wordsOf(json("data-words"), document.documentElement.lang.slice(0, 2), {});
const path = `/r/${code}`;
const here = lead ? `?group=${group}` : "";
const status = one("table-status");
/** @type {Table} */
let table = first;
let turn = last;
let round = -1;

/** @type {import("../types.js").Word} */
const word = (key, values) => words.word(`table.says.${key}`, values);
/** @type {import("../types.js").Word} */
const room = (key, values) => words.word(`room.says.${key}`, values);

/** A button for something that is possible now. @param {Act} act @param {string} label @param {string} [kind] */
function button(act, label, kind = "") {
  return html("button", { type: "button", class: `button ${kind}`, "data-action": act.text }, label);
}

/** What somebody may do now. @param {string} deed @param {string} [channel] */
const acts = (deed, channel) =>
  table.acts.filter((act) => act.deed === deed && act.who === role && (!channel || act.channel === channel));

/** Do something; a request that is lost is repeated, and done once. @param {string} action */
async function act(action) {
  turn += 1;
  const said = { action, turn, ...(lead ? { group, role } : {}) };
  const { status: answer } = await say(`${path}/act`, said, (why) => {
    status.textContent = word(why ? "unkept" : "lost");
  });
  if (answer !== 200) status.textContent = word("gone");
}

/** What a process can pay, and what comes. */
function process() {
  const channels = Object.entries(table.channels);
  const inputs = channels.flatMap(([, each]) => (each.target === role ? [each] : []));
  return [
    ...channels.filter(([, each]) => each.source === role).map(([name, each]) => pays(name, each)),
    ...acts("change").map((one) => button(one, word("change", { state: one.into }), "table-big")),
    html(
      "p",
      "table-inputs",
      ...(inputs.length ? [word("coming")] : []),
      ...inputs.map((each) =>
        html("span", "", word("coming.from", { channel: named(each), what: coming(each.queue) })),
      ),
    ),
  ];
}

/** @param {Channel} each */
const named = ({ source, target }) => `${source} → ${target}`;

/** What is on the way in a channel. @param {unknown[]} queue */
function coming(queue) {
  /** @param {string} one @param {number} count @param {object} [values] */
  const counted = (one, count, values) => word(`coming.${one}${count === 1 ? "" : "s"}`, { count, ...values });
  const [sent, markers] = [queue.filter((each) => each !== null), queue.filter((each) => each === null)];
  const amounts = sent.flatMap((each) => (typeof each === "number" ? each : []));
  const coins = amounts.reduce((sum, each) => sum + each, 0);
  const paid = sent.length > 0 && amounts.length === sent.length;
  const parts = [
    ...(paid ? [counted("payment", sent.length, { coins: counted("coin", coins) })] : []),
    ...(sent.length && !paid ? [counted("message", sent.length)] : []),
    ...(markers.length ? [counted("marker", markers.length)] : []),
  ];
  return parts.length ? words.readable(parts) : word("coming.nothing");
}

/** @param {string} name @param {Channel} each */
function pays(name, each) {
  const amounts = acts("send", name).map((one) => button(one, String(one.amount)));
  if (!amounts.length) return html("p", "table-group", word("nothing", { target: each.target }));
  return html("div", "table-send", html("p", "", word("send", { target: each.target })), html("div", "", ...amounts));
}

/** The part of a process in a snapshot. @param {Process} mine */
function snapshot(mine) {
  /** @type {HTMLElement[]} */
  const parts = [
    ...acts("start").map((one) => button(one, word("start"), "table-big")),
    ...acts("record").map((one) => button(one, word("record"), "table-big table-blue")),
  ];
  if (mine.copy !== null)
    parts.push(html("p", "table-copy", html("b", "", String(mine.copy)), html("span", "", word("recorded"))));
  if (!table.deeds.includes("send_marker") || !table.snapshot) return parts;
  if (mine.done) return [...parts, html("p", "table-done", word("finished"))];
  const channels = Object.entries(table.channels);
  parts.push(...channels.filter(([, each]) => each.source === role).map(([name, each]) => output(name, each)));
  parts.push(...channels.filter(([, each]) => each.target === role).map(([name, each]) => input(name, each, mine)));
  return [...parts, ...acts("done").map((one) => button(one, word("done"), "table-big"))];
}

/** @param {string} name @param {Channel} each */
function output(name, each) {
  const label = word("send_marker", { target: each.target });
  const sends = acts("send_marker", name).map((one) => button(one, label, each.sent ? "" : "table-amber"));
  return html("div", "table-row", ...sends, ...(each.sent ? [html("span", "", word("sent"))] : []));
}

/** @param {string} name @param {Channel} each @param {Process} mine */
function input(name, each, mine) {
  return html(
    "div",
    "table-row",
    html("b", "", named(each)),
    ...acts("log", name).map((one) => button(one, word("log"), "table-blue")),
    ...acts("close", name).map((one) => button(one, word("close", { channel: named(each) }))),
    ...(mine.markers.includes(name) ? [html("span", "table-marker", `◆ ${word("marker")}`)] : []),
    ...(each.log.length ? [html("span", "", word("logged", { log: each.log.join(", ") }))] : []),
    ...(each.closed ? [html("span", "", word("closed"))] : []),
  );
}

/** @param {Channel} mine */
function channel(mine) {
  const shown = mine.queue.map((each) =>
    html("li", each === null ? "table-is-marker" : "", each === null ? "◆" : String(each)),
  );
  return [
    html("p", "", shown.length ? word("queue") : word("empty")),
    html("ol", "table-queue", ...shown),
    ...acts("deliver").map((one) => button(one, word("deliver"), "table-big")),
  ];
}

/** @param {Table} next */
const draw = (next) => refocused(one("table-page"), "action", () => drawn(next));

/** @param {Table} next */
function drawn(next) {
  const over = next.stage === "over" && (table.stage !== "over" || table.end !== next.end || round < 0);
  table = next;
  if (round !== table.round) {
    round = table.round;
    for (const each of all(document, "[data-round]")) each.hidden = Number(each.dataset.round) !== round;
  }
  const key = table.frozen ? "frozen" : table.stage;
  status.textContent = word(key);
  status.dataset.stage = key;
  const mine = table.processes[role];
  one("table-balance").textContent = mine ? String(mine.state) : "";
  one("table-balance").classList.toggle("table-word", typeof mine?.state === "string");
  const played = table.stage !== "over";
  one("table-mine").hidden = !played;
  if (played) one("table-mine").replaceChildren(...(mine ? process() : channel(table.channels[role])));
  const parts = mine && played ? snapshot(mine) : [];
  one("table-snapshot").hidden = !parts.length;
  one("table-snapshot").replaceChildren(...parts);
  one("table-result").hidden = played;
  if (over) verdict(one("table-result"), `${path}/table/result${here}`, word, room);
}

one("table-page").addEventListener("click", ({ target }) => {
  const pressed = as(target, HTMLButtonElement);
  if (!pressed?.dataset.action) return;
  if (pressed.dataset.sent) return;
  pressed.dataset.sent = "1"; // until the group has heard of it
  act(pressed.dataset.action);
});
listen(`${path}/table/live${here}`, {
  room: (next) => draw(/** @type {any} */ (next)),
  line: (on) => {
    if (!on) status.textContent = word("lost");
  },
});
draw(first);
