/** The list of lessons: what is answered, and saving, loading and deleting it. Draws. */

import { all, asking, data, filled, first, one } from "../page.js";
import { html } from "../svg.js";
import { mark, standing } from "./mark.js";
import { forget, merge, progress, read, written } from "./progress.js";

const list = one("lessons");
const count = one("progress-count");
const reset = one("progress-reset", HTMLButtonElement);
const file = one("progress-file", HTMLInputElement);
const forgetting = reset.textContent;

/** The page of a question. @param {HTMLElement} card @param {string} question */
function address(card, question) {
  return asking(first(card, "a", HTMLAnchorElement).href, { q: question }).href;
}

/**
 * How far the visitor has come, and where to go on.
 * @param {number} right @param {number} total @param {{url: string, lesson: string, question: number} | null} next
 */
function strip(right, total, next) {
  const row = one("strip");
  const link = first(row, "a", HTMLAnchorElement);
  const said = first(row, "b");
  Object.assign(first(row, "meter", HTMLMeterElement), { max: total, value: right });
  said.textContent = filled(data(said, "said"), { right, total });
  link.hidden = !next;
  if (next) {
    const begun = right > 0 || Object.keys(progress()).length > 0;
    link.href = begun ? next.url : next.url.replace(/[?&]q=[^&]*/, "");
    link.textContent = filled(data(row, begun ? "on" : "begin"), next);
  } else said.textContent = data(row, "all");
  row.hidden = false;
}

/** Draw what is stored. @param {string} [says] instead of the total, @param {boolean} [both] or in front of it */
function draw(says, both = false) {
  const kept = progress();
  let total = 0;
  let right = 0;
  let early = 0;
  /** @type {{url: string, lesson: string, question: number} | null} the first question that is not answered rightly */
  let next = null;
  for (const card of all(list, "[data-lesson]")) {
    const marks = first(card, ".lesson-marks");
    marks.querySelector(".marks")?.remove();
    const row = html("span", "marks");
    data(card, "questions")
      .split(" ")
      .forEach((question, i) => {
        const tried = kept[`${card.dataset.lesson}/${question}`];
        const how = standing(tried);
        total += 1;
        if (how !== "right") next ??= { url: address(card, question), lesson: data(card, "number"), question: i + 1 };
        right += how === "right" ? 1 : 0;
        early += tried?.first ? 1 : 0;
        row.append(mark(how, filled(data(list, "of"), { number: i + 1, how: data(list, how) })));
      });
    marks.append(row);
    card.classList.toggle("done", !row.querySelector(".mark-open, .mark-wrong"));
  }
  strip(right, total, next);
  const sum = filled(data(count, "count"), { right, total, first: early });
  const some = Object.keys(kept).length > 0;
  count.textContent = says && !both ? says : [says, some ? sum : data(count, "none")].filter(Boolean).join(" ");
  one("progress-export", HTMLButtonElement).disabled = !some;
  reset.disabled = !some;
  reset.textContent = forgetting;
  delete reset.dataset.asked;
}

one("progress-export").addEventListener("click", () => {
  const href = URL.createObjectURL(new Blob([written(progress())], { type: "application/json" }));
  html("a", { href, download: "bluecut-lessons.json" }).click();
  URL.revokeObjectURL(href);
});

one("progress-import").addEventListener("click", () => file.click());

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  const found = chosen.size < 1_000_000 ? read(await chosen.text()) : null;
  file.value = "";
  if (found) merge(found);
  if (!found) return draw(data(count, "bad"));
  const many = Object.keys(found).length;
  draw(many === 1 ? data(count, "importedOne") : filled(data(count, "imported"), { count: many }), true);
});

reset.addEventListener("click", () => {
  if (reset.dataset.asked) {
    forget();
    draw(data(count, "done"));
    return;
  }
  reset.dataset.asked = "1";
  reset.textContent = data(reset, "sure");
});

one("progress").hidden = false;
draw();
