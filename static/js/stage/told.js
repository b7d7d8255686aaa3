/** What there is to say of a process or a channel beside it, in lines; the first is its name. Computes. */

import { faults } from "../run/fault.js";
import { spoken } from "../run/options.js";
import { snapshotOf } from "../run/scene.js";

/** Messages that a line names before it counts them. */
const SHOWN = 6;

/**
 * @typedef {{text: string, tone: ""|"recorded"|"wrong"}} Line
 * @returns {Line[]}
 */
export function process(scene, shown, i, words) {
  const part = snapshotOf(scene, shown)?.parts.get(i);
  const { life, paused, state } = scene.processes.get(i);
  const lines = [line(scene.base.names[i]), line(words.readable(state))];
  if (life !== "member") lines.push(line(words.word(`player.stage.life.${life}`)));
  if (paused) lines.push(line(words.word("player.stage.life.paused")));
  if (part) lines.push(line(`#${shown} ${words.readable(part.state)}`, "recorded"));
  return lines;
}

/** @returns {Line[]} */
export function channel(scene, shown, i, words) {
  const { source, target } = scene.base.channels[i];
  const { queue, cut, paused } = scene.channels.get(i);
  const snapshot = snapshotOf(scene, shown);
  const recording = snapshot?.channels.get(i);
  const lines = [line(`${source} → ${target}`)];
  if (cut) lines.push(line(words.word("reason.cut"), "wrong"));
  if (paused) lines.push(line(words.word("player.stage.channel.held", { process: source })));
  if (queue.length) lines.push(line(words.word("player.stage.holds", { messages: list(queue, words) })));
  if (recording) {
    const word = recording.open ? words.word("player.stage.recording", { process: target }) : words.word("player.stage.closed");
    const content = recording.log.length ? list(recording.log, words) : recording.open ? "" : "∅";
    lines.push(line(content ? `${word} ${content}` : word, "recorded"));
  }
  for (const { message } of scene.channels.get(i).gone) lines.push(line(`${named(message, words)} ${words.word("player.stage.fault.dropped")}`, "wrong"));
  for (const { kind, message } of faults(snapshot, scene.base.at).get(i) ?? []) {
    lines.push(line(`${words.readable(message.payload)} ${words.word(`player.stage.fault.${kind}`)}`, "wrong"));
  }
  return lines;
}

function list(queue, words) {
  const texts = queue.items(SHOWN).map((message) => named(message, words));
  if (queue.length > SHOWN) texts.push(`+${queue.length - SHOWN}`);
  return texts.join(", ");
}

/** What a message is called. */
function named({ kind, snapshot, payload }, words) {
  if (kind === "marker") return `◆${snapshot ?? ""}`;
  return words.readable(kind === "control" ? spoken(payload) : payload);
}

function line(text, tone = "") {
  return { text, tone };
}
