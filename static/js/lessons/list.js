/** The list of lessons: what is answered, and saving, loading and deleting it. Draws. */

import { mark, standing } from "./mark.js";
import { forget, merge, progress, read, written } from "./progress.js";

const list = document.getElementById("lessons");
const count = document.getElementById("progress-count");
const reset = document.getElementById("progress-reset");
const file = /** @type {HTMLInputElement} */ (document.getElementById("progress-file"));
const forgetting = reset.textContent;

/** Draw what is stored. @param {string} [says] instead of the total, @param {boolean} [both] or in front of it */
function draw(says, both = false) {
  const kept = progress();
  let total = 0;
  let right = 0;
  let first = 0;
  for (const card of list?.querySelectorAll("[data-lesson]") ?? []) {
    const marks = card.querySelector(".lesson-marks");
    marks.querySelector(".marks")?.remove();
    const row = document.createElement("span");
    row.className = "marks";
    card.dataset.questions.split(" ").forEach((question, i) => {
      const tried = kept[`${card.dataset.lesson}/${question}`];
      const how = standing(tried);
      total += 1;
      right += how === "right" ? 1 : 0;
      first += tried?.first ? 1 : 0;
      row.append(mark(how, list.dataset.of.replace("{number}", String(i + 1)).replace("{how}", list.dataset[how])));
    });
    marks.append(row);
    card.classList.toggle("done", !row.querySelector(".mark-open, .mark-wrong"));
  }
  const sum = count.dataset.count.replace("{right}", String(right)).replace("{total}", String(total)).replace("{first}", String(first));
  const some = Object.keys(kept).length > 0;
  count.textContent = says && !both ? says : [says, some ? sum : count.dataset.none].filter(Boolean).join(" ");
  document.getElementById("progress-export").disabled = !some;
  reset.disabled = !some;
  reset.textContent = forgetting;
  delete reset.dataset.asked;
}

document.getElementById("progress-export").addEventListener("click", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([written(progress())], { type: "application/json" }));
  link.download = "bluecut-lessons.json";
  link.click();
  URL.revokeObjectURL(link.href);
});

document.getElementById("progress-import").addEventListener("click", () => file.click());

file.addEventListener("change", async () => {
  const chosen = file.files?.[0];
  if (!chosen) return;
  const found = chosen.size < 1_000_000 ? read(await chosen.text()) : null;
  file.value = "";
  if (found) merge(found);
  if (!found) return draw(count.dataset.bad);
  const many = Object.keys(found).length;
  draw(many === 1 ? count.dataset.importedOne : count.dataset.imported.replace("{count}", String(many)), true);
});

reset.addEventListener("click", () => {
  if (reset.dataset.asked) {
    forget();
    draw(count.dataset.done);
    return;
  }
  reset.dataset.asked = "1";
  reset.textContent = reset.dataset.sure;
});

document.getElementById("progress").hidden = false;
draw();
