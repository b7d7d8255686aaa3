/**
 * A run in a frame of this site: once the page around it has asked, it tells its steps, and goes to the step that is named.
 * Wires.
 */

/** @param {import("../player.js").Player} player @param {number} first the step with which the page begins */
export function framed(player, first) {
  let asked = false;

  function tell() {
    if (asked && !player.awaits) parent.postMessage({ bluecut: "step", step: player.cursor }, location.origin);
  }

  addEventListener("message", ({ source, origin, data }) => {
    if (parent === window || source !== parent || origin !== location.origin) return;
    const { bluecut: said, step } = data ?? {};
    if (said === "follow") asked = true;
    if (said !== "seek" && said !== "begin") return;
    const moved = said === "begin" && player.cursor !== first && !player.awaits;
    if (!moved && step === player.cursor + 1) player.forward();
    else if (!moved) player.seek(step);
    tell();
  });
  return { tell };
}
