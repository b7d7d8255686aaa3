/** The description of a process or a channel, in lines; the first is its name. Computes. */

import { faults } from "../run/fault.js";
import { snapshotOf, standing } from "../run/snapshot.js";
import { holdings, savedAs, task } from "./holdings.js";
import { named } from "./labels.js";

/** @import { Channel, Line, Queue, Role, Scene, Words } from "./types.js" */

/** How many messages a line names before it counts them. */
const SHOWN = 6;

/**
 * @param {Scene} scene @param {number | null} shown the snapshot @param {number} i @param {Words} words
 * @returns {Line[]}
 */
export function describeProcess(scene, shown, i, words) {
  const { base } = scene;
  const name = base.names[i];
  const process = scene.processes.get(i);
  const { life, paused, saved } = process;
  const role = base.roles?.[name];
  const lines = [name, ...(role ? duties(role, words) : []), ...holdings(process, role, words)];
  const said = lines.filter((text) => text || !role).map((text) => line(text));
  if (saved) said.push(line(`${savedAs(base, name, saved.number, words)} ${words.readable(saved.state)}`, "recorded"));
  if (life !== "member") said.push(line(words.word(`player.stage.life.${life}`)));
  if (paused) said.push(line(words.word("player.stage.life.paused")));
  return [...said, ...copied(scene, shown, i, words)];
}

/** What it is there for. @param {Role} role @param {Words} words */
function duties(role, words) {
  const lines = [words.word(`player.stage.role.${role.sink ?? role.role}`)];
  if (role.does && role.does !== "pass") lines.push(task(role, words));
  if (role.log) lines.push(words.word("player.stage.log", { records: role.log }));
  return lines;
}

/**
 * What is recorded of a process.
 * @param {Scene} scene @param {number | null} shown @param {number} i @param {Words} words
 */
function copied(scene, shown, i, words) {
  const snapshot = snapshotOf(scene, shown);
  const part = snapshot?.parts.get(i);
  if (!snapshot || !part) return [];
  const how = standing(part, snapshot, scene.base);
  const said = how === "whole" ? "" : ` (${words.word(`player.stage.${how}`)})`;
  return [line(`#${shown} ${words.readable(part.state)}${said}`, how === "struck" ? "wrong" : "recorded")];
}

/**
 * @param {Scene} scene @param {number | null} shown the snapshot @param {number} i @param {Words} words
 * @returns {Line[]}
 */
export function describeChannel(scene, shown, i, words) {
  const { base } = scene;
  const channel = base.channels[i];
  const { queue } = scene.channels.get(i);
  const snapshot = snapshotOf(scene, shown);
  const recording = snapshot?.channels.get(i);
  const lines = [line(`${channel.source} → ${channel.target}`), ...conditions(scene, channel, words)];
  if (queue.length) lines.push(line(words.word("player.stage.holds", { messages: list(queue, channel, words) })));
  if (recording) {
    const how = recording.open ? "player.stage.recording" : "player.stage.closed";
    const content = recording.log.length ? list(recording.log, channel, words) : recording.open ? "" : "∅";
    lines.push(line(`${words.word(how, { process: channel.target })} ${content}`.trimEnd(), "recorded"));
  }
  return [...lines, ...findings(scene, shown, i, words)];
}

/**
 * What a channel has just lost, and what checks have found in it.
 * @param {Scene} scene @param {number | null} shown @param {number} i @param {Words} words @returns {Line[]}
 */
export function findings(scene, shown, i, words) {
  const { base } = scene;
  const channel = base.channels[i];
  const lost = scene.channels.get(i).gone.map(({ message, undone }) => {
    const fault = words.word(`player.stage.fault.${undone ? "undone" : "dropped"}`);
    return line(`${named(message, channel, words)} ${fault}`, undone ? "" : "wrong");
  });
  const wrong = (faults(snapshotOf(scene, shown), base.at).get(i) ?? []).map(({ kind, message }) =>
    line(`${words.readable(message?.payload)} ${words.word(`player.stage.fault.${kind}`)}`, "wrong"),
  );
  return [...lost, ...wrong];
}

/** What keeps messages from moving. @param {Scene} scene @param {Channel} channel @param {Words} words */
export function conditions({ base, channels }, { i, name, source }, words) {
  const { queue, partitioned, paused, blocked } = channels.get(i);
  const count = queue.items().filter(({ kind }) => kind === "app").length;
  const lines = [];
  if (partitioned) lines.push(line(words.word("reason.partitioned"), "wrong"));
  if (paused) lines.push(line(words.word("player.stage.channel.held", { process: source })));
  if (blocked !== null) lines.push(line(words.word("player.stage.channel.blocked", { snapshot: blocked })));
  const capacity = base.capacity?.[name] ?? Infinity;
  if (count >= capacity) lines.push(line(words.word("player.stage.channel.full", { count })));
  return lines;
}

/** @param {Queue} queue @param {Channel} channel @param {Words} words */
function list(queue, channel, words) {
  const texts = queue.items(SHOWN).map((message) => named(message, channel, words));
  if (queue.length > SHOWN) texts.push(`+${queue.length - SHOWN}`);
  return texts.join(", ");
}

/** @param {string} text @param {Line["tone"]} [tone] @returns {Line} */
function line(text, tone = "") {
  return { text, tone };
}
