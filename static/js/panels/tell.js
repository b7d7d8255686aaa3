/** The sentence of the step, large, and the author's words below it; and the same for screen readers. Draws. */

import { html } from "../svg.js";
import { pieces } from "../words.js";
import { terms } from "./terms.js";

/** Sentences that are about recording: their bold words are blue. */
const RECORDING =
  /^(start|photograph|marker\.(first|close|empty)|barrier\.(recorded|closed)|logged|complete|assembled|part\.|restored$|stored|wake\.upload)/;
/** How long a sentence must rest before it is read aloud, in milliseconds. */
const SETTLE = 700;

/**
 * @typedef {import("../types.js").Scene} Scene
 * @typedef {import("../types.js").Sentence} Sentence
 */

/**
 * @param {{say: HTMLElement, caption: HTMLElement, live: HTMLElement}} where @param {import("../types.js").Words} words
 * @param {string} opening what step 0 says @param {import("./terms.js").Terms | null} found the glossary's terms in the author's words, see terms.js
 */
export function tell(where, words, opening, found) {
  const { linked, hide } = terms(found);
  /** @type {Scene | null} */
  let shown = null;
  let timer = 0;
  let scrolled = false;
  where.say.addEventListener("scroll", () => (scrolled = true), { passive: true });

  /** @param {Scene} scene @param {boolean} playing */
  function show(scene, playing) {
    if (shown === scene) return;
    shown = scene;
    const said = /** @type {Sentence[]} */ (scene.happening?.frame.s ?? []);
    const paragraphs = said.length
      ? said.map((one) => paragraph(words.sentence(one), RECORDING.test(one[0])))
      : [paragraph(words.word("player.now.begin"), false)];
    where.say.classList.toggle("begin", !scene.step);
    const story = scene.step || !opening ? [] : [html("p", "opening", ...linked(opening))];
    where.say.replaceChildren(html("p", said.length > 2 ? "long" : "", ...join(paragraphs)), ...story);
    if (scrolled) where.say.scrollTop = 0;
    scrolled = false;
    const caption = scene.base.captions?.[scene.step]?.[words.lang] ?? "";
    put(linked(caption));
    where.caption.hidden = !caption;
    aloud(scene, said, caption, playing);
  }

  /** The author's words. If one of their links had the focus, it moves to the sentence: the link is gone.
   * @param {(Node | string)[]} parts */
  function put(parts) {
    hide();
    const left = where.caption.contains(document.activeElement);
    where.caption.replaceChildren(...parts);
    if (left) where.say.focus({ preventScroll: true });
  }

  /** @param {Node[]} paragraphs */
  function join(paragraphs) {
    return paragraphs.flatMap((one, i) => (i ? [words.glue, one] : [one]));
  }

  /** @param {string} text @param {boolean} blue are its bold words blue? */
  function paragraph(text, blue) {
    const sentence = html("span");
    for (const piece of pieces(text)) {
      sentence.append(piece.strong ? html("strong", blue ? "recording" : "", piece.text) : piece.text);
    }
    return sentence;
  }

  /** @param {Scene} scene @param {Sentence[]} said @param {string} caption @param {boolean} playing */
  function aloud(scene, said, caption, playing) {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        const step = words.word("player.step", { step: scene.step, steps: scene.base.run.steps });
        const stop = words.lang === "zh" ? "。" : ". ";
        where.live.textContent = `${step}${stop}${said.length ? words.told(said) : ""}${words.glue}${caption}`.trim();
      },
      playing ? SETTLE : SETTLE / 3,
    );
  }

  return { show };
}
