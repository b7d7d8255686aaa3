/** Have two processes, whose hashes differ, done the same? Computes only; `app/judge/pair.py` asks the same. */

/**
 * @typedef {{state: unknown, verbs: unknown[][]}} Done what a callback has left and used
 * @typedef {{mistake: string, line: unknown}} Mistaken
 */

/** A value in which the order of collections does not count: it may come from a set. @param {unknown} value @returns {string} */
function loosely(value) {
  return Array.isArray(value) ? `[${value.map(loosely).sort().join()}]` : JSON.stringify(value);
}

/**
 * The answer of both; where they differ, a mistake with the line of the first verb that only one has used.
 * @template {Partial<Done>} T
 * @param {T} answer @param {T} other @param {string} [mistake] its kind
 * @returns {T | Mistaken}
 */
export function agreed(answer, other, mistake = "undetermined") {
  if (!answer.verbs || !other.verbs) {
    return JSON.stringify(answer) === JSON.stringify(other) ? answer : { mistake, line: null };
  }
  const [used, again] = [answer, other].map(({ verbs }) => (verbs ?? []).map((verb) => JSON.stringify(verb)));
  const same = used.toSorted().join() === again.toSorted().join();
  if (same && loosely(answer.state) === loosely(other.state)) return answer;
  const alone = answer.verbs.find((_, place) => !again.includes(used[place]));
  return { mistake, line: alone?.at(4) ?? null };
}
