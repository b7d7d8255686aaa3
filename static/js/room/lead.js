/** The presenter's page of a room: what the frame shows is shown to all, and the buttons lead from phase to phase. Wires. */

import { all, as, data, first, json, one, site } from "../page.js";
import { framed } from "./framed.js";
import { lamp, listen, say } from "./line.js";
import { playing } from "./playing.js";
import { showing } from "./show.js";

/** @import { Room } from "./line.js" */

const { code, document: begin, phases, held: holding } = json("data-room");
/** @type {Record<string, string>} */
const words = json("data-words");
const path = `/r/${code}`;
/** Names this page among those of the presenter, so that it does not follow itself. */
const mine = crypto.getRandomValues(new Uint32Array(2)).join("-");
/** The buttons of an activity. */
const PLAYED = new Set(["now", "over", "next", "freeze", "stop", "wall", "rule"]);
/** How many steps a second the phones are told at most. */
const PACE = 200;
/** How long it is said why something does not happen, in milliseconds. */
const NOTED = 6_000;

const tally = one("room-tally");
const votes = one("room-votes", HTMLButtonElement);
/** @type {Room} */
let room = begin;
/** @type {{at: string, step?: number} | null} what is to be shown next */
let wanted = null;
let busy = false;
/** What the frame shows, as the server names it. */
let here = `${begin.at} ${begin.step}`;
/** @type {number | null} the step to which this page has sent the frame: that it comes there is not to be shown */
let sought = null;
/** Has this page itself opened what the frame is loading? */
let opened = true;
let noted = 0;
/** Is the answer in the frame shown by the bar? */
let answering = false;

const frame = framed(one("room-frame", HTMLIFrameElement), "led", {
  loaded: ({ pathname, search }) => {
    if (room.phase === "reveal") answer();
    if (!opened) return show({ at: pathname + search });
    opened = false;
    sought = room.step;
    frame.begin(sought);
  },
  stepped: (step) => {
    if (held() && step !== room.step) {
      note(words["room.says.held"]);
      return seek(room.step);
    }
    const { pathname, search } = one("room-frame", HTMLIFrameElement).contentWindow?.location ?? location;
    show({ at: pathname + search, step });
  },
  pressed: guard,
});

/** Show the class another page. @param {string} address */
function turn(address) {
  opened = false;
  frame.open(address);
}

const shown = showing((address) => turn(site(address)));
const play = playing(path, words, {
  open: turn,
  refused: (why) => {
    one("room-phase").textContent = why;
  },
});

/** Show the class what is in the frame: the newest only, and not too often. @param {{at: string, step?: number}} next */
async function show(next) {
  if (next.step !== undefined && next.step === sought) return;
  sought = null;
  wanted = next;
  if (busy) return;
  busy = true;
  while (wanted) {
    const said = { ...wanted, by: mine };
    wanted = null;
    const { status, told } = await say(`${path}/show`, said, () => lamp(one("lamp-server"), false, words, "room"));
    if (status === 200 && told) {
      here = `${told.at} ${told.step}`;
      one("room-note").hidden = true;
      draw({ ...room, ...told });
    } else if (told?.error) {
      note(status === 400 && !held() ? words["room.says.aside"] : told.error);
      if (held()) back();
    }
    await new Promise((done) => setTimeout(done, PACE));
  }
  busy = false;
  follow(room); // what another device has shown meanwhile
}

/** Does what is asked stay in sight until the answer? */
const held = () => holding.includes(room.phase);

/** Say why something does not happen, for a while. @param {string | undefined} why */
function note(why) {
  const said = one("room-note");
  said.textContent = why ?? "";
  said.hidden = false;
  clearTimeout(noted);
  noted = setTimeout(() => (said.hidden = true), NOTED);
}

/** Show again what is asked. */
function back() {
  if (room.floor) seek(room.step);
  else open(large(room));
}

/** What is pressed in the frame. What is asked is answered with the bar, which closes the vote. @param {MouseEvent} event */
function guard(event) {
  const target = /** @type {Element} */ (event.target); // of another window
  const reveals = target.closest(".asked-reveal");
  const leaves = held() && target.closest("a[href]:not(.term, .switch)");
  if (answering || !room.poll || room.phase === "reveal") return;
  if (!reveals && !leaves && !target.closest(".asked-form [type=submit]")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  if (reveals) first(one("room-acts"), "[data-to=reveal]").click();
  else if (leaves) note(words["room.says.held"]);
}

/** Let the frame show the answer. */
function answer() {
  answering = true;
  frame.press(".asked-reveal");
  answering = false;
}

/** @param {number} step */
function seek(step) {
  sought = step;
  frame.seek(step);
}

/** @param {string} address */
function open(address) {
  opened = true;
  frame.open(address);
}

/** What the frame should show of the run, if another device leads now. @param {Room} next */
function follow(next) {
  const there = `${next.at} ${next.step}`;
  if (next.by === mine || busy || wanted || there === here) return;
  const same = here.startsWith(`${next.at} `);
  here = there;
  if (same) seek(next.step);
  else open(large(next));
}

/** The address of what is shown, in large type. @param {Room} next */
const large = ({ at, step }) => site(at + (at.includes("?") ? "&" : "?") + `presenter=1&step=${step}`);

/** Where the presenter can go from here. @returns {string[]} */
function able() {
  const undo = room.undo ? ["undo"] : [];
  if (room.phase === "follow") return [...(room.at.startsWith("/run/") ? ["floor"] : []), ...undo];
  const take = room.outcome === "decided" ? ["take"] : [];
  return [...phases[room.phase], ...take, "follow", ...undo];
}

/** Draw the buttons. */
function acts() {
  const known = play.draw(room) ?? able();
  for (const button of all(one("room-acts"), "[data-to]")) button.hidden = !known.includes(data(button, "to"));
  votes.hidden = !room.poll || room.phase === "think";
}

/** Draw who is here, the phase, and how many have voted. */
function said() {
  for (const each of all(document, "[data-here]")) each.textContent = String(room.here ?? 0);
  const phase = room.outcome || room.phase;
  const asks = room.floor && ["vote", "again"].includes(room.phase);
  one("room-phase").textContent = words[asks ? "room.floor" : `room.says.${phase}`];
  const voted = one("room-voted");
  voted.hidden = !room.poll || room.phase === "think";
  voted.querySelector("b")?.replaceChildren(String(room.voted ?? 0));
}

/** Draw the bar. @param {Room} next */
function draw(next) {
  const turned = next.phase !== room.phase || next.poll !== room.poll;
  const taken = turned && room.phase === "reveal" && Boolean(next.poll) && next.poll === room.poll;
  room = next;
  if (room.ended) return location.reload();
  shown(room.at, held());
  said();
  acts();
  if (taken) open(large(room)); // the answer is covered again
  if (turned && room.phase === "reveal") answer();
  if (turned) count(room.phase === "reveal" && Boolean(room.voted));
  else if (counted()) count(true);
}

/** Are the votes shown? */
const counted = () => votes.getAttribute("aria-expanded") === "true";

/** Show the votes, or hide them: nobody sees counts before the presenter wants it. @param {boolean} on */
async function count(on) {
  tally.hidden = !on && !(room.floor && held()); // what is offered on an open floor stays in sight
  votes.setAttribute("aria-expanded", String(on));
  if (tally.hidden) return;
  const answer = await fetch(site(`${path}/tally?counts=${on}`)).catch(() => null);
  if (!answer?.ok || tally.hidden || on !== counted()) return;
  tally.replaceChildren(...new DOMParser().parseFromString(await answer.text(), "text/html").body.childNodes);
}

one("room-acts").addEventListener("click", async ({ target, detail }) => {
  const button = as(target, HTMLButtonElement);
  if (button === votes) return count(!counted());
  const to = button?.dataset.to;
  if (!button || !to) return;
  if (PLAYED.has(to) || (to === "undo" && room.playing && !room.poll)) {
    await play.lead(to);
    return draw(room);
  }
  button.disabled = true;
  const take = to === "take";
  const { status, told } = await say(
    `${path}/${take ? "take" : "phase"}`,
    take ? { by: mine } : { phase: to, now: room.phase },
    (why) => (one("room-phase").textContent = why || (words["room.says.lost"] ?? "")),
  );
  button.disabled = false;
  if (status !== 200) return void (one("room-phase").textContent = told?.error ?? words["room.says.lost"]);
  if (take) {
    here = "";
    return open(told.frame);
  }
  draw({ ...room, ...told });
  settle(detail > 0);
});

/** The keys are those of the run again, except for those who press with keys. @param {boolean} pressed with a pointer? */
function settle(pressed) {
  const next = pressed ? null : all(one("room-acts"), "button").find((each) => each.offsetParent);
  (next ?? one("room-frame")).focus();
}

one("room-mine", HTMLInputElement).addEventListener("focus", ({ target }) => as(target, HTMLInputElement)?.select());

listen(`${path}/live?lead=1`, {
  line: (on) => {
    lamp(one("lamp-server"), on, words, "room");
    if (on) said();
    else one("room-phase").textContent = words["room.says.lost"];
  },
  room: (next) => {
    draw(next);
    follow(next);
  },
});
draw(begin);
count(begin.phase === "reveal" && Boolean(begin.voted));
one("room-frame").focus();
/** Whether the sheet was opened with the keyboard, by the button to which the focus then returns. */
let pressed = false;
one("room-code").addEventListener("click", (event) => (pressed = event.detail === 0));
one("room-join").addEventListener("toggle", (event) => {
  if (/** @type {ToggleEvent} */ (event).newState !== "closed") return;
  one(pressed ? "room-code" : "room-frame").focus(); // the keys of the frame lead again
  pressed = false;
});
one("room-end").addEventListener("toggle", (event) => {
  // It lies upon the menu, and a sheet upon another gives no focus back by itself.
  if (/** @type {ToggleEvent} */ (event).newState === "closed") first(document, "[popovertarget=room-end]").focus();
});
if (begin.version === 1 && !begin.here) one("room-join").showPopover(); // a new room: nobody knows its code yet
