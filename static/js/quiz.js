/**
 * The score of a session: which questions were answered in this tab, and which of them right at the first try. It is
 * sent nowhere, and ends with the tab.
 */

const KEY = "bluecut.quiz";
const quiz = document.getElementById("quiz");
const place = document.getElementById("score");
const said = document.getElementById("score-said");
const reset = document.getElementById("score-reset");

/** @returns {Record<string, boolean>} by question, was the first answer right? */
function read() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    return kept && typeof kept === "object" && !Array.isArray(kept) ? kept : {};
  } catch {
    return {};
  }
}

/** @param {Record<string, boolean>} kept */
function write(kept) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Without storage there is no score.
  }
}

/** Show the score. @param {{place: HTMLElement, said: HTMLElement, reset: HTMLElement}} parts */
function show(parts) {
  const tries = Object.values(read());
  const right = tries.filter(Boolean).length;
  const { none = "", said: words = "" } = parts.place.dataset;
  const text = words.replace("{right}", String(right)).replace("{tried}", String(tries.length));
  parts.said.textContent = tries.length ? text : none;
  parts.reset.hidden = tries.length === 0;
  parts.place.hidden = false;
}

/** The first answer to a question counts; revealing the right one without an answer does not. */
function count() {
  const asked = document.getElementById("asked");
  const quiz = document.getElementById("quiz");
  const { question, right } = asked?.dataset ?? {};
  if (!quiz || !question || right === undefined) return;
  const name = `${quiz.dataset.run} ${question}`;
  const kept = read();
  if (name in kept) return;
  write({ ...kept, [name]: right === "1" });
}

if (quiz && place && said && reset) {
  const changed = () => {
    count();
    show({ place, said, reset });
  };
  document.addEventListener("asked:judged", changed);
  reset.addEventListener("click", () => {
    write({});
    show({ place, said, reset });
  });
  changed(); // the page may have loaded with a judged answer
}
