/** The list of challenges: marks those solved in this browser. Draws. */

import { all, data, filled, first, one } from "./page.js";
import { progress } from "./progress.js";

const kept = progress();
const line = one("challenges-done");
let count = 0;

for (const card of all(document, "[data-ref]")) {
  const steps = kept[data(card, "ref")];
  if (typeof steps !== "number") continue;
  count += 1;
  card.classList.add("done");
  const mark = first(card, ".challenge-mark");
  mark.textContent = ` · ${line.dataset.done}${steps ? ` (${steps})` : ""}`;
  mark.hidden = false;
}

if (count) line.textContent = filled(data(line, "count"), { done: count });
