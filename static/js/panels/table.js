/** The recorded global state as a table: element, state. Draws. */

import { snapshotOf } from "../run/scene.js";
import { standing } from "../run/snapshot.js";
import { total } from "../run/verdict.js";
import { html } from "../svg.js";

/** How many rows are drawn at once; a table of thousands shows the latest changes first. */
const ROWS = 36;

/** @param {HTMLElement} host @param {HTMLElement} of where the snapshot's number goes @param {Object} words */
export function table(host, of, words) {
  let drawn = [];

  function show(scene, id) {
    const snapshot = snapshotOf(scene, id);
    if (drawn[0] === snapshot && drawn[1] === (snapshot ? null : scene.base) && drawn[2] === scene.happening?.frame) return;
    drawn = [snapshot, snapshot ? null : scene.base, scene.happening?.frame];
    of.textContent = snapshot ? `#${snapshot.id}` : "";
    if (!snapshot && scene.base.names.some((_, i) => scene.processes.get(i).saved)) {
      drawn = [];
      host.replaceChildren(saves(scene));
      return;
    }
    if (!snapshot) {
      host.replaceChildren(html("p", "mute", words.word(scene.base.most ? "player.table.none" : "player.table.unsaved.all")));
      return;
    }
    const { names, channels } = scene.base;
    const all = [
      ...names.map((name, i) => processRow(name, snapshot.parts.get(i), snapshot, scene)),
      ...channels.map((channel) => channelRow(channel, snapshot.channels.get(channel.i), snapshot, scene)),
    ];
    const few = all.length <= ROWS;
    const shown = few ? all : [...all].sort((a, b) => b.since - a.since).slice(0, ROWS);
    const body = html("tbody", "", ...shown.map((each) => row(each.tell())));
    const sum = total(snapshot);
    if (sum !== null) body.append(row({ element: words.word("player.table.total"), mode: "total", text: words.readable(sum) }));
    const made = html("table", "", header(), body);
    const parts = [made];
    if (!few) {
      parts.unshift(html("p", "mute", words.word("player.table.progress", { recorded: snapshot.recorded, processes: names.length, closed: snapshot.closed, channels: channels.length })));
      parts.push(html("p", "mute", words.word("player.table.more", { count: all.length - ROWS })));
    }
    parts.push(...notes(snapshot, scene.base), ...membership(scene, snapshot.id));
    host.replaceChildren(...parts);
  }

  /** Without a snapshot, what processes saved on their own. */
  function saves(scene) {
    const told = scene.base.names.map((name, i) => {
      const { saved } = scene.processes.get(i);
      if (!saved) return row({ element: name, mode: "none", text: words.word("player.table.unsaved") });
      const text = `${saved.state === "" ? "–" : words.readable(saved.state)} (${words.word("player.stage.saved", { saved: saved.number })})`;
      return row({ element: name, mode: "recorded", text, fresh: saved.step === scene.step });
    });
    return html("table", "", header(), html("tbody", "", ...told));
  }

  /** Which processes joined, left or crashed while the snapshot was in progress, and what that means for each. */
  function membership({ base, step }, id) {
    const log = (base.membership[id] ?? []).filter(([, , since]) => since <= step);
    if (!log.length) return [];
    const lines = log.map(([process, event, since, standings]) => {
      const [, stands] = standings.findLast(([from]) => from <= step);
      return html("li", "", `${words.word(`membership.${event}`, { process, step: since })} `, html("b", "", words.word(`membership.stands.${stands}`)));
    });
    return [html("h3", "label", words.word("membership.title")), html("ul", "membership", ...lines), html("p", "mute", words.word(`membership.limits.${log.some(([, event]) => event === "joined") ? "joined" : "gone"}`))];
  }

  /** Why the snapshot is unusable. */
  function notes(snapshot, base) {
    const said = [];
    if (snapshot.aborted !== null) said.push(words.word("player.table.given-up", { snapshot: snapshot.id, step: snapshot.aborted }));
    const recorded = (name) => Boolean(snapshot.parts.get(base.index.get(name)));
    const without = snapshot.unusable.filter((name) => !recorded(name));
    const unfinished = snapshot.unusable.filter(recorded);
    if (without.length) said.push(words.word("player.table.lacks", { snapshot: snapshot.id, processes: without }));
    if (unfinished.length) said.push(words.word("player.table.unfinished", { snapshot: snapshot.id, processes: unfinished }));
    return said.map((text) => html("p", "wrong-note", text));
  }

  /** Scroll to what this step changed. It measures the page, so call it when the step is at rest. */
  function reveal() {
    const fresh = host.querySelector(".fresh");
    if (fresh && host.scrollHeight > host.clientHeight) host.scrollTop = fresh.offsetTop - host.clientHeight / 2 + fresh.offsetHeight;
  }

  function header() {
    const cell = (key) => {
      const made = html("th", "", words.word(key));
      made.scope = "col";
      return made;
    };
    return html("thead", "unseen", html("tr", "", cell("player.table.element"), cell("player.table.state")));
  }

  /** A row that is worded only if it is visible: out of thousands, few are. */
  function processRow(name, part, snapshot, scene) {
    return { since: part?.lost ?? part?.folded ?? part?.step ?? 0, tell: () => processTold(name, part, snapshot, scene) };
  }

  function channelRow(channel, recording, snapshot, scene) {
    const since = recording ? (recording.open ? recording.since : recording.closed) : 0;
    return { since, tell: () => channelTold(channel, recording, snapshot, scene) };
  }

  function processTold(name, part, snapshot, { step, base }) {
    const gone = snapshot.unusable.includes(name);
    if (!part && gone) return { element: name, mode: "none wrong", text: `– ${words.word("player.table.unusable")}` };
    if (!part && snapshot.absent.has(name)) return { element: name, mode: "none", text: `– ${words.word("player.table.absent")}` };
    if (!part) return { element: name, mode: "none", text: words.word(snapshot.aborted === null ? "player.table.unrecorded" : "player.table.unseen") };
    const region = snapshot.regions.get(name);
    if (gone) return { element: name, mode: "none wrong", text: `${words.readable(part.state)} – ${words.word("player.table.lost")}`, fresh: part.step === step };
    const text = (part.state === "" ? "–" : words.readable(part.state)) + (region ? words.word("player.table.region", { master: region }) : "");
    if (part.lost !== null) return { element: name, mode: "none wrong", text: words.word("player.table.died", { state: text }), fresh: part.lost === step };
    const how = standing(part, snapshot, base);
    if (how === "struck") return { element: name, mode: "useless", text };
    const fresh = [part.step, part.folded, base.root ? part.stored : null].includes(step);
    if (how === "storing") return { element: name, mode: "storing", text: words.word("player.table.storing", { state: text }), fresh };
    return { element: name, mode: "recorded", text, fresh };
  }

  function channelTold(channel, recording, snapshot, scene) {
    const element = `${channel.source} → ${channel.target}`;
    const away = snapshot.absent.has(channel.source) || snapshot.absent.has(channel.target);
    if (away && !(recording && (recording.open || recording.log.length))) return { element, mode: "none", text: `– ${words.word("player.table.absent")}` };
    if (!recording) {
      const unseen = (snapshot.complete && !snapshot.closed) || snapshot.aborted !== null;
      return { element, mode: "none", text: words.word(unseen ? "player.table.unseen" : "player.table.unrecorded") };
    }
    const content = recording.log.items(12).map((message) => message.payload);
    const said = `${content.map(words.readable).join(words.lang === "zh" ? "、" : ", ")}${recording.log.length > 12 ? " …" : ""}`;
    if (snapshot.unusable.includes(channel.target)) return { element, mode: "none wrong", text: `${said || "∅"} – ${words.word("player.table.lost")}` };
    const dead = snapshot.parts.get(channel.to)?.lost ?? null;
    if (snapshot.aborted !== null || dead !== null) return { element, mode: "useless", text: said || "∅", fresh: dead === scene.step };
    const part = snapshot.parts.get(channel.to);
    if (!recording.open && said && part && standing(part, snapshot, scene.base) === "storing") return { element, mode: "storing", text: words.word("player.table.storing", { state: said }), fresh: recording.closed === scene.step };
    if (!recording.open) return { element, mode: "recorded", text: said || "∅", fresh: recording.closed === scene.step };
    const text = said ? words.word("player.table.so-far", { messages: said }) : words.word("player.table.recording");
    return { element, mode: "recording", text, fresh: recording.since === scene.step };
  }

  function row({ element, mode, text, fresh }) {
    const name = html("th", "", element);
    name.scope = "row";
    const cell = html("td", "", html("span", "", text));
    return html("tr", `${mode}${fresh ? " fresh" : ""}`, name, cell);
  }

  return { show, reveal };
}
