/** A page of a lesson: keeps what is answered, marks it above, and listens to the keys of whoever presents. Draws. */

import { mark, standing } from "./mark.js";
import { answered, progress } from "./progress.js";

const lesson = document.getElementById("lesson");

/** The pages of the questions that were tried have a mark. */
function draw() {
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

const presenting = document.body.classList.contains("presenting");

document.addEventListener("asked:judged", ({ detail }) => {
  if (detail.right === null || presenting) return;
  answered(lesson.dataset.lesson, detail.question, detail.given, detail.right);
  draw();
});

const blank = document.getElementById("blank");

document.addEventListener("keydown", (event) => {
  if (!presenting || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target instanceof Element && event.target.closest("input:not([type=checkbox]), select, textarea, iframe")) return;
  const doors = { ArrowRight: "#lesson-next", ArrowLeft: "#lesson-back", r: ".asked-reveal", R: ".asked-reveal" };
  if (event.key === "b" || event.key === "B") {
    blank.hidden = !blank.hidden;
    document.body.classList.toggle("blanked", !blank.hidden);
  } else if (doors[event.key] && blank.hidden) {
    /** @type {HTMLElement | null} */ (document.querySelector(doors[event.key]))?.click();
  } else return;
  event.preventDefault();
});

for (const play of lesson.querySelectorAll(".lesson-player")) {
  play.addEventListener("toggle", () => {
    const frame = play.querySelector("iframe");
    if (!frame.src) frame.src = frame.dataset.src;
  });
}

draw();
