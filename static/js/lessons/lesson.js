/** A page of a lesson: keeps what is answered, marks it above, and listens to the keys of whoever presents. Draws. */

import { mark, standing } from "./mark.js";
import { answered, progress } from "./progress.js";

const lesson = document.getElementById("lesson");

const presenting = document.body.classList.contains("presenting");

/** The pages of the questions that were tried have a mark; what a teacher has tried is no matter of the class. */
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

/** What the keys of a lecture hall open; clickers send the lower ones. */
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
    // Whoever is in the dark turns no page.
  } else if (DOORS[name]) {
    /** @type {HTMLElement | null} */ (document.querySelector(DOORS[name]))?.click();
  } else return;
  event.preventDefault();
});

draw();
