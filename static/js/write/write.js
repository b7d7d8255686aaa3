/** The page on which a class is written: it is judged system by system, and the run that fails is played beside it. */

import { drafts } from "../drafts.js";
import { lists } from "../lists.js";
import { all, data, filled, first, json, maybe, one, site } from "../page.js";
import { keepValue, valueOf } from "../storage.js";
import { html } from "../svg.js";
import { packed, unpacked } from "./link.js";
import { Slow, runner } from "./runner.js";
import { sheet } from "./sheet.js";

/**
 * @typedef {{says: string, lines: number[]}} Step
 * @typedef {{embed: string, open: string, steps: Step[]}} Shown
 * @typedef {{verdict: string, says: string, markers?: number, sign: string, why?: string, line?: number | null, run?: Shown | null}} Told
 */

const page = one("write");
const fallback = one("write-text", HTMLTextAreaElement);
const go = one("write-run", HTMLButtonElement);
const back = one("write-back", HTMLButtonElement);
const status = one("write-status");
const list = one("write-systems");
const failing = one("write-failing");
const share = one("write-shared");
const level = Number(page.dataset.level);
/** @type {Record<string, string>} */
const words = json("words");
const python = go.disabled
  ? null
  : runner(site("/write/worker.js"), new URL(site("/write/python/"), location.href).href);
/** Where the fewest markers of a class that passed are stored. */
const BEST = "bluecut.write.markers";
/** The seconds until a busy server is asked again, unless it says; and the most of them. */
const [AGAIN, LATEST] = [5, 60];

const CODE = "#code=";
/** What a link brings: a class, and perhaps a run in which it fails. */
const given = new URLSearchParams(location.hash.slice(1));
/** Such a class has a draft of its own: it never replaces the visitor's. */
const origin = data(page, "draft") + (given.has("code") ? CODE + given.get("code") : "");
const before = `${origin} before`;
const mine = drafts("bluecut.write", 40);
let begun = fallback.value;
let stored = true;
/** Ends the judging that is under way. @type {AbortController | null} */
let judging = null;
/** The judging that is under way, or was the last. */
let done = Promise.resolve();
/** The class that the results are about. @type {string | null} */
let judgedText = null;

const editor = sheet(one("write-sheet"), mine.of(origin) ?? begun, {
  label: data(page, "label"),
  words,
  changed: remember,
  go: judgeAgain,
});
fallback.hidden = true;
one("write-text-label").addEventListener("click", editor.focus);
one("write-over").addEventListener("click", () => {
  if (editor.text !== begun) stored = mine.keep(before, editor.text);
  editor.text = begun;
  editor.focus();
});
back.addEventListener("click", () => {
  editor.text = mine.of(before) ?? editor.text;
  mine.forget(before);
  offer();
  editor.focus();
});
lists(all(page, ".lists", HTMLFormElement));
go.addEventListener("click", () => (judging ? judging.abort() : judgeAgain()));
one("write-share").addEventListener("click", give);
// The same class in two tabs is one class: what is written in one of them appears in the other.
window.addEventListener("storage", follow);
window.addEventListener("pageshow", ({ persisted }) => persisted && follow());
window.addEventListener("hashchange", () => location.reload());
window.addEventListener("beforeunload", (event) => {
  if (!stored) event.preventDefault();
});
if (given.has("code")) void open(given.get("code") ?? "", given.get("run"));
offer();

/** Show the class that a link brings, or what the visitor has made of it, and the run in which it fails.
 * @param {string} letters @param {string | null} run */
async function open(letters, run) {
  const [text, told] = await Promise.all([unpacked(letters), run && unpacked(run)]);
  if (text === null || (run && told === null)) {
    status.textContent = words["write.says.damaged"];
    return;
  }
  begun = text;
  editor.text = mine.of(origin) ?? text;
  if (told && editor.text === text) show(JSON.parse(told));
}

/** Store the text for the next visit, unless it is what the visitor was given. */
function remember() {
  if (editor.text === begun) mine.forget(origin);
  else stored = mine.keep(origin, editor.text);
  share.hidden = true;
  offer();
  age();
  python?.ready().catch(() => {}); // it takes seconds; what is wrong with it is told when it is asked
}

/** Say where the results are about an earlier text. */
function age() {
  one("write-old").hidden = judgedText === null || editor.text === judgedText;
}

/** Judge the class as it stands now; what was being judged ends. */
function judgeAgain() {
  judging?.abort();
  done = done.then(run);
}

/** Take over what another tab has written. */
function follow() {
  const text = mine.of(origin) ?? begun;
  if (text !== editor.text) editor.text = text;
}

/** The way back to a text that was replaced by the one to begin with. */
function offer() {
  back.hidden = mine.of(before) === undefined || editor.text !== begun;
}

/** Show a link that carries the class, and put it into the clipboard where a browser allows that. */
async function give() {
  const address = new URL(location.href);
  address.hash = CODE + (await packed(editor.text));
  const field = first(share, "input", HTMLInputElement);
  field.value = address.href;
  share.hidden = false;
  field.select();
  const copied = await navigator.clipboard?.writeText(address.href).then(
    () => true,
    () => false,
  );
  status.textContent = words[copied ? "write.says.shared" : "write.says.link"];
}

/** @param {string} path @param {unknown} body @param {AbortSignal} signal @returns {Promise<any>} */
async function post(path, body, signal) {
  for (;;) {
    const answer = await fetch(site(path) + data(page, "asked"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
      signal,
    }).catch((error) => {
      throw signal.aborted ? error : new Error(words["write.says.offline"]);
    });
    if (answer.ok) return answer.json();
    if (answer.status === 413) throw new Error(words["write.says.large"]);
    if (answer.status !== 429 && answer.status !== 503) throw new Error(words["write.says.offline"]);
    const seconds = Math.min(Number(answer.headers.get("retry-after")) || AGAIN, LATEST);
    status.textContent = filled(words["write.says.busy"], { seconds });
    await pause(seconds * 1_000, signal);
  }
}

/** @param {number} time in milliseconds @param {AbortSignal} signal @returns {Promise<void>} */
function pause(time, signal) {
  return new Promise((done, fail) => {
    setTimeout(done, time);
    signal.addEventListener("abort", () => fail(signal.reason));
  });
}

/** Judge the class in every system of the level. */
async function run() {
  if (!python) return;
  const label = go.textContent;
  judging = new AbortController();
  const { signal } = judging;
  signal.addEventListener("abort", python.stop);
  go.textContent = words["write.says.stop"];
  status.scrollIntoView({ block: "nearest" }); // on a phone it is below the editor
  failing.hidden = true;
  onward(false);
  editor.mark();
  list.replaceChildren();
  judgedText = editor.text;
  age();
  try {
    await judge(python, signal);
  } catch (error) {
    if (signal.aborted) status.textContent = words["write.says.stopped"];
    else if (error instanceof Slow) {
      status.textContent = words["judge.mistake.hangs"];
      editor.mark({ wrong: error.line });
    } else status.textContent = String(error instanceof Error ? error.message : error);
  } finally {
    judging = null;
    go.textContent = label;
    status.scrollIntoView({ block: failing.hidden ? "nearest" : "start" });
  }
}

/** @param {ReturnType<typeof runner>} asked @param {AbortSignal} signal */
async function judge(asked, signal) {
  status.textContent = words["write.says.loading"];
  await asked.ready();
  signal.throwIfAborted();
  const facts = await asked.ask({ source: editor.text, file: "snapshot.py" });
  if (facts.mistake) return refuse(facts, signal);
  const systems = data(page, "systems").split("|");
  status.ariaBusy = "true"; // how far it is changes too fast to be read aloud
  let [passed, markers] = [0, 0];
  /** @type {string[]} */
  const signs = [];
  try {
    for (const [place, name] of systems.entries()) {
      status.textContent = filled(words["write.says.trying"], { system: name });
      /** @type {[unknown, any][]} */
      const answered = [];
      const told = await judged(place, name, facts, asked, signal, answered);
      const remembers = await asked.backwards(answered.filter(([, answer]) => !answer.mistake));
      if (remembers) return refuse(remembers, signal);
      passed += Number(told.verdict === "passed");
      markers += told.markers ?? 0;
      list.append(html("li", `write-${told.verdict}`, told.says));
      signs.push(told.sign);
      if (told.why && failing.hidden) show(told);
    }
  } finally {
    status.ariaBusy = "false";
  }
  status.textContent = filled(words["write.says.sum"], { passed, whole: systems.length });
  onward(passed === systems.length);
  if (passed === systems.length && page.dataset.fewest) status.textContent += counted(markers, page.dataset.fewest);
  const like = passed < systems.length ? await post("/write/like", { level, signs }, signal) : { says: [] };
  first(failing, ".write-like").replaceChildren(...like.says.map((/** @type {string} */ said) => html("p", "", said)));
}

/** Offer the next level, if there is one. @param {boolean} offered */
function onward(offered) {
  const next = maybe("write-onward");
  if (next) next.hidden = !offered;
}

/** Say why a class cannot be judged. @param {unknown} mistake @param {AbortSignal} signal */
async function refuse(mistake, signal) {
  const { says, line } = await post("/write/mistake", mistake, signal);
  list.replaceChildren();
  failing.hidden = true;
  status.textContent = says;
  editor.mark({ wrong: line ?? 0 });
}

/** How many markers that took, and the fewest in this browser. @param {number} markers @param {string} fewest */
function counted(markers, fewest) {
  const best = Math.min(Number(valueOf(BEST) ?? markers), markers);
  keepValue(BEST, best);
  const said = filled(words["write.says.markers"], { markers, fewest });
  return said + filled(words["write.says.best"], { best });
}

/** Judge the class in one system: answer questions until none is left.
 * @param {number} place @param {string} system @param {{tags: boolean, values: boolean}} facts
 * @param {ReturnType<typeof runner>} asked @param {AbortSignal} signal
 * @param {[unknown, any][]} answered gets each question with its answer @returns {Promise<Told>} */
async function judged(place, system, facts, asked, signal, answered) {
  /** @type {Record<string, unknown>} */
  const answers = {};
  for (;;) {
    const told = await post("/write/judge", { level, place, ...facts, answers }, signal);
    if (!told.questions) return told;
    status.textContent = filled(words["judge.working"], { system, states: told.states });
    for (const [name, question] of Object.entries(told.questions)) {
      const request = JSON.parse(question);
      answered.push([request, (answers[name] = await asked.ask(request))]);
      signal.throwIfAborted();
    }
  }
}

/** An address below one of this site; a link could bring any. @param {string} below @param {string} path */
function here(below, path) {
  const address = new URL(site(path), location.href);
  const inside = address.origin === location.origin && address.pathname.startsWith(site(below));
  return inside ? address.href : site(below);
}

/** Play the run that fails, and mark the lines of each step. @param {Pick<Told, "why" | "line" | "run">} told */
function show(told) {
  failing.hidden = false;
  first(failing, ".write-why").textContent = told.why ?? "";
  first(failing, ".write-like").replaceChildren();
  const frame = first(failing, "iframe", HTMLIFrameElement);
  const link = first(failing, "a", HTMLAnchorElement);
  frame.hidden = link.hidden = !told.run;
  if (told.line) editor.mark({ wrong: told.line });
  if (!told.run) return;
  const { embed, open, steps } = told.run;
  link.href = here("/run/", open);
  frame.src = here("/embed/", embed);
  frame.onload = () => {
    const timeline = frame.contentDocument?.getElementById("timeline");
    if (!timeline) return;
    const text = editor.text;
    const light = () => {
      if (editor.text !== text) return; // the lines are those of the class that was judged
      editor.mark({ lit: steps[Number(timeline.getAttribute("aria-valuenow")) - 1]?.lines });
    };
    new MutationObserver(light).observe(timeline, { attributeFilter: ["aria-valuenow"] });
    light();
  };
}
