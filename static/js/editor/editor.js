/** The editor page: updates that follow the text. The server checks it and makes the form (htmx). */

import { around, as, asking, data, maybe, one, site } from "../page.js";
import { drafts } from "../drafts.js";
import { draw } from "../gutter.js";
import { keepText, textOf } from "../storage.js";
import { turns } from "./turns.js";

const form = one("editor", HTMLFormElement);
const area = one("editor-text", HTMLTextAreaElement);
const sheet = { gutter: one("editor-gutter"), band: one("editor-band"), area };
const origin = data(form, "origin");
const begun = area.defaultValue;
const mine = drafts("bluecut.drafts", 8);
/** Where this tab remembers the draft that was replaced by another scenario. */
const LEFT = "bluecut.left";
/** @type {string[]} */
const past = [];

/** @type {Record<string, string>} the first field of a new row */
const LAST = { process: "name", channel: "from", script: "kind" };

const wrong = () => Number(one("editor-verdict").dataset.line) || 0;

/** Replace the text, and update everything. @param {string} text @param {{check: boolean}} how */
function write(text, { check }) {
  area.value = text;
  remember();
  if (check) area.dispatchEvent(new Event("input", { bubbles: true }));
  else draw(sheet, wrong());
}

/** Store the text for the next visit, unless it is the server's own. */
function remember() {
  if (area.value === begun) mine.forget(origin);
  else mine.keep(origin, area.value);
}

/** The server has answered: the rest of the page follows. @param {HTMLElement} [source] what has asked */
function follow(source) {
  const next = one("editor-next").querySelector("textarea");
  if (next) {
    if (next.value !== area.value) {
      past.push(area.value);
      write(next.value, { check: false });
    }
    next.remove();
  }
  const verdict = one("editor-verdict");
  const mistaken = verdict.classList.contains("wrong");
  form.classList.toggle("stale", mistaken);
  if (mistaken) area.setAttribute("aria-invalid", "true");
  else area.removeAttribute("aria-invalid");
  one("editor-form", HTMLFieldSetElement).disabled = verdict.dataset.form === "no";
  const undo = maybe("editor-undo");
  if (undo) undo.hidden = past.length === 0;
  draw(sheet, wrong());
  if (form.querySelector("[data-refused]")) put();
  if (source?.id === "editor-share-it") copy();
  else if (source?.id === "editor-run") refused();
  else if (source instanceof HTMLButtonElement && source.name === "do") refocus(source.value);
}

/** The form shows the text again: what was chosen there is not done. */
function put() {
  for (const field of one("editor-form").querySelectorAll("select")) {
    field.selectedIndex = [...field.options].findIndex((option) => option.defaultSelected);
  }
  for (const field of one("editor-form").querySelectorAll("input")) field.value = field.defaultValue;
}

/** The link goes to the clipboard; where a browser does not allow that, it is selected, ready to copy. */
async function copy() {
  const link = maybe("editor-link", HTMLInputElement);
  if (!link) return;
  const told = one("editor-copied");
  try {
    await navigator.clipboard.writeText(link.value);
    told.textContent = data(told, "copied");
  } catch {
    link.focus();
    link.select();
    told.textContent = data(told, "byHand");
  }
}

/** It cannot be run: why is said at the verdict. */
function refused() {
  const verdict = one("editor-verdict");
  verdict.scrollIntoView({ block: "nearest" });
  as(verdict.querySelector(".editor-jump"))?.focus({ preventScroll: true });
}

/** The focus stays with the row that a button moved. @param {string} button its value */
function refocus(button) {
  const rows = form.querySelectorAll(`.editor-row.${button.split(".")[0]}`).length;
  const there = after(button, rows)
    .map((id) => maybe(id))
    .find((element) => element && !element.matches(":disabled"));
  there?.focus();
}

/**
 * The ids of the elements that may get the focus after a button, the best first. A moved row keeps its button.
 * @param {string} button the button's value: "script.up.2", "process.add"
 * @param {number} rows how many rows the list has now
 * @returns {string[]}
 */
function after(button, rows) {
  const [part, verb, number] = button.split(".");
  const index = Number(number);
  if (verb === "add") return [`editor-${part}-${rows - 1}-${LAST[part]}`, `editor-${part}-add`];
  if (verb === "remove") return [`editor-${part}-remove-${Math.min(index, rows - 1)}`, `editor-${part}-add`];
  const there = verb === "up" ? index - 1 : index + 1;
  const back = verb === "up" ? "down" : "up";
  return [`editor-${part}-${verb}-${there}`, `editor-${part}-${back}-${there}`];
}

/**
 * Where a line begins and ends in a text; the last line where there are fewer.
 * @param {string} text
 * @param {number} line from 1
 * @returns {[number, number]} the places of its first character and behind its last one
 */
function span(text, line) {
  let begin = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const next = text.indexOf("\n", begin);
    if (next < 0) break;
    begin = next + 1;
  }
  const end = text.indexOf("\n", begin);
  return [begin, end < 0 ? text.length : end];
}

/** The caret goes to a line. @param {number} line */
function jump(line) {
  const [begin, end] = span(area.value, line);
  area.focus();
  area.setSelectionRange(begin, end);
  const { lineHeight } = getComputedStyle(area);
  area.scrollTop = Math.max(0, (line - 4) * parseFloat(lineHeight));
}

/** The text stays, and the choice is what it was. */
function stay() {
  const choice = one("editor-from", HTMLSelectElement);
  one("editor-replace").hidden = true;
  choice.selectedIndex = Math.max(
    0,
    [...choice.options].findIndex((option) => option.defaultSelected),
  );
  choice.focus();
}

/** The way back to a text that was replaced. */
function offer() {
  const before = textOf(LEFT, { tab: true });
  if (before === null || before === origin || mine.of(before) === undefined) return;
  const lang = new URLSearchParams(location.search).get("lang") || null;
  const back = asking(site("/editor"), { from: before || null, lang });
  one("editor-left-back", HTMLAnchorElement).href = back.href;
  one("editor-left").hidden = false;
}

area.addEventListener("input", () => {
  remember();
  draw(sheet, wrong());
});
area.addEventListener("scroll", () => draw(sheet, wrong()));
area.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) one("editor-run").click();
});
form.addEventListener("keydown", (event) => {
  const field = as(event.target, HTMLInputElement);
  if (event.key !== "Enter" || !field || field.readOnly) return;
  event.preventDefault(); // Enter in a field means that the field is done, not that the scenario is
  field.blur();
  field.focus();
});
form.addEventListener("click", (event) => {
  const target = around(event.target, "button, .editor-jump");
  if (!target) return;
  if (target.matches(".editor-jump")) {
    event.preventDefault();
    jump(Number(target.dataset.line));
  } else if (target.id === "editor-undo") {
    write(past.pop() ?? area.value, { check: true });
  } else if (target.id === "editor-over") {
    one("editor-restored").hidden = true;
    write(begun, { check: true });
  }
});
one("editor-from").addEventListener("change", () => {
  if (area.value === begun && !("posted" in form.dataset)) one("editor-open", HTMLFormElement).requestSubmit();
  else {
    one("editor-replace").hidden = false;
    one("editor-replace-no").focus();
  }
});
one("editor-replace-yes").addEventListener("click", () => {
  mine.keep(origin, area.value);
  keepText(LEFT, origin, { tab: true });
  one("editor-open", HTMLFormElement).requestSubmit();
});
one("editor-replace-no").addEventListener("click", stay);
one("editor-replace").addEventListener("keydown", (event) => {
  if (event.key === "Escape") stay();
});
turns(form, area, follow);

const kept = mine.of(origin);
if ("posted" in form.dataset) remember();
else {
  if (kept !== undefined && kept !== begun) {
    one("editor-restored").hidden = false;
    area.value = kept;
  }
  // Kept, or typed before this script was there. htmx listens when the document is ready, after a module has run.
  if (area.value !== begun)
    document.addEventListener("DOMContentLoaded", () => setTimeout(() => write(area.value, { check: true })));
}
follow();
offer();
