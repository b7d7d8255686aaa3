/** The head of a page about a run: the choice of another run, filtered while one types; the tabs keep the step. Wires. */

import { all, around, asking, data, first, maybe, site } from "../page.js";
import { html } from "../svg.js";

export function runs() {
  const picker = maybe("run-picker", HTMLDetailsElement);
  if (!picker) return;
  picker.addEventListener("toggle", () => {
    if (!picker.open) return;
    const box = picker.querySelector("input[type=search]") ?? filter(picker);
    if (box instanceof HTMLInputElement) box.focus();
  });
  maybe("run-tabs")?.addEventListener("click", ({ target }) => {
    const tab = around(target, "a", HTMLAnchorElement);
    const step = new URLSearchParams(location.search).get("step");
    if (!tab || tab.pathname.startsWith(site("/compare/"))) return;
    tab.href = asking(tab.href, { step: step || null }).href;
  });
}

/** Put a box and a list of links in the place of the choice that works without scripts. @param {HTMLDetailsElement} picker */
function filter(picker) {
  const form = first(picker, "form", HTMLFormElement);
  const select = first(form, "select", HTMLSelectElement);
  const lang = new URLSearchParams(location.search).get("lang");
  const links = [...select.options].map(({ value, text, defaultSelected }) => {
    const href = site(`/${data(picker, "tool")}/${value}${lang ? `?lang=${lang}` : ""}`);
    return html("a", { href, "aria-current": defaultSelected && "true" }, text);
  });
  const list = html("ul", "", ...links.map((link) => html("li", "", link)));
  const none = html("p", { role: "status", hidden: true }, data(form, "none"));
  const box = html("input", { type: "search", id: "run-filter", autocomplete: "off" });
  first(form, "label", HTMLLabelElement).htmlFor = box.id;
  form.classList.add("filtered");
  select.before(box);
  form.append(list, none);
  box.addEventListener("input", () => {
    const words = box.value.toLowerCase().split(/\s+/);
    for (const link of links) {
      const fits = words.every((word) => link.text.toLowerCase().includes(word) || link.pathname.includes(word));
      if (link.parentElement) link.parentElement.hidden = !fits;
    }
    none.hidden = links.some((link) => !link.parentElement?.hidden);
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    all(list, "li:not([hidden]) a", HTMLAnchorElement)[0]?.click();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    const stops = [box, ...all(list, "li:not([hidden]) a")];
    const at = stops.findIndex((each) => each === document.activeElement);
    stops[Math.max(0, Math.min(stops.length - 1, at + (event.key === "ArrowDown" ? 1 : -1)))].focus();
    event.preventDefault();
    event.stopPropagation();
  });
  first(list, "[aria-current]", HTMLAnchorElement).scrollIntoView({ block: "nearest" });
  return box;
}
