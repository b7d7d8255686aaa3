/** What could happen next: links that make it happen; what cannot, with the reason. Draws. */

import { called, misfortunes, options, repairs } from "../run/options.js";
import { html } from "../svg.js";

/** Links shown before "more". */
const FEW = 10;

/**
 * @param {HTMLElement} host @param {Object} words @param {(action: string) => string} branch
 * @param {boolean} [faulty] may something go wrong?
 */
export function next(host, words, branch, faulty = true) {
  let shown = null;
  let all = false;
  let wrong = false;

  function show(scene) {
    if (shown === scene) return;
    shown = scene;
    all = false;
    draw();
  }

  function draw() {
    const found = [...(faulty ? repairs(shown) : []), ...options(shown)];
    if (!found.length) {
      host.replaceChildren(html("p", "mute", words.word("player.next.nothing")), ...section());
      return;
    }
    const visible = all ? found.slice(0, 400) : found.slice(0, FEW);
    const list = html("ul", "options", ...visible.map(item));
    if (found.length > FEW) {
      const more = html("button", "go", all ? words.word("player.next.fewer") : words.word("player.next.more", { count: found.length - FEW }));
      more.type = "button";
      more.addEventListener("click", () => {
        all = !all;
        draw();
        host.querySelector("button.go")?.focus();
      });
      list.append(html("li", "", more));
    }
    host.replaceChildren(list, ...section());
    host.title = words.word("player.next.hint");
  }

  /** What can go wrong, folded: filled only when opened. */
  function section() {
    const found = faulty ? misfortunes(shown) : [];
    if (!found.length) return [];
    const made = html("details", "faults", html("summary", "", words.word("player.faults.count", { count: found.length })));
    const fill = () => {
      if (made.open && made.childElementCount === 1) made.append(html("ul", "options", ...found.slice(0, 400).map(item)));
      wrong = made.open;
    };
    made.addEventListener("toggle", fill);
    made.open = wrong;
    fill();
    return [made];
  }

  function item(option) {
    const said = called(option, words);
    if (option.reason) {
      return html("li", "option waits", html("span", "what", said), html("span", "why", ` ${words.word(`reason.${option.reason}`)}`));
    }
    const link = html("a", "option", said);
    link.href = branch(option.action);
    link.dataset.ask = "";
    return html("li", "", link);
  }

  return { show };
}
