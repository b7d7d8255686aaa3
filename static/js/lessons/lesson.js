/** A page of a lesson: stores answers, marks answered questions above, and handles the presenter's keys. Draws. */

import { all, around, as, data, one } from "../page.js";
import { acts } from "../wishes.js";
import { mark, standing } from "./mark.js";
import { answered, progress } from "./progress.js";

const lesson = one("lesson");

const presenting = document.body.classList.contains("presenting");

/** Mark the pages of questions that were tried; while presenting, the teacher's own answers stay hidden. */
function draw() {
  if (presenting) return;
  const kept = progress();
  for (const link of all(lesson, ".lesson-pages [data-question]")) {
    const how = standing(kept[`${lesson.dataset.lesson}/${link.dataset.question}`]);
    link.querySelector(".mark")?.remove();
    if (how !== "open") link.append(mark(how, data(lesson, how)));
    link.dataset.how = how;
    link.dataset.label ??= link.getAttribute("aria-label") ?? "";
    link.setAttribute(
      "aria-label",
      how === "open" ? link.dataset.label : `${link.dataset.label} (${lesson.dataset[how]})`,
    );
  }
}

document.addEventListener("asked:judged", ({ detail }) => {
  if (detail.right === null || detail.question === undefined || presenting) return;
  answered(data(lesson, "lesson"), detail.question, detail.given, detail.right);
  draw();
});

/** What the presenter's keys open; clickers send the lower ones. @type {Record<string, string>} */
const DOORS = {
  ArrowRight: "#lesson-next",
  ArrowLeft: "#lesson-back",
  r: ".asked-reveal",
  PageDown: "#lesson-next",
  PageUp: "#lesson-back",
};

/** Does what has the focus need a key itself? @param {EventTarget | null} target @param {string} name @param {boolean} blanked */
function needs(target, name, blanked) {
  const focused = (/** @type {string} */ kinds) => around(target, kinds) !== null;
  if (focused("select, textarea, iframe")) return true;
  if (!name.startsWith("Page") && focused("input:not([type=checkbox], [type=radio])")) return true;
  return name.startsWith("Arrow") && !blanked && focused("input[type=radio]"); // they choose there
}

/** A key of the presenter. @param {KeyboardEvent} event @param {HTMLElement} blank the blank screen */
function press(event, blank) {
  if (!acts(event)) return;
  const { key, target } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  if (needs(target, name, !blank.hidden)) return;
  if (name === "b" || name === "." || (name === "Escape" && !blank.hidden)) {
    blank.hidden = !blank.hidden;
    document.body.classList.toggle("blanked", !blank.hidden);
  } else if (!blank.hidden && name !== "Tab") {
    // A blank screen does not turn pages.
  } else if (DOORS[name]) {
    as(document.querySelector(DOORS[name]))?.click();
  } else return;
  event.preventDefault();
}

if (presenting) {
  const blank = one("blank");
  document.addEventListener("keydown", (event) => press(event, blank));
}

draw();
