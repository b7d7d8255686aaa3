/** The end of a lesson: what the visitor predicted beside what the run did, and what to try again. Draws. */

import { data, first, json, maybe } from "../page.js";
import { html } from "../svg.js";
import { mark, standing } from "./mark.js";
import { progress } from "./progress.js";

/** How many questions are offered again. */
const FEW = 2;

/** @typedef {[asks: string, url: string, texts: Record<string, string>, said: string, joint: string]} Told */

/** @param {HTMLElement} section @param {HTMLElement} lesson */
function ending(section, lesson) {
  /** @type {Record<string, Told>} */
  const told = json("data-told");
  const kept = progress();
  const of = (/** @type {string} */ id) => kept[`${lesson.dataset.lesson}/${id}`];
  const words = (
    /** @type {unknown} */ given,
    /** @type {Record<string, string>} */ texts,
    /** @type {string} */ joint,
  ) =>
    [given]
      .flat()
      .map((part) => texts[String(part)] ?? String(part))
      .join(joint) || data(section, "none");
  const list = first(section, "ol");
  for (const [id, [asks, url, texts, said, joint]] of Object.entries(told)) {
    const tried = of(id);
    const how = standing(tried);
    const later = how === "right" && !tried.first ? data(section, "later") : "";
    const you = tried ? [`${data(section, "you")} `, html("b", "", words(tried.predicted, texts, joint))] : [];
    // The answer to a question that is still open would spoil it.
    const both = tried ? [...you, later && ` · ${said} · ${later}`] : [data(section, "open")];
    const link = html("a", { href: url }, asks);
    const sign = mark(how, later || data(lesson, how) || data(section, "open"));
    list.append(html("li", "", sign, html("div", "", link, html("p", "lesson-both", ...both))));
  }
  const open = Object.entries(told).filter(([id]) => standing(of(id)) !== "right" || !of(id).first);
  const order = { wrong: 0, open: 1, right: 2 };
  open.sort(([a], [b]) => order[standing(of(a))] - order[standing(of(b))]);
  const again = first(section, "#again");
  for (const [, [asks, url]] of open.slice(0, FEW))
    first(again, "ul").append(html("li", "", html("a", { href: url }, html("span", "", asks))));
  again.hidden = open.length === 0;
  section.hidden = false;
}

const section = maybe("predictions");
const lesson = maybe("lesson");
if (section && lesson && !document.body.classList.contains("presenting")) ending(section, lesson);
