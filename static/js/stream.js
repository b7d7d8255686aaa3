/**
 * The stream of a run: frames in order, each once, then the end. It neither folds nor draws.
 *
 * The browser reconnects by itself and says with `Last-Event-ID` what it has; a server that starts over does no
 * harm, because frames already held are passed over.
 */

/** How many frames are handed on at once: folding more of them would hold up what moves. */
const BATCH = 400;

/**
 * @param {string} url @param {number} held how many frames the page brought along
 * @param {{frames: (frames: Object[]) => void, ended: (end: Object) => void,
 *          lamp: (state: "connecting"|"open"|"lost"|"failed"|"done") => void}} on
 */
export function stream(url, held, on) {
  let waiting = [];
  let timer = 0;
  let source = null;
  let last = null;

  function flush() {
    timer = 0;
    if (waiting.length) on.frames(waiting.splice(0, BATCH));
    if (waiting.length) timer = setTimeout(flush, 0);
    else if (last) {
      on.lamp("done");
      on.ended(last);
    }
  }

  function connect() {
    source?.close();
    on.lamp("connecting");
    source = new EventSource(url);
    source.addEventListener("open", () => on.lamp("open"));
    source.addEventListener("step", (event) => {
      if (Number(event.lastEventId) !== held + 1) return;
      held += 1;
      waiting.push(JSON.parse(event.data));
      // Thousands of frames arrive in one burst: hand them on a batch at a time, not one at a time.
      if (!timer) timer = setTimeout(flush, held < 40 ? 0 : 30);
    });
    source.addEventListener("end", (event) => {
      source.close();
      last = JSON.parse(event.data);
      if (!timer) flush();
    });
    source.addEventListener("error", () => {
      on.lamp(source.readyState === EventSource.CLOSED ? "failed" : "lost");
    });
  }

  connect();
  return { retry: connect, close: () => source?.close() };
}
