/**
 * The page of cuts: handles to drag, what holds for the cut at once, and an address that names it.
 */

import { elsewhere } from "../language.js";
import { all, around, asking, data, first, holdStill, json, one } from "../page.js";
import { sizes } from "../screen.js";
import { html, say, set, svg } from "../svg.js";
import { acts } from "../wishes.js";
import { words } from "../words.js";
import { drawing } from "./draw.js";
import { above, below, cone, consistent, countAt, crossing, orphans, places } from "./model.js";

/** @import { Letter, Plan } from "./model.js" */

/** @type {{plan: Plan, steps: number, cut: number[]}} */
const { plan, steps, cut: given } = json("cuts-plan");
const spoken = words(json("cuts-words"), document.documentElement.lang.startsWith("zh") ? "zh" : "en", {});
const { word, readable } = spoken;
const picture = drawing(first(one("cuts-picture"), "svg", SVGSVGElement));

/** @type {{cut: number[], at: number[], clocks: boolean, event: [number, number]|null}} `at` is where the cut meets the lines */
const state = { cut: [], at: [], clocks: false, event: null };

// --- the address -------------------------------------------------------------------------------------------------

function fromAddress() {
  const asked = new URLSearchParams(location.search);
  const named = asked.getAll("cut").join(",").split(",").map(Number);
  const whole = named.length === plan.names.length && asked.has("cut") && !asked.has("instant");
  state.cut = whole ? named.map((count, row) => Math.min(count, plan.at[row].length)) : [...given];
  state.at = places(plan, state.cut);
  state.clocks = asked.get("clocks") === "1";
  const [, name, index] = /^(.*):(\d+)$/.exec(asked.get("event") ?? "") ?? ["", "", "0"];
  const row = plan.names.indexOf(name);
  state.event = row >= 0 && plan.at[row][Number(index) - 1] !== undefined ? [row, Number(index)] : null;
}

function address(cut = state.cut) {
  const { clocks, event } = state;
  const named = event && `${plan.names[event[0]]}:${event[1]}`;
  const url = asking(location.href, { instant: null, cut: cut.join(","), clocks: clocks ? 1 : null, event: named });
  url.search = url.search.replaceAll("%2C", ",").replaceAll("%3A", ":");
  return url;
}

/** Let the links to this page in another size or language show the same cut. @param {URL} url */
function known(url) {
  const presents = document.body.classList.contains("presenter");
  one("presenter", HTMLAnchorElement).href = asking(url, { presenter: presents ? null : 1 }).href;
  elsewhere(url);
}

/** @param {boolean} anew is this a place to come back to? */
function keep(anew) {
  const url = address();
  known(url);
  if (url.href === location.href) return;
  if (anew) history.pushState(null, "", url);
  else history.replaceState(null, "", url);
}

// --- what is said ------------------------------------------------------------------------------------------------

/** @param {Letter} letter */
function orphanSentence(letter) {
  const [source, target] = letter.channel.split("->");
  const fields = { message: letter.said, channel: letter.channel, source, target };
  return word(letter.sent ? "cuts.orphan" : "cuts.orphan.undone", fields);
}

/** Where a cut meets a line, in words. @param {number} row @param {number} count */
function stop(row, count) {
  const process = plan.names[row];
  const total = plan.at[row].length;
  if (!total) return word("cuts.stop.none", { process });
  if (!count) return word("cuts.stop.before", { process });
  return word("cuts.stop.after", { index: count, total, event: plan.events[row][count - 1] });
}

function tell() {
  const good = consistent(plan, state.cut);
  const wrong = orphans(plan, state.cut);
  const across = crossing(plan, state.cut);
  const fates = new Map();
  for (const [, letters] of across) for (const { id } of letters) fates.set(id, "crossing");
  for (const { id } of wrong) fates.set(id, "orphan");
  picture.move(state.at);
  picture.colour(fates);
  one("cuts-verdict").className = `cuts-verdict ${good ? "holds" : "fails"}`;
  say(one("cuts-sign"), good ? "✓" : "✕");
  say(one("cuts-told"), word(good ? "cuts.consistent" : "cuts.inconsistent"));
  one("cuts-orphans").replaceChildren(...wrong.map((letter) => html("li", "", orphanSentence(letter))));
  const rows = across.map(([channel, letters]) => {
    const held = html("dd", "", readable(letters.map(({ said }) => said)));
    return html("div", "", html("dt", "", readable(channel)), held);
  });
  one("cuts-crossing").replaceChildren(...rows);
  one("cuts-none").hidden = good && rows.length > 0;
  say(
    one("cuts-none"),
    word(good ? "cuts.crossing.none" : rows.length ? "cuts.crossing.some" : "cuts.crossing.orphan"),
  );
  state.cut.forEach((count, row) => {
    const handle = picture.handles[row];
    set(handle, "aria-valuenow", String(count));
    set(handle, "aria-valuetext", stop(row, count));
    fields[row].value = String(count);
  });
  nearest("above", above(plan, state.cut));
  nearest("below", below(plan, state.cut));
  for (const link of all(document, "a[data-cut-to]", HTMLAnchorElement)) {
    const cut = data(link, "cutTo").split(",").map(Number);
    link.href = address(cut).href;
    const here = cut.every((count, row) => count === state.cut[row]);
    set(link, "aria-current", here && !link.dataset.nearest ? "true" : null);
  }
}

/** @param {"above" | "below"} name @param {number[] | null} cut */
function nearest(name, cut) {
  const link = one(`cuts-${name}`);
  const useless = cut === null || cut.every((count, row) => count === state.cut[row]);
  link.hidden = useless;
  link.dataset.cutTo = (cut ?? state.cut).join(",");
}

// --- events ------------------------------------------------------------------------------------------------------

/** @param {[number, number]|null} event */
function look(event) {
  const told = one("cuts-cone");
  if (event === null) {
    picture.fade(new Set(), new Set());
    say(told, word("cuts.cone.none"));
    return;
  }
  const found = cone(plan, event);
  const faded = new Set(found.beside.map(([row, index]) => `${plan.names[row]}:${index}`));
  const name = (/** @type {[number, number] | null} */ end) => (end ? `${plan.names[end[0]]}:${end[1]}` : "");
  const ids = plan.letters.filter(({ sent, received }) => faded.has(name(sent)) || faded.has(name(received)));
  picture.fade(faded, new Set(ids.map(({ id }) => id)));
  const counts = { past: found.past.length, future: found.future.length, beside: found.beside.length };
  say(told, word("cuts.cone", { event: plan.events[event[0]][event[1] - 1], ...counts }));
}

/** The button of the selected event stays pressed. */
function press() {
  const name = state.event && `${plan.names[state.event[0]]}:${state.event[1]}`;
  for (const dot of picture.events) set(dot, "aria-pressed", String(dot.dataset.event === name));
  for (const link of all(document, "a[data-event-to]")) {
    set(link, "aria-current", link.dataset.eventTo === state.event?.join() ? "true" : null);
  }
}

/** Select an event, or release it. @param {[number, number]} event */
function pin(event) {
  const same = state.event && state.event.join() === event.join();
  state.event = same ? null : event;
  press();
  look(state.event);
  keep(false);
  tell();
}

for (const dot of picture.events) {
  const called = data(dot, "event");
  const cutAt = called.lastIndexOf(":");
  const row = plan.names.indexOf(called.slice(0, cutAt));
  /** @type {[number, number]} */
  const event = [row, Number(called.slice(cutAt + 1))];
  const shape = first(dot, "*", SVGElement);
  const [x, y] = shape.hasAttribute("cx")
    ? ["cx", "cy"].map((n) => Number(shape.getAttribute(n)))
    : ["x", "y"].map((n) => Number(shape.getAttribute(n)) + Number(shape.getAttribute("width")) / 2);
  svg("circle", { cx: x, cy: y, r: 13, fill: "transparent" }, dot);
  for (const [name, value] of Object.entries({
    role: "button",
    tabindex: "0",
    class: "cuts-event",
    "aria-label": plan.events[row][event[1] - 1],
    "aria-pressed": "false",
  }))
    dot.setAttribute(name, value);
  dot.addEventListener("pointerenter", () => look(event));
  dot.addEventListener("pointerleave", () => look(state.event));
  dot.addEventListener("focus", () => look(event));
  dot.addEventListener("blur", () => look(state.event));
  dot.addEventListener("click", () => pin(event));
  dot.addEventListener("keydown", (pressed) => {
    const again = pressed.key === "Escape" ? state.event : null;
    if (!again && pressed.key !== "Enter" && pressed.key !== " ") return;
    pressed.preventDefault();
    pin(again ?? event);
  });
}

// --- moving the cut ----------------------------------------------------------------------------------------------

/** @param {number[]} cut @param {number[]} at where it meets the lines @param {boolean} anew */
function go(cut, at, anew) {
  state.cut = cut;
  state.at = at;
  keep(anew);
  tell();
}

/** @param {number} row @param {number} count */
function step(row, count) {
  const kept = Math.max(0, Math.min(plan.at[row].length, count));
  go(state.cut.with(row, kept), state.at.with(row, plan.stops[row][kept]), false);
  picture.handles[row].scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The row whose handle is dragged; -1 for none. */
let dragged = -1;
holdStill(() => dragged >= 0);

picture.handles.forEach((handle, row) => {
  const facts = {
    role: "slider",
    tabindex: "0",
    class: "cuts-handle",
    "aria-label": word("cuts.handle", { process: plan.names[row] }),
    "aria-valuemin": "0",
    "aria-valuemax": String(plan.at[row].length),
  };
  for (const [name, value] of Object.entries(facts)) handle.setAttribute(name, value);
  handle.prepend(svg("rect", { x: -24, y: -26, width: 48, height: 52, fill: "transparent" }));
  handle.addEventListener("pointerdown", (pressed) => {
    if (pressed.button) return;
    dragged = row;
    handle.setPointerCapture(pressed.pointerId);
    handle.focus({ preventScroll: true });
    pressed.preventDefault();
  });
  handle.addEventListener("pointermove", (moved) => {
    if (dragged !== row) return;
    const place = Math.max(0.1, Math.min(steps + 0.9, picture.at(moved)));
    const at = state.at.with(row, place);
    const count = countAt(plan, row, place);
    if (count === state.cut[row]) {
      state.at = at;
      picture.move(at);
    } else go(state.cut.with(row, count), at, false);
  });
  for (const end of ["pointerup", "pointercancel"])
    handle.addEventListener(end, () => dragged === row && (dragged = -1));
  handle.addEventListener("keydown", (pressed) => {
    const [here, last] = [state.cut[row], plan.at[row].length];
    /** @type {Record<string, number | undefined>} */
    const ways = {
      ArrowRight: here + 1,
      ArrowUp: here + 1,
      ArrowLeft: here - 1,
      ArrowDown: here - 1,
      Home: 0,
      End: last,
    };
    const count = ways[pressed.key];
    if (count === undefined) return;
    pressed.preventDefault();
    step(row, count);
  });
});

const form = one("cuts-numbers");
const fields = all(form, "input[name=cut]", HTMLInputElement);
fields.forEach((field, row) =>
  field.addEventListener("input", () => {
    if (field.value !== "" && field.validity.valid) step(row, Number(field.value));
  }),
);
form.addEventListener("submit", (sent) => sent.preventDefault());
first(form, "button").hidden = true;

const instant = one("cuts-instant", HTMLInputElement);
instant.addEventListener("input", () => {
  const chosen = Number(instant.value);
  say(one("cuts-instant-told"), String(chosen));
  const at = plan.names.map(() => chosen + 0.5);
  go([...plan.instants[chosen]], at, false);
});
one("cuts-instants").addEventListener("submit", (sent) => sent.preventDefault());
first(one("cuts-instants"), "button").hidden = true;

document.addEventListener("click", (clicked) => {
  if (clicked.ctrlKey || clicked.metaKey || clicked.shiftKey) return;
  const link = around(clicked.target, "a[data-cut-to]");
  if (link) {
    clicked.preventDefault();
    const cut = data(link, "cutTo").split(",").map(Number);
    go(cut, places(plan, cut), true);
    picture.show();
    if (link.hidden) picture.handles[0].focus({ preventScroll: true });
  }
  const event = around(clicked.target, "a[data-event-to]");
  if (event) {
    clicked.preventDefault();
    pin(/** @type {[number, number]} */ (data(event, "eventTo").split(",").map(Number)));
  }
});

const clocks = one("cuts-clocks");
clocks.addEventListener("click", (clicked) => {
  clicked.preventDefault();
  state.clocks = !state.clocks;
  showClocks();
  keep(false);
});
clocks.setAttribute("role", "button");
clocks.addEventListener("keydown", (pressed) => {
  if (pressed.key !== " ") return;
  pressed.preventDefault();
  clocks.click();
});

function showClocks() {
  picture.clocks(state.clocks);
  clocks.setAttribute("aria-pressed", String(state.clocks));
}

function everything() {
  fromAddress();
  known(address());
  showClocks();
  press();
  look(state.event);
  tell();
}

// --- in front of a class -----------------------------------------------------------------------------------------

const keys = sizes(spoken);
addEventListener("keydown", (pressed) => {
  const act = acts(pressed) ? keys[pressed.key] : undefined;
  if (!act || around(pressed.target, "input:not([type=range]), select")) return;
  pressed.preventDefault();
  act();
});

addEventListener("popstate", everything);
everything();
// A run without a cut yet is read from its beginning.
if (/[?&](cut|instant)=/.test(location.search)) picture.show();
