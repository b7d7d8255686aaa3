/**
 * Runs Python in the browser, beside the page: the class of a visitor, and what asks it. It gets lines and answers lines.
 */

/** @type {{runPython(code: string): any, globals: any} | null} */
let python = null;
/** @type {((line: string) => string) | null} */
let answer = null;

/** Load Python and what runs beside the class. @param {string} root @param {string} seed of its hashes */
async function load(root, seed) {
  const { loadPyodide } = await import(`${root}pyodide.mjs`);
  python = await loadPyodide({ indexURL: root, env: { PYTHONHASHSEED: seed } });
  const source = await (await fetch(`${root}worker.py`)).text();
  python?.globals.set("__name__", "worker"); // it is no script here
  python?.runPython(source);
  answer = python?.runPython("Server().answer");
}

self.onmessage = async ({ data }) => {
  const { id, root, seed, line } = data;
  try {
    if (root) await load(root, seed);
    self.postMessage({ id, line: line && answer ? answer(line) : "" });
  } catch (error) {
    self.postMessage({ id, failed: String(error) });
  }
};
