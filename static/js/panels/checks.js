/** The checks of a snapshot with their verdicts; a sentence says what breaks one, and links to the step. Draws. */

import { snapshotOf } from "../run/snapshot.js";
import { verdicts } from "../run/verdict.js";
import { button, html, icon } from "../svg.js";

/** @import { End, Scene, Snapshot, Words } from "../types.js" */

/** @import { Judged, Witness } from "../run/verdict.js" */

/**
 * @typedef {{exposed: string | null, property: string}} About where the fault of a broken variant can be seen, and the
 * name of the program's stable property
 * @typedef {{states: string, stable: string}} Links other pages about the run, which may change to another run
 */

/**
 * @param {HTMLElement} host @param {Words} words @param {(step: number) => void} jump @param {About} about
 * @param {Links} links
 */
export function checks(host, words, jump, about, links) {
  /** @type {unknown[]} */
  let drawn = [];
  const meaning = meanings(words);

  /** @param {Scene} scene @param {number | null} id @param {End | null} end of the run, at its last step */
  function show(scene, id, end) {
    const snapshot = snapshotOf(scene, id);
    if (drawn[0] === snapshot && drawn[1] === end && drawn[2] === scene.base) return;
    drawn = [snapshot, end, scene.base];
    const judged = judgedOf(scene, snapshot);
    const list = html("ul", "verdicts", ...judged.map((one) => chip(one, words)));
    if (end)
      list.append(chip({ check: "undisturbed", verdict: end.undisturbed ? "holds" : "fails", witness: null }, words));
    const witnesses = judged.flatMap(({ witness }) => (witness ? [sentence(witness, words, jump)] : []));
    host.replaceChildren(
      list,
      ...witnesses,
      ...progress(scene, snapshot, end, words),
      ...ending(end, words),
      ...beyond(scene, snapshot, end),
    );
    list.after(meaning.host);
    meaning.over(list, judged);
  }

  /**
   * At the end of the run: the stable property, the fault of a broken variant if it did not show, and other pages.
   * @param {Scene} scene @param {Snapshot | null} snapshot @param {End | null} end
   */
  function beyond(scene, snapshot, end) {
    if (!end) return [];
    const found = [];
    const stable = snapshot?.complete ? end.stable?.[snapshot.id] : null;
    const property = words.word(`player.stable.${about.property}`);
    if (stable) found.push(plain(words.word("player.stable", { property, ...truths(stable, words) })));
    if (about.exposed && innocent(scene)) found.push(suspect(about.exposed, words));
    if (snapshot?.complete) {
      const states = door("states", `${links.states}&of=${snapshot.id}`, words);
      found.push(html("p", "remark", states, " ", ...(stable ? [door("stable", links.stable, words), " "] : [])));
    }
    return found;
  }

  return { show };
}

/** @param {Scene} scene @param {Snapshot | null} snapshot @returns {Judged[]} */
function judgedOf(scene, snapshot) {
  if (snapshot) return verdicts(snapshot, scene.base.checks);
  return scene.base.most ? scene.base.checks.map((check) => ({ check, verdict: "open", witness: null })) : [];
}

/**
 * Why there are no verdicts yet, or never will be.
 * @param {Scene} scene @param {Snapshot | null} snapshot @param {End | null} end @param {Words} words
 */
function progress(scene, snapshot, end, words) {
  if (!snapshot) return scene.base.most ? [] : [plain(words.word("player.checks.none"))];
  const { id, unreachable } = snapshot;
  const found = snapshot.stuck ? [plain(words.word("player.deadlock.checks"))] : [];
  const circle = end?.deadlock?.[id];
  if (circle) found.push(deadlock(circle, id, words));
  else if (unreachable.length) found.push(plain(words.word("player.never", { snapshot: id, processes: unreachable })));
  else if (end && !snapshot.complete && snapshot.aborted === null)
    found.push(plain(words.word("player.unfinished", { snapshot: id })));
  return found;
}

/** How the run ended. @param {End | null} end @param {Words} words */
function ending(end, words) {
  const found = [];
  if (end?.astray) found.push(plain(words.word("player.astray", { step: end.astray[0], snapshot: end.astray[1] })));
  if (end?.full) found.push(plain(words.word("player.full")));
  return found;
}

/** Do all judged checks hold? @param {Scene} scene */
function innocent({ snapshots }) {
  return (
    snapshots.some((each) => each.complete) &&
    snapshots.every((each) => Object.values(each.checks).every((check) => check.holds))
  );
}

/** The link to a page about the recorded state. @param {string} name @param {string} url @param {Words} words */
function door(name, url, words) {
  return html("a", { href: url }, words.word(`tool.${name}`));
}

/** @param {string} url where the fault can be seen @param {Words} words */
function suspect(url, words) {
  const link = html("a", { href: url }, words.word("player.broken.see"));
  return html("p", "remark broken", words.word("player.broken"), " ", link);
}

/** Which process waits for whose barrier. @param {import("../types.js").Deadlock} circle @param {number} id @param {Words} words */
function deadlock({ process, waits, blocked }, id, words) {
  const told = waits.map(([one, source]) => words.word("player.deadlock.wait", { process: one, source }));
  const channels = words.word("player.deadlock.blocked", { channels: blocked });
  return html("p", "witness", words.word("player.deadlock", { waits: told, process, snapshot: id }), " ", channels);
}

/** @param {Record<string, boolean>} stable @param {Words} words */
function truths(stable, words) {
  return Object.fromEntries(
    Object.entries(stable).map(([when, holds]) => [when, words.word(holds ? "player.yes" : "player.no")]),
  );
}

/** @param {Judged} judged @param {Words} words */
function chip({ check, verdict }, words) {
  const said = words.word(`player.verdict.${verdict}`);
  const name = html("span", "", words.word(`check.${check}.name`));
  const sign = icon(verdict === "never" ? "none" : verdict);
  const look = { type: "button", "data-check": check, "aria-controls": "check-meaning" };
  const told = html("span", verdict === "fails" ? "word" : "unseen", said);
  return html("li", `verdict ${verdict}`, html("button", look, sign, name, told));
}

/**
 * What a check means: its sentence, opened by its chip, and where the diagram proves it: the rest of it is pale, see
 * css/spacetime.css. One is open at a time.
 * @param {Words} words
 */
function meanings(words) {
  const host = html("p", { class: "meaning", id: "check-meaning", hidden: true });
  /** @type {string | null} */
  let open = null;

  /** @param {HTMLElement} list @param {Judged[]} judged */
  function tell(list, judged) {
    const of = judged.find(({ check }) => check === open);
    host.hidden = open === null;
    document.body.dataset.proof = open ?? "";
    for (const each of list.querySelectorAll("button"))
      each.setAttribute("aria-expanded", String(each.dataset.check === open));
    if (open === null) return;
    host.replaceChildren(`${words.word(`check.${open}.about`)}.`);
    const rubber = document.querySelector("#rubber button:not(:disabled)");
    if (open === "reachable" && of?.verdict === "holds" && rubber instanceof HTMLElement)
      host.append(
        " ",
        button("go", () => rubber.click(), words.word("moves.straighten")),
      );
  }

  return {
    host,
    /** Let the chips open it. @param {HTMLElement} list @param {Judged[]} judged */
    over(list, judged) {
      for (const each of list.querySelectorAll("button"))
        each.addEventListener("click", () => {
          open = each.dataset.check === open ? null : (each.dataset.check ?? null);
          tell(list, judged);
        });
      tell(list, judged);
    },
  };
}

/** @param {Witness} witness @param {Words} words @param {(step: number) => void} jump */
function sentence({ key, fields, jump: step }, words, jump) {
  const note = html("p", "witness", html("span", "", words.word(key, fields)));
  if (step)
    note.append(
      " ",
      button("go", () => jump(step), words.word("player.witness.see", { step })),
    );
  return note;
}

/** @param {string} text */
function plain(text) {
  return html("p", "remark", text);
}
