/**
 * What a step says: the author's words large and the sentence of the step below them, or that sentence large; after the
 * last step the end card. And the same for screen readers. Draws.
 */

import { html } from "../svg.js";
import { tone } from "../run/snapshot.js";
import { hide } from "../terms.js";
import { pieces } from "../words.js";
import { fill, lastWord } from "./last.js";
import { reserve } from "./reserve.js";

/** @import { End, Scene, Sentence, Words } from "../types.js" */

/** Sentences that are about recording: their bold words are blue. */
const RECORDING =
  /^(start|photograph|marker\.(first|close|empty)|barrier\.(recorded|closed)|logged|complete|assembled|part\.|restored$|stored|wake\.upload)/;
/** Sentences that say what is wrong: their words are vermillion. */
const WRONG = /^(complete\.wrong|assembled\.wrong|fault\.|deadlock|unusable|lacking|unreachable)/;
/** How long a sentence must rest before it is read aloud, in milliseconds. */
const SETTLE = 700;

/**
 * @typedef {object} Terms of the glossary in the author's words
 * @property {Record<string, [words: string, name: string | null][]>} texts in parts, each with the term that it names
 * @property {Record<string, string>} means what the terms mean
 * @property {string} page where they are defined
 *
 * @typedef {{saying: HTMLElement, last: HTMLElement | null, say: HTMLElement, caption: HTMLElement, live: HTMLElement}} Where
 * @typedef {{cast: string, question: string}} Opening what step 0 says
 */

/**
 * @param {Where} where @param {Words} words @param {Opening} opening
 * @param {Terms | null} terms
 */
export function tell(where, words, opening, terms) {
  const room = reserve(where.saying);
  const speak = aloud(where.live, words);
  /** @type {unknown[]} */
  let shown = [];
  // Asking the page each time would force a layout.
  let scrolled = false;
  where.say.addEventListener("scroll", () => (scrolled = where.say.scrollTop > 0), { passive: true });

  /** @param {Scene} scene @param {boolean} playing @param {End | null} end at the last step */
  function show(scene, playing, end) {
    if (shown[0] === scene && shown[1] === end) return;
    shown = [scene, end];
    const text = textOf(scene, end, opening, words);
    where.saying.dataset.says = text.says;
    if (where.last) fill(where.last, text.card ?? null);
    put(linked(text.note));
    where.caption.hidden = !text.note;
    where.say.replaceChildren(scene.step ? sentences(scene, words) : html("p", "opening", ...linked(text.said)));
    if (scrolled) where.say.scrollTop = 0;
    speak(scene, text, playing, end);
  }

  /** A text that the server has looked through, as what to put into an element. @param {string} text @returns {(Node | string)[]} */
  function linked(text) {
    return (
      terms?.texts[text]?.map(([said, name]) =>
        name ? html("a", { class: "term", href: `${terms.page}#${name}`, title: terms.means[name] }, said) : said,
      ) ?? [text]
    );
  }

  /** The author's words. If one of their links had the focus, it moves to the sentence: the link is gone.
   * @param {(Node | string)[]} parts */
  function put(parts) {
    hide();
    const left = where.caption.contains(document.activeElement);
    where.caption.replaceChildren(...parts);
    if (left) where.say.focus({ preventScroll: true });
  }

  return {
    show,
    /** Keep room for the longest of these steps: nothing below moves. @param {Scene[]} scenes @param {End | null} end */
    keepRoom(scenes, end) {
      room.measure(
        scenes.map((scene) => textOf(scene, scene.step === scene.base.run.steps ? end : null, opening, words)),
      );
    },
  };
}

/** @param {Scene} scene @returns {Sentence[]} */
const saidIn = (scene) => /** @type {Sentence[]} */ (scene.happening?.frame.s ?? []);

/**
 * What a step says. Without a story, the beginning says how to go on.
 * @param {Scene} scene @param {End | null} end @param {Opening} opening @param {Words} words
 * @returns {import("./reserve.js").Text}
 */
function textOf(scene, end, { cast, question }, words) {
  if (!scene.step) {
    const begin = matchMedia("(pointer: coarse)").matches ? "player.now.touch" : "player.now.begin";
    return { says: "opening", note: question, said: cast || question ? cast : words.word(begin).replaceAll("**", "") };
  }
  const note = scene.base.captions?.[scene.step]?.[words.lang] ?? "";
  const said = saidIn(scene);
  const text = { note, said: words.told(said), long: said.length > 2 };
  if (!end?.card) return { ...text, says: note ? "note" : "step" };
  return { ...text, says: "card", card: lastWord(end.card, words, Boolean(note)) };
}

/** The sentences of a step. @param {Scene} scene @param {Words} words */
function sentences(scene, words) {
  const said = saidIn(scene);
  const parts = said.flatMap((one, i) => [...(i ? [words.glue] : []), paragraph(one, scene, words)]);
  return html("p", said.length > 2 ? "long" : "", ...parts);
}

/** A sentence, in the colour of the snapshot that it is about. @param {Sentence} sentence @param {Scene} scene @param {Words} words */
function paragraph(sentence, { base }, words) {
  const [key] = sentence;
  const about = words.valueOf(sentence, "snapshot");
  const look = WRONG.test(key) ? "wrong" : RECORDING.test(key) ? "recording" : "";
  const made = html("span", key.startsWith("fault.") ? "wrong" : "");
  made.classList.toggle("hue2", typeof about === "number" && tone(base, about) === 2);
  for (const piece of pieces(words.sentence(sentence)))
    made.append(piece.strong ? html("strong", look, piece.text) : piece.text);
  return made;
}

/** Reads a step aloud as soon as it rests. @param {HTMLElement} live @param {Words} words */
function aloud(live, words) {
  let timer = 0;
  return (
    /** @type {Scene} */ scene,
    /** @type {import("./reserve.js").Text} */ { note, said },
    /** @type {boolean} */ playing,
    /** @type {End | null} */ end,
  ) => {
    clearTimeout(timer);
    timer = setTimeout(
      () => {
        const step = words.word("player.step", { step: scene.step, steps: scene.base.run.steps });
        const verdict = end?.card ? words.told(end.card.said) : "";
        const told = [verdict, note, scene.step ? said : ""].filter(Boolean).join(words.glue);
        live.textContent = `${step}${words.lang === "zh" ? "。" : ". "}${told}`.trim();
      },
      playing ? SETTLE : SETTLE / 3,
    );
  };
}
