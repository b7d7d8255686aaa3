/**
 * A question on a page: what the picture and the lists need besides the server's drawing, and where to continue reading
 * after an answer was judged. Wires; see `app/web/shared/question_view.py`.
 */

import { all, around, as, data } from "../page.js";
import { again, keep } from "./choosing.js";
import { begins } from "./onward.js";
import { ordering } from "./ordering.js";
import { picking } from "./picking.js";
import { revealing } from "./revealing.js";
import "./ticks.js";

/** Is the picture above the question, and not beside it? */
const narrow = matchMedia("(max-width: 900px)");
/** In a lecture nothing moves by itself what all are looking at. */
const still = document.body.classList.contains("presenting");

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
    for (const list of all(asked, ".asked-places")) ordering(list);
  }
  if (pictures && (asked !== wired || !pictures.dataset.wired)) {
    pictures.dataset.wired = "1";
    picking(asked, pictures);
    // Where the picture lies above the question, the run is watched first, then the verdict is read.
    revealing(
      pictures,
      () => narrow.matches && !still && document.getElementById("graded")?.scrollIntoView({ block: "nearest" }),
    );
  }
  wired = asked;
}

/** Report an invalid answer in the page's words, not the browser's. @param {HTMLFormElement} form */
function says(form) {
  form.noValidate = false;
  const fields = all(form, "input[required]", HTMLInputElement);
  for (const field of fields) {
    field.addEventListener("invalid", () => field.setCustomValidity(data(form, "says")));
    field.addEventListener("input", () => fields.forEach((each) => each.setCustomValidity("")));
  }
  const boxes = all(form, ".asked-options input[type=checkbox]", HTMLInputElement);
  form.addEventListener("click", () => {
    boxes[0]?.setCustomValidity(boxes.some((box) => box.checked) ? "" : data(form, "says"));
  });
}

/** Continue reading at the result, and announce it for the score. */
function judged() {
  const asked = document.getElementById("asked");
  if (!asked || asked === wired) return wire();
  wire();
  document.getElementById("graded")?.focus({ preventScroll: true });
  const watched = narrow.matches && document.querySelector("#asked-pictures[data-frame]");
  if (!still) (watched || document.getElementById("graded"))?.scrollIntoView({ block: watched ? "start" : "nearest" });
  const { question, right, given } = asked.dataset;
  const detail = {
    question,
    right: right === undefined ? null : right === "1",
    given: given === undefined ? null : JSON.parse(given),
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
// On a page of another size another drawing is shown.
matchMedia("(max-width: 600px)").addEventListener("change", () => {
  const [asked, pictures] = ["asked", "asked-pictures"].map((id) => document.getElementById(id));
  if (asked && pictures) picking(asked, pictures);
});
document.addEventListener("click", ({ target }) => {
  const asked = document.getElementById("asked");
  if (asked && around(target, "#switch")) keep(asked);
});
wire();
// An answer sent before the scripts were there comes with a new page.
const begin = begins();
if (document.activeElement === document.body)
  as(document.getElementById("graded") ?? begin)?.focus({ preventScroll: true });
