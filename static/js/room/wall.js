/** The wall: how each group of an activity is doing, a small stage each. Pressing one opens its run. Draws. */

import { html, svg } from "../svg.js";

/** @import { Word } from "../types.js" */

/**
 * @typedef {{group: number, recorded: number, total: number, counts: boolean, claim: boolean | null, steps: number,
 *   silent: string[], end: string, crash: [name: string, left: number, total: number] | null,
 *   completed: [name: string, verbs: string[]][],
 *   processes: [name: string, state: unknown, copy: unknown][],
 *   channels: [source: string, target: string, messages: boolean[], closed: boolean][]}} Card see `Play.wall` of
 *   `app/web/teach/rooms/play.py`
 * @typedef {{deed: string, who: string, text: string, channel?: string}} Event what may happen next
 * @typedef {{people?: number, last: (Event & {votes: number}) | null, foretold?: [right: number, wrong: number]}} Crowd
 *   those without a role
 */

const WIDTH = 240;
const HEIGHT = 174;
/** Half the size of a process. */
const HALF = { x: 26, y: 18 };
/** The height of what a process has recorded, which hangs below it: it stays what it was while the process goes on. */
const COPY = 18;

/** The failure that is shortest to explain first; the crowd last. @param {Card & Partial<Crowd>} a
 * @param {Card & Partial<Crowd>} b */
const shortest = (a, b) =>
  Number(Boolean(a.people)) - Number(Boolean(b.people)) ||
  Number(a.end === "right") - Number(b.end === "right") ||
  a.steps - b.steps ||
  a.group - b.group;

/**
 * @param {HTMLElement} host @param {(Card & Partial<Crowd> & {options?: [Event, number][]})[]} cards
 * @param {Word} word
 */
export function wall(host, cards, word) {
  const over = cards.some(({ end }) => end);
  const shown = over ? [...cards].sort(shortest) : cards;
  host.dataset.count = cards.length > 6 ? "many" : cards.length > 1 ? "few" : "one";
  host.replaceChildren(...shown.map((card) => drawn(card, word)));
}

/** @param {Card & Partial<Crowd> & {options?: [Event, number][]}} card
 * @param {Word} word */
function drawn(card, word) {
  const copies = card.processes.filter(([, , copy]) => copy !== null).length;
  const end = card.end === "right" || card.end === "wrong" ? card.end : "never";
  const opens = html(
    "button",
    { type: "button", class: "wall-open", "data-open": card.group },
    html(
      "span",
      "wall-name",
      card.people ? word("crowd", { count: card.people }) : word("group", { number: card.group + 1 }),
    ),
    stage(card),
    html("b", "wall-sum", summed(card, word), ...(summing(card) ? [html("small", "", ` ${word("sum")}`)] : [])),
    ...(card.end ? ended(card, end, word) : []),
  );
  const silent = html("p", "wall-silent", ...card.silent.map((name) => replaced(card.group, name, word)));
  const votes = card.options && card.foretold ? [ballots(card.options, card.foretold, word)] : [];
  if (card.last) votes[0]?.prepend(html("p", "wall-last", lately(card.last, word)));
  const made = html("div", "wall-card", opens, ...votes, ...(card.silent.length ? [silent] : []));
  made.classList.toggle("wall-crowd", Boolean(card.people));
  made.dataset.group = String(card.group);
  made.dataset.state = card.end || (copies === card.processes.length ? "full" : copies ? "some" : "none");
  return made;
}

/** How the round ended for a group. @param {Card} card @param {string} end
 * @param {Word} word */
function ended({ crash, completed }, end, word) {
  const [name, left, total] = crash ?? [];
  const back = crash ? [html("span", "wall-crash", word("crash", { name, left, total }))] : [];
  const by = completedFor(completed, word);
  return [
    html("b", "wall-end", word(end)),
    ...(by.length ? [html("span", "wall-completed", by.join(" "))] : []),
    ...back,
    html("span", "wall-go", `${word("opens")} →`),
  ];
}

/** What was done for those who are a process, a sentence for each. @param {Card["completed"]} completed
 * @param {Word} word */
export const completedFor = (completed, word) =>
  completed.map(([name, verbs]) => word("completed", { name, what: verbs.map((verb) => word(`completed.${verb}`)) }));

/** Is what the group has recorded a sum? @param {Card} card */
const summing = ({ counts, claim }) => counts && claim === null;

/** What the group has recorded, or what its snapshot says.
 * @param {Card} card @param {Word} word */
function summed({ recorded, total, counts, claim }, word) {
  if (claim !== null) return word(claim ? "terminated" : "going");
  return word(counts ? "recorded" : "copies", { recorded, total });
}

/** What the crowd votes on, as bars. @param {[Event, number][]} options @param {[number, number]} foretold
 * @param {Word} word */
function ballots(options, foretold, word) {
  const most = Math.max(1, ...options.map(([, votes]) => votes));
  const next = options.map(([event, votes]) => bar(happens(event, word), votes, most));
  const both = Math.max(1, ...foretold);
  const said = [bar(word("right"), foretold[0], both), bar(word("wrong"), foretold[1], both)];
  return html("div", "wall-votes", ...next, html("p", "", word("foretold")), ...said);
}

/** @param {string} text @param {number} votes @param {number} most */
function bar(text, votes, most) {
  const shown = html("progress", { max: most, value: votes, "aria-hidden": "true" });
  return html("p", "wall-bar", html("span", "", text), shown, html("b", "", String(votes)));
}

/** An event in words. @param {Event} event @param {Word} word */
export function happens({ deed, who }, word) {
  const name = who.replace("->", " → ");
  if (deed === "deliver") return word("delivers", { name });
  return word(deed === "start" ? "starts" : "records", { name });
}

/** What happened last, with its votes. @param {(Event & {votes: number}) | null} last
 * @param {Word} word */
export const lately = (last, word) => (last ? word("last", { event: happens(last, word), votes: last.votes }) : "");

/** A link to the page of somebody who does nothing, from which the presenter acts instead.
 * @param {number} group @param {string} name @param {Word} word */
function replaced(group, name, word) {
  const href = `table?group=${group}&role=${encodeURIComponent(name)}`;
  return html("a", { href, target: "_blank" }, word("silent", { name }));
}

/** A small stage: the processes on an ellipse, the messages in the channels as dots. @param {Card} card */
export function stage({ processes, channels, completed }) {
  const host = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, class: "wall-stage", "aria-hidden": "true" });
  const at = new Map(processes.map(([name], i) => [name, place(i, processes.length)]));
  const hangs = new Map(processes.map(([name, , copy]) => [name, copy === null ? 0 : COPY + 2]));
  for (const [source, target, messages, closed] of channels) {
    const a = at.get(source);
    const b = at.get(target);
    if (!a || !b) continue;
    svg("line", { x1: a.x, y1: a.y, x2: b.x, y2: b.y, class: closed ? "wall-line closed" : "wall-line" }, host);
    svg("path", { d: arrow(a, b, hangs.get(target)), class: closed ? "wall-arrow closed" : "wall-arrow" }, host);
    messages.forEach((marker, i) => {
      const part = 0.62 - 0.07 * i;
      const [x, y] = [a.x + part * (b.x - a.x), a.y + part * (b.y - a.y)];
      if (marker) svg("path", { d: `M${x} ${y - 7}l7 7l-7 7l-7-7z`, class: "wall-marker" }, host);
      else svg("circle", { cx: x, cy: y, r: 5, class: "wall-message" }, host);
    });
  }
  for (const [name, state, copy] of processes) {
    const others = completed.some(([who, verbs]) => who === name && verbs.includes("record"));
    node(host, at.get(name) ?? { x: 0, y: 0 }, { name, state, copy, others });
  }
  return host;
}

/** A process, and what is recorded of it. @param {SVGElement} host @param {{x: number, y: number}} at
 * @param {{name: string, state: unknown, copy: unknown, others: boolean}} shown `others`: it was recorded for somebody */
function node(host, { x, y }, { name, state, copy, others }) {
  const recorded = copy !== null;
  const size = { x: x - HALF.x, width: 2 * HALF.x, rx: 6 };
  const kind = recorded ? "wall-node recorded" : "wall-node";
  svg("rect", { ...size, y: y - HALF.y, height: 2 * HALF.y, class: kind }, host);
  const worded = typeof state === "string";
  const said = worded ? name : `${name} ${state}`;
  svg("text", { x, y: worded ? y - 2 : y + 6, class: "wall-text" }, host).textContent = said;
  if (worded) svg("text", { x, y: y + 12, class: "wall-text wall-word" }, host).textContent = state;
  if (!recorded) return;
  const copied = others ? "wall-copy completed" : "wall-copy";
  svg("rect", { ...size, y: y + HALF.y + 2, height: COPY, class: copied }, host);
  const word = `wall-text ${others ? "completed" : "copied"}${worded ? " wall-word" : ""}`;
  svg("text", { x, y: y + HALF.y + COPY - (worded ? 3 : 1.5), class: word }, host).textContent = String(copy);
}

/** The tip of a channel, where it reaches a process, or from below its copy. @param {{x: number, y: number}} a
 * @param {{x: number, y: number}} b @param {number} [copy] how far that hangs below it */
function arrow(a, b, copy = 0) {
  const [dx, dy] = [a.x - b.x, a.y - b.y];
  const far = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / far, dy / far];
  const high = HALF.y + (uy > 0 ? copy : 0);
  const gap = Math.min(HALF.x / (Math.abs(ux) || 1e-9), high / (Math.abs(uy) || 1e-9));
  const [x, y] = [b.x + gap * ux, b.y + gap * uy];
  return `M${x} ${y}L${x + 9 * ux - 4.5 * uy} ${y + 9 * uy + 4.5 * ux}L${x + 9 * ux + 4.5 * uy} ${y + 9 * uy - 4.5 * ux}z`;
}

/** @param {number} i @param {number} count */
function place(i, count) {
  const angle = (2 * Math.PI * i) / count - (3 * Math.PI) / 4;
  const round = { x: WIDTH / 2 - HALF.x - 4, y: (HEIGHT - COPY) / 2 - HALF.y - 4 };
  const wide = count === 4 ? Math.SQRT2 : 1;
  return {
    x: WIDTH / 2 + wide * round.x * Math.cos(angle),
    y: (HEIGHT - COPY) / 2 + wide * round.y * Math.sin(angle),
  };
}
