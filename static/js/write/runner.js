/** The class in two workers whose hashes differ: they are asked line by line, and stopped when they take too long. Wires. */

import { agreed } from "./alike.js";

/** How long an answer may take, in milliseconds: Python itself ends a callback after five seconds. The first answer
 * waits for Python to load. */
const PATIENCE = 6_000;
const LOADING = 120_000;

/** A callback takes too long. */
export class Slow extends Error {
  /** @param {number} [line] the one that was executed then, where it is known */
  constructor(line = 0) {
    super();
    this.line = line;
  }
}

/** Python in a worker. @param {string} script its address @param {string} root where Python is @param {string} seed of its hashes */
function python(script, root, seed) {
  const worker = new Worker(script, { type: "module" });
  let asked = 0;
  /** @type {(why: Error) => void} ends the wait for the answer that is under way */
  let leave = () => {};

  /** @param {Record<string, string>} what @param {number} patience @returns {Promise<string>} */
  function send(what, patience) {
    const id = (asked += 1);
    return new Promise((done, fail) => {
      const late = setTimeout(() => fail(new Slow()), patience);
      leave = (why) => {
        clearTimeout(late);
        fail(why);
      };
      worker.onmessage = ({ data }) => {
        if (data.id !== id) return;
        clearTimeout(late);
        if (data.failed) fail(new Error(data.failed));
        else done(data.line);
      };
      worker.onerror = (event) => {
        clearTimeout(late);
        fail(new Error(event.message));
      };
      worker.postMessage({ id, ...what });
    });
  }

  return {
    loaded: send({ root, seed }, LOADING),
    /** @param {string} line */
    ask: (line) => send({ line }, PATIENCE),
    end() {
      worker.terminate();
      leave(new Error("stopped"));
    },
  };
}

/** An answer that Python itself has not ended. @param {string} line @returns {any} */
function quick(line) {
  const answer = JSON.parse(line);
  if (answer.mistake === "hangs") throw new Slow(answer.line);
  return answer;
}

/** @param {string} script the address of the workers @param {string} root where Python is */
export function runner(script, root) {
  /** @type {ReturnType<typeof python>[]} */
  let both = [];

  /** End them. Who waits for an answer is told. */
  function stop() {
    for (const one of both) one.end();
    both = [];
  }

  /** Stop where anything fails: the next run begins with new ones. @template T @param {Promise<T>} what @returns {Promise<T>} */
  async function whole(what) {
    try {
      return await what;
    } catch (error) {
      stop();
      throw error;
    }
  }

  return {
    stop,
    /** Load Python, unless it is there. */
    async ready() {
      if (!both.length) both = ["1", "2"].map((seed) => python(script, root, seed));
      await whole(Promise.all(both.map((one) => one.loaded)));
    },
    /** What both answer, or the mistake of a class that answers in two ways. @param {unknown} request @returns {Promise<any>} */
    async ask(request) {
      const line = JSON.stringify(request);
      const said = both.map((one) => one.ask(line).then(quick));
      const [answer, other] = await whole(Promise.all(said));
      return agreed(answer, other);
    },
    /** Ask one of them again, the last question first: the mistake of a class that remembers elsewhere than in its
     * processes, or nothing. @param {[unknown, any][]} answered @returns {Promise<any>} */
    async backwards(answered) {
      for (const [request, answer] of answered.toReversed()) {
        const again = await whole(both[1].ask(JSON.stringify(request)).then(quick));
        const compared = agreed(answer, again, "remembers");
        if (compared !== answer) return compared;
      }
      return null;
    },
  };
}
