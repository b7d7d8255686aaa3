/**
 * One channel: the tube, its hatch while it is recorded, its blue when it is closed, what it holds, and what was
 * recorded of it. Draws what `motion` says.
 */

import { fit, measure, point } from "./geometry.js";
import { during, travel } from "./motion.js";
import { label, pill, place, width } from "./pill.js";
import { say, set, svg } from "./svg.js";

/** Recorded messages that a caption or a tube shows before it counts them. */
const SHOWN = 4;

/**
 * @param {Object} layers the groups to draw into
 * @param {import("./scene.js").Channel} channel
 * @param {Object} words
 */
export function tube(layers, channel, words) {
  const group = svg("g", { class: "tube", "data-channel": channel.name }, layers.tubes);
  const title = svg("title", {}, group);
  const edge = svg("path", { class: "edge" }, group);
  const core = svg("path", { class: "core" }, group);
  const hatch = svg("path", { class: "hatch" }, group);
  const solid = svg("path", { class: "solid" }, group);
  const head = svg("polygon", { class: "head" }, group);
  const lane = svg("path", { class: "lane" }, group);
  const print = svg("g", { class: "print" }, layers.prints);
  const caption = svg("g", { class: "caption-line", "aria-hidden": "true" }, layers.labels);
  const more = svg("g", { class: "more" }, layers.messages);
  const drawn = new Map();
  const ghosts = new Map();
  let plan = null;
  let track = null;
  let last = {};

  function layout(next) {
    plan = next;
    track = plan.tracks[channel.i];
    last = {};
    const thin = plan.look === "grid";
    for (const path of [edge, core, hatch, solid]) set(path, "d", track.path.d);
    set(edge, "stroke-width", thin ? 1.5 : track.tube);
    set(core, "stroke-width", thin ? 0 : track.tube - 3);
    set(hatch, "stroke-width", thin ? 3 : track.tube - 3);
    set(solid, "stroke-width", thin ? 3 : track.tube);
    set(lane, "d", track.lane.d);
    set(head, "points", track.head.map((p) => `${p.x.toFixed(1)},${p.y.toFixed(1)}`).join(" "));
    for (const shape of drawn.values()) shape.remove();
    for (const shape of ghosts.values()) shape.remove();
    drawn.clear();
    ghosts.clear();
    more.replaceChildren();
    print.replaceChildren();
    caption.replaceChildren();
    caption.signature = print.signature = null;
    for (const path of [hatch, solid, lane]) set(path, "visibility", "hidden");
  }

  /**
   * @param {import("./scene.js").Tube} was @param {import("./scene.js").Tube} now
   * @param {import("./scene.js").Recording|null} began @param {import("./scene.js").Recording|null} is
   * @param {number} fraction @param {Object} phase @param {Object} about {step, silent, hue}
   */
  function draw(was, now, began, is, fraction, phase, about) {
    const still = was === now && began === is;
    const moving = !still && fraction < 1;
    const fresh = about.moved;
    // Only tubes that hold something have links to write when motion comes to rest.
    const silent = about.silent && now.queue.length + now.lane.length > 0;
    const same = last.now === now && last.is === is && last.hue === about.hue && last.fresh === fresh && last.silent === silent;
    if (!moving && !last.moving && same && last.unseen === about.unseen) return;
    last = { now, is, moving, hue: about.hue, fresh, silent, unseen: about.unseen };
    const shown = { hatch: grown(began?.open, is?.open), solid: grown(closed(began), closed(is)) };
    function grown(a, b) {
      if (!a && !b) return 0;
      if (a && b) return 1;
      const t = during(fraction, phase.fill);
      return b ? t : 1 - t;
    }
    // A closing marker sweeps the blue through the tube from the receiver's end; the hatch stays under it.
    const hatched = began?.open && closed(is) ? 1 : shown.hatch;
    sweep(hatch, hatched > 0 && shown.solid < 1 ? hatched : 0);
    sweep(solid, shown.solid);
    const state = shown.solid > 0.5 ? "closed" : shown.hatch > 0.5 || hatched === 1 ? "recording" : "idle";
    set(group, "class", `tube ${state}${fresh ? " fresh" : ""}`);
    messages(was, now, fraction, phase, about);
    copies(began, is, fraction, phase, now, state, about);
    say(title, `${channel.source} → ${channel.target}`);
  }

  function sweep(path, part) {
    set(path, "visibility", part > 0 ? "visible" : "hidden");
    if (plan.look === "grid") return;
    const long = track.path.length;
    // Round ends would show as dots where nothing is to be seen yet.
    set(path, "stroke-dasharray", part > 0 && part < 1 ? `${(part * long).toFixed(1)} ${(long * 2).toFixed(1)}` : null);
    set(path, "stroke-dashoffset", part > 0 && part < 1 ? `${((part - 1) * long).toFixed(1)}` : null);
  }

  function messages(was, now, fraction, phase, about) {
    const wide = (message) => width(message, plan, words);
    const pad = plan.look === "grid" ? 0 : Math.max(0, track.tube / 2 - 4);
    const queue = travel(was.queue, now.queue, track.path.length, pad, wide, fraction, phase);
    const lanes = was.lane.length || now.lane.length ? travel(was.lane, now.lane, track.lane.length, 0, wide, fraction, phase) : null;
    set(lane, "visibility", lanes ? "visible" : "hidden");
    const seen = new Set();
    for (const item of queue.messages) put(item, track.path, seen, about, now);
    if (lanes) for (const item of lanes.messages) put(item, track.lane, seen, about, now);
    for (const [id, shape] of drawn) {
      if (seen.has(id)) continue;
      shape.remove();
      drawn.delete(id);
    }
    count(queue);
    last.near = queue.messages.reduce((least, item) => (item.rank >= 0 && item.shade === 1 ? Math.min(least, item.at - wide(item.message) / 2) : least), Infinity);
    if (queue.hidden) last.near = 0;
  }

  function put(item, path, seen, about, now) {
    const { message } = item;
    let shape = drawn.get(message.id);
    if (!shape) {
      shape = pill(message, plan, words);
      layers.messages.append(shape);
      drawn.set(message.id, shape);
    }
    seen.add(message.id);
    place(shape, point(path, item.at), item.shade);
    set(shape, "class", `message ${message.kind}${message.sent === about.step ? " fresh" : ""}`);
    offer(shape, item, about, now);
  }

  /** A message that can arrive now is a link that makes it so. */
  function offer(shape, item, about, now) {
    const { message, rank } = item;
    const can = !about.silent && rank >= 0 && (message.kind === "part" ? rank === 0 : (rank === 0 || !about.fifo) && !now.held.has(message.id));
    const action = message.kind === "part" ? `collect ${channel.name}` : `deliver ${channel.name}${rank > 0 ? ` ${rank}` : ""}`;
    set(shape, "data-action", can ? action : null);
    set(shape, "href", can ? about.branch(action) : null);
    const key = message.kind === "part" ? "player.stage.part" : message.kind === "marker" ? "player.stage.deliver.marker" : "player.stage.deliver";
    set(shape, "aria-label", can ? words.word(key, { message: message.payload, part: message.payload, snapshot: message.snapshot ?? "", channel: channel.name }) : null);
    set(shape, "aria-hidden", can ? null : "true");
  }

  function count({ hidden, more: at }) {
    if (!hidden) {
      if (more.firstChild) more.replaceChildren();
      return;
    }
    if (!more.firstChild) {
      svg("rect", { class: "body", x: -15, y: -9, width: 30, height: 18, rx: 9 }, more);
      svg("text", { y: 4, "font-size": 11, "text-anchor": "middle" }, more);
    }
    // In a tube that is too short for it the count stands beside.
    const beside = at < 15 - track.tube / 2 + 4 || track.path.length < 50 ? -(track.tube / 2 + 11) : 0;
    const spot = point(track.path, beside ? track.path.length / 2 : at, beside);
    set(more, "transform", `translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})`);
    say(more.lastChild, `+${hidden}`);
  }

  /** What was recorded of the channel: in a row as a caption beside it, else printed in the tube. */
  function copies(began, is, fraction, phase, now, state, about) {
    const arriving = is && began !== is && is.log.length > (began?.log.length ?? 0) && fraction < 1;
    const settled = arriving ? began : is;
    if (plan.look === "row") captionLine(fraction < 0.5 && began !== is ? began : is, settled, state, about);
    else printed(settled, state);
    ghost(arriving ? is.log.at(is.log.length - 1) : null, fraction, phase);
    if (plan.look === "row") within(is, state);
  }

  /** In a closed tube with room for it, its recorded content stands in the middle. */
  function within(is, state) {
    const log = state === "closed" ? is.log : null;
    const texts = log?.items(SHOWN).map((message) => label(message, plan, words)) ?? [];
    if (log && log.length > SHOWN) texts.push(`+${log.length - SHOWN}`);
    const widths = texts.map((text) => measure(text, 14) + 22);
    const wide = log?.length ? widths.reduce((sum, w) => sum + w + 6, -6) : 24;
    const free = log && last.near > track.path.length / 2 + wide / 2 + 8 && wide < track.path.length;
    const signature = free ? `within ${texts.join("|")}` : "";
    if (print.signature === signature) return;
    print.signature = signature;
    print.replaceChildren();
    if (!free) return;
    const at = point(track.path, track.path.length / 2);
    if (!texts.length) {
      say(svg("text", { class: "empty", x: at.x, y: at.y + 7, "font-size": 20, "text-anchor": "middle" }, print), "∅");
      return;
    }
    let x = at.x - wide / 2;
    texts.forEach((text, i) => {
      const copy = svg("g", { class: "within", transform: `translate(${x + widths[i] / 2} ${at.y})` }, print);
      svg("rect", { x: -widths[i] / 2, y: -13, width: widths[i], height: 26, rx: 13 }, copy);
      say(svg("text", { y: 5, "font-size": 14, "text-anchor": "middle" }, copy), text);
      x += widths[i] + 6;
    });
  }

  function captionLine(recording, settled, state, about) {
    const log = settled?.log.items(SHOWN) ?? [];
    const rest = (settled?.log.length ?? 0) - log.length;
    const signature = [state, about.hue, about.unseen, log.map((m) => m.id), rest, recording?.open].join();
    if (caption.signature === signature) return;
    caption.signature = signature;
    caption.replaceChildren();
    const name = `${channel.source} → ${channel.target}`;
    const word = recording?.open
      ? words.word("player.stage.recording", { process: channel.target })
      : closed(recording)
        ? words.word("player.stage.closed")
        : about.unseen
          ? words.word("player.stage.unseen")
          : "";
    const { room } = track;
    const pills = log.map((message) => ({ message, w: measure(label(message, plan, words), 12) + 16 }));
    const tail = closed(recording) && !log.length ? "∅" : rest > 0 ? `+${rest}` : "";
    const fixed = pills.reduce((sum, p) => sum + p.w + 5, 0) + (tail ? measure(tail, 13) + 8 : 0);
    let shown = `${name}${word ? "   " : ""}`;
    const space = Math.max(0, room - fixed - measure(shown, 13));
    const short = recording?.open ? words.word("player.table.recording") : word;
    const said = [word, short, ""].find((text) => measure(text, 13) <= space || !text);
    const text = svg("text", { y: 4.5, "font-size": 13 }, caption);
    const a = svg("tspan", { class: "name" }, text);
    say(a, shown);
    const b = svg("tspan", { class: recording ? "recorded" : "name", dx: word ? 4 : 0 }, text);
    say(b, said);
    const known = text.getComputedTextLength?.() || measure(shown + said, 13);
    const total = known + fixed + (pills.length || tail ? 8 : 0);
    let x = track.label.x - total / 2;
    text.setAttribute("x", x);
    x += known + 8;
    for (const { message, w } of pills) {
      const copy = svg("g", { class: `copy${recording?.open ? " open" : ""}`, transform: `translate(${x + w / 2} 0)` }, caption);
      svg("rect", { x: -w / 2, y: -10, width: w, height: 20, rx: 10 }, copy);
      say(svg("text", { y: 4.5, "font-size": 12, "text-anchor": "middle" }, copy), label(message, plan, words));
      x += w + 5;
    }
    if (tail) say(svg("text", { class: "tail", x, y: 4.5, "font-size": tail === "∅" ? 15 : 13 }, caption), tail);
    caption.setAttribute("transform", `translate(0 ${track.label.y})`);
    caption.end = { x: x - 10, y: track.label.y };
  }

  function printed(recording, state) {
    const content = recording?.log ?? null;
    const at = track.path.length * track.print;
    const free = last.near > at + 26;
    const show = content && free && (closed(recording) || content.length);
    const texts = show ? content.items(2).map((m) => label(m, plan, words)) : [];
    const said = !show ? "" : !content.length ? "∅" : plan.look === "grid" || content.length > 2 || measure(texts.join(" "), plan.font) > 44 ? `×${content.length}` : texts.join(" ");
    const signature = `${said}|${state}|${recording?.open}`;
    if (print.signature === signature) return;
    print.signature = signature;
    print.replaceChildren();
    if (!said || (plan.look === "grid" && said === "∅")) return;
    const size = plan.look === "grid" ? 8 : Math.max(plan.font, 11);
    const w = Math.max(measure(said, size) + 10, size + 8);
    const h = size + 7;
    const spot = point(track.path, at);
    const chip = svg("g", { class: `chip${recording.open ? " open" : ""}`, transform: `translate(${spot.x} ${spot.y})` }, print);
    svg("rect", { x: -w / 2, y: -h / 2, width: w, height: h, rx: 4 }, chip);
    say(svg("text", { y: size * 0.36, "font-size": size, "text-anchor": "middle" }, chip), said);
  }

  /** The twin of a message that is being copied: it leaves the message and goes to where the copy is kept. */
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
    const to = plan.look === "row" ? { x: caption.end?.x ?? track.label.x, y: track.label.y } : point(track.path, track.path.length * track.print);
    place(shape, { x: from.x + (to.x - from.x) * t, y: from.y + (to.y - from.y) * t }, fraction < phase.copy[0] ? 0 : 1, 1 - 0.2 * t);
  }

  function closed(recording) {
    return Boolean(recording && !recording.open);
  }

  return {
    layout,
    draw,
    light(id) {
      let hit = false;
      for (const [message, shape] of drawn) {
        shape.classList.toggle("lit", message === id);
        if (shape.known) shape.known.class = null;
        hit ||= message === id;
      }
      return hit;
    },
  };
}
