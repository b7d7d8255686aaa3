/**
 * Runs Python in the browser, beside the page: the class of a visitor, and what asks it. It gets lines and answers lines.
 */

/** @type {{runPython(code: string): any, globals: any} | null} */
let python = null;
/** @type {((line: string) => string) | null} */
let answer = null;

/** Load Python and what runs beside the class. @param {string} root */
async function load(root) {
  const { loadPyodide } = await import(`${root}pyodide.mjs`);
  python = await loadPyodide({ indexURL: root });
  const source = await (await fetch(`${root}worker.py`)).text();
  python?.globals.set("__name__", "worker"); // it is no script here
  python?.runPython(source);
  answer = python?.runPython("Server().answer");
}

self.onmessage = async ({ data }) => {
  const { id, root, line } = data;
  try {
    if (root) await load(root);
    self.postMessage({ id, line: line && answer ? answer(line) : "" });
  } catch (error) {
    self.postMessage({ id, failed: String(error) });
  }
};
