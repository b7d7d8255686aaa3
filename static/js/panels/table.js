/** The recorded global state as a table: element, state. Draws. */

import { as } from "../page.js";
import { snapshotOf, standing } from "../run/snapshot.js";
import { total } from "../run/verdict.js";
import { html, icon } from "../svg.js";

/** @import { Base, Channel, Json, Part, Recording, Scene, Snapshot, Words } from "../types.js" */

/**
 * @typedef {{element: string, mode: string, text: string, fresh?: boolean}} Row `mode`: its class in the style sheet
 * @typedef {{since: number, tell: () => Row}} Entry a row that is worded only if it is visible: out of thousands, few are
 */

/** How many rows are drawn at once; a table of thousands shows the latest changes first. */
const ROWS = 36;

/** @param {HTMLElement} host @param {HTMLElement} of where the snapshot's number goes @param {Words} words */
export function table(host, of, words) {
  /** @type {unknown[]} */
  let drawn = [];

  /** @param {Scene} scene @param {number | null} id */
  function show(scene, id) {
    const snapshot = snapshotOf(scene, id);
    const now = [snapshot, snapshot ? null : scene.base, scene.step];
    if (now.every((each, i) => each === drawn[i])) return;
    const alone = !snapshot && scene.base.names.some((_, i) => scene.processes.get(i).saved);
    drawn = alone ? [] : now;
    of.textContent = snapshot ? `#${snapshot.id}` : scene.base.most ? words.word("player.table.none") : "";
    of.className = snapshot ? "" : "none";
    if (snapshot) host.replaceChildren(...recorded(snapshot, scene, words));
    else if (alone) host.replaceChildren(saves(scene, words));
    else if (scene.base.most) host.replaceChildren(...outline(scene.base, words));
    else host.replaceChildren(html("p", "mute", words.word("player.table.unsaved.all")));
  }

  /** Scroll to what this step changed. It measures the page, so call it when the step is at rest. */
  function reveal() {
    const fresh = as(host.querySelector(".fresh"));
    if (fresh && host.scrollHeight > host.clientHeight)
      host.scrollTop = fresh.offsetTop - host.clientHeight / 2 + fresh.offsetHeight;
  }

  return { show, reveal };
}

/**
 * The rows before there is a snapshot: what will stand there has its place already.
 * @param {Base} base @param {Words} words
 */
function outline({ names, channels, total: whole }, words) {
  const elements = [...names, ...channels.map(({ source, target }) => `${source} → ${target}`)];
  if (elements.length > ROWS) return [html("p", "mute", words.word("player.table.more", { count: elements.length }))];
  const body = html("tbody", "", ...elements.map((element) => row({ element, mode: "none", text: "–" })));
  if (whole !== null) body.append(row({ element: words.word("player.table.total"), mode: "total", text: "–" }));
  return [html("table", "", header(words), body)];
}

/**
 * The total as soon as it is known, beside what it should be; a long one that is right is not said twice.
 * @param {Snapshot} snapshot @param {Base} base @param {Words} words
 */
function totalRow(snapshot, base, words) {
  const sum = total(snapshot);
  const element = words.word("player.table.total");
  if (sum === null) return base.total === null ? [] : [row({ element, mode: "total", text: "–" })];
  const judged = snapshot.checks.conserved;
  const made = row({ element, mode: judged.holds ? "total" : "total wrong", text: amount(sum, words) });
  const wanted = amount(judged.holds ? sum : (judged.witness?.total ?? base.total), words);
  const beside = judged.holds ? (several(sum) ? " " : ` = ${wanted} `) : ` ≠ ${wanted} `;
  made.lastElementChild?.append(html("b", "", beside, icon(judged.holds ? "holds" : "fails")));
  return [made];
}

/** An amount; of one quantity its number alone. @param {Json} sum @param {Words} words */
function amount(sum, words) {
  if (several(sum)) return words.readable(sum);
  return String(sum !== null && typeof sum === "object" ? Object.values(sum)[0] : sum);
}

/** Is it of several quantities, or of none? @param {Json} sum */
function several(sum) {
  return sum !== null && typeof sum === "object" && Object.keys(sum).length !== 1;
}

/** What a snapshot has recorded. @param {Snapshot} snapshot @param {Scene} scene @param {Words} words */
function recorded(snapshot, scene, words) {
  const { names, channels } = scene.base;
  const all = [
    ...names.map((name, i) => ofProcess(name, snapshot.parts.get(i), snapshot, scene, words)),
    ...channels.map((channel) => ofChannel(channel, snapshot.channels.get(channel.i), snapshot, scene, words)),
  ];
  const few = all.length <= ROWS;
  const shown = few ? all : [...all].sort((a, b) => b.since - a.since).slice(0, ROWS);
  const body = html("tbody", "", ...shown.map((each) => row(each.tell())));
  body.append(...totalRow(snapshot, scene.base, words));
  const parts = [html("table", "", header(words), body)];
  if (few) return [...parts, ...notes(snapshot, scene.base, words), ...membership(scene, snapshot.id, words)];
  const counts = {
    recorded: snapshot.recorded,
    processes: names.length,
    closed: snapshot.closed,
    channels: channels.length,
  };
  const progress = html("p", "mute", words.word("player.table.progress", counts));
  const more = html("p", "mute", words.word("player.table.more", { count: all.length - ROWS }));
  return [progress, ...parts, more, ...notes(snapshot, scene.base, words), ...membership(scene, snapshot.id, words)];
}

/** Without a snapshot, what processes saved on their own. @param {Scene} scene @param {Words} words */
function saves(scene, words) {
  const told = scene.base.names.map((name, i) => {
    const { saved } = scene.processes.get(i);
    if (!saved) return row({ element: name, mode: "none", text: words.word("player.table.unsaved") });
    const text = `${saved.state === "" ? "–" : words.readable(saved.state)} (${words.word("player.stage.saved", { saved: saved.number })})`;
    return row({ element: name, mode: "recorded", text, fresh: saved.step === scene.step });
  });
  return html("table", "", header(words), html("tbody", "", ...told));
}

/**
 * Which processes joined, left or crashed while the snapshot was in progress, and what that means for each.
 * @param {Scene} scene @param {number} id @param {Words} words
 */
function membership({ base, step }, id, words) {
  const log = (base.membership[id] ?? []).filter(([, , since]) => since <= step);
  if (!log.length) return [];
  const lines = log.map(([process, event, since, standings]) => {
    const stands = standings.findLast(([from]) => from <= step)?.[1];
    return html(
      "li",
      "",
      `${words.word(`membership.${event}`, { process, step: since })} `,
      html("b", "", words.word(`membership.stands.${stands}`)),
    );
  });
  const limits = log.some(([, event]) => event === "joined") ? "joined" : "gone";
  return [
    html("h3", "label", words.word("membership.title")),
    html("ul", "membership", ...lines),
    html("p", "mute", words.word(`membership.limits.${limits}`)),
  ];
}

/** Why the snapshot is unusable. @param {Snapshot} snapshot @param {Base} base @param {Words} words */
function notes(snapshot, base, words) {
  const said = [];
  if (snapshot.aborted !== null)
    said.push(words.word("player.table.given-up", { snapshot: snapshot.id, step: snapshot.aborted }));
  const recorded = (/** @type {string} */ name) => Boolean(snapshot.parts.get(base.names.indexOf(name)));
  const without = snapshot.unusable.filter((name) => !recorded(name));
  const unfinished = snapshot.unusable.filter(recorded);
  if (without.length) said.push(words.word("player.table.lacks", { snapshot: snapshot.id, processes: without }));
  if (unfinished.length)
    said.push(words.word("player.table.unfinished", { snapshot: snapshot.id, processes: unfinished }));
  return said.map((text) => html("p", "wrong-note", text));
}

/** @param {Words} words */
function header(words) {
  const cell = (/** @type {string} */ key) => html("th", { scope: "col" }, words.word(key));
  return html("thead", "unseen", html("tr", "", cell("player.table.element"), cell("player.table.state")));
}

/**
 * @param {string} name @param {Part | null} part @param {Snapshot} snapshot @param {Scene} scene @param {Words} words
 * @returns {Entry}
 */
function ofProcess(name, part, snapshot, scene, words) {
  return {
    since: part?.lost ?? part?.folded ?? part?.step ?? 0,
    tell: () => ({
      element: name,
      ...(part ? partTold(name, part, snapshot, scene, words) : partMissing(name, snapshot, words)),
    }),
  };
}

/** @param {string} name @param {Snapshot} snapshot @param {Words} words */
function partMissing(name, snapshot, words) {
  if (snapshot.unusable.includes(name)) return { mode: "none wrong", text: `– ${words.word("player.table.gone")}` };
  if (snapshot.absent.has(name)) return { mode: "none", text: `– ${words.word("player.table.absent")}` };
  return {
    mode: "none",
    text: words.word(snapshot.aborted === null ? "player.table.unrecorded" : "player.table.unseen"),
  };
}

/** @param {string} name @param {Part} part @param {Snapshot} snapshot @param {Scene} scene @param {Words} words */
function partTold(name, part, snapshot, { step, base }, words) {
  if (snapshot.unusable.includes(name)) {
    return {
      mode: "none wrong",
      text: `${words.readable(part.state)} – ${words.word("player.table.lost")}`,
      fresh: part.step === step,
    };
  }
  const region = snapshot.regions.get(name);
  const text =
    (part.state === "" ? "–" : words.readable(part.state)) +
    (region ? words.word("player.table.region", { master: region }) : "");
  if (part.lost !== null)
    return { mode: "none wrong", text: words.word("player.table.died", { state: text }), fresh: part.lost === step };
  const how = standing(part, snapshot, base);
  if (how === "struck") return { mode: "useless", text };
  const fresh = [part.step, part.folded, base.root ? part.stored : null].includes(step);
  if (how === "storing") return { mode: "storing", text: words.word("player.table.storing", { state: text }), fresh };
  return { mode: "recorded", text, fresh };
}

/**
 * @param {Channel} channel @param {Recording | null} recording @param {Snapshot} snapshot @param {Scene} scene
 * @param {Words} words
 * @returns {Entry}
 */
function ofChannel(channel, recording, snapshot, scene, words) {
  const element = `${channel.source} → ${channel.target}`;
  const since = (recording && (recording.open ? recording.since : recording.closed)) ?? 0;
  const away = snapshot.absent.has(channel.source) || snapshot.absent.has(channel.target);
  return {
    since,
    tell() {
      if (away && !(recording && (recording.open || recording.log.length))) {
        return { element, mode: "none", text: `– ${words.word("player.table.absent")}` };
      }
      if (recording) return { element, ...recordingTold(channel, recording, snapshot, scene, words) };
      const unseen = (snapshot.complete && !snapshot.closed) || snapshot.aborted !== null;
      return { element, mode: "none", text: words.word(unseen ? "player.table.unseen" : "player.table.unrecorded") };
    },
  };
}

/** What was recorded of a channel so far. @param {Recording} recording @param {Words} words */
function contents({ log }, words) {
  const messages = log.items(12);
  const texts = messages.map((message) => words.readable(message.payload));
  return `${texts.join(words.lang === "zh" ? "、" : ", ")}${log.length > 12 ? " …" : ""}`;
}

/** @param {Channel} channel @param {Recording} recording @param {Snapshot} snapshot @param {Scene} scene @param {Words} words */
function recordingTold(channel, recording, snapshot, { step, base }, words) {
  const said = contents(recording, words);
  if (snapshot.unusable.includes(channel.target))
    return { mode: "none wrong", text: `${said || "∅"} – ${words.word("player.table.lost")}` };
  const part = snapshot.parts.get(channel.to);
  const dead = part?.lost ?? null;
  if (snapshot.aborted !== null || dead !== null) return { mode: "useless", text: said || "∅", fresh: dead === step };
  if (recording.open) {
    const text = said ? words.word("player.table.so-far", { messages: said }) : words.word("player.table.recording");
    return { mode: "recording", text, fresh: recording.since === step };
  }
  const fresh = recording.closed === step;
  if (said && part && standing(part, snapshot, base) === "storing") {
    return { mode: "storing", text: words.word("player.table.storing", { state: said }), fresh };
  }
  return { mode: "recorded", text: said || "∅", fresh };
}

/** @param {Row} told */
function row({ element, mode, text, fresh }) {
  const cell = html("td", "", html("span", "", text));
  return html("tr", `${mode}${fresh ? " fresh" : ""}`, html("th", { scope: "row" }, element), cell);
}
