/** All panels beside the stage but space and time. Those that measure the page, or are read only at rest, follow late. */

import { maybe, one } from "../page.js";
import { tone } from "../run/snapshot.js";
import { checks } from "./checks.js";
import { piece } from "../piece.js";
import { line, onLine } from "./line.js";
import { log } from "./log.js";
import { rule } from "./rule.js";
import { switches } from "./switches.js";
import { table } from "./table.js";

/** @import { End, Scene, Words } from "../types.js" */
/** @import { About, Links } from "./checks.js" */

export class Panels {
  /**
   * @param {import("../run/scenes.js").Scenes} scenes @param {Words} words
   * @param {{about: About, links: Links}} page
   * @param {{jump: (step: number) => void, offered: (host: HTMLElement, step: number) => void}} does `offered` is called
   * when what can happen after a step is on the page
   */
  constructor(scenes, words, page, { jump, offered }) {
    const { base } = scenes;
    const independent = base.private;
    this.rule = rule(one("rule"), one("rule-note"), scenes.at(0), words);
    this.table = independent
      ? line(one("table"), one("table-title"), words)
      : table(one("table"), one("table-of"), words);
    this.checks = independent
      ? onLine(one("checks"), words)
      : checks(one("checks"), words, jump, page.about, page.links);
    this.log = log(one("log"), words, jump, (step) => scenes.at(step));
    const next = piece(one("next"), (host, step, focused) => {
      offered(host, step);
      if (focused) (host.querySelector("a") ?? host).focus({ preventScroll: true });
    });
    const others = ["ledger", "files"].flatMap((id) => maybe(id) ?? []);
    /** The panels that the server writes. */
    this.written = [next, ...others.map((host) => piece(host))];
    const promises = maybe("switches");
    if (promises) switches(promises);
  }

  /**
   * The rule belongs to the sentence, the others to what has landed.
   * @param {{said: Scene, done: Scene, shown: number | null, end: End | null}} told `shown`: the number of a snapshot
   */
  show({ said, done, shown, end }) {
    this.rule.show(said);
    this.table.show(done, shown);
    this.checks.show(done, shown, end);
    const second = shown !== null && tone(done.base, shown) === 2;
    for (const host of ["rule", "table", "table-of"]) maybe(host)?.classList.toggle("hue2", second);
  }

  /** What measures the page, or is read only at rest, must not slow down a drag. @param {number} step */
  rest(step) {
    for (const each of this.written) each.show(step);
    this.log.show(step); // from here on the page is measured
    this.rule.reveal();
    this.table.reveal();
  }
}
