/** The draft that a visitor has replaced by another scenario: this tab remembers the way back. */

const LEFT = "bluecut.left";

/** Remember where a text came from that is stored and replaced. @param {string} origin */
export function leave(origin) {
  try {
    sessionStorage.setItem(LEFT, origin);
  } catch {
    // without storage there is no draft and no way back
  }
}

/** Where the last replaced text came from. @returns {string | null} */
export function left() {
  try {
    return sessionStorage.getItem(LEFT);
  } catch {
    return null;
  }
}
