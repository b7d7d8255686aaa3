/**
 * The space-time diagram: a line for each process, time to the right, messages as arrows, and the cut. Draws.
 *
 * Between two steps only what moves is redrawn: "now", the arrows in flight, a cut that is still forming. A window that
 * follows "now" shows a part of a run that is longer than the page. Only what is in the window has nodes.
 */

import { checkpoints } from "./checkpoints.js";
import { cuts } from "./cuts.js";
import { events } from "./events.js";
import { flights } from "./flights.js";
import { History } from "./history.js";
import { Labels, short } from "./labels.js";
import { axis, lines, names, now } from "./lines.js";
import { node, put, say } from "./nodes.js";
import { ribbon } from "./ribbon.js";
import { rollback } from "./rollback.js";
import { rubber } from "./rubber.js";
import { along, lineOf, mix, scale as scaleOf } from "./scale.js";

/** "Now" is half a step after the last step, so that a message just sent is visibly in flight. */
const AFTER = 0.5;
/** The place of "now" in the window, as a fraction of its width. */
const KEPT = 0.7;
const FEW = 60;
/** With more arrows than this, those that only pass through the window are left out: they would hide the others. */
const MANY = 60;

/**
 * @typedef {object} View what the layers draw
 * @property {History} history
 * @property {import("./scale.js").Scale} scale
 * @property {number} t now, in steps
 * @property {number} nowX now, in px of the world
 * @property {number} reached how many steps have happened
 * @property {number} first the window, in steps
 * @property {number} last
 * @property {number} seen the window's left edge, in px of the world
 * @property {number} end the end of the lines, in steps
 * @property {number} part how straight the cut is, 0–1
 * @property {(step: number) => number} place where a step is drawn, in steps
 * @property {object|null} order the run of Theorem 1, if `part` is not 0
 * @property {object|null} snapshot the selected one
 * @property {object[]} begun all snapshots that have begun
 * @property {number|null} lit the highlighted message
 */

/**
 * @param {HTMLElement} host
 * @param {object} scene the scene before the first step
 * @param {{words: (key: string, fields?: object) => string, onJump: (step: number) => void,
 *   onHover: (message: number|null) => void}} does
 * @returns {{add: (frames: object[]) => void, show: (k: number, fraction?: number, scene?: object) => void,
 *   light: (message: number|null) => void, snapshot: (id: number|null) => void}}
 */
export function spacetime(host, scene, { words, onJump, onHover }) {
  const raw = scene.base ?? scene;
  const history = new History(raw);
  const planned = raw.run?.steps ?? 0;

  const title = node("title", { id: "spacetime-title" }, [words("spacetime.title")]);
  const desc = node("desc", { id: "spacetime-desc" });
  const world = node("g", { class: "st-world" });
  const pane = node("svg", { class: "st-window", y: 0 }, [world]);
  const svg = node("svg", { class: "spacetime", role: "img", "aria-labelledby": "spacetime-title spacetime-desc" }, [
    title,
    desc,
    pane,
  ]);
  const under = node("g");
  world.append(under);
  const drawsLines = lines(world);
  const drawsAxis = axis(world);
  const over = node("g");
  const drawsFlights = flights(world, words);
  world.append(over);
  const drawsEvents = events(world, words);
  world.append(drawsFlights.texts);
  const taken = node("g", { class: "st-taken", "aria-hidden": "true" });
  world.append(taken);
  const drawsNow = now(world, words);
  const top = node("g", { class: "st-words", "aria-hidden": "true" });
  world.append(top);
  const drawsSetbacks = rollback(taken, top, words);
  const drawsCheckpoints = checkpoints(taken, top, words);
  const drawsCuts = cuts(under, over, top, words);
  const drawsRibbon = ribbon(world, host, raw.phases ?? {}, words);
  const drawsNames = names(svg);
  host.replaceChildren(svg);

  let scale = null;
  // A lecture hall needs everything larger.
  let zoom = 1;
  let k = 0;
  let fraction = 1;
  let lit = null;
  let chosen = null;
  let part = 0;
  let order = null;
  let origin = 0;
  let follows = true;
  let drawn = null;
  let kept = null;
  const labels = new Labels();
  const band = document.getElementById("rubber");
  const control = band && rubber(band, { words, onChange: straighten });

  // --- what is visible ------------------------------------------------------------------------------------------

  function t() {
    return k - 1 + fraction + AFTER;
  }

  function reached() {
    return Math.min(Math.max(0, Math.floor(t())), history.steps);
  }

  function measure() {
    const style = getComputedStyle(host);
    zoom = parseFloat(style.getPropertyValue("--zoom")) || 1;
    const width = Math.floor((host.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)) / zoom);
    const height = host.clientHeight / zoom;
    if (width <= 0 || !height) return;
    const before = scale?.unit;
    scale = scaleOf({ width, height, names: history.names, steps: Math.max(planned, history.steps), phases: drawsRibbon.any });
    if (before && before !== scale.unit) origin *= scale.unit / before;
    put(svg, { width: width * zoom, height: height * zoom, viewBox: `0 0 ${width} ${height}` });
    put(pane, { x: scale.left, width: width - scale.left, height });
    labels.clear();
    kept = null;
    put(svg, { class: `spacetime${scale.scrolls ? " st-scrolls" : ""}${scale.dense ? " st-dense" : ""}` });
  }

  /** The selected snapshot: the chosen one, or the latest. */
  function selected(begun) {
    const latest = (a, b) => (a && a.started > b.started ? a : b);
    return begun.find((each) => each.id === chosen) ?? begun.reduce(latest, null);
  }

  /** The second snapshot, the fourth, … have the second colour. */
  function tone(id) {
    const first = raw.first ?? 1;
    return (id - first) % 2 === 1;
  }

  function place(step) {
    return part && step < order.places.length ? mix(step, order.places[step], part) : step;
  }

  /** @returns {View} */
  function view() {
    const here = reached();
    const begun = history.begun(here);
    const snapshot = selected(begun);
    const first = origin / scale.unit - 1;
    const last = (origin + scale.room) / scale.unit + 1;
    const end = Math.max(planned, history.steps) + 1;
    const time = t();
    return {
      history, scale, begun, snapshot, tone, place, part, order, lit, first, last, end, labels, t: time,
      reached: here, nowX: time * scale.unit, seen: origin,
      happenings: happeningsIn(first, last, here),
      flights: flightsIn(first, last, here),
    }; // prettier-ignore
  }

  function happeningsIn(first, last, here) {
    if (!part) return history.happenings.slice(Math.max(1, Math.floor(first)), Math.min(here, Math.ceil(last)) + 1);
    const found = [];
    for (let step = 1; step <= here; step += 1) {
      const at = place(step);
      if (at >= first && at <= last) found.push(history.happenings[step]);
    }
    return found;
  }

  function flightsIn(first, last, here) {
    const found = part
      ? history.sendings.filter((flight) => meetsWindow(flight, first, last, here))
      : history.between(first, last, here);
    if (found.length <= MANY && !scale.dense) return found;
    const inside = (step) => step <= here && place(step) >= first && place(step) <= last;
    return found.filter((flight) => flight.id === lit || inside(flight.sent) || inside(flight.received)).slice(-MANY);
  }

  function meetsWindow(flight, first, last, here) {
    if (flight.sent > here || (flight.forked !== Infinity && flight.forked > here)) return false;
    const from = place(flight.sent);
    const until = Math.min(flight.received, flight.lost);
    const to = until <= here ? place(until) : Infinity;
    return Math.max(from, to) >= first && Math.min(from, to) <= last;
  }

  // --- drawing --------------------------------------------------------------------------------------------------

  function draw() {
    if (!scale) measure();
    if (!scale) return;
    offer();
    if (part) order = ordered();
    keepNowInView();
    const what = view();
    keepFree(what);
    drawsLines.draw(what);
    drawsNames.draw(what);
    drawsAxis.draw(what);
    drawsFlights.draw(what);
    drawsCuts.draw(what);
    drawsEvents.draw(what);
    drawsSetbacks.draw(what);
    drawsCheckpoints.draw(what);
    drawsRibbon.draw(what);
    advance(what);
    describe(what);
    drawn = { k: what.reached, origin: Math.round(origin / scale.unit), steps: history.steps };
  }

  /** Keep labels off the cut, even off where it will be. */
  function keepFree({ snapshot }) {
    if (part || kept === snapshot?.id || history.names.length > 24) return;
    labels.clear();
    kept = snapshot?.id;
    if (!snapshot) return;
    snapshot.recorded.forEach((step, row) => {
      const next = snapshot.recorded[row + 1] ?? Infinity;
      if (step === Infinity) return;
      labels.reserve(step * scale.unit, lineOf(scale, row), scale.square);
      if (next !== Infinity) for (const [x, y] of along(scale, row, step, next)) labels.reserve(x, y, 8);
    });
  }

  /** Draw what moves between two steps. */
  function advance(what) {
    put(world, { transform: `translate(${(-origin).toFixed(1)} 0)` });
    drawsLines.advance(what);
    drawsNow.advance(what);
    drawsFlights.advance(what);
    drawsCuts.advance(what);
    drawsRibbon.advance(what);
  }

  function update() {
    if (!scale) {
      draw();
      return;
    }
    keepNowInView();
    const moved = Math.round(origin / scale.unit) !== drawn?.origin;
    if (part || moved || drawn?.k !== reached() || drawn.steps !== history.steps) draw();
    else advance(view());
  }

  function keepNowInView() {
    const most = Math.max(0, (Math.max(planned, history.steps) + 1) * scale.unit - scale.room);
    if (follows) origin = t() * scale.unit - scale.room * KEPT;
    if (part && order) origin = mix(origin, order.cut * scale.unit - scale.room * 0.5, part);
    origin = Math.max(0, Math.min(most, origin));
  }

  function describe({ snapshot, reached: here }) {
    const said = [words("spacetime.desc", { processes: history.names.length, now: here, steps: history.steps })];
    if (snapshot) {
      const recorded = history.names.filter((_, row) => snapshot.recorded[row] <= here);
      said.push(words("spacetime.desc.cut", { snapshot: snapshot.id, processes: recorded }));
    }
    say(desc, said.join(" "));
    put(svg, { role: history.steps <= FEW ? "group" : "img" });
    rove();
  }

  // --- the rubber band ------------------------------------------------------------------------------------------

  function ordered() {
    const here = reached();
    const snapshot = selected(history.begun(here));
    return history.reordered(snapshot, here);
  }

  function straighten(value) {
    if (value && !part) follows = true;
    part = value;
    if (!part) {
      order = null;
    }
    draw();
  }

  /** Offer the rubber band, or say why not. */
  function offer() {
    if (!control) return;
    const here = reached();
    const snapshot = selected(history.begun(here));
    const reason = refusal(snapshot, here);
    if (reason !== null && part) {
      part = 0;
      order = null;
      control.release();
    }
    control.offer(reason);
    if (reason === null) control.tell(...told(snapshot, here));
  }

  function refusal(snapshot, here) {
    if (!snapshot) return words("spacetime.straighten.none");
    const whole = history.whole(snapshot);
    if (whole <= here) return null;
    // If it never becomes complete, only processes that never record are to blame, not those that still will.
    const limit = whole === Infinity ? history.steps : here;
    const open = history.names.filter((_, row) => history.settled(snapshot, row) > limit);
    const parts = open.filter((name) => !snapshot.absent[history.rows.get(name)]);
    const late = (parts.length ? parts : open).slice(0, 5);
    if (whole === Infinity) return words("spacetime.straighten.never", { snapshot: snapshot.id, processes: late });
    return words("spacetime.straighten.later", { processes: late, step: whole });
  }

  function told(snapshot, here) {
    const orphans = history.orphans(snapshot, here);
    if (orphans.length) {
      const [orphan] = orphans;
      return [words("spacetime.straighten.impossible", { message: short(orphan.payload), channel: orphan.channel }), true];
    }
    if (part === 0) return [words("spacetime.straighten.hint"), false];
    return [words(part === 1 ? "spacetime.straighten.done" : "spacetime.straighten.half"), false];
  }

  // --- hands ----------------------------------------------------------------------------------------------------

  function messageOf(target) {
    const found = target.closest?.("[data-message]")?.getAttribute("data-message");
    return found === null || found === undefined ? null : Number(found);
  }

  function hover(message) {
    if (message === lit) return;
    onHover(message);
    shine(message);
  }

  function shine(message) {
    if (message === lit) return;
    lit = message;
    if (scale) draw();
  }

  /** The step that a click means: an event's own, or the nearer end of an arrow. */
  function stepAt(target, x) {
    const step = target.closest?.("[data-step]")?.getAttribute("data-step");
    if (step) return Number(step);
    const flight = history.flights.get(messageOf(target));
    if (!flight) return null;
    const here = reached();
    if (flight.received > here) return flight.sent;
    const steps = (x - scale.left + origin) / scale.unit;
    return steps - place(flight.sent) < place(flight.received) - steps ? flight.sent : flight.received;
  }

  let drag = null;
  svg.addEventListener("pointerover", (event) => hover(messageOf(event.target)));
  svg.addEventListener("pointerleave", () => hover(null));
  svg.addEventListener("pointerdown", (event) => {
    drag = { x: event.clientX, origin, moved: false };
  });
  svg.addEventListener("pointermove", (event) => {
    if (!drag || !(event.buttons & 1) || !scale?.scrolls) return;
    if (Math.abs(event.clientX - drag.x) < 5 && !drag.moved) return;
    if (!drag.moved) svg.setPointerCapture(event.pointerId);
    drag.moved = true;
    scroll(drag.origin - (event.clientX - drag.x) / zoom);
  });
  svg.addEventListener("click", (event) => {
    const moved = drag?.moved;
    drag = null;
    if (moved || !scale) return;
    const step = stepAt(event.target, (event.clientX - svg.getBoundingClientRect().left) / zoom);
    if (step !== null) onJump(step);
  });
  svg.addEventListener(
    "wheel",
    (event) => {
      if (!scale?.scrolls) return;
      const before = origin;
      scroll(origin + (Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : event.deltaY));
      if (origin !== before) event.preventDefault();
    },
    { passive: false },
  );

  function scroll(to) {
    origin = to;
    follows = false;
    draw();
  }

  /** "Now" may be outside a window that was moved by hand; the next step brings it back. */
  function bringBack() {
    if (follows || !scale) return;
    const nowX = t() * scale.unit;
    follows = nowX < origin || nowX > origin + scale.room;
  }

  // Tab reaches one event at a time; the arrow keys move between events, and after the last one to the phases.
  let focused = null;

  const nameOf = ({ dataset }) => (dataset.phase ? `phase ${dataset.step}` : dataset.step);

  function stops() {
    const all = [...svg.querySelectorAll("[tabindex]")].filter((each) => each.getAttribute("display") !== "none");
    const behind = (each) => (each.dataset.phase ? history.steps + 1 : 0) + Number(each.dataset.step);
    return all.sort((a, b) => behind(a) - behind(b));
  }

  function rove() {
    if (history.steps > FEW) return;
    const all = stops();
    const current = all.find((each) => nameOf(each) === focused) ?? all.findLast((each) => !each.dataset.phase) ?? all.at(-1);
    for (const each of all) put(each, { tabindex: each === current ? 0 : -1 });
  }

  svg.addEventListener("focusin", (event) => {
    focused = nameOf(event.target) ?? null;
    hover(messageOf(event.target));
  });
  svg.addEventListener("focusout", () => hover(null));
  svg.addEventListener("keydown", (event) => {
    const all = stops();
    const at = all.indexOf(event.target);
    if (at < 0) return;
    const go = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (go) {
      const next = all[Math.max(0, Math.min(all.length - 1, at + go))];
      focused = nameOf(next);
      rove();
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") onJump(Number(event.target.dataset.step));
    else return;
    event.preventDefault();
    event.stopPropagation();
  });

  new ResizeObserver(() => {
    measure();
    draw();
  }).observe(host);

  return {
    add(frames) {
      history.add(frames);
      if (history.steps > planned || !scale) measure();
      update();
    },
    show(step, progress = 1) {
      const other = step !== k;
      k = step;
      fraction = progress;
      if (other) bringBack();
      update();
    },
    light: shine,
    snapshot(id) {
      if (chosen === id) return;
      chosen = id;
      draw();
    },
  };
}
