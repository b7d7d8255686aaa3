/** What there is to say of a process or a channel beside it, in lines; the first is its name. Computes. */

import { faults } from "../run/fault.js";
import { snapshotOf } from "../run/scene.js";

/** Messages that a line names before it counts them. */
const SHOWN = 6;

/**
 * @typedef {{text: string, tone: ""|"recorded"|"wrong"}} Line
 * @returns {Line[]}
 */
export function process(scene, shown, i, words) {
  const part = snapshotOf(scene, shown)?.parts.get(i);
  const lines = [line(scene.base.names[i]), line(words.readable(scene.processes.get(i).state))];
  if (part) lines.push(line(`#${shown} ${words.readable(part.state)}`, "recorded"));
  return lines;
}

/** @returns {Line[]} */
export function channel(scene, shown, i, words) {
  const { source, target } = scene.base.channels[i];
  const { queue } = scene.channels.get(i);
  const snapshot = snapshotOf(scene, shown);
  const recording = snapshot?.channels.get(i);
  const lines = [line(`${source} → ${target}`)];
  if (queue.length) lines.push(line(words.word("player.stage.holds", { messages: list(queue, words) })));
  if (recording) {
    const word = recording.open ? words.word("player.stage.recording", { process: target }) : words.word("player.stage.closed");
    const content = recording.log.length ? list(recording.log, words) : recording.open ? "" : "∅";
    lines.push(line(content ? `${word} ${content}` : word, "recorded"));
  }
  for (const { kind, message } of faults(snapshot, scene.base.at).get(i) ?? []) {
    lines.push(line(`${words.readable(message.payload)} ${words.word(`player.stage.fault.${kind}`)}`, "wrong"));
  }
  return lines;
}

function list(queue, words) {
  const texts = queue.items(SHOWN).map((message) => (message.kind === "marker" ? `◆${message.snapshot ?? ""}` : words.readable(message.payload)));
  if (queue.length > SHOWN) texts.push(`+${queue.length - SHOWN}`);
  return texts.join(", ");
}

function line(text, tone = "") {
  return { text, tone };
}
