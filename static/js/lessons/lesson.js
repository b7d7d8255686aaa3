/** A page of a lesson: stores answers, marks answered questions above, and handles the presenter's keys. Draws. */

import { mark, standing } from "./mark.js";
import { answered, progress } from "./progress.js";

const lesson = document.getElementById("lesson");

const presenting = document.body.classList.contains("presenting");

/** Mark the pages of questions that were tried; while presenting, the teacher's own answers stay hidden. */
function draw() {
  if (presenting) return;
  const kept = progress();
  for (const link of lesson.querySelectorAll(".lesson-pages [data-question]")) {
    const how = standing(kept[`${lesson.dataset.lesson}/${link.dataset.question}`]);
    link.querySelector(".mark")?.remove();
    if (how !== "open") link.append(mark(how, lesson.dataset[how]));
    link.dataset.how = how;
    link.dataset.label ??= link.getAttribute("aria-label");
    link.setAttribute("aria-label", how === "open" ? link.dataset.label : `${link.dataset.label} (${lesson.dataset[how]})`);
  }
}

document.addEventListener("asked:judged", ({ detail }) => {
  if (detail.right === null || presenting) return;
  answered(lesson.dataset.lesson, detail.question, detail.given, detail.right);
  draw();
});

const blank = document.getElementById("blank");

/** What the presenter's keys open; clickers send the lower ones. */
const DOORS = {
  ArrowRight: "#lesson-next",
  ArrowLeft: "#lesson-back",
  r: ".asked-reveal",
  PageDown: "#lesson-next",
  PageUp: "#lesson-back",
};

document.addEventListener("keydown", (event) => {
  if (!presenting || event.ctrlKey || event.metaKey || event.altKey) return;
  const { key, target } = event;
  const name = key.length === 1 ? key.toLowerCase() : key;
  const focused = (kinds) => target instanceof Element && target.closest(kinds) !== null;
  if (focused("select, textarea, iframe")) return;
  if (!name.startsWith("Page") && focused("input:not([type=checkbox], [type=radio])")) return;
  if (name.startsWith("Arrow") && blank.hidden && focused("input[type=radio]")) return; // they choose there
  if (name === "b" || name === "." || (name === "Escape" && !blank.hidden)) {
    blank.hidden = !blank.hidden;
    document.body.classList.toggle("blanked", !blank.hidden);
  } else if (!blank.hidden && name !== "Tab") {
    // A blank screen does not turn pages.
  } else if (DOORS[name]) {
    /** @type {HTMLElement | null} */ (document.querySelector(DOORS[name]))?.click();
  } else return;
  event.preventDefault();
});

draw();
