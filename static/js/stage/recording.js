/**
 * The recorded state of a channel: in a row a caption beside it and its content within, otherwise a small badge on it.
 * A fault found by a check is dashed, with a cross and a word. Draws.
 */

import { sign, spoken } from "../run/sign.js";
import { say, svg } from "../svg.js";
import { fit, measure } from "./letters.js";
import { during } from "./motion.js";
import { point } from "./paths.js";
import { bolt, cross, label, pill, place } from "./pill.js";

/** Recorded messages that a caption or a tube shows before it counts them. */
const SHOWN = 4;
/** Widths are estimated generously; for texts in a line, this fraction looks right. */
const TIGHT = 0.92;

/** @param {import("../run/scene.js").Recording|null} recording */
export function closed(recording) {
  return Boolean(recording && !recording.open);
}

/**
 * @param {Object} layers the groups to draw into
 * @param {import("../run/scene.js").Channel} channel
 * @param {Object} words
 */
export function recording(layers, channel, words) {
  const print = svg("g", { class: "print" }, layers.prints);
  const caption = svg("g", { class: "caption-line", "aria-hidden": "true" }, layers.labels);
  const ghosts = new Map();
  let plan = null;
  let track = null;

  function layout(next) {
    plan = next;
    track = plan.tracks[channel.i];
    for (const shape of ghosts.values()) shape.remove();
    ghosts.clear();
    print.replaceChildren();
    caption.replaceChildren();
    caption.signature = print.signature = null;
  }

  /**
   * @param {import("../run/scene.js").Recording|null} began @param {import("../run/scene.js").Recording|null} is
   * @param {number} fraction @param {Object} phase @param {"idle"|"recording"|"closed"} state
   * @param {number} near the distance of resting messages from the channel's beginning @param {Object} about
   */
  function draw(began, is, fraction, phase, state, near, about) {
    const arriving = is && began !== is && is.log.length > (began?.log.length ?? 0) && fraction < 1;
    const settled = arriving ? began : is;
    if (plan.look === "row") {
      captionLine(fraction < 0.5 && began !== is ? began : is, settled, state, about);
      within(is, state, near, about);
    } else badge(settled, state, near, about);
    ghost(arriving ? is.log.at(is.log.length - 1) : null, fraction, phase);
  }

  /** In a closed tube with enough room, the recorded content is in the middle. */
  function within(is, state, near, about) {
    const log = state === "closed" ? is.log : null;
    const texts = log?.items(SHOWN).map((message) => label(message, plan, words)) ?? [];
    if (log && log.length > SHOWN) texts.push(`+${log.length - SHOWN}`);
    const widths = texts.map((text) => measure(text, 14) + 22);
    const wide = log?.length ? widths.reduce((sum, w) => sum + w + 6, -6) : 24;
    const free = log && near > track.path.length / 2 + wide / 2 + 8 && wide < track.path.length;
    if (same(print, free ? `within ${about.storing} ${texts.join("|")}` : "")) return;
    print.replaceChildren();
    if (!free) return;
    const at = point(track.path, track.path.length / 2);
    if (!texts.length) {
      say(svg("text", { class: "empty", x: at.x, y: at.y + 7, "font-size": 20, "text-anchor": "middle" }, print), "∅");
      return;
    }
    let x = at.x - wide / 2;
    texts.forEach((text, i) => {
      const copy = svg("g", { class: `within${about.storing ? " open" : ""}`, transform: `translate(${x + widths[i] / 2} ${at.y})` }, print);
      svg("rect", { x: -widths[i] / 2, y: -13, width: widths[i], height: 26, rx: 13 }, copy);
      say(svg("text", { y: 5, "font-size": 14, "text-anchor": "middle" }, copy), text);
      x += widths[i] + 6;
    });
  }

  function captionLine(shown, settled, state, about) {
    const log = settled?.log.items(SHOWN) ?? [];
    const rest = (settled?.log.length ?? 0) - log.length;
    const wrong = about.faults.map((fault) => `${fault.kind} ${fault.message?.id}`);
    if (same(caption, [state, about.hue, about.unseen, log.map((m) => m.id), rest, shown?.open, about.storing, wrong].join())) return;
    caption.replaceChildren();
    const name = `${channel.source} → ${channel.target}`;
    const word = shown?.open
      ? words.word("player.stage.recording", { process: channel.target })
      : closed(shown)
        ? words.word("player.stage.closed")
        : about.unseen
          ? words.word("player.stage.unseen")
          : "";
    const most = Math.max(12, track.room / Math.max(1, log.length) - 28);
    const pills = log.map((message) => fit(label(message, plan, words), 12, most)).map((text) => ({ text, w: measure(text, 12) + 16 }));
    const all = about.faults.map((fault) => marked(fault, 12));
    const marks = track.wrong ? [] : all;
    const tail = closed(shown) && !log.length ? "∅" : rest > 0 ? `+${rest}` : "";
    // If there is little room, a cross says it without a word.
    if (marks.reduce((sum, p) => sum + p.wide, 0) > track.room * 0.6) for (const mark of marks) Object.assign(mark, { word: "", wide: mark.w + 6 });
    const fixed =
      pills.reduce((sum, p) => sum + p.w + 5, 0) + (tail ? measure(tail, 13) + (marks.length ? 12 : 8) : 0) + marks.reduce((sum, p) => sum + p.wide, 0);
    const heading = measure(name, 13) * TIGHT + fixed <= track.room || !fixed ? `${name}${word ? "   " : ""}` : "";
    const space = Math.max(0, track.room - fixed - measure(heading, 13) * TIGHT);
    const short = shown?.open ? words.word("player.table.recording") : word;
    const said = [word, short, ""].find((text) => measure(text, 13) <= space || !text);
    const text = svg("text", { y: 4.5, "font-size": 13 }, caption);
    say(svg("tspan", { class: "name" }, text), heading);
    say(svg("tspan", { class: shown ? "recorded" : "name", dx: word ? 4 : 0 }, text), said);
    const long = text.getComputedTextLength?.() || measure(heading + said, 13);
    const total = long + fixed + (pills.length || tail || marks.length ? 8 : 0);
    let x = track.label.x - total / 2;
    text.setAttribute("x", x);
    x += long + 8;
    for (const { text: inside, w } of pills) {
      const copy = svg("g", { class: `copy${shown?.open || about.storing ? " open" : ""}`, transform: `translate(${x + w / 2} 0)` }, caption);
      svg("rect", { x: -w / 2, y: -10, width: w, height: 20, rx: 10 }, copy);
      say(svg("text", { y: 4.5, "font-size": 12, "text-anchor": "middle" }, copy), inside);
      x += w + 5;
    }
    if (tail) {
      say(svg("text", { class: "tail", x, y: 4.5, "font-size": tail === "∅" ? 15 : 13 }, caption), tail);
      x += measure(tail, 13) + 12;
    }
    else if (marks.length) x += 4;
    x = line(marks, x, 0);
    if (track.wrong) line(all, track.wrong.x - all.reduce((sum, mark) => sum + mark.wide, -10) / 2, track.wrong.y - track.label.y);
    caption.setAttribute("transform", `translate(0 ${track.label.y})`);
    caption.end = { x: x - 10, y: track.label.y };
  }

  /** Faults with their words, from `x` on; returns where they end. */
  function line(marks, x, y) {
    let next = x;
    for (const mark of marks) {
      fault(caption, mark, next + mark.w / 2, y, 20);
      if (mark.word) say(svg("text", { class: "wrong-word", x: next + mark.w + 6, y: y + 4.5, "font-size": 13 }, caption), mark.word);
      next += mark.wide;
    }
    return next;
  }

  /** The text on a fault, and the widths of it and of the word behind it. */
  function marked({ kind, message }, size) {
    const text = message ? fit(named(message), size, 60) : "";
    const word = words.word(`player.stage.fault.${kind}`);
    const w = text ? measure(text, size) + 30 : 20;
    return { kind, text, word, size, w, wide: w + 6 + measure(word, 13) + 10 };
  }

  /** A dashed outline with a cross and a text. */
  function fault(parent, { kind, text, size, w }, x, y, h) {
    const shape = svg("g", { class: "fault", transform: `translate(${x} ${y})` }, parent);
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: h / 2 }, shape);
    (kind === "partitioned" ? bolt : cross)(shape, text ? -w / 2 + h / 2 : 0, Math.min(4, h / 4));
    if (text) say(svg("text", { x: -w / 2 + h / 2 + 9, y: size * 0.36, "font-size": size }, shape), text);
  }

  /** On the channel: ∅, the recorded messages or their number; or what is wrong with them. */
  function badge(settled, state, near, about) {
    const slot = spot(near);
    const log = settled?.log ?? null;
    const wrong = about.faults[0];
    const size = plan.look === "grid" ? 8 : Math.max(plan.font, 11);
    const most = slot ? slot.w - 8 : 0;
    let said = "";
    if (slot && log && (closed(settled) || log.length)) said = log.length ? content(log, size, Math.min(most, 46)) : "∅";
    if (plan.look === "grid" && said === "∅") said = "";
    const cut = wrong && slot ? faulty(wrong, size, most - 16) : "";
    if (same(print, `${about.useless}|${about.storing}|${said}|${state}|${settled?.open}|${wrong?.kind}|${wrong?.message?.id}|${slot?.at}|${slot?.w}`)) return;
    print.replaceChildren();
    if (!slot) return;
    const at = point(track.path, slot.at);
    if (wrong) {
      const text = most > 24 && !cut.startsWith("…") ? cut : "";
      fault(print, { kind: wrong.kind, text, size, w: text ? measure(text, size) + 24 : size + 10 }, at.x, at.y, size + 6);
      return;
    }
    if (!said) return;
    const w = Math.max(measure(said, size) + 10, size + 8);
    const h = size + (plan.look === "grid" ? 3 : 6);
    const chip = svg("g", { class: `chip${settled.open || (about.storing && log.length) ? " open" : ""}${about.useless ? " useless" : ""}`, transform: `translate(${at.x} ${at.y})` }, print);
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 4 }, chip);
    say(svg("text", { y: size * 0.36, "font-size": size, "text-anchor": "middle" }, chip), said);
  }

  /** The message and the word for its fault, or as much of that as fits. */
  function faulty({ kind, message }, size, room) {
    const word = words.word(`player.stage.fault.${kind}`);
    if (!message) return measure(word, size) <= room ? word : "";
    const text = named(message);
    const whole = `${text} ${word}`;
    return measure(whole, size) <= room ? whole : fit(text, size, room);
  }

  /** The name of a message: a failed check knows its payload, the stage the rest. */
  function named(message) {
    if (message.kind === "marker") return sign(channel, message.snapshot);
    return words.readable(message.kind === "control" ? spoken(message.payload) : message.payload);
  }

  /** Where the badge is and how wide it may be; in a tube only where no message rests. */
  function spot(near) {
    if (track.stations) return track.badge;
    const at = track.path.length * track.print;
    return near > at + 26 ? { at, w: Math.min(110, 2 * (Math.min(near, 2 * at + 40) - at)) } : null;
  }

  /** The recorded messages, as many as fit, or their number. */
  function content(log, size, most) {
    if (plan.look === "grid") return `×${log.length}`;
    const texts = log.items(SHOWN).map((message) => words.readable(message.payload));
    const all = texts.join(" ");
    return log.length <= SHOWN && measure(all, size) <= most ? all : log.length === 1 ? fit(all, size, most) : `×${log.length}`;
  }

  /** The twin of a message that is being copied: it moves from the message to the copy's place. */
  function ghost(message, fraction, phase) {
    for (const [id, shape] of ghosts) {
      if (id === message?.id) continue;
      shape.remove();
      ghosts.delete(id);
    }
    if (!message) return;
    let shape = ghosts.get(message.id);
    if (!shape) {
      shape = pill(message, plan, words);
      shape.setAttribute("class", "message ghost");
      shape.setAttribute("aria-hidden", "true");
      layers.messages.append(shape);
      ghosts.set(message.id, shape);
    }
    const t = during(fraction, phase.copy);
    const from = point(track.path, track.path.length - 10);
    const goal = () => point(track.path, track.badge?.at ?? track.path.length * track.print);
    const to = plan.look === "row" ? { x: caption.end?.x ?? track.label.x, y: track.label.y } : goal();
    place(shape, { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t }, fraction < phase.copy[0] ? 0 : 1, 1 - 0.2 * t);
  }

  return { layout, draw };
}

/** Is this already drawn? */
function same(group, signature) {
  if (group.signature === signature) return true;
  group.signature = signature;
  return false;
}
