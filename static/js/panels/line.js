/** Independent checkpoints of each process, and after a crash the recovery line, as a table. Draws. */

import { called } from "../run/checkpoint.js";
import { html } from "../svg.js";

/** @param {HTMLElement} host @param {HTMLElement} title what the panel is called @param {Object} words */
export function line(host, title, words) {
  title.textContent = words.word("player.line");
  let drawn = null;

  function show(scene) {
    if (drawn === scene) return;
    drawn = scene;
    const { line: found } = scene;
    const columns = ["process", "disk", ...(found ? ["line", "now", ...(found.cost ? ["lost"] : [])] : [])];
    const head = html("tr", "", ...columns.map((key) => cell("th", words.word(`player.line.${key}`), "col")));
    const body = scene.base.names.map((name, i) => row(name, i, scene, columns));
    const made = html("table", "line-table", html("thead", "", head), html("tbody", "", ...body));
    host.replaceChildren(made, html("p", found ? "" : "mute", said(found)));
  }

  function row(name, i, scene, columns) {
    const process = scene.processes.get(i);
    const made = { process: () => cell("th", name, "row"), disk: () => disk(name, process, scene), line: () => place(name, scene), now: () => now(name, process, scene), lost: () => lost(name, scene) };
    const back = scene.happening?.back?.names.has(name);
    return html("tr", back ? "fresh" : "", ...columns.map((key) => made[key]()));
  }

  /** The checkpoints on disk at the crash, or, before any, now; those that no line could use are struck out. */
  function disk(name, { saved }, { line: found }) {
    const count = found ? found.disk[name] : (saved?.number ?? 0);
    const useless = found?.useless[name] ?? [];
    const names = Array.from({ length: count }, (_, at) => html(useless.includes(at + 1) ? "s" : "span", "", called(name, at + 1)));
    if (!names.length) return cell("td", "–");
    return html("td", "", ...names.flatMap((each, at) => (at ? [" ", each] : [each])));
  }

  function place(name, { line: found }) {
    const to = found.places[name];
    const made = cell("td", to === null ? words.word("player.line.stays") : named(name, to));
    made.className = to === null ? "" : "on-line";
    return made;
  }

  /** A process that has saved nothing and stays has no checkpoint to name. */
  function now(name, { life, saved }, { line: found }) {
    if (life === "down") return cell("td", words.word("player.line.down"));
    if (saved) return cell("td", words.word("player.line.after", { checkpoint: called(name, saved.number) }));
    return cell("td", found.places[name] === null ? "–" : words.word("player.line.beginning"));
  }

  function lost(name, { line: found }) {
    return cell("td", String(found.cost.lost[name] ?? 0));
  }

  function named(name, number) {
    return number ? called(name, number) : words.word("player.line.beginning");
  }

  function said(found) {
    if (!found) return words.word("player.line.none");
    const useless = Object.values(found.useless).reduce((sum, numbers) => sum + numbers.length, 0);
    const count = Object.values(found.disk).reduce((sum, number) => sum + number, 0);
    const about = words.word("player.line.useless", { useless, count });
    const glue = words.lang === "zh" ? "" : " ";
    if (!found.cost) return [words.word("player.line.falling"), about].join(glue);
    const events = Object.values(found.cost.lost).reduce((sum, number) => sum + number, 0);
    return [words.word("player.line.cost", { rollbacks: found.cost.rollbacks, events }), about].join(glue);
  }

  function cell(tag, text, scope) {
    const made = html(tag, "", text);
    if (scope) made.scope = scope;
    return made;
  }

  return { show, reveal() {} };
}

/** The only check without snapshots: has every process rolled back exactly to the line? */
export function onLine(host, words) {
  let drawn = null;

  function show({ line: found }) {
    const how = !found?.cost ? "open" : found.cost.exact ? "holds" : "fails";
    if (drawn === how) return;
    drawn = how;
    host.replaceChildren(html("p", how === "open" ? "mute" : how === "fails" ? "wrong-note" : "", words.word(`player.line.${how}`)));
  }

  return { show };
}
