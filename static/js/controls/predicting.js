/**
 * At the author's questions the run stops, and visitors choose the answer in the picture, or by its name below the
 * question. Nobody has to answer: the next step goes on as ever. Draws.
 */

import { around, maybe } from "../page.js";
import { choice, want, wanted } from "../wishes.js";
import { isRight, question } from "../run/predict.js";
import { button, html, icon, set } from "../svg.js";

/** @import { Player } from "../player.js" */
/** @import { Question } from "../run/predict.js" */

/** Words that end with a question. */
const ASKS = /[?\uff1f]["\u201d\u300d]?\s*$/;

export class Predicting {
  /** @type {Question | null} what is being asked */
  #asked = null;
  /** @type {Set<string>} */
  #chosen = new Set();
  /** @type {Set<number>} the steps whose questions are answered, or were passed */
  #done = new Set();
  #step = 0;

  /** @param {import("../run/scenes.js").Scenes} scenes @param {import("../types.js").Words} words @param {Player} player
   * @param {HTMLElement} stage @param {number[]} pauses where a lecture stops in any case */
  constructor(scenes, words, player, stage, pauses) {
    this.pauses = pauses;
    this.scenes = scenes;
    this.words = words;
    this.player = player;
    this.stage = stage;
    this.box = html("div", { class: "predict", role: "group", hidden: true });
    document.querySelector(".saying")?.append(this.box);
    for (const kind of ["click", "keydown"])
      stage.addEventListener(kind, (event) => this.#pick(event), { capture: true });
    choice("predict");
  }

  /** A step is at rest to which the run has come by itself, or by a key. @param {number} k */
  at(k) {
    const kind = this.scenes.base.predict?.[k];
    const whole = this.scenes.held === this.scenes.base.run.steps;
    if (!kind || !whole || this.#done.has(k) || !wanted("predict") || !this.box.isConnected) return;
    const asked = question(this.scenes, k, kind);
    if (!asked) return;
    this.#done.add(k);
    this.#step = k;
    this.#ask(asked);
  }

  /** Does playing stop at a step: is something being asked, or in a lecture, do the author's words ask it?
   * @param {number} k */
  stops(k) {
    if (this.#asked) return true;
    if (!document.body.classList.contains("presenter")) return false;
    const said = this.scenes.base.captions?.[k]?.[this.words.lang] ?? "";
    return this.pauses.includes(k) || ASKS.test(said);
  }

  /** The cursor has moved. @param {number} k */
  left(k) {
    if (!this.box.hidden && k !== this.#step) this.#end();
  }

  /** @param {Question} asked */
  #ask(asked) {
    this.#asked = asked;
    this.#chosen = new Set();
    const { word } = this.words;
    const text = word(`player.predict.${asked.kind}`);
    const how =
      asked.options[0].id === "yes"
        ? []
        : [html("span", "mute", word(`player.predict.${asked.many ? "many" : "one"}`))];
    const options = asked.options.map((option) => this.#option(option));
    const check = button("button button-first", () => this.#judge(), word("player.predict.check"));
    const pass = button("button", () => this.#goOn(), word("player.predict.skip"));
    const decline = () => {
      turn(false);
      this.#goOn();
    };
    const off = button("button plain", decline, word("player.predict.off"));
    const ask = html("p", { class: "predict-ask", role: "status" }, html("b", "", text), " ", ...how);
    this.box.setAttribute("aria-label", text);
    const does = html("div", "predict-does", ...(asked.many ? [check] : []), pass, off);
    this.box.replaceChildren(ask, html("div", "predict-options", ...options), does);
    this.box.hidden = false;
    document.body.classList.add("asking");
    document.body.dataset.asks = asked.kind;
    this.box.scrollIntoView?.({ block: "nearest" });
    this.#mark();
  }

  /** @param {Question["options"][number]} option */
  #option({ id, name, message }) {
    const { words } = this;
    const said = message ? words.readable(message.payload) : (name ?? words.word(`player.predict.${id}`));
    const look = { class: "button", "data-option": id, "aria-pressed": "false" };
    return button(look, () => this.#toggle(id), said);
  }

  /** @param {Event} event */
  #pick(event) {
    if (!this.#asked || (event instanceof KeyboardEvent && event.key !== "Enter" && event.key !== " ")) return;
    const shape = around(event.target, "[data-message], [data-process]", SVGElement);
    const id = shape?.dataset.message ?? shape?.dataset.process;
    if (!this.#asked.options.some((option) => option.id === id)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#toggle(/** @type {string} */ (id));
  }

  /** @param {string} id */
  #toggle(id) {
    if (this.#chosen.has(id)) this.#chosen.delete(id);
    else this.#chosen.add(id);
    this.#mark();
    if (!this.#asked?.many) this.#judge();
  }

  #judge() {
    const { word } = this.words;
    const asked = /** @type {Question} */ (this.#asked);
    const right = isRight(asked, this.#chosen);
    const how = right ? "holds" : "fails";
    const verdict = html("p", { class: `predict-verdict ${how}`, role: "status" }, icon(how));
    const names = [...this.box.querySelectorAll("[data-option]")].flatMap((one) =>
      asked.answer.includes(/** @type {HTMLElement} */ (one).dataset.option ?? "") ? (one.textContent ?? "") : [],
    );
    const { key, fields } = asked.because;
    const because = word(key, { ...fields, messages: names });
    verdict.append(html("span", "", html("b", "", word(`player.predict.${right ? "right" : "wrong"}`)), " ", because));
    const on = button("button button-first", () => this.#goOn(), word("player.predict.on"));
    for (const one of this.box.querySelectorAll("button")) one.disabled = true;
    this.box.querySelector(".predict-does")?.replaceChildren(verdict, on);
    this.#mark(asked.answer);
    this.#asked = null;
    document.body.classList.remove("asking");
    on.focus({ preventScroll: true });
  }

  /** Show in the picture and below the question what is chosen, and once it is judged, what was right.
   * @param {string[]} [answer] */
  #mark(answer) {
    const how = (/** @type {string} */ id) => {
      if (answer?.includes(id)) return "right";
      return this.#chosen.has(id) ? (answer ? "wrong" : "chosen") : null;
    };
    for (const one of this.stage.querySelectorAll("[data-message], [data-process]")) {
      const { message, process } = /** @type {SVGElement} */ (one).dataset;
      set(one, "data-chosen", how(message ?? process ?? ""));
    }
    for (const one of this.box.querySelectorAll("[data-option]")) {
      const id = /** @type {HTMLElement} */ (one).dataset.option ?? "";
      set(one, "data-chosen", how(id));
      one.setAttribute("aria-pressed", String(this.#chosen.has(id)));
    }
  }

  #end() {
    this.#asked = null;
    document.body.classList.remove("asking");
    this.box.hidden = true;
    for (const one of this.stage.querySelectorAll("[data-chosen]")) set(one, "data-chosen", null);
  }

  #goOn() {
    this.#end();
    this.player.play();
  }
}

/** @param {boolean} on */
function turn(on) {
  const box = maybe("predict-on", HTMLInputElement);
  if (box) box.checked = on;
  want("predict", on);
}
