/**
 * What could happen next, in the order that the kernel documents: deliveries by channel and position, arrivals in the
 * control lanes by channel, steps put off, moves by process, starts by process; and apart from these, what can go
 * wrong, and how that is put right. Computes; never draws.
 */

import { read } from "./action.js";
import { sign } from "./sign.js";
import { isMember, isRunning, isWhole } from "./snapshot.js";

/**
 * @typedef {{action: string, kind: string, process: string|null, channel: string|null, key: string, fields: Object,
 *   reason: string|null, message: number|null, special?: string}} Option `reason`: why it cannot happen now; `special`: a key to be
 *   taken instead where the catalogue has it
 */

/** @param {import("./scene.js").Scene} scene @returns {Option[]} */
export function options(scene) {
  return [...deliveries(scene), ...arrivals(scene), ...wakes(scene), ...moves(scene), ...starts(scene)];
}

/** What an option is called. @param {Option} option @param {Object} words */
export function called({ key, special, fields }, words) {
  return words.word(special && words.has(special) ? special : key, fields);
}

/** Those that concern one process: what it can do, and that it comes or goes. */
export function optionsOf(scene, process) {
  const i = scene.base.index.get(process);
  // Going back concerns everybody; whoever is down waits for it.
  const isDown = scene.processes.get(i).life === "down";
  const back = repairs(scene).filter(({ process: who }) => who === process || (who === null && isDown));
  const comes = faults(scene).filter(({ kind, process: who }) => COMING.includes(kind) && who === process);
  const due = wakes(scene).filter((option) => option.process === process);
  return [...back, ...due, ...movesOf(scene, i), ...(startable(scene, i) ? [start(process, scene)] : []), ...comes];
}

/** What is no misfortune: somebody comes or goes; or comes back. */
const COMING = ["join", "leave"];
const BACK = ["restore", "restart"];

/** How what is wrong is put right, as people look for it: the latest snapshot first, the beginning last. @returns {Option[]} */
export function repairs(scene) {
  const found = recoveries(scene);
  if (found[0]?.kind !== "restore") return found;
  const [beginning, ...usable] = found;
  const [newest, ...older] = usable.reverse();
  return newest ? [{ ...newest, key: "action.restore.latest" }, ...older, beginning] : [beginning];
}

/** What can go wrong, without what puts it right. @returns {Option[]} */
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

/** Is it only the order of the channel that keeps the message back? */
function overtakes(channel, tube, position) {
  if (!position || tube.cut) return false;
  const held = tube.held.get(tube.queue.at(position).id);
  return channel.order === "fifo" ? !held : channel.order === "causal" && held === "early";
}

/** What is said of a message. */
function about(channel, message) {
  const control = message.kind === "control";
  return {
    process: channel.target,
    channel: channel.name,
    message: control ? spoken(message.payload) : message.kind === "marker" ? sign(channel, message.snapshot) : message.payload,
    snapshot: message.snapshot ?? "",
  };
}

/** What kind of word a control message says: itself, or the first of several things; as a value that has a name. */
export function spoken(payload) {
  return { word: Array.isArray(payload) ? payload[0] : payload };
}

/** What arrives beside the channels: a recorded part, or what one process tells another; not where nobody is there. */
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

/** May the process save by itself what it has? */
function saves(scene, i) {
  const { life, saved } = scene.processes.get(i);
  return life === "member" && (saved?.number ?? 0) < scene.base.most;
}

/** May the process start a snapshot now? Unlabelled snapshots are joined as long as they are under way. */
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

/** Those that have crashed and will come back. */
function down(scene) {
  if (!scene.base.recovers) return NOBODY;
  return scene.base.names.filter((_, i) => scene.processes.get(i).life === "down");
}

const NOBODY = [];

function someDown(scene) {
  return down(scene).length > 0;
}

// --- what can go wrong ----------------------------------------------------------------------------------------------

/** All faults, in the kernel's order; and who may come or go. @returns {Option[]} */
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
  const waits = scene.base.settled && scene.snapshots.some(isRunning); // it is settled who takes part
  for (const name of scene.unborn) {
    if (isMember(scene.processes.get(index.get(newcomers[name]))) && !waits) found.push(coming("join", name, newcomers[name]));
  }
  found.push(...members.filter((name) => leavable(scene, index.get(name))).map((name) => coming("leave", name)));
  return [...found, ...givenUp(scene), ...forgotten(scene), ...recoveries(scene)];
}

/** Where nobody comes back, somebody must be left; a coordinator never crashes. */
function crashable(scene, i, members) {
  const { recovers, root, names } = scene.base;
  if (!recovers) return members > 1;
  return scene.processes.get(i).life !== "down" && !(root && names[i] === root);
}

/** A coordinator may give up what is under way. */
function givenUp(scene) {
  if (!scene.base.abandons) return NOBODY;
  return scene.snapshots.filter(isRunning).map(({ id }) => plain(`abandon ${id}`, "abandon", scene.base.root, "action.abandon", { snapshot: id }));
}

/** What somebody was asked for can be lost. */
function forgotten(scene) {
  const { asked = NOBODY } = scene.base;
  const lost = scene.wakes.filter(([, what]) => asked.includes(what.split(" ")[0]));
  return lost.map(([process, what]) => plain(`forget ${process} ${what}`, "forget", process, "action.forget", { process, word: { word: what.split(" ")[0] } }));
}

/** How who is down comes back: with everybody, to a snapshot or the beginning; or alone. */
function recoveries(scene) {
  const out = down(scene);
  if (!out.length) return NOBODY;
  if (scene.base.recovers === "local") return out.map((name) => coming("restart", name));
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
  const { recovers, root } = scene.base;
  return recovers && root && process === root ? [...found, { ...coming("crash", process), reason: "coordinator" }] : found;
}

/** Misfortunes of a process. */
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

/** Is there a neighbour that stays and can take over? From a system that recovers nobody leaves. */
function leavable(scene, i) {
  if (scene.base.recovers || scene.processes.get(i).life !== "member") return false;
  return scene.base.channels.some(({ from, to }) => from === i && scene.processes.get(to).life === "member");
}

function placed(kind, channel, position) {
  return `${kind} ${channel.name}${position ? ` ${position}` : ""}`;
}
