/**
 * The line to a room: events come in, and what is said is repeated until it is acknowledged. A browser in the background
 * may lose the stream without noticing, so it is closed when the page is hidden, and opened when it is seen again; the
 * first event has everything that was missed. Neither draws nor decides.
 */

import { site } from "../page.js";
import { keepText, textOf } from "../storage.js";

/** How long nothing may come before the line is taken for dead, in milliseconds: the server sends a sign of life every
 * 15 seconds. */
const SILENCE = 40_000;
/** How long to wait before a line that failed is tried again, in milliseconds. */
const AGAIN = 2_000;

/**
 * What a room is: see `LiveRoom.document` of `app/web/teach/rooms/live_room.py`.
 * @typedef {{version: number, at: string, step: number, phase: string, poll: number, floor: boolean, last: [poll: number, phase: string] | null, outcome: string, led: boolean, undo: boolean,
 *   ended: boolean, here?: number, voted?: number, by?: string, frozen?: boolean,
 *   playing: {round: number, stage: string, last: boolean, undo: boolean, begun: number, again: number} | null, wall?: import("./wall.js").Card[]}} Room
 */

/**
 * Listen to a room.
 * @param {string} path of the stream @param {{room: (room: Room) => void, line: (on: boolean) => void}} on
 */
export function listen(path, on) {
  /** @type {EventSource | null} */
  let source = null;
  let silence = 0;
  let again = 0;

  function close() {
    clearTimeout(silence);
    clearTimeout(again);
    source?.close();
    source = null;
  }

  /** Something has come. */
  function alive() {
    clearTimeout(silence);
    silence = setTimeout(open, SILENCE);
    on.line(true);
  }

  function open() {
    close();
    const made = new EventSource(site(path));
    source = made;
    made.addEventListener("room", (event) => {
      alive();
      const room = JSON.parse(event.data);
      if (room.ended) close();
      on.room(room);
    });
    made.addEventListener("beat", alive);
    made.addEventListener("error", () => {
      on.line(false);
      if (made.readyState === EventSource.CLOSED && made === source) again = setTimeout(open, AGAIN);
    });
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
    else open();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && open());
  addEventListener("online", open);
  open();
}

/** Where the token of a phone's seat is kept in case its cookie is lost. */
const SEAT = /^bluecut\.room\.([^.]+)\.seat$/;

/** The token of this phone's seat in a room, as it was kept. @param {string} code */
export function kept(code) {
  return textOf(`bluecut.room.${code}.seat`) ?? "";
}

/** Keep the token of a seat; those of other rooms are forgotten. @param {string} code @param {string} token */
export function keep(code, token) {
  try {
    for (const name of Object.keys(localStorage)) if (SEAT.test(name)) localStorage.removeItem(name);
  } catch {
    // Without storage there is the cookie.
  }
  keepText(`bluecut.room.${code}.seat`, token);
}

/**
 * Say something to the server: a form, or JSON. A repeated request does no harm, so it is repeated until there is an
 * answer. @param {string} path @param {object | URLSearchParams} said
 * @param {(why: string) => void} [failing] it has to be repeated; why, if the server has said so
 */
export async function say(path, said, failing = () => {}) {
  const form = said instanceof URLSearchParams;
  const type = form ? "application/x-www-form-urlencoded" : "application/json";
  const token = kept(path.split("/")[2] ?? "");
  /** @type {Record<string, string>} */
  const headers = { "content-type": type, accept: "application/json", ...(token ? { "x-bluecut-seat": token } : {}) };
  for (;;) {
    const answer = await fetch(site(path), {
      method: "POST",
      headers,
      body: form ? said : JSON.stringify(said),
    }).catch(() => null);
    const told = await answer?.json().catch(() => null);
    if (answer && answer.status < 500 && answer.status !== 429) return { status: answer.status, told };
    failing(told?.error ?? "");
    await new Promise((done) => setTimeout(done, AGAIN));
  }
}

/** Show whether a line stands. @param {HTMLElement} lamp @param {boolean} on @param {Record<string, string>} words @param {string} key */
export function lamp(lamp, on, words, key) {
  lamp.dataset.on = on ? "1" : "0";
  const said = words[`${key}.says.${on ? "on" : "off"}`];
  lamp.title = `${lamp.textContent}: ${said}`;
  lamp.setAttribute("role", "img");
  lamp.setAttribute("aria-label", lamp.title);
}
