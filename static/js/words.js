/**
 * Words: texts of the catalogue with values put in, by the same rule as on the server. Computes; never draws.
 */

/**
 * @param {Object<string, string>} catalogue @param {string} lang @param {Object<string, string[]>} fields the names
 * of the values of each sentence, in order
 */
export function words(catalogue, lang, fields) {
  const join = lang === "zh" ? "、" : ", ";
  const glue = lang === "zh" ? "" : " ";

  /** A value as people read it; a control word by its name. */
  function readable(value) {
    if (Array.isArray(value)) return value.map(readable).join(join) || "∅";
    if (value === null || value === undefined) return "∅";
    if (typeof value === "object" && Object.keys(value).length === 1 && `spoken.${value.word}` in catalogue) return catalogue[`spoken.${value.word}`];
    if (typeof value === "object") return Object.entries(value).map(([k, v]) => `${k}=${readable(v)}`).join(join);
    return String(value).replaceAll("->", "→");
  }

  /** The text of `key`. A key that is missing is a mistake of ours, and is shown as such. */
  function word(key, values = {}) {
    const text = catalogue[key];
    if (text === undefined) return key;
    return text.replace(/\{(\w+)\}/g, (whole, name) => (name in values ? readable(values[name]) : whole));
  }

  /** One sentence of a step: `[key, value, …]`. `**` still marks what matters most. */
  function sentence([key, ...values]) {
    const names = fields[key] ?? [];
    return word(`say.${key}`, Object.fromEntries(names.map((name, i) => [name, values[i]])));
  }

  /** All sentences of a step as one text without marks. */
  function told(sentences) {
    return sentences.map(sentence).join(glue).replaceAll("**", "");
  }

  return { lang, glue, readable, word, sentence, told, has: (key) => key in catalogue };
}

/** @param {string} text @returns {{strong: boolean, text: string}[]} */
export function pieces(text) {
  return text.split("**").map((part, i) => ({ strong: i % 2 === 1, text: part })).filter((piece) => piece.text);
}
