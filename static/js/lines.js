/** Where lines stand in a text. Computes only. */

/**
 * How many lines a text has; a text without a line break has one.
 * @param {string} text
 * @returns {number}
 */
export function count(text) {
  return text.split("\n").length;
}

/**
 * Where a line begins and ends in a text; the last line where there are fewer.
 * @param {string} text
 * @param {number} line from 1
 * @returns {[number, number]} the places of its first character and behind its last one
 */
export function span(text, line) {
  let begin = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const next = text.indexOf("\n", begin);
    if (next < 0) break;
    begin = next + 1;
  }
  const end = text.indexOf("\n", begin);
  return [begin, end < 0 ? text.length : end];
}
