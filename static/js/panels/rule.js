/** The algorithm's lines; marks those that this step executed, and the wrong line of a broken variant. Draws. */

import { html, set } from "../svg.js";

/** @import { Scene, Words } from "../types.js" */

/**
 * @param {HTMLElement} host @param {HTMLElement} note beside the heading @param {Scene} scene
 * @param {Words} words
 */
export function rule(host, note, scene, words) {
  const { pseudocode, wrong } = scene.base;
  const box = html("div", { class: "code", tabindex: 0, role: "group", "aria-labelledby": "rule-title" });
  /** @type {Map<string, HTMLElement>} by name */
  const lines = new Map();
  for (const [name, depth] of pseudocode) {
    const text = html("span", "text", words.word(`rule.${name}`));
    const line = html("div", `line depth-${depth}${name === wrong ? " wrong" : ""}`, text);
    if (name === wrong) line.append(html("span", "mistake", words.word("player.rule.wrong")));
    lines.set(name, line);
    box.append(line);
  }
  host.replaceChildren(box);
  /** @type {Scene | null} */
  let shown = null;
  /** @type {[HTMLElement, HTMLElement] | null} the first and the last of the lines that fired */
  let block = null;
  let due = false;

  /** @param {Scene} now */
  function show(now) {
    if (shown === now) return;
    shown = now;
    const fired = (now.happening?.lines ?? []).filter((name) => lines.has(name));
    block = null;
    for (const [name, line] of lines) {
      const does = fired.includes(name);
      line.classList.toggle("fired", does);
      set(line, "aria-current", does ? "step" : null);
      if (does) block = [block?.[0] ?? line, line];
    }
    note.textContent = fired.length ? "" : words.word(quiet(now));
    box.classList.toggle("idle", !fired.length);
    due = true;
  }

  /** What to say if no line fired. @param {Scene} now */
  function quiet(now) {
    if (!now.step) return "player.rule.start";
    return now.happening?.received?.kind === "part" ? "player.rule.collecting" : "player.rule.none";
  }

  /** Scroll to the lines that fired. It measures the page, so call it when the step is at rest. */
  function reveal() {
    if (!block || !due || !box.clientHeight) return;
    const top = block[0].offsetTop;
    const end = block[1].offsetTop + block[1].offsetHeight;
    // The whole fired block is in view if it fits; otherwise its end, which matters most.
    if (top < box.scrollTop || end > box.scrollTop + box.clientHeight)
      box.scrollTop = Math.max(top - 6, end + 8 - box.clientHeight);
    due = false;
  }

  // Another layout hides the lines again.
  new ResizeObserver(() => {
    due = true;
    reveal();
  }).observe(box);

  return { show, reveal };
}
