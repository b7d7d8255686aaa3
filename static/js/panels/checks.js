/** The checks of a snapshot with their verdicts; a sentence says what breaks one, and links to the step. Draws. */

import { snapshotOf } from "../run/scene.js";
import { CHECKS, verdicts } from "../run/verdict.js";
import { html, icon } from "../svg.js";

/**
 * @param {HTMLElement} host @param {Object} words @param {(step: number) => void} jump
 * @param {{exposed: string|null, property: string}} about where the fault of a broken variant can be seen, and the name
 * of the program's stable property
 * @param {{states: string, stable: string}} links other pages about the run, which may change to another run
 */
export function checks(host, words, jump, about, links) {
  let drawn = [];

  /** @param {import("../run/scene.js").Scene} scene @param {number|null} id @param {Object|null} end of the run, at its last step */
  function show(scene, id, end) {
    const snapshot = snapshotOf(scene, id);
    if (drawn[0] === snapshot && drawn[1] === end && drawn[2] === scene.base) return;
    drawn = [snapshot, end, scene.base];
    const none = !snapshot && !scene.base.most;
    const judged = snapshot ? verdicts(snapshot) : none ? [] : CHECKS.map((check) => ({ check, verdict: "open", witness: null }));
    const list = html("ul", "verdicts", ...judged.map(chip));
    if (end) list.append(chip({ check: "undisturbed", verdict: end.undisturbed ? "holds" : "fails", witness: null }));
    const notes = judged.filter((one) => one.witness).map(({ witness }) => sentence(witness));
    const stuck = snapshot ? end?.deadlock?.[snapshot.id] : null;
    if (none) notes.push(plain(words.word("player.checks.none")));
    if (snapshot?.stuck) notes.push(plain(words.word("player.deadlock.checks")));
    if (stuck) notes.push(deadlock(stuck, snapshot.id));
    else if (snapshot?.unreachable.length) notes.push(plain(words.word("player.never", { snapshot: snapshot.id, processes: snapshot.unreachable })));
    else if (end && snapshot && !snapshot.complete && snapshot.aborted === null) notes.push(plain(words.word("player.unfinished", { snapshot: snapshot.id })));
    if (end?.astray) notes.push(plain(words.word("player.astray", { step: end.astray[0], snapshot: end.astray[1] })));
    if (end?.full) notes.push(plain(words.word("player.full")));
    const stable = snapshot?.complete ? end?.stable?.[snapshot.id] : null;
    if (stable) notes.push(plain(words.word("player.stable", { property: words.word(`player.stable.${about.property}`), ...truths(stable) })));
    if (about.exposed && end && innocent(scene)) notes.push(suspect());
    if (end && snapshot?.complete) notes.push(doors(snapshot.id, stable));
    host.replaceChildren(list, ...notes);
  }

  /** Do all judged checks hold? */
  function innocent({ snapshots }) {
    return snapshots.some((each) => each.complete) && snapshots.every((each) => Object.values(each.checks).every((check) => check.holds));
  }

  /** Where the recorded state lies among all others, and what follows. */
  function doors(id, stable) {
    const made = [["states", `${links.states}&of=${id}`], ...(stable ? [["stable", links.stable]] : [])].map(([name, url]) => {
      const link = html("a", "", words.word(`player.${name}.more`));
      link.href = url;
      return link;
    });
    return html("p", "remark", ...made.flatMap((link) => [link, " "]));
  }

  function suspect() {
    const link = html("a", "", words.word("player.broken.see"));
    link.href = about.exposed;
    return html("p", "remark broken", words.word("player.broken"), " ", link);
  }

  /** Which process waits for whose barrier. */
  function deadlock({ process, waits, blocked }, id) {
    const told = waits.map(([one, source]) => words.word("player.deadlock.wait", { process: one, source }));
    return html("p", "witness", words.word("player.deadlock", { waits: told, process, snapshot: id }), " ", words.word("player.deadlock.blocked", { channels: blocked }));
  }

  function truths(stable) {
    return Object.fromEntries(Object.entries(stable).map(([when, holds]) => [when, words.word(holds ? "player.yes" : "player.no")]));
  }

  function chip({ check, verdict }) {
    const said = words.word(`player.verdict.${verdict}`);
    const made = html("li", `verdict ${verdict}`, icon(verdict === "never" ? "none" : verdict), html("span", "", words.word(`player.check.${check}`)), html("span", verdict === "fails" ? "word" : "unseen", said));
    made.title = `${words.word(`player.about.${check}`)}: ${said}`;
    return made;
  }

  function sentence({ key, fields, jump: step }) {
    const note = html("p", "witness", html("span", "", words.word(key, fields)));
    if (step) {
      const go = html("button", "go", words.word("player.witness.see", { step }));
      go.type = "button";
      go.addEventListener("click", () => jump(step));
      note.append(" ", go);
    }
    return note;
  }

  function plain(text) {
    return html("p", "remark", text);
  }

  return { show };
}
