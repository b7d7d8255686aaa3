/** The class in its worker: it is asked line by line, and stopped when it takes too long. Wires. */

/** How long a callback may take, in milliseconds; the first answer waits for Python to load. */
const PATIENCE = 5_000;
const LOADING = 120_000;

export class Slow extends Error {}

/** @param {string} script the address of the worker @param {string} root where Python is */
export function runner(script, root) {
  /** @type {Worker | null} */
  let worker = null;
  let asked = 0;

  /** @param {Record<string, string>} what @param {number} patience @returns {Promise<string>} */
  function send(what, patience) {
    const id = (asked += 1);
    const there = (worker ??= new Worker(script, { type: "module" }));
    return new Promise((done, fail) => {
      const late = setTimeout(() => {
        stop();
        fail(new Slow());
      }, patience);
      there.onmessage = ({ data }) => {
        if (data.id !== id) return;
        clearTimeout(late);
        if (!data.failed) return done(data.line);
        stop();
        fail(new Error(data.failed));
      };
      there.onerror = (event) => {
        clearTimeout(late);
        stop();
        fail(new Error(event.message));
      };
      there.postMessage({ id, ...what });
    });
  }

  function stop() {
    worker?.terminate();
    worker = null;
  }

  return {
    stop,
    /** Load Python, unless it is there. */
    async ready() {
      if (!worker) await send({ root }, LOADING);
    },
    /** @param {unknown} request @returns {Promise<any>} */
    async ask(request) {
      return JSON.parse(await send({ line: JSON.stringify(request) }, PATIENCE));
    },
  };
}
