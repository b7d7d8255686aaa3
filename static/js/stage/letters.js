/** Approximate widths of texts, and texts shortened to fit: a plan is made before anything is drawn. Computes. */

/** About how wide a text is at a font size: wide characters (Chinese) count as one em. */
export function measure(text, size) {
  let em = 0;
  for (const sign of text) em += sign > "\u2e7f" ? 1 : /[MWmw@%✓]/.test(sign) ? 0.94 : /[ilI.,:;|!']/.test(sign) ? 0.36 : /[A-Z=+<>→]/.test(sign) ? 0.74 : 0.66;
  return em * size;
}

/** The text, shortened with … if it is wider than `width`. */
export function fit(text, size, width) {
  if (measure(text, size) <= width) return text;
  let kept = "";
  for (const sign of text) {
    if (measure(`${kept}${sign}…`, size) > width) break;
    kept += sign;
  }
  return `${kept.trimEnd()}…`;
}

