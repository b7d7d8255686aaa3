/**
 * What could happen next, in the order that the kernel documents: deliveries by channel and position, arrivals in the
 * control lanes by channel, deferred steps, moves by process, starts by process; and separately, what can go wrong, and
 * how that is fixed. Computes; never draws.
 */

import { read } from "./action.js";
import { sign } from "./sign.js";
import { isMember, isRunning, isWhole } from "./snapshot.js";

/**
 * @typedef {{action: string, kind: string, process: string|null, channel: string|null, key: string, fields: Object,
 *   reason: string|null, message: number|null, special?: string}} Option `reason`: why it cannot happen now; `special`:
 * a key that   is used instead if the catalogue has it
 */

/** @param {import("./scene.js").Scene} scene @returns {Option[]} */
export function options(scene) {
  return [...deliveries(scene), ...arrivals(scene), ...wakes(scene), ...moves(scene), ...starts(scene)];
}

/** The name of an option. @param {Option} option @param {Object} words */
export function called({ key, special, fields }, words) {
  return words.word(special && words.has(special) ? special : key, fields);
}

/** The options of one process: what it can do, and joining or leaving. */
export function optionsOf(scene, process) {
  const i = scene.base.index.get(process);
  // A rollback concerns every process; a crashed one waits for it.
  const isDown = scene.processes.get(i).life === "down";
  const back = repairs(scene).filter(({ process: who }) => who === process || (who === null && isDown));
  const comes = faults(scene).filter(({ kind, process: who }) => COMING.includes(kind) && who === process);
  const due = wakes(scene).filter((option) => option.process === process);
  return [...back, ...due, ...movesOf(scene, i), ...(startable(scene, i) ? [start(process, scene)] : []), ...comes];
}

/** Events that are no faults: a process joins, leaves or comes back. */
const COMING = ["join", "leave"];
const BACK = ["restore", "restart"];

/** How faults are fixed, the likeliest choice first: latest snapshot first, beginning last. @returns {Option[]} */
export function repairs(scene) {
  const found = recoveries(scene);
  if (found[0]?.kind !== "restore") return found;
  const [beginning, ...usable] = found;
  const [newest, ...older] = usable.reverse();
  return newest ? [{ ...newest, key: "action.restore.latest" }, ...older, beginning] : [beginning];
}

/** What can go wrong, without its fixes. @returns {Option[]} */
export function misfortunes(scene) {
  return faults(scene).filter(({ kind }) => !BACK.includes(kind));
}

/** @returns {Option[]} */
export function deliveries(scene) {
  const found = [];
  for (const channel of scene.base.channels) {
    const tube = scene.channels.get(channel.i);
    for (let position = 0; position < tube.queue.length; position += 1) found.push(delivery(channel, tube, position));
  }
  return found;
}

/** The delivery of one message. */
export function delivery(channel, tube, position) {
  const message = tube.queue.at(position);
  const reason = obstacle(channel, tube, position);
  const marker = message.kind === "marker";
  return {
    action: placed("deliver", channel, position),
    kind: "deliver",
    process: channel.target,
    channel: channel.name,
    key: marker ? "action.marker" : message.kind === "control" ? "action.control" : "action.deliver",
    fields: { ...about(channel, message), ahead: reason === "behind" ? tube.queue.at(position - 1) : null },
    reason,
    message: message.id,
  };
}

/** Why a message cannot be delivered now, or null. */
export function obstacle(channel, tube, position) {
  if (tube.cut) return "cut";
  if (position && channel.order === "fifo") return "behind";
  return tube.held.get(tube.queue.at(position).id)?.split(" ")[0] ?? null;
}

/** Does only the channel's order hold the message back? */
function overtakes(channel, tube, position) {
  if (!position || tube.cut) return false;
  const held = tube.held.get(tube.queue.at(position).id);
  return channel.order === "fifo" ? !held : channel.order === "causal" && held === "early";
}

/** The description of a message. */
function about(channel, message) {
  const control = message.kind === "control";
  return {
    process: channel.target,
    channel: channel.name,
    message: control ? spoken(message.payload) : message.kind === "marker" ? sign(channel, message.snapshot) : message.payload,
    snapshot: message.snapshot ?? "",
  };
}

/** The kind of a control message: its word, or the first of several; as a value that has a name. */
export function spoken(payload) {
  return { word: Array.isArray(payload) ? payload[0] : payload };
}

/** Arrivals outside the channels: a recorded part, or a word from another process; not at an absent process. */
function arrival(channel, tube, down) {
  const first = tube.lane.at(0);
  const word = first.kind === "word";
  const [source, target, said] = word ? first.payload : [];
  return {
    action: `collect ${channel.name}`,
    kind: "collect",
    process: channel.target,
    channel: channel.name,
    key: word ? "action.word" : "action.collect",
    fields: word
      ? { channel: channel.name, source, target, process: channel.target, word: spoken(said) }
      : { channel: channel.name, part: first.payload, process: channel.target },
    reason: tube.cut ? "cut" : down ? "down" : null,
    message: first.id,
  };
}

function arrivals(scene) {
  const waiting = scene.base.channels.filter(({ i }) => scene.channels.get(i).lane.length);
  return waiting.map((channel) => arrival(channel, scene.channels.get(channel.i), scene.processes.get(channel.to).life === "down"));
}

function wakes(scene) {
  return scene.wakes.map(([process, what]) => {
    const [word, snapshot = ""] = what.split(" ");
    return { ...plain(`wake ${process} ${what}`, "wake", process, "action.wake", { process, snapshot, word }), special: `action.wake.${word}` };
  });
}

function plain(action, kind, process, key, fields) {
  return { action, kind, process, channel: null, key, fields, reason: null, message: null };
}

function moves(scene) {
  return scene.base.names.flatMap((_, i) => movesOf(scene, i));
}

function movesOf(scene, i) {
  return scene.processes.get(i).can.map((each) => {
    const [text, reason = null, message, state] = Array.isArray(each) ? each : [each];
    const { kind, process, channel, rest } = read(text);
    const into = state !== undefined;
    const fields = into ? { process, channel, message, state } : channel ? { process, channel, message: rest } : { process, state: rest };
    return { action: text, kind, process, channel, key: into ? "action.send.into" : `action.${kind}`, fields, reason, message: null };
  });
}

function starts(scene) {
  return scene.base.names.filter((_, i) => startable(scene, i)).map((process) => start(process, scene));
}

function start(process, { base }) {
  return plain(`start ${process}`, "start", process, base.private ? "action.checkpoint" : "action.start", { process });
}

/** May the process save its own state? */
function saves(scene, i) {
  const { life, saved } = scene.processes.get(i);
  return life === "member" && (saved?.number ?? 0) < scene.base.most;
}

/** May the process start a snapshot now? Unlabelled snapshots can be joined until they are complete. */
function startable(scene, i) {
  const { labelled, serial, most, first, names, root = null } = scene.base;
  if (scene.base.private) return saves(scene, i);
  if (scene.processes.get(i).life !== "member" || someDown(scene)) return false;
  if (root !== null && names[i] !== root) return false;
  const latest = scene.started ? scene.snapshots.find((snapshot) => snapshot.id === first + scene.started - 1) : null;
  if (!labelled && latest && isRunning(latest)) {
    return latest.parts.get(i) === null && !latest.initiators.includes(names[i]) && !latest.absent.has(names[i]);
  }
  if (serial && latest) {
    const earliest = scene.snapshots.find((snapshot) => snapshot.id === first);
    return earliest.initiators[0] === names[i] && !isRunning(latest) && scene.started < most;
  }
  return scene.started < most;
}

/** The crashed processes that will come back. */
function down(scene) {
  if (!scene.base.recovers) return NOBODY;
  return scene.base.names.filter((_, i) => scene.processes.get(i).life === "down");
}

const NOBODY = [];

function someDown(scene) {
  return down(scene).length > 0;
}

// --- what can go wrong ----------------------------------------------------------------------------------------------

/** All faults, in the kernel's order; and which processes may join or leave. @returns {Option[]} */
export function faults(scene) {
  const { channels, names, index, newcomers = {} } = scene.base;
  const found = [];
  const each = (kind, allowed = () => true) => {
    for (const channel of channels) {
      const tube = scene.channels.get(channel.i);
      for (let position = 0; position < tube.queue.length; position += 1) {
        if (allowed(channel, tube, position)) found.push(fault(kind, channel, tube, position));
      }
    }
  };
  each("drop");
  each("duplicate");
  each("overtake", overtakes);
  for (const channel of channels) found.push(...severing(scene, channel));
  const members = names.filter((name) => isMember(scene.processes.get(index.get(name))));
  found.push(...members.filter((name) => crashable(scene, index.get(name), members.length)).map((name) => coming("crash", name)));
  const waits = scene.base.settled && scene.snapshots.some(isRunning); // its members are fixed
  for (const name of scene.unborn) {
    if (isMember(scene.processes.get(index.get(newcomers[name]))) && !waits) found.push(coming("join", name, newcomers[name]));
  }
  found.push(...members.filter((name) => leavable(scene, index.get(name))).map((name) => coming("leave", name)));
  return [...found, ...givenUp(scene), ...forgotten(scene), ...recoveries(scene)];
}

/** If crashes are final, one process must remain; most coordinators never crash. */
function crashable(scene, i, members) {
  const { recovers, root, restartable, names } = scene.base;
  if (!recovers) return members > 1;
  return scene.processes.get(i).life !== "down" && (restartable || !(root && names[i] === root));
}

/** A coordinator may abort a current snapshot. */
function givenUp(scene) {
  if (!scene.base.abandons) return NOBODY;
  return scene.snapshots.filter(isRunning).map(({ id }) => plain(`abandon ${id}`, "abandon", scene.base.root, "action.abandon", { snapshot: id }));
}

/** A request can be lost. */
function forgotten(scene) {
  const { asked = NOBODY } = scene.base;
  const lost = scene.wakes.filter(([, what]) => asked.includes(what.split(" ")[0]));
  return lost.map(([process, what]) => plain(`forget ${process} ${what}`, "forget", process, "action.forget", { process, word: { word: what.split(" ")[0] } }));
}

/** How a crashed process comes back: with all others, to a snapshot or the beginning; or alone. */
function recoveries(scene) {
  const out = down(scene);
  const { recovers, root } = scene.base;
  if (!out.length) return NOBODY;
  if (recovers === "local" || (recovers === "retry" && !out.includes(root))) return out.map((name) => coming("restart", name));
  const usable = [0, ...scene.snapshots.filter(isWhole).map(({ id }) => id)];
  return usable.map((id) => plain(`restore ${id}`, "restore", null, id ? "action.restore" : "action.restore.beginning", { snapshot: id }));
}

/** What can go wrong with one message. */
export function faultsOfMessage(channel, tube, position) {
  const kinds = overtakes(channel, tube, position) ? ["drop", "duplicate", "overtake"] : ["drop", "duplicate"];
  return kinds.map((kind) => fault(kind, channel, tube, position));
}

/** What can go wrong with a channel itself. */
export function faultsOfChannel(scene, channel) {
  return severing(scene, channel);
}

/** What can go wrong with a process. */
export function faultsOfProcess(scene, process) {
  const found = faults(scene).filter((option) => WRONG.includes(option.kind) && option.process === process);
  const { recovers, root, restartable } = scene.base;
  return recovers && root && process === root && !restartable ? [...found, { ...coming("crash", process), reason: "coordinator" }] : found;
}

/** The faults of a process. */
const WRONG = ["crash", "abandon", "forget"];

function fault(kind, channel, tube, position) {
  const message = tube.queue.at(position);
  return {
    action: placed(kind, channel, position),
    kind,
    process: null,
    channel: channel.name,
    key: `action.${kind}`,
    fields: about(channel, message),
    reason: null,
    message: message.id,
  };
}

function severing(scene, channel) {
  const { i, name, from, to } = channel;
  if (!isMember(scene.processes.get(from)) || !isMember(scene.processes.get(to))) return [];
  const kind = scene.channels.get(i).cut ? "mend" : "cut";
  return [{ action: `${kind} ${name}`, kind, process: null, channel: name, key: `action.${kind}`, fields: { channel: name }, reason: null, message: null }];
}

function coming(kind, process, parent = "") {
  return plain(`${kind} ${process}`, kind, process, `action.${kind}`, { process, parent });
}

/** Is there a neighbour that stays and can take over? In a system that recovers, no process leaves. */
function leavable(scene, i) {
  if (scene.base.recovers || scene.processes.get(i).life !== "member") return false;
  return scene.base.channels.some(({ from, to }) => from === i && scene.processes.get(to).life === "member");
}

function placed(kind, channel, position) {
  return `${kind} ${channel.name}${position ? ` ${position}` : ""}`;
}
