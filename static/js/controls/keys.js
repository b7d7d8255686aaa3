/** The keyboard, and presenters' clickers, which act as one. Maps keys to names of actions. */

import { around } from "../page.js";
import { KEYS } from "../buttons.js";
import { acts } from "../wishes.js";

/** @type {Record<string, string>} */
const ALL = {
  ...KEYS,
  n: "nextKind",
  N: "previousKind",
  s: "share",
  p: "presenter",
  h: "panels",
  v: "view",
  w: "fit",
  f: "full",
  c: "cover",
  d: "pen",
  l: "pointer",
  b: "blank",
  ".": "blank", // what clickers send
  "?": "help",
  Escape: "escape",
};

/** Does what has the focus need a key itself? @param {KeyboardEvent} event */
function needs({ key, target }) {
  const inside = (/** @type {string} */ kinds) => around(target, kinds, Element) !== null;
  if (inside("input, select, textarea, dialog")) return true;
  // The space bar presses the focused button.
  if (key === " " && inside("button, a, [role=button], [role=tab]")) return true;
  const scrolls = inside(".panels, .code, .log") && /^(Page|Home|End|Arrow)/.test(key);
  return scrolls && !document.body.classList.contains("presenter");
}

/** @param {Record<string, (held: boolean) => unknown>} does by action, told whether its key is held down; false says that
 * the key meant nothing */
export function keys(does) {
  addEventListener("keydown", (event) => {
    const act = does[ALL[event.key]];
    if (!act || !acts(event) || needs(event)) return;
    if (act(event.repeat) !== false) event.preventDefault();
  });
}
