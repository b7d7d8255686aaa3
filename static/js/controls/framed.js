/**
 * A run in a frame of this site: once the page around it has asked, it tells its steps, and goes to the step that is named.
 * Wires.
 */

/** @param {import("../player.js").Player} player */
export function framed(player) {
  let asked = false;
  /** @type {number | null} a step that was named, and has not come yet */
  let sought = null;

  function tell() {
    if (!asked || (sought !== null && player.cursor !== sought && !player.over)) return;
    sought = null;
    parent.postMessage({ bluecut: "step", step: player.cursor }, location.origin);
  }

  addEventListener("message", ({ source, origin, data }) => {
    if (parent === window || source !== parent || origin !== location.origin) return;
    if (data?.bluecut === "follow") asked = true;
    if (data?.bluecut !== "seek") return;
    sought = data.step;
    if (data.step === player.cursor + 1) player.forward();
    else player.seek(data.step);
    tell();
  });
  return { tell };
}
