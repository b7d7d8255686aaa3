/** Does somebody want to be asked before something is shown? Kept in the browser. */

const OFF = "bluecut.predict";

export function wanted() {
  try {
    return localStorage.getItem(OFF) !== "off";
  } catch {
    return true; // a browser may forbid to store anything
  }
}

/** @param {boolean} on */
export function want(on) {
  try {
    if (on) localStorage.removeItem(OFF);
    else localStorage.setItem(OFF, "off");
  } catch {
    // then it holds for this page only
  }
}
