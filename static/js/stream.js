/**
 * The stream of a run: frames in order, each once, then the end. It neither folds nor draws.
 *
 * The browser reconnects automatically and says with `Last-Event-ID` what it has; a server that starts over does no
 * harm, because known frames are skipped.
 */

import { over, say } from "./outage.js";

/** @import { End, Frame } from "./types.js" */

/** How many frames are passed on at once: folding more would delay motion. */
const BATCH = 400;

/** @typedef {"connecting" | "open" | "lost" | "failed" | "done"} Lamp how the connection is */

/** @type {Map<HTMLElement, Set<() => void>>} how to reconnect, by the element that a lost connection is reported at */
const broken = new Map();

/** @param {HTMLElement} at @param {() => void} connect */
function lose(at, connect) {
  const all = broken.get(at) ?? new Set();
  broken.set(at, all.add(connect));
  say(at, { at, failure: {}, again: () => [...all].forEach((each) => each()) });
}

/** @param {HTMLElement} at @param {() => void} connect */
function find(at, connect) {
  const all = broken.get(at);
  if (all?.delete(connect) && !all.size) over(at);
}

/**
 * @param {string} url @param {number} held how many frames the page already has
 * @param {HTMLElement} at the element beside which a lost connection is reported
 * @param {{frames: (frames: Frame[]) => void, ended: (end: End) => void, lamp?: (state: Lamp) => void}} on
 */
export function stream(url, held, at, on) {
  /** @type {Frame[]} */
  const waiting = [];
  let timer = 0;
  /** @type {EventSource | null} */
  let open = null;
  /** @type {End | null} */
  let last = null;
  let errors = 0;
  const lamp = on.lamp ?? (() => {});

  function flush() {
    timer = 0;
    if (waiting.length) on.frames(waiting.splice(0, BATCH));
    if (waiting.length) timer = setTimeout(flush, 0);
    else if (last) {
      lamp("done");
      on.ended(last);
    }
  }

  function connect() {
    open?.close();
    lamp("connecting");
    const source = new EventSource(url);
    open = source;
    source.addEventListener("open", () => {
      errors = 0;
      find(at, connect);
      lamp("open");
    });
    source.addEventListener("step", (event) => {
      if (Number(event.lastEventId) !== held + 1) return;
      held += 1;
      waiting.push(JSON.parse(event.data));
      // Thousands of frames arrive in one burst: pass them on in batches, not one at a time.
      if (!timer) timer = setTimeout(flush, held < 40 ? 0 : 30);
    });
    source.addEventListener("end", (event) => {
      source.close();
      last = JSON.parse(event.data);
      if (!timer) flush();
    });
    source.addEventListener("error", () => {
      const failed = source.readyState === EventSource.CLOSED;
      lamp(failed ? "failed" : "lost");
      errors += 1;
      // The browser retries automatically after the first failure; that may be enough.
      if (failed || errors > 1) lose(at, connect);
    });
  }

  connect();
}
