/**
 * What visitors are asked before a run goes on. The run knows the answer: nobody has typed it in. Computes.
 */

/** @import { Scenes } from "./scenes.js" */
/** @import { Message, Scene } from "./types.js" */

/**
 * @typedef {"messages" | "next" | "back" | "consistent" | "complete"} Kind
 *
 * @typedef {object} Question
 * @property {Kind} kind
 * @property {{id: string, name: string | null, message?: Message}[]} options a process has its name;
 *   without a name it is a message, or yes or no
 * @property {boolean} many may several be right, or none?
 * @property {string[]} answer the ids of the right options
 * @property {{key: string, fields: Record<string, unknown>}} because
 */

/**
 * The question after a step, if the run decides it.
 * @param {Scenes} scenes of the whole run @param {number} step @param {Kind} kind
 * @returns {Question | null}
 */
export function question(scenes, step, kind) {
  const [now, end] = [scenes.at(step), scenes.at(scenes.held)];
  const begun = now.snapshots.at(-1) ?? end.snapshots.at(0) ?? null;
  const snapshot = end.snapshots.find(({ id }) => id === begun?.id) ?? null;
  if (kind === "back") return back(scenes, step);
  if (!snapshot) return null;
  if (kind === "messages") return messages(now, snapshot);
  if (kind === "next") return next(scenes, step, snapshot.id);
  return kind === "consistent" ? consistent(snapshot) : complete(snapshot, end.base);
}

/** Which messages in flight will be in the state of a channel? @param {Scene} now @param {import("./types.js").Snapshot} snapshot */
function messages(now, { id, channels }) {
  const flying = now.base.channels.flatMap(({ i }) => now.channels.get(i).queue.items());
  const options = flying
    .filter(({ kind }) => kind === "app")
    .map((message) => ({ id: String(message.id), name: null, message }));
  const kept = new Set(
    channels.items().flatMap((recording) => recording?.log.items().map((one) => String(one.id)) ?? []),
  );
  const answer = options.filter((option) => kept.has(option.id)).map((option) => option.id);
  return asked("messages", options, true, answer, answer.length ? "some" : "none", { snapshot: id });
}

/** @param {Scenes} scenes @param {number} step @param {number} id of the snapshot */
function next(scenes, step, id) {
  const { names } = scenes.base;
  for (let k = step + 1; k <= scenes.held; k += 1) {
    const notes = scenes.at(k).happening?.frame.n ?? [];
    const found = notes.filter(([key, of]) => key === "recorded" && of === id).map((note) => String(note[2]));
    if (found.length) return asked("next", processes(names), false, found, "step", { process: found[0], step: k });
  }
  return null;
}

/** @param {Scenes} scenes @param {number} step */
function back(scenes, step) {
  const { names } = scenes.base;
  const found = new Set();
  for (let k = step + 1; k <= scenes.held; k += 1)
    for (const name of scenes.at(k).happening?.back?.names ?? []) found.add(name);
  const answer = names.filter((name) => found.has(name));
  return asked("back", processes(names), true, answer, answer.length ? "some" : "none", { processes: answer });
}

/** @param {import("./types.js").Snapshot} snapshot */
function consistent({ id, complete: step, checks }) {
  const holds = checks.consistent?.holds;
  if (step === null || (holds !== true && holds !== false)) return null;
  return asked("consistent", yesOrNo(), false, [holds ? "yes" : "no"], holds ? "yes" : "no", { snapshot: id, step });
}

/** @param {import("./types.js").Snapshot} snapshot @param {import("../types.js").Base} base */
function complete({ id, complete: step, channels, parts }, base) {
  if (step !== null) return asked("complete", yesOrNo(), false, ["yes"], "yes", { snapshot: id, step });
  const open = base.channels.filter(({ i }) => channels.get(i)?.open).map(({ name }) => name);
  const missing = base.names.filter((_, i) => !parts.get(i));
  return asked("complete", yesOrNo(), false, ["no"], "no", { snapshot: id, parts: [...missing, ...open] });
}

/** @param {Kind} kind @param {Question["options"]} options @param {boolean} many @param {string[]} answer
 * @param {string} why @param {Record<string, unknown>} fields @returns {Question | null} */
function asked(kind, options, many, answer, why, fields) {
  return options.length
    ? { kind, options, many, answer, because: { key: `player.predict.${kind}.${why}`, fields } }
    : null;
}

/** @param {string[]} names */
function processes(names) {
  return names.map((name) => ({ id: name, name }));
}

function yesOrNo() {
  return ["yes", "no"].map((id) => ({ id, name: null }));
}

/** Is what was chosen right? @param {Question} of @param {Set<string>} chosen */
export function isRight({ answer }, chosen) {
  return chosen.size === answer.length && answer.every((id) => chosen.has(id));
}
