/** The tray of snapshots: all snapshots, how far they are, and which one the page shows. Draws. */

import { as } from "../page.js";
import { isHopeless, isRunning, ruined, stored, tone } from "../run/snapshot.js";
import { button, html, icon } from "../svg.js";

/** @import { End, Scene, Snapshot, Words } from "../types.js" */

/** @param {HTMLElement} host @param {Words} words @param {(id: number) => void} pick */
export function tray(host, words, pick) {
  let signature = "";

  /** @param {Scene} scene @param {number | null} shown @param {End | null} end at the last step */
  function show(scene, shown, end) {
    const next = `${scene.snapshots.map(seen).join()}${shown}${end ? "end" : ""}`;
    if (next === signature) return;
    signature = next;
    const focused = as(document.activeElement)?.dataset.snapshot;
    host.replaceChildren(...scene.snapshots.map((snapshot) => chip(snapshot, scene, shown, end)));
    if (focused) as(host.querySelector(`[data-snapshot="${focused}"]`))?.focus();
    const chosen = host.querySelector('[aria-pressed="true"]');
    if (chosen)
      host.scrollLeft += Math.max(0, chosen.getBoundingClientRect().right - host.getBoundingClientRect().right + 3);
  }

  /** @param {Snapshot} snapshot @param {Scene} scene @param {number | null} shown @param {End | null} end */
  function chip(snapshot, scene, shown, end) {
    const wrong = Object.values(snapshot.checks).some((check) => !check.holds);
    const how = ruined(snapshot, end);
    const bad = wrong || (how !== null && how !== "given-up");
    const state = standing(snapshot, scene, wrong, how);
    const look = {
      class: `chip hue${tone(scene.base, snapshot.id)}${bad ? " wrong" : ""}${snapshot.aborted === null ? "" : " struck"}`,
      "data-snapshot": snapshot.id,
      "aria-pressed": String(snapshot.id === shown),
      "aria-label": `${words.word("player.tray.one", { snapshot: snapshot.id })} ${state}`,
    };
    const name = html("b", "", `#${snapshot.id}`);
    // Who says what they see is understood: hence the space.
    const made = button(look, () => pick(snapshot.id), name, " ", html("span", "", state));
    if (snapshot.aborted !== null) made.append(icon("given-up"));
    else if (how && isRunning(snapshot)) made.append(icon("waiting"));
    else if (bad) made.append(icon("fails"));
    return made;
  }

  /**
   * How far a snapshot is, or how it ended.
   * @param {Snapshot} snapshot @param {Scene} scene @param {boolean} wrong @param {string | null} how it is ruined
   */
  function standing(snapshot, scene, wrong, how) {
    if (how) return words.word(`player.tray.${how}`);
    if (snapshot.complete) return words.word(wrong ? "player.tray.wrong" : "player.tray.complete");
    const processes = scene.base.names.length;
    const count = processes + scene.base.channels.length;
    const done = snapshot.recorded + snapshot.closed;
    // With a coordinator, storing is a step of its own.
    if (done === count && scene.base.root !== null)
      return words.word("player.tray.storing", { stored: stored(snapshot), processes });
    return words.word("player.tray.progress", { done, count });
  }

  return { show };
}

/** What the tray shows of a snapshot: chips are drawn only if it changes. @param {Snapshot} s */
function seen(s) {
  const counts = [
    s.recorded,
    s.closed,
    s.complete,
    Object.keys(s.checks).length,
    s.unreachable.length,
    s.unusable.length,
  ];
  return [s.id, ...counts, s.aborted, stored(s), isHopeless(s), s.stuck !== null].join(":");
}
