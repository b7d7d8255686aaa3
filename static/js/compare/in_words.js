/**
 * A stage in words, for those who do not see it: the same as on the server, see `app/pictures/stage/description.py`.
 * Computes.
 */

import { spoken } from "../run/sign.js";
import { snapshotOf, standing } from "../run/snapshot.js";
import { conditions, findings } from "../stage/description.js";
import { holdings, savedAs } from "../stage/holdings.js";
import { tagged } from "../stage/tag.js";
import { colourOf } from "../stage/view.js";

/** @import { Part } from "../run/types.js" */
/** @import { Base, Message, Queue, Recording, Scene, Snapshot, Words } from "../stage/types.js" */

/** @param {Scene} scene @param {number | null} shown the snapshot @param {Words} words @returns {string[]} part by part */
export function inWords(scene, shown, words) {
  const { base } = scene;
  const item = (/** @type {string} */ name, /** @type {string[]} */ parts) =>
    words.word("drawn.item", { name, parts: parts.join(words.word("drawn.pause")) });
  const channels = base.channels.map(({ name, i }) => ({ name, parts: ofChannel(scene, shown, i, words) }));
  const told = channels.filter(({ parts }) => parts.length);
  const empty = channels.filter(({ parts }) => !parts.length).map(({ name }) => name);
  return [
    ...base.names.map((name, i) => item(name, ofProcess(scene, shown, i, words))),
    ...told.map(({ name, parts }) => item(words.word("drawn.channel", { channel: name }), parts)),
    ...(empty.length ? [item(words.word("drawn.empty"), [words.readable(empty)])] : []),
  ];
}

/**
 * What is in a process, what is recorded of it, and how it is.
 * @param {Scene} scene @param {number | null} shown @param {number} i @param {Words} words
 */
function ofProcess(scene, shown, i, words) {
  const { base } = scene;
  const name = base.names[i];
  const process = scene.processes.get(i);
  const [state, ...more] = holdings(process, base.roles?.[name], words);
  const said = [state || words.word("player.stage.process.none"), ...more];
  const snapshot = snapshotOf(scene, shown);
  const part = snapshot?.parts.get(i);
  if (base.colours) said.push(colour(colourOf(scene.snapshots, i), base, words));
  if (snapshot && part) said.push(copied(part, snapshot, base, words));
  else if (!snapshot && process.saved) {
    const saved = savedAs(base, name, process.saved.number, words);
    said.push(words.word("drawn.saved", { name: saved, state: process.saved.state }));
  }
  const life = snapshot?.stuck?.names.has(name) ? "stuck" : process.paused ? "paused" : process.life;
  if (life !== "member") said.push(words.word(`player.stage.life.${life}`));
  return said;
}

/** What is recorded of a process. @param {Part} part @param {Snapshot} snapshot @param {Base} base @param {Words} words */
function copied(part, snapshot, base, words) {
  const how = standing(part, snapshot, base);
  const state = words.readable(part.state) || words.word("player.stage.process.none");
  const text = words.word("drawn.recorded", { snapshot: snapshot.id, state });
  return how === "whole" ? text : words.word("drawn.aside", { text, aside: words.word(`player.stage.${how}`) });
}

/**
 * What is in a channel, what is recorded of it, and what keeps it from moving; nothing if there is nothing to tell.
 * @param {Scene} scene @param {number | null} shown @param {number} i @param {Words} words
 */
function ofChannel(scene, shown, i, words) {
  const { base } = scene;
  const { queue, lane } = scene.channels.get(i);
  const snapshot = snapshotOf(scene, shown);
  const recording = snapshot?.channels.get(i);
  const unseen = snapshot?.aborted || (snapshot?.complete && !snapshot.closed);
  const several = queue.length > 1 ? "drawn.flight.order" : "drawn.flight";
  const more = recording ? [recorded(recording, base, words)] : [];
  if (!recording && unseen) more.push(words.word("player.stage.unseen"));
  if (lane.length) more.push(words.word("drawn.beside", { messages: list(lane, base, words) }));
  const wrong = [...conditions(scene, base.channels[i], words), ...findings(scene, shown, i, words)];
  more.push(...wrong.map(({ text }) => text));
  if (!queue.length && !more.length) return [];
  return [told(queue, several, "drawn.flight.none", base, words), ...more];
}

/** @param {Recording} recording @param {Base} base @param {Words} words */
function recorded({ open, log }, base, words) {
  if (open) return told(log, "drawn.recording", "drawn.recording.none", base, words);
  return told(log, "drawn.recorded.messages", "drawn.recorded.none", base, words);
}

/** @param {Queue} queue @param {string} key @param {string} none @param {Base} base @param {Words} words */
function told(queue, key, none, base, words) {
  return queue.length ? words.word(key, { messages: list(queue, base, words) }) : words.word(none);
}

/** @param {Queue} queue @param {Base} base @param {Words} words */
function list(queue, base, words) {
  return words.readable(queue.items().map((message) => named(message, base, words)));
}

/** A message, and what it carries. @param {Message} message @param {Base} base @param {Words} words */
function named({ kind, snapshot, payload, tag }, base, words) {
  if (kind === "marker") {
    return words.word(base.barriers ? "drawn.barrier" : "drawn.marker", { snapshot: snapshot ?? "" }).trim();
  }
  if (kind === "part") return words.word("drawn.part", { process: payload });
  if (kind === "word") return words.readable(spoken(payload[2]));
  const text = words.readable(kind === "control" ? spoken(payload) : payload);
  if (kind !== "app" || tag === null) return text;
  return words.word("drawn.aside", { text, aside: base.colours ? colour(tag, base, words) : tagged(tag, base).text });
}

/** The name of a colour, or from the second snapshot on its number. @param {number} number @param {Base} base @param {Words} words */
function colour(number, { first }, words) {
  return number > first ? String(number) : words.word(`player.stage.colour.${number < first ? "white" : "red"}`);
}
