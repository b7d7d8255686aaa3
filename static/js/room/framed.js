/** The page in the frame of a room: which run, lesson or question it is, and the step of a run. Wires. */

/**
 * @param {HTMLIFrameElement} frame
 * @param {"bare" | "led"} kind the page of a phone, or of the presenter: what it leaves out for that
 * @param {{loaded: (address: Location) => void, stepped: (step: number) => void, pressed?: (event: MouseEvent) => void,
 *   lost?: () => void}} on `pressed` comes before the page hears of it, also of what its keys press; `lost`: the browser
 *   shows an error instead
 */
export function framed(frame, kind, on) {
  const tell = (/** @type {object} */ said) => frame.contentWindow?.postMessage(said, location.origin);
  addEventListener("message", ({ source, origin, data }) => {
    if (source !== frame.contentWindow || origin !== location.origin || data?.bluecut !== "step") return;
    on.stepped(data.step);
  });
  function loaded() {
    const inside = frame.contentDocument;
    if (!inside) return on.lost?.();
    if (inside.location.href === "about:blank") return;
    inside.documentElement.classList.add(kind);
    if (on.pressed) inside.addEventListener("click", on.pressed, { capture: true });
    tell({ bluecut: "follow" }); // from now on a run tells its steps
    on.loaded(inside.location);
  }
  frame.addEventListener("load", loaded);
  if (frame.contentDocument?.readyState === "complete") queueMicrotask(loaded); // it was quicker than these scripts
  return {
    /** Show another page. @param {string} address */
    open: (address) => frame.contentWindow?.location.replace(address),
    /** Press something in it. @param {string} selector */
    press: (selector) =>
      frame.contentDocument
        ?.querySelector(selector)
        ?.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true })),
    /** Go to a step of the run, unless somebody was quicker than the page and has gone on. @param {number} step */
    begin: (step) => tell({ bluecut: "begin", step }),
    /** Go to a step of the run. @param {number} step */
    seek: (step) => tell({ bluecut: "seek", step }),
  };
}
