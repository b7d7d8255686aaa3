/** The page of a phone in a room: it shows what the presenter shows, and what is asked. Wires. */

import { filled, json, one, site } from "../page.js";
import { framed } from "./framed.js";
import { keep, kept, lamp, listen, say } from "./line.js";

/** @import { Room } from "./line.js" */

const { code, document: first, seat } = json("data-room");
/** @type {Record<string, string>} */
const words = json("data-words");
const path = `/r/${code}`;
const says = one("seat-says");
const back = one("seat-back", HTMLButtonElement);

/** @type {Room} */
let room = first;
let connected = true;
/** Who has no seat has no part in an activity. */
let seated = Boolean(seat);
/** The address that the frame was told, and the path that it shows. */
let told = "";
let page = "";
let loading = false;
/** Has the frame come to the presenter's step? From then on, another step is the visitor's own. */
let arrived = false;
let around = false;

const frame = framed(one("room-frame", HTMLIFrameElement), "bare", {
  loaded: ({ pathname }) => {
    const mine = pathname === new URL(site(told), location.href).pathname;
    if (!loading) around = !mine; // a link in the frame was followed
    loading = false;
    page = pathname;
    if (!around && isRun()) frame.seek(room.step);
    draw();
  },
  lost: () => {
    [page, loading] = ["", false]; // the next news opens it again
  },
  stepped: (step) => {
    if (!isRun() || loading) return;
    if (step === room.step) [arrived, around] = [true, false];
    else if (arrived) around = true;
    draw();
  },
});

/** Which activity is going on; 0 if none is. @param {Room} of */
const activity = (of) => of.playing?.begun ?? 0;
const playing = () => Boolean(room.playing) && seated;
/** What was asked stays until something else is shown. @returns {[poll: number, phase: string] | null} */
const asked = () => (room.poll ? [room.poll, room.phase] : room.last);
const isRun = () => !room.poll && !playing() && room.at.startsWith("/run/");

/** The address of what the frame should show. */
function address() {
  const [poll, phase] = asked() ?? [];
  if (poll) return `${path}/question?poll=${poll}&phase=${phase}`;
  if (playing()) return `${path}/table`;
  return isRun() ? room.at.replace("/run/", "/embed/") : room.at;
}

/** Show what the presenter shows. */
function come() {
  around = arrived = false;
  const wanted = address();
  // What is still loading may be answered already.
  if (wanted !== told || (!loading && page !== new URL(site(wanted), location.href).pathname)) {
    told = wanted;
    loading = true;
    frame.open(site(wanted));
  } else if (isRun()) frame.seek(room.step);
  draw();
}

function draw() {
  back.hidden = !around || room.ended;
  const key = room.ended ? "over" : !connected ? "lost" : !room.led ? "alone" : around ? "around" : room.phase;
  const said = key === "reveal" ? room.outcome || key : key;
  says.textContent = words[`seat.says.${said}`] ?? "";
  says.hidden = !says.textContent;
  says.dataset.phase = key;
}

/** @param {Room} next */
function follow(next) {
  const begun = activity(next) !== activity(room);
  const turned = next.poll !== room.poll || next.phase !== room.phase || begun;
  const moved = next.at !== room.at || next.step !== room.step;
  room = next;
  if (begun) [page, loading] = ["", false]; // another activity has the same address
  lamp(one("lamp-lead"), room.led, words, "seat");
  if (room.ended) return location.reload();
  // A question comes to everybody; a step only to those who follow.
  if ((turned && (room.poll || room.playing || !around)) || (moved && !around && !room.playing) || !page) come();
  else draw();
}

back.addEventListener("click", come);
listen(`${path}/live`, {
  line: (on) => {
    if (on && !connected) loading = false; // what was asked for may never come
    connected = on;
    lamp(one("lamp-server"), on, words, "seat");
    lamp(one("lamp-lead"), on && room.led, words, "seat"); // without a server nobody knows
    draw();
  },
  room: follow,
});
come();
if (!seated || !kept(code))
  say(`${path}/seat`, {}).then(({ told: mine }) => {
    if (!mine?.seat) return;
    keep(code, mine.token);
    if (seated) return;
    seated = true;
    one("seat-name").textContent = filled(words["seat.says.seat"], { number: mine.seat });
    if (room.playing) come();
  });
