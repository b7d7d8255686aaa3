/** Independent checkpoints of each process, and after a crash the recovery line, as a table. Draws. */

import { called } from "../run/checkpoint.js";
import { html } from "../svg.js";

/** @import { Line, Process, Scene, Words } from "../types.js" */

/** The columns: the last ones only after a crash. */
const COLUMNS = ["process", "disk", "line", "now", "lost"];
const FALLING = ["process", "disk", "far", "now"];

/** @param {HTMLElement} host @param {HTMLElement} title what the panel is called @param {Words} words */
export function line(host, title, words) {
  title.textContent = words.word("player.line");
  /** @type {Scene | null} */
  let drawn = null;

  /** @param {Scene} scene */
  function show(scene) {
    if (drawn === scene) return;
    drawn = scene;
    const { line: found } = scene;
    const columns = found ? (found.cost ? COLUMNS : FALLING) : COLUMNS.slice(0, 2);
    const head = html(
      "tr",
      "",
      ...columns.map((key) => html("th", { scope: "col" }, words.word(`player.line.${key}`))),
    );
    const body = scene.base.names.map((name, i) => row(name, i, scene, columns));
    const made = html("table", "line-table", html("thead", "", head), html("tbody", "", ...body));
    host.replaceChildren(made, html("p", found ? "" : "mute", said(found, words)));
  }

  /** @param {string} name @param {number} i @param {Scene} scene @param {string[]} columns */
  function row(name, i, scene, columns) {
    /** @type {Process} */
    const process = scene.processes.get(i);
    const { line: found } = scene;
    const after = found
      ? [place(name, found), now(name, process, found), html("td", "", String(found.cost?.lost[name] ?? 0))]
      : [];
    const cells = [html("th", { scope: "row" }, name), disk(name, process, found), ...after];
    const back = scene.happening?.back?.names.has(name);
    return html("tr", back ? "fresh" : "", ...cells.slice(0, columns.length));
  }

  /** The checkpoints on disk at the crash, or, before any, now; those that no line could use are struck out.
   * @param {string} name @param {Process} process @param {Line | null} found */
  function disk(name, { saved }, found) {
    const count = found ? found.disk[name] : (saved?.number ?? 0);
    const useless = found?.useless[name] ?? [];
    const names = Array.from({ length: count }, (_, at) =>
      html(useless.includes(at + 1) ? "s" : "span", "", called(name, at + 1)),
    );
    if (!names.length) return html("td", "", "–");
    return html("td", "", ...names.flatMap((each, at) => (at ? [" ", each] : [each])));
  }

  /** @param {string} name @param {Line} found */
  function place(name, found) {
    const to = found.places[name];
    const unknown = found.cost ? words.word("player.line.stays") : "?";
    return to === null ? html("td", "", unknown) : html("td", "on-line", named(name, to));
  }

  /** A process that has saved nothing and stays has no checkpoint to name.
   * @param {string} name @param {Process} process @param {Line} found */
  function now(name, { life, saved }, found) {
    if (life === "down") return html("td", "", words.word("player.line.down"));
    if (saved) return html("td", "", words.word("player.line.after", { checkpoint: called(name, saved.number) }));
    return html("td", "", found.places[name] === null ? "–" : words.word("player.line.beginning"));
  }

  /** @param {string} name @param {number} number */
  function named(name, number) {
    return number ? called(name, number) : words.word("player.line.beginning");
  }

  return { show, reveal() {} };
}

/** The line in words. @param {Line | null} found @param {Words} words */
function said(found, words) {
  if (!found) return words.word("player.line.none");
  if (!found.cost) return words.word("player.line.falling");
  const useless = Object.values(found.useless).reduce((sum, numbers) => sum + numbers.length, 0);
  const count = Object.values(found.disk).reduce((sum, number) => sum + number, 0);
  const about = words.word("player.line.useless", { useless, count });
  const glue = words.lang === "zh" ? "" : " ";
  const events = Object.values(found.cost.lost).reduce((sum, number) => sum + number, 0);
  return [words.word("player.line.cost", { rollbacks: found.cost.rollbacks, events }), about].join(glue);
}

/** The only check without snapshots: has every process rolled back exactly to the line? @param {HTMLElement} host @param {Words} words */
export function onLine(host, words) {
  /** @type {string | null} */
  let drawn = null;

  /** @param {Scene} scene */
  function show({ line: found }) {
    const how = !found?.cost ? "open" : found.cost.exact ? "holds" : "fails";
    if (drawn === how) return;
    drawn = how;
    host.replaceChildren(
      html("p", how === "open" ? "mute" : how === "fails" ? "wrong-note" : "", words.word(`player.line.${how}`)),
    );
  }

  return { show };
}
