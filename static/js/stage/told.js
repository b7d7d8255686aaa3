/** The description of a process or a channel, in lines; the first is its name. Computes. */

import { called } from "../run/checkpoint.js";
import { faults } from "../run/fault.js";
import { snapshotOf } from "../run/scene.js";
import { sign, spoken } from "../run/sign.js";
import { standing } from "../run/snapshot.js";
import { holdings } from "./holdings.js";

/** How many messages a line names before it counts them. */
const SHOWN = 6;

/**
 * @typedef {{text: string, tone: ""|"recorded"|"wrong"}} Line
 * @returns {Line[]}
 */
export function process(scene, shown, i, words) {
  const part = snapshotOf(scene, shown)?.parts.get(i);
  const { life, paused, saved } = scene.processes.get(i);
  const role = scene.base.roles?.[scene.base.names[i]];
  const lines = [line(scene.base.names[i])];
  if (role) lines.push(line(words.word(`player.stage.role.${role.sink ?? role.role}`)));
  if (role?.does && role.does !== "pass") lines.push(line(words.word(`player.stage.does.${role.does}${role.keyed ? ".keyed" : ""}`)));
  if (role?.log) lines.push(line(words.word("player.stage.log", { records: role.log })));
  for (const text of holdings(scene.processes.get(i), role, words)) if (text || !role) lines.push(line(text));
  if (saved) lines.push(line(`${scene.base.private ? called(scene.base.names[i], saved.number) : words.word("player.stage.saved", { saved: saved.number })} ${words.readable(saved.state)}`, "recorded"));
  if (life !== "member") lines.push(line(words.word(`player.stage.life.${life}`)));
  if (paused) lines.push(line(words.word("player.stage.life.paused")));
  if (part) {
    const how = standing(part, snapshotOf(scene, shown), scene.base);
    const said = how === "whole" ? "" : ` (${words.word(`player.stage.${how}`)})`;
    lines.push(line(`#${shown} ${words.readable(part.state)}${said}`, how === "struck" ? "wrong" : "recorded"));
  }
  return lines;
}

/** @returns {Line[]} */
export function channel(scene, shown, i, words) {
  const { source, target } = scene.base.channels[i];
  const { queue, partitioned, paused, blocked } = scene.channels.get(i);
  const { channels, capacity = {} } = scene.base;
  const many = queue.items().filter(({ kind }) => kind === "app").length;
  const snapshot = snapshotOf(scene, shown);
  const recording = snapshot?.channels.get(i);
  const lines = [line(`${source} → ${target}`)];
  if (partitioned) lines.push(line(words.word("reason.partitioned"), "wrong"));
  if (paused) lines.push(line(words.word("player.stage.channel.held", { process: source })));
  if (blocked !== null) lines.push(line(words.word("player.stage.channel.blocked", { snapshot: blocked })));
  if (many >= capacity[channels[i].name]) lines.push(line(words.word("player.stage.channel.full", { count: many })));
  if (queue.length) lines.push(line(words.word("player.stage.holds", { messages: list(queue, channels[i], words) })));
  if (recording) {
    const word = recording.open ? words.word("player.stage.recording", { process: target }) : words.word("player.stage.closed");
    const content = recording.log.length ? list(recording.log, channels[i], words) : recording.open ? "" : "∅";
    lines.push(line(content ? `${word} ${content}` : word, "recorded"));
  }
  for (const { message, undone } of scene.channels.get(i).gone) {
    lines.push(line(`${named(message, channels[i], words)} ${words.word(`player.stage.fault.${undone ? "undone" : "dropped"}`)}`, undone ? "" : "wrong"));
  }
  for (const { kind, message } of faults(snapshot, scene.base.at).get(i) ?? []) {
    lines.push(line(`${words.readable(message.payload)} ${words.word(`player.stage.fault.${kind}`)}`, "wrong"));
  }
  return lines;
}

function list(queue, channel, words) {
  const texts = queue.items(SHOWN).map((message) => named(message, channel, words));
  if (queue.length > SHOWN) texts.push(`+${queue.length - SHOWN}`);
  return texts.join(", ");
}

/** The name of a message. */
function named({ kind, snapshot, payload }, channel, words) {
  if (kind === "marker") return sign(channel, snapshot);
  return words.readable(kind === "control" ? spoken(payload) : payload);
}

function line(text, tone = "") {
  return { text, tone };
}
