/**
 * A question on a page: what the picture and the lists need besides the server's drawing, and where to continue reading
 * after an answer was judged. Wires; see `app/web/shared/question_view.py`.
 */

import { as } from "../page.js";
import { again, keep } from "./choosing.js";
import { ordering } from "./ordering.js";
import { picking } from "./picking.js";
import { says } from "./says.js";

/** @type {Element | null} */
let wired = null;

/** The question and its picture as they are on the page now. */
function wire() {
  const asked = document.getElementById("asked");
  const pictures = document.getElementById("asked-pictures");
  if (!asked) return;
  if (asked !== wired) {
    if (!wired) again(asked);
    for (const form of asked.querySelectorAll("form")) says(form);
    for (const list of asked.querySelectorAll(".asked-places")) ordering(/** @type {HTMLElement} */ (list));
    for (const frame of asked.querySelectorAll(".graded-where")) frame.addEventListener("toggle", opened);
  }
  if (pictures && (asked !== wired || !pictures.dataset.wired)) {
    pictures.dataset.wired = "1";
    picking(asked, pictures);
  }
  wired = asked;
}

/** Bring what was opened into view. @param {Event} event */
function opened({ currentTarget }) {
  const where = /** @type {HTMLDetailsElement} */ (currentTarget);
  if (where.open) where.scrollIntoView({ block: "nearest" });
}

/** Continue reading at the result, and announce it for the score. */
function judged() {
  const asked = document.getElementById("asked");
  if (!asked || asked === wired) return wire();
  wire();
  document.getElementById("graded")?.focus({ preventScroll: true });
  document.getElementById("graded")?.scrollIntoView({ block: "nearest" });
  const { question, kind, right, given, shown } = asked.dataset;
  const detail = {
    question,
    kind,
    right: right === undefined ? null : right === "1",
    given: given === undefined ? null : JSON.parse(given),
    shown: shown === "1",
  };
  document.dispatchEvent(new CustomEvent("asked:judged", { detail }));
}

/** @type {import("../types.js").Request | null} which answer is being judged */
let judging = null;
/** Will the right answer be wanted next? */
let wanted = false;

document.addEventListener("htmx:config:request", (event) => {
  if (!judging || !event.detail.ctx.sourceElement.matches(".asked-reveal")) return;
  event.preventDefault();
  wanted = true;
});
document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
  if (ctx.sourceElement.matches("form")) judging = ctx;
});
document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
  if (ctx !== judging) return;
  judging = null;
  if (wanted) as(document.querySelector(".asked-reveal"))?.click();
  wanted = false;
});
document.addEventListener("htmx:after:swap", judged);
document.addEventListener("click", ({ target }) => {
  const asked = document.getElementById("asked");
  if (asked && target instanceof Element && target.closest("#switch")) keep(asked);
});
wire();
// An answer sent before the scripts were there comes with a new page.
if (document.activeElement === document.body) document.getElementById("graded")?.focus({ preventScroll: true });
