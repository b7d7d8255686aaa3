/**
 * What could happen next, in the order that the kernel documents: deliveries by channel and position, recorded parts
 * by channel, steps put off, moves by process, starts by process. Computes; never draws.
 */

import { read } from "./action.js";

/**
 * @typedef {{action: string, kind: string, process: string, channel: string|null, key: string, fields: Object,
 *   reason: string|null, message: number|null}} Option `reason`: why it cannot happen now
 */

/** @param {import("./scene.js").Scene} scene @returns {Option[]} */
export function options(scene) {
  return [...deliveries(scene), ...parts(scene), ...wakes(scene), ...moves(scene), ...starts(scene)];
}

/** Those that concern one process. */
export function optionsOf(scene, process) {
  const i = scene.base.index.get(process);
  return [...movesOf(scene, i), ...(startable(scene, i) ? [start(process)] : [])];
}

/** @returns {Option[]} */
export function deliveries(scene) {
  const found = [];
  for (const channel of scene.base.channels) {
    const tube = scene.channels.get(channel.i);
    for (let position = 0; position < tube.queue.length; position += 1) found.push(delivery(scene, channel, tube, position));
  }
  return found;
}

/** The delivery of one message. */
export function delivery(scene, channel, tube, position) {
  const message = tube.queue.at(position);
  const behind = position > 0 && scene.base.fifo;
  const reason = behind ? "behind" : (tube.held.get(message.id) ?? null);
  const marker = message.kind === "marker";
  return {
    action: `deliver ${channel.name}${position ? ` ${position}` : ""}`,
    kind: "deliver",
    process: channel.target,
    channel: channel.name,
    key: marker ? "action.marker" : "action.deliver",
    fields: {
      process: channel.target,
      channel: channel.name,
      message: message.payload,
      snapshot: message.snapshot ?? "",
      ahead: behind ? tube.queue.at(position - 1) : null,
    },
    reason,
    message: message.id,
  };
}

function parts(scene) {
  const found = [];
  for (const channel of scene.base.channels) {
    const { lane } = scene.channels.get(channel.i);
    if (!lane.length) continue;
    const part = lane.at(0);
    found.push({
      action: `collect ${channel.name}`,
      kind: "collect",
      process: channel.target,
      channel: channel.name,
      key: "action.collect",
      fields: { channel: channel.name, part: part.payload, process: channel.target },
      reason: null,
      message: part.id,
    });
  }
  return found;
}

function wakes(scene) {
  return scene.wakes.map(([process, what]) => ({
    action: `wake ${process} ${what}`,
    kind: "wake",
    process,
    channel: null,
    key: "action.wake",
    fields: { process },
    reason: null,
    message: null,
  }));
}

function moves(scene) {
  return scene.base.names.flatMap((_, i) => movesOf(scene, i));
}

function movesOf(scene, i) {
  return scene.processes.get(i).can.map((text) => {
    const { kind, process, channel, rest } = read(text);
    const fields = channel ? { process, channel, message: rest } : { process, state: rest };
    return { action: text, kind, process, channel, key: `action.${kind}`, fields, reason: null, message: null };
  });
}

function starts(scene) {
  return scene.base.names.filter((_, i) => startable(scene, i)).map(start);
}

function start(process) {
  return { action: `start ${process}`, kind: "start", process, channel: null, key: "action.start", fields: { process }, reason: null, message: null };
}

/** May the process start a snapshot now? Unlabelled snapshots are joined as long as they are under way. */
function startable(scene, i) {
  const { labelled, most, first, names } = scene.base;
  if (!labelled && scene.started) {
    const latest = scene.snapshots.find((snapshot) => snapshot.id === first + scene.started - 1);
    if (latest && latest.done < names.length) return latest.parts.get(i) === null;
  }
  return scene.started < most;
}
