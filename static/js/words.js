/**
 * Words: texts of the catalogue with values put in, by the same rule as on the server. Computes; never draws.
 */

/** @typedef {Record<string, any>} State JSON from the server: the state of a program */

/** What an operator of a dataflow has, as lists. */
const LISTS = ["open", "ended", "pending"];

/** A space between two Chinese characters: before or after a value that turns out to be Chinese, too. */
const BETWEEN = /(\p{Script=Han}) (?=\p{Script=Han})/gu;

/**
 * @param {Record<string, string>} catalogue @param {string} lang "en" or "zh"
 * @param {Record<string, string[]>} fields the names of the values of each sentence, in order
 */
export function words(catalogue, lang, fields) {
  const join = lang === "zh" ? "、" : ", ";
  const pause = lang === "zh" ? "；" : "; ";
  const colon = lang === "zh" ? "：" : ": ";
  const glue = lang === "zh" ? "" : " ";

  /**
   * A value as people read it; a control word by its name, a state that we know in the reader's language.
   * @param {any} value JSON @returns {string}
   */
  function readable(value) {
    if (Array.isArray(value)) return value.map(readable).join(join) || "∅";
    if (value === null || value === undefined) return "∅";
    if (typeof value === "object" && Object.keys(value).length === 1 && `spoken.${value.word}` in catalogue)
      return catalogue[`spoken.${value.word}`];
    if (typeof value === "object") {
      const parts = Object.keys(value).map((key) => named(key, value));
      const said = parts.map(({ name, value: told, mark }) => `${name}${name ? mark : ""}${readable(told)}`);
      return said.join(parts.some(({ mark }) => mark === colon) ? pause : join);
    }
    return catalogue[`state.said.${value}`] ?? String(value).replaceAll("->", "→");
  }

  /**
   * An entry of a state: the fields of a dataflow operator are named in words, and a total among them needs no name.
   * The values show whether a name is such a field: a key, or a variable, may have the same name.
   * @param {string} key @param {State} state
   * @returns {{name: string, value: any, mark: string}} `mark` stands between the two
   */
  function named(key, state) {
    const value = state[key];
    const list = Array.isArray(value);
    const told = (/** @type {string} */ name, shown = value) => ({ name, value: shown, mark: colon });
    if (key === "sealed" && value !== null && typeof value === "object")
      return told(word("state.sealed"), Object.values(value).flat());
    if (key === "sides" && list) return told(word("state.sides"), value.map(readable).join(" | "));
    if (LISTS.includes(key) && list) return told(word(`state.${key}`));
    if (["total", "offset"].includes(key) && LISTS.some((other) => Array.isArray(state[other])))
      return told(key === "offset" ? word("state.offset") : "");
    if (/^\d+$/.test(key) && typeof value === "string") return told(word("state.batch", { number: key }));
    return { name: key, value, mark: "=" };
  }

  /**
   * The text of `key`. A missing key is our mistake, and appears as such.
   * @param {string} key @param {object} [values]
   */
  function word(key, values = {}) {
    const text = catalogue[key];
    if (text === undefined) return key;
    const known = new Map(Object.entries(values));
    const filled = text.replace(/\{(\w+)\}/g, (whole, name) => (known.has(name) ? readable(known.get(name)) : whole));
    return lang === "zh" ? filled.replace(BETWEEN, "$1") : filled;
  }

  /** One sentence of a step. `**` still marks what matters most. @param {import("./types.js").Sentence} sentence */
  function sentence([key, ...values]) {
    const names = fields[key] ?? [];
    return word(`say.${key}`, Object.fromEntries(names.map((name, i) => [name, values[i]])));
  }

  /** What a sentence says under a name. @param {import("./types.js").Sentence} sentence @param {string} name */
  const valueOf = ([key, ...values], name) => values[(fields[key] ?? []).indexOf(name)];

  /** Sentences as one text. `**` still marks what matters most. @param {import("./types.js").Sentence[]} sentences */
  const marked = (sentences) => sentences.map(sentence).join(glue);

  /** All sentences of a step as one text without marks. @param {import("./types.js").Sentence[]} sentences */
  const told = (sentences) => marked(sentences).replaceAll("**", "");

  /** @param {string} key */
  const has = (key) => key in catalogue;

  return { lang, glue, readable, named, word, sentence, valueOf, marked, told, has };
}

/** @param {string} text @returns {{strong: boolean, text: string}[]} */
export function pieces(text) {
  return text
    .split("**")
    .map((part, i) => ({ strong: i % 2 === 1, text: part }))
    .filter((piece) => piece.text);
}
