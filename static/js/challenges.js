/** The list of challenges: marks those solved in this browser. Draws. */

import { progress } from "./progress.js";

const kept = progress();
const line = document.getElementById("challenges-done");
let count = 0;

for (const card of document.querySelectorAll("[data-ref]")) {
  const steps = kept[card.dataset.ref];
  if (typeof steps !== "number") continue;
  count += 1;
  card.classList.add("done");
  const mark = card.querySelector(".challenge-mark");
  mark.textContent = ` · ${line.dataset.done}${steps ? ` (${steps})` : ""}`;
  mark.hidden = false;
}

if (count) line.textContent = line.dataset.count.replace("{done}", String(count));
