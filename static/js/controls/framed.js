/**
 * A run in a frame of this site: once the page around it has asked, it tells its steps, and goes to the step that is named.
 * Wires.
 */

/** @param {import("../player.js").Player} player */
export function framed(player) {
  let asked = false;
  const tell = () => asked && parent.postMessage({ bluecut: "step", step: player.cursor }, location.origin);
  addEventListener("message", ({ source, origin, data }) => {
    if (parent === window || source !== parent || origin !== location.origin) return;
    if (data?.bluecut === "follow") {
      asked = true;
      tell();
    }
    if (data?.bluecut !== "seek" || data.step === player.cursor) return;
    if (data.step === player.cursor + 1) player.forward();
    else player.seek(data.step);
  });
  return { tell };
}
