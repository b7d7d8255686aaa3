/** The page of a phone in a room: it shows what the presenter shows, and what is asked. Wires. */

import { json, one, site } from "../page.js";
import { framed } from "./framed.js";
import { lamp, listen, say } from "./line.js";

/** @typedef {import("./line.js").Room} Room */

const { code, document: first, seat } = json("data-room");
/** @type {Record<string, string>} */
const words = json("data-words");
const path = `/r/${code}`;
const says = one("seat-says");
const back = one("seat-back", HTMLButtonElement);

/** @type {Room} */
let room = first;
let connected = true;
/** What is in the frame: the address that it was told, and the step at which it should be. */
let told = "";
/** Has the visitor gone somewhere else in the frame? */
let around = false;
let loading = false;
/** What the frame shows now. */
let at = { page: "", step: 0 };

const frame = framed(one("room-frame", HTMLIFrameElement), true, {
  loaded: ({ pathname }) => {
    const mine = pathname === new URL(site(told), location.href).pathname;
    if (!loading) around = !mine; // a link in the frame was followed
    loading = false;
    at = { page: pathname, step: 0 };
    if (!around && isRun()) frame.seek(room.step);
    draw();
  },
  stepped: (step) => {
    at.step = step;
    draw();
  },
});

const isRun = () => !room.poll && room.at.startsWith("/run/");

/** The address of what the frame should show. */
function address() {
  if (room.poll) return `${path}/question?poll=${room.poll}&phase=${room.phase}`;
  return isRun() ? room.at.replace("/run/", "/embed/") : room.at;
}

/** Show what the presenter shows. */
function come() {
  around = false;
  const wanted = address();
  if (wanted !== told || !at.page || at.page !== new URL(site(wanted), location.href).pathname) {
    told = wanted;
    loading = true;
    frame.open(site(wanted));
  } else if (isRun()) frame.seek(room.step);
  draw();
}

function draw() {
  const stepped = !loading && isRun() && at.step !== room.step;
  back.hidden = !(around || strayed(stepped)) || room.ended;
  const key = room.ended ? "over" : !connected ? "lost" : !room.led ? "alone" : back.hidden ? room.phase : "around";
  says.textContent = words[`seat.says.${key}`] ?? "";
  says.hidden = !says.textContent;
  says.dataset.phase = key;
}

/** A step away from the presenter's for longer than the picture takes: the visitor looks around. @param {boolean} stepped */
function strayed(stepped) {
  return stepped && performance.now() - moved > SETTLES;
}

/** How long after the presenter's step a phone may still be on its way, in milliseconds. */
const SETTLES = 3_000;
let moved = -SETTLES;

/** @param {Room} next */
function follow(next) {
  const turned = next.poll !== room.poll || next.phase !== room.phase;
  const strays = !back.hidden;
  const gone = next.at !== room.at;
  const steps = next.step !== room.step;
  room = next;
  if (steps) moved = performance.now();
  lamp(one("lamp-lead"), room.led, words, "seat");
  if (room.ended) return location.reload();
  // A question comes to everybody; a step only to those who follow.
  if ((turned && (room.poll || !strays)) || (!strays && (gone || steps)) || !at.page) come();
  else draw();
}

back.addEventListener("click", come);
listen(`${path}/live`, {
  line: (on) => {
    connected = on;
    lamp(one("lamp-server"), on, words, "seat");
    draw();
  },
  room: follow,
});
come();
if (!seat)
  say(`${path}/seat`, {}).then((answer) => {
    if (answer.told?.seat) one("seat-name").textContent = words["seat.says.seat"].replace("{number}", answer.told.seat);
  });
