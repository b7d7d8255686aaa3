/**
 * Practice in rounds: which questions were answered in this tab, and which of them right at the first try. At its end,
 * the round is reviewed by kind, and what was wrong comes first. It is sent nowhere, and ends with the tab. Draws.
 */

import { all, as, data, filled, first, json, maybe } from "./page.js";
import { keepValue, valueOf } from "./storage.js";
import { html } from "./svg.js";

const KEY = "bluecut.quiz";

/** @typedef {{right: boolean, kind: string, url: string, place: number, mended?: boolean}} Tried right at the first try, or
 * mended at a later one */

/** @returns {Record<string, Tried>} by run, kinds and question, the first answer */
function read() {
  const rows = Object.entries(valueOf(KEY, { tab: true }) ?? {});
  return Object.fromEntries(rows.filter(([, one]) => typeof one?.right === "boolean"));
}

/** @param {Record<string, Tried>} kept */
function write(kept) {
  keepValue(KEY, kept, { tab: true });
}

/** @param {HTMLElement} quiz @returns {[name: string, tried: Tried][]} what was tried of this run and these kinds */
function mine(quiz) {
  return Object.entries(read()).filter(([name]) => name.startsWith(`${data(quiz, "run")} `));
}

/** Show the score. @param {HTMLElement} quiz @param {HTMLElement} place */
function score(quiz, place) {
  const tries = mine(quiz);
  const right = tries.filter(([, one]) => one.right).length;
  const text = filled(data(place, "said"), { right, tried: tries.length });
  first(place, "output").textContent = tries.length ? text : data(place, "none");
  first(place, "button").hidden = tries.length === 0;
  place.hidden = false;
}

/** The first answer to a question counts; revealing the right one without an answer does not. @param {HTMLElement} quiz */
function count(quiz) {
  const { question, right } = maybe("asked")?.dataset ?? {};
  if (!question || right === undefined) return;
  const name = `${data(quiz, "run")} ${question}`;
  const kept = read();
  if (name in kept) {
    if (right === "1") write({ ...kept, [name]: { ...kept[name], mended: true } });
    return;
  }
  const number = Number(data(quiz, "number"));
  const tried = { right: right === "1", kind: question.replace(/-\d+$/, ""), url: data(quiz, "here"), place: number };
  write({ ...kept, [name]: tried });
}

/** At the end of a round, and after each question of it that is done again: by kind, how many were right, and what to try
 * again. @param {HTMLElement} quiz @param {HTMLElement} panel */
function review(quiz, panel) {
  const number = Number(data(quiz, "number"));
  const size = Number(data(quiz, "round"));
  const answered = maybe("asked")?.dataset.right !== undefined;
  const end = Math.ceil(number / size) * size;
  const round = mine(quiz)
    .map(([, one]) => one)
    .filter(({ place }) => place > end - size && place <= end);
  if (!answered || !round.some(({ place }) => place === end)) return;
  /** @type {Record<string, string>} */
  const names = json("quiz-kinds");
  const kinds = [...new Set(round.map(({ kind }) => kind))];
  const rows = kinds.map((kind) => {
    const these = round.filter((one) => one.kind === kind);
    return { kind, right: these.filter(({ right }) => right).length, of: these.length };
  });
  rows.sort((a, b) => a.right / a.of - b.right / b.of);
  const right = round.filter((one) => one.right).length;
  first(panel, ".round-said").textContent = filled(data(panel, "said"), { right, tried: round.length });
  first(panel, ".round-kinds").replaceChildren(
    ...rows.map(({ kind, right, of }) => html("li", "", `${names[kind] ?? kind} `, html("b", "", `${right} / ${of}`))),
  );
  const wrong = round.filter(({ right, mended }) => !right && !mended);
  const again = first(panel, ".round-again");
  again.hidden = wrong.length === 0;
  first(again, "ul").replaceChildren(
    ...wrong.map(({ kind, url, place }) =>
      html("li", "", html("a", { href: url }, `${place}. ${names[kind] ?? kind}`)),
    ),
  );
  panel.hidden = false;
  for (const link of all(document, "#graded .asked-onward", HTMLAnchorElement)) {
    link.href = "#round";
    link.textContent = data(panel, "end");
  }
}

const quiz = maybe("quiz");
const place = maybe("score");
const panel = maybe("round");
if (quiz && place) {
  const changed = () => {
    count(quiz);
    score(quiz, place);
    if (panel) review(quiz, panel);
  };
  document.addEventListener("asked:judged", changed);
  as(place.querySelector("button"))?.addEventListener("click", () => {
    const others = Object.entries(read()).filter(([name]) => !name.startsWith(`${data(quiz, "run")} `));
    write(Object.fromEntries(others));
    score(quiz, place);
  });
  changed(); // the page may have loaded with a judged answer
}
