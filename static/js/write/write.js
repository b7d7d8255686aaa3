/** The page on which a class is written: it is judged system by system, and the run that fails is played beside it. */

import { count, span } from "../lines.js";
import { draw } from "../gutter.js";
import { as, data, first, json, one, site } from "../page.js";
import { html } from "../svg.js";
import { packed, unpacked } from "./link.js";
import { Slow, runner } from "./runner.js";

/**
 * @typedef {{says: string, lines: number[]}} Step
 * @typedef {{embed: string, open: string, steps: Step[]}} Shown
 * @typedef {{verdict: string, says: string, markers?: number, why?: string, line?: number | null, run?: Shown | null}} Told
 */

const page = one("write");
const area = one("write-text", HTMLTextAreaElement);
const sheet = { gutter: one("write-gutter"), band: one("write-band"), area };
const go = one("write-run", HTMLButtonElement);
const status = one("write-status");
const list = one("write-systems");
const failing = one("write-failing");
const level = Number(page.dataset.level);
const kept = `bluecut.write.${page.dataset.draft}`;
/** @type {Record<string, string>} */
const words = json("words");
const python = go.disabled
  ? null
  : runner(site("/write/worker.js"), new URL(site("/write/python/"), location.href).href);
/** Where the fewest markers of a class that passed are stored. */
const BEST = "bluecut.write.markers";
let wrong = 0;

area.value = localStorage.getItem(kept) ?? area.defaultValue;
draw(sheet, 0);
area.addEventListener("scroll", () => {
  draw(sheet, wrong);
  one("write-lit").style.transform = `translateY(${-area.scrollTop}px)`;
});
area.addEventListener("input", () => {
  if (area.value === area.defaultValue) localStorage.removeItem(kept);
  else localStorage.setItem(kept, area.value);
  light([]);
});
area.addEventListener("keydown", (event) => {
  if (event.key !== "Tab" || event.shiftKey || event.altKey || event.ctrlKey) return;
  event.preventDefault();
  area.setRangeText("    ", area.selectionStart, area.selectionEnd, "end");
  area.dispatchEvent(new Event("input"));
});
one("write-over").addEventListener("click", () => {
  area.value = area.defaultValue;
  area.dispatchEvent(new Event("input"));
});
for (const id of ["write-level", "write-bug"])
  one(id, HTMLSelectElement).addEventListener("change", ({ target }) => as(target, HTMLSelectElement)?.form?.submit());
go.addEventListener("click", run);
one("write-share").addEventListener("click", async () => {
  const address = new URL(location.href);
  address.hash = `code=${await packed(area.value)}`;
  history.replaceState(null, "", address);
  await navigator.clipboard?.writeText(address.href).catch(() => {});
  status.textContent = words["write.says.shared"];
});
if (location.hash.startsWith("#code=")) void open(location.hash.slice("#code=".length));

/** Show the class that a link brings. @param {string} letters */
async function open(letters) {
  const given = await unpacked(letters);
  if (given === null) status.textContent = words["write.says.damaged"];
  else area.value = given;
  draw(sheet, 0);
}

/** Mark the lines that a step executes; the first one is in view. @param {number[]} lines */
function light(lines) {
  wrong = 0;
  const lit = one("write-lit");
  const height = parseFloat(getComputedStyle(area).lineHeight);
  const top = parseFloat(getComputedStyle(area).paddingTop);
  lit.replaceChildren(
    ...lines.map((line) => {
      const mark = html("div", "write-line");
      mark.style.transform = `translateY(${top + (line - 1) * height}px)`;
      return mark;
    }),
  );
  const at = lines.at(0);
  if (at === undefined) return draw(sheet, 0);
  const [above, below] = [area.scrollTop, area.scrollTop + area.clientHeight];
  const place = top + (at - 1) * height;
  if (place < above || place + height > below) area.scrollTop = place - area.clientHeight / 3;
  lit.style.transform = `translateY(${-area.scrollTop}px)`;
  draw(sheet, 0);
}
/** @param {string} path @param {unknown} body @returns {Promise<any>} */
async function post(path, body) {
  for (;;) {
    const answer = await fetch(site(path) + data(page, "asked"), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    if (answer.status === 503) await new Promise((done) => setTimeout(done, 1_000));
    else if (answer.ok) return answer.json();
    else throw new Error(answer.status === 413 ? words["write.says.large"] : words["write.says.offline"]);
  }
}

/** Judge the class in every system of the level. */
async function run() {
  if (!python) return;
  go.disabled = true;
  failing.hidden = true;
  light([]);
  let markers = 0;
  list.replaceChildren();
  try {
    status.textContent = words["write.says.loading"];
    await python.ready();
    const facts = await python.ask({ source: area.value, file: "snapshot.py" });
    if (facts.mistake) return await stumble(facts);
    const systems = data(page, "systems").split("|");
    let passed = 0;
    for (const [place, name] of systems.entries()) {
      status.textContent = `${words["write.says.trying"]} ${name}`;
      const told = await judged(place, facts);
      passed += Number(told.verdict === "passed");
      markers += told.markers ?? 0;
      list.append(row(told));
      if (told.why && failing.hidden) show(told);
    }
    status.textContent = words["write.says.sum"]
      .replace("{passed}", String(passed))
      .replace("{whole}", String(systems.length));
    if (passed === systems.length && page.dataset.fewest) status.textContent += counted(markers, page.dataset.fewest);
  } catch (error) {
    if (error instanceof Slow) status.textContent = words["judge.mistake.hangs"];
    else status.textContent = String(error instanceof Error ? error.message : error);
  } finally {
    go.disabled = false;
  }
}

/** How many markers that took, and the fewest in this browser. @param {number} markers @param {string} fewest */
function counted(markers, fewest) {
  const before = Number(localStorage.getItem(BEST) ?? markers);
  const best = String(Math.min(before, markers));
  localStorage.setItem(BEST, best);
  const said = words["write.says.markers"].replace("{markers}", String(markers)).replace("{fewest}", fewest);
  return said + words["write.says.best"].replace("{best}", best);
}

/** Judge the class in one system: answer questions until none is left.
 * @param {number} place @param {{tags: boolean, values: boolean}} facts @returns {Promise<Told>} */
async function judged(place, facts) {
  /** @type {Record<string, unknown>} */
  const answers = {};
  for (;;) {
    const told = await post("/write/judge", { level, place, ...facts, answers });
    if (!told.questions) return told;
    for (const [name, question] of Object.entries(told.questions))
      answers[name] = await python?.ask(JSON.parse(question));
  }
}

/** The class cannot be judged. @param {{mistake: string, about?: string, line?: number | null}} told */
async function stumble(told) {
  const { says, line } = await post("/write/mistake", told);
  status.textContent = says;
  if (!line) return;
  wrong = line;
  draw(sheet, wrong);
  const [begin, end] = span(area.value, Math.min(line, count(area.value)));
  area.setSelectionRange(begin, end);
}

/** @param {Told} told */
function row(told) {
  return html("li", `write-${told.verdict}`, told.says);
}

/** Play the run that fails, and mark the lines of each step. @param {Told} told */
function show(told) {
  failing.hidden = false;
  first(failing, ".write-why").textContent = told.why ?? "";
  const frame = first(failing, "iframe", HTMLIFrameElement);
  const link = first(failing, "a", HTMLAnchorElement);
  frame.hidden = link.hidden = !told.run;
  if (told.line) light([told.line]);
  if (!told.run) return;
  const { embed, open, steps } = told.run;
  link.href = site(open);
  frame.src = site(embed);
  frame.onload = () => {
    const timeline = frame.contentDocument?.getElementById("timeline");
    if (!timeline) return;
    const follow = () => light(steps[Number(timeline.getAttribute("aria-valuenow")) - 1]?.lines ?? []);
    new MutationObserver(follow).observe(timeline, { attributeFilter: ["aria-valuenow"] });
    follow();
  };
}
