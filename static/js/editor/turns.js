/**
 * One request after another: a button pressed during another request, or while the form is older than the text, takes
 * effect once that is answered. A check gives way to anything else, since every answer includes one. Wires.
 */

/** @import { Request } from "../types.js" */

/** What a row of the form says. @param {Element | null} row */
const said = (row) =>
  row &&
  JSON.stringify(
    [...row.querySelectorAll("input, select, code")].map((each) => ("value" in each ? each.value : each.textContent)),
  );

/** Does it concern the text itself, whatever the form shows? @param {HTMLElement} source */
const ofText = ({ id }) => id === "editor-share-it" || id === "editor-run";

/**
 * How to repeat a press: on the row itself, even if it has moved meanwhile.
 * @param {HTMLFormElement} form @param {HTMLElement} source
 */
function press(form, source) {
  if (!(source instanceof HTMLButtonElement) || source.name !== "do") {
    return () => (source.matches("button") ? source.click() : window.htmx.trigger(source, "change"));
  }
  const [part, verb, index] = source.value.split(".");
  const row = said(source.closest(".editor-row"));
  return () => {
    const rows = [...form.querySelectorAll(`.editor-row.${part}`)].map(said);
    const at = row === rows[Number(index)] ? index : rows.indexOf(row);
    document.getElementById(row ? `editor-${part}-${verb}-${at}` : source.id)?.click();
  };
}

/**
 * @param {HTMLFormElement} form @param {HTMLTextAreaElement} area
 * @param {(source: HTMLElement) => void} follow is called when an answer is on the page, with the element that asked
 */
export function turns(form, area, follow) {
  /** The text that verdict and form are about. */
  let known = area.defaultValue;
  /** @type {Request | null} what is under way */
  let flying = null;
  /** Was a check skipped that was due? */
  let owed = false;
  /** Is a queued request sent now, whatever text the form is about? */
  let insisting = false;
  /** @type {(() => void)[]} */
  const waiting = [];

  const check = () => window.htmx.ajax("POST", area.getAttribute("hx-post") ?? "", { source: area });
  const sent = (/** @type {Request} */ ctx) => String(ctx.request.body.get("text") ?? "");

  // A button may be gone with its row: then its request reaches only the document.
  document.addEventListener("htmx:config:request", (event) => {
    const { sourceElement: source } = event.detail.ctx;
    const taken = flying !== null && flying.sourceElement !== area;
    const stale = area.value !== known;
    if (source === area) {
      if (stale && !taken) return;
      owed ||= stale;
    } else {
      const early = stale && !insisting && !ofText(source);
      if (!taken && !early) return;
      waiting.push(press(form, source));
      if (!flying) check();
    }
    event.preventDefault();
  });
  document.addEventListener("htmx:before:request", ({ detail: { ctx } }) => {
    flying = ctx;
  });
  document.addEventListener("htmx:before:swap", (event) => {
    const { ctx } = event.detail;
    const source = ctx.sourceElement;
    if (sent(ctx) === area.value || ofText(source)) return;
    // The visitor has kept writing: the new text counts. It is checked, and then the form is requested again.
    event.preventDefault();
    if (source !== area) waiting.unshift(press(form, source));
  });
  document.addEventListener("htmx:after:swap", ({ detail: { ctx } }) => {
    const text = sent(ctx);
    const same = area.value === text;
    follow(ctx.sourceElement);
    known = same ? area.value : text;
  });
  document.addEventListener("htmx:finally:request", ({ detail: { ctx } }) => {
    if (flying !== ctx) return;
    flying = null;
    insisting = ctx.sourceElement === area; // a second check would find nothing more
    while (waiting.length && !flying) waiting.shift()?.();
    insisting = false;
    if (!owed || flying) return;
    owed = false;
    check();
  });
}
