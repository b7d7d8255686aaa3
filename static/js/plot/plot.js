/**
 * Figures: each is drawn from the value in its page, and again when its size changes. Colours come from the style
 * sheet, so light and dark need no second drawing. One mark at a time can be reached with Tab, and the arrow keys move
 * on from there; marks are links to the runs behind them. Draws.
 */

import { all, data, first } from "../page.js";
import { html, svg } from "../svg.js";
import { drawAxes } from "./axes.js";
import { frame } from "./frame.js";
import { drawMarks, legend } from "./marks.js";
import { rows } from "./rows.js";

/** @import { Mark } from "./marks.js" */

const drawnAlready = new WeakSet();

/** Draw the figures that are not drawn yet. */
function drawAll() {
  for (const page of all(document, ".figure")) {
    const value = page.querySelector(".data-figure");
    if (!value || drawnAlready.has(page)) continue;
    drawnAlready.add(page);
    show(page, JSON.parse(value.textContent));
  }
}

drawAll();
document.addEventListener("htmx:after:swap", drawAll);

/** @param {HTMLElement} page the figure @param {import("../types.js").Figure} figure its value */
function show(page, figure) {
  const { d3 } = window;
  const place = first(page, ".figure-drawing");
  const drawn = svg("svg", { role: "group", "aria-label": figure.title });
  // The mark's name says the same.
  const told = html("p", { class: "figure-told", "aria-hidden": "true" }, data(place, "hint"));
  place.replaceChildren(
    ...(figure.series.length > 1 && !(figure.x.domain && figure.y.domain) ? [legend(figure, d3, page.id)] : []),
    drawn,
    told,
  );

  /** @type {Mark[]} */
  let marks = [];
  let width = 0;
  let current = 0;

  function draw() {
    const now = place.clientWidth;
    if (now === width || now === 0) return;
    const focused = drawn.contains(document.activeElement);
    width = now;
    const made = figure.y.scale === "names" ? rows(figure, width, d3) : frame(figure, width, d3);
    drawn.setAttribute("width", String(made.width));
    drawn.setAttribute("height", String(made.height));
    drawn.replaceChildren();
    drawAxes(drawn, figure, made);
    marks = drawMarks(drawn, figure, made, d3, page.id);
    marks.forEach(listen);
    point(Math.min(current, marks.length - 1), focused);
  }

  /** Tab reaches exactly one mark. @param {number} next @param {boolean} focus */
  function point(next, focus) {
    if (marks.length === 0) return;
    marks[current]?.element.setAttribute("tabindex", "-1");
    current = Math.max(0, next);
    marks[current].element.setAttribute("tabindex", "0");
    if (focus) marks[current].element.focus();
  }

  /** @param {Mark} mark @param {number} i */
  function listen(mark, i) {
    const tell = () =>
      (told.textContent = together(marks, mark)
        .map((one) => one.words)
        .join("\n"));
    mark.element.addEventListener("pointerenter", tell);
    mark.element.addEventListener("pointerleave", () => {
      if (!place.dataset.hint && !drawn.contains(document.activeElement)) told.textContent = "";
    });
    mark.element.addEventListener("focus", () => {
      point(i, false);
      tell();
    });
  }

  drawn.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = walk(marks, current, event.key);
    if (next === null) return;
    event.preventDefault();
    point(next, true);
  });

  draw();
  new ResizeObserver(draw).observe(place);
}

/** A mark, and those at exactly the same place: all of them are described. @param {Mark[]} marks @param {Mark} mark */
function together(marks, mark) {
  const others = marks.filter((one) => one !== mark && Math.hypot(one.x - mark.x, one.y - mark.y) < 1);
  return [mark, ...others.filter((one) => one.element.querySelector(".reach") && mark.element.querySelector(".reach"))];
}

/**
 * From mark to mark by keyboard: along a series, or to the nearest mark of the next one.
 * @param {Mark[]} marks series by series, each from left to right @param {number} at @param {string} key
 * @returns {number | null} null if the key means nothing here
 */
function walk(marks, at, key) {
  const here = marks[at];
  const along = marks.flatMap((mark, i) => (mark.series === here.series ? [i] : []));
  const place = along.indexOf(at);
  if (key === "ArrowRight") return along[Math.min(place + 1, along.length - 1)];
  if (key === "ArrowLeft") return along[Math.max(place - 1, 0)];
  if (key === "Home") return along[0];
  if (key === "End") return along[along.length - 1];
  if (key !== "ArrowDown" && key !== "ArrowUp") return null;

  const every = [...new Set(marks.map((mark) => mark.series))];
  const next = every[every.indexOf(here.series) + (key === "ArrowDown" ? 1 : -1)];
  if (next === undefined) return at;
  const far = (/** @type {number} */ i) => Math.abs(marks[i].x - here.x);
  return marks
    .flatMap((mark, i) => (mark.series === next ? [i] : []))
    .reduce((best, i) => (far(i) < far(best) ? i : best));
}
