/** The line numbers beside the text, and the mark of the wrong line. Draws only. */

import { first } from "./page.js";
import { html, svg } from "./svg.js";

/** A triangle with a cross: the mark of a wrong line is a shape, not only a colour. */
export function sign() {
  const drawn = svg("svg", { viewBox: "0 0 16 16", class: "editor-sign-line" });
  svg("path", { d: "M8 1 15.5 14.5H.5Z", fill: "currentColor" }, drawn);
  svg("path", { d: "M5.9 7.2l4.2 4.6M10.1 7.2l-4.2 4.6", class: "editor-sign-cut" }, drawn);
  return drawn;
}

/**
 * Draw numbers and mark for what the text area shows now.
 * @param {{gutter: HTMLElement, band: HTMLElement, area: HTMLTextAreaElement}} sheet
 * @param {number} wrong the line with the mistake, 0 where there is none
 */
export function draw({ gutter, band, area }, wrong) {
  let numbers = gutter.querySelector("pre");
  if (!numbers) {
    numbers = html("pre", "editor-numbers");
    gutter.append(numbers, sign());
  }
  const lines = area.value.split("\n").length;
  if (Number(numbers.dataset.lines) !== lines) {
    numbers.textContent = Array.from({ length: lines }, (_, i) => i + 1).join("\n");
    numbers.dataset.lines = String(lines);
  }
  const { lineHeight, paddingTop } = getComputedStyle(area);
  const top = parseFloat(paddingTop) + (wrong - 1) * parseFloat(lineHeight) - area.scrollTop;
  const shown = wrong > 0 && wrong <= lines;
  numbers.style.transform = `translateY(${-area.scrollTop}px)`;
  const mark = first(gutter, "svg", SVGSVGElement);
  mark.style.transform = `translateY(${top}px)`;
  mark.toggleAttribute("hidden", !shown);
  gutter.dataset.wrong = shown ? String(wrong) : "";
  band.style.transform = `translateY(${top}px)`;
  band.hidden = !shown;
}
