/**
 * The answer as the run itself: after an answer is judged, the run plays in the place of the stage, and what the visitor
 * said stays above it. Wires; see `controls/goal.js` for what plays.
 */

import { circles } from "../circles.js";
import { as, data, first } from "../page.js";
import { button, html } from "../svg.js";

/** How long the run may take to come, in milliseconds: then the answer is said without it. */
const PATIENCE = 10_000;

/** @param {HTMLElement} pictures of a question that is judged @param {() => void} after what to do when the run has shown the answer */
export function revealing(pictures, after) {
  const { judged, frame } = pictures.dataset;
  if (!judged) return;
  const host = as(pictures.querySelector(".asked-picture"));
  if (!host) return;
  if (frame && judged === "now") return play(pictures, host, after);
  circles(host, data(pictures, "circle").split(" ").filter(Boolean)).show();
  pictures.classList.add("shown");
  if (!frame) return;
  const act = () => {
    again.remove();
    pictures.classList.remove("shown");
    play(pictures, host);
  };
  const again = button("button", act, data(pictures, "again"));
  first(pictures, ".asked-where").prepend(again);
}

/** @param {HTMLElement} pictures @param {HTMLElement} host @param {() => void} [after] */
function play(pictures, host, after) {
  const [title, src] = [data(pictures, "title"), data(pictures, "frame")];
  const frame = html("iframe", { class: "reveal-frame", title, src });
  const told = (/** @type {MessageEvent} */ { data: said, origin, source }) => {
    if (origin !== location.origin || source !== frame.contentWindow) return;
    if (said?.bluecut === "ready") pictures.classList.add("playing");
    if (said?.bluecut === "shown") shown();
  };
  const shown = () => {
    clearTimeout(late);
    if (pictures.classList.contains("shown")) return;
    pictures.classList.add("shown");
    if (pictures.isConnected) after?.();
  };
  const late = setTimeout(shown, PATIENCE);
  addEventListener("message", told);
  host.before(frame);
}
