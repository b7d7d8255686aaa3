/** The keyboard, and presenters' clickers, which act as one. Maps keys to names of actions. */

const KEYS = {
  ArrowRight: "forward",
  PageDown: "forward",
  ArrowLeft: "back",
  PageUp: "back",
  " ": "play",
  Home: "first",
  End: "last",
  n: "nextRecord",
  N: "previousRecord",
  ",": "nextKind",
  ";": "previousKind",
  s: "share",
  p: "presenter",
  h: "panels",
  v: "view",
  ".": "blank",
  "?": "help",
  Escape: "escape",
};

/** @param {Object<string, () => void>} does */
export function keys(does) {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const name = KEYS[event.key];
    if (!name || !does[name]) return;
    const typing = event.target.closest?.("input, select, textarea, dialog");
    if (typing) return;
    // The space bar presses the focused button.
    if (event.key === " " && event.target.closest?.("button, a, [role=button], [role=tab]")) return;
    const scrolls = event.target.closest?.(".panels, .code, .log") && /^(Page|Home|End|Arrow)/.test(event.key);
    if (scrolls && !document.body.classList.contains("presenter")) return;
    if (does[name](event) !== false) event.preventDefault();
  });
}
