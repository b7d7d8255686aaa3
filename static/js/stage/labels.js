/** The texts on messages, and how wide they make them. Computes. */

import { sign, spoken } from "../run/sign.js";
import { TIGHT, fit, measure } from "./letters.js";
import { tagged } from "./tag.js";

/** @import { Look, Message, Setting, Words } from "./types.js" */

/** Recorded messages that are shown before they are counted. */
export const SHOWN = 4;
/** How much smaller the word of a control message may be, so that it is not shortened. */
const SMALLER = 0.64;
/** A text as short as this is never cut: a part of a number would be another number. */
const WHOLE = 3;
/** How much wider a tag makes a message, and the radius of its ring, on slim channels. */
const TAG = 16;
const RING = 8;
/** How wide a barrier is. @type {Record<Look, number>} */
const BARRIER = { row: 15, circle: 13, wires: 12, grid: 4 };

/**
 * The name of a message in a sentence; a failed check knows only its payload.
 * @param {Pick<Message, "payload"> & Partial<Message>} message @param {{barriers: boolean}} channel
 * @param {Words} words
 */
export function named({ kind, snapshot, payload }, channel, words) {
  if (kind === "marker") return sign(channel, snapshot ?? null);
  return words.readable(kind === "control" ? spoken(payload) : payload);
}

/**
 * The text on a message, shortened to fit into a tube, and its size. Of a word with hardly anything left there is only
 * its initial: the tip has it whole.
 * @param {Message} message @param {Setting} setting @returns {{said: string, size: number}}
 */
export function label(message, setting) {
  const { look, font, loud, words, base } = setting;
  if (look === "grid") return { said: "", size: font };
  const asked = message.kind === "control";
  const text = words.readable(asked ? spoken(message.payload) : message.payload);
  const space = room(message, setting);
  // An item with its key is as long as a word.
  if (text.length <= WHOLE) return { said: text, size: Math.max(loud, font) };
  if (!asked && !base.roles?.[base.names[0]]) return { said: fit(text, font, space), size: font };
  const most = asked ? space / TIGHT : space;
  const size = Math.max(loud, font * Math.max(SMALLER, Math.min(1, most / measure(text, font))));
  const said = fit(text, size, most);
  const brief = asked ? [...text][0].toUpperCase() : "…";
  return { said: said === text || said.length > 4 ? said : brief, size };
}

/** How wide a label may be. @param {Message} message @param {Setting} setting */
function room(message, setting) {
  if (setting.look === "row") return 96;
  if (setting.look === "circle") return Math.max(46, setting.font * 3.4);
  return setting.wide - (message.kind === "control" ? 6 : 9) - tagRoom(message, setting);
}

/** How wide a barrier is: its number has room. @param {Look} look @param {number} loud */
export function barred(look, loud) {
  return Math.max(BARRIER[look], look === "grid" ? 0 : loud * 0.72);
}

/** How much room the tag of a message takes. @param {Message} message @param {Setting} setting */
export function tagRoom(message, setting) {
  const { look, base } = setting;
  if (message.tag === null || message.kind !== "app" || look === "grid") return 0;
  const { r, half } = ring(tagged(message.tag, base).text, setting);
  return (look === "row" ? 20 : Math.max(TAG, 2 * r)) + 2 * (half - r);
}

/**
 * The ring around a tag: half its height, half its width, and the font size. @param {string} said
 * @param {Setting} setting
 */
export function ring(said, { look, pill, loud }) {
  const r = look === "row" ? 9 : Math.min(Math.max(RING, loud * 0.57), pill / 2 - 1.5);
  const size = Math.max(loud, r * (said.length > 1 ? 1 : 1.25));
  return { r, half: Math.max(r, (measure(said, size) * TIGHT + 2) / 2), size };
}

/** How wide a message is in a tube. @param {Message} message @param {Setting} setting */
export function width(message, setting) {
  const { look, pill, wide, base } = setting;
  const row = look === "row";
  if (message.kind === "marker") return base.barriers ? barred(look, setting.loud) + 2 : pill + (row ? 8 : 4);
  if (isAside(message)) return row ? Math.max(44, measure(aside(message, setting), setting.small) + 24) : 16;
  if (look === "grid") return pill;
  // A token is a coin.
  if (message.kind === "app" && base.tokens) return pill + tagRoom(message, setting);
  const { said, size } = label(message, setting);
  const long = measure(said, size) + tagRoom(message, setting);
  const most = said.length > WHOLE ? wide : Infinity;
  if (look === "wires") return Math.min(most, Math.max(pill + 4, long + 9));
  return Math.max(pill + 6, long + (row ? 20 : 12));
}

/** How small the letters of a message in a channel let it be. @param {Message} message @param {Setting} setting */
export function least(message, setting) {
  const { look, loud, base } = setting;
  if (look !== "wires") return 0;
  const sizes = [];
  if (message.kind === "marker") sizes.push(marked(message, setting));
  else if (message.kind !== "app" || !base.tokens) sizes.push(label(message, setting).size);
  if (tagRoom(message, setting)) sizes.push(ring(tagged(message.tag, base).text, setting).size);
  return Math.min(1, loud / Math.min(...sizes));
}

/** How large the number of a snapshot is on a marker. @param {Message} message @param {Setting} setting */
export function marked({ snapshot }, { look, pill, font, loud, base }) {
  if (snapshot === null) return Infinity;
  const row = look === "row";
  if (!base.barriers) return Math.max(loud, Math.min(font, look === "wires" ? pill * 0.66 : 13));
  return Math.max(loud, Math.min(row ? 14 : 12, (barred(look, loud) - 2) / measure(String(snapshot), 1)));
}

/** Does the message travel outside the channels? @param {Message} message */
export function isAside({ kind }) {
  return kind === "part" || kind === "word";
}

/** The text beside a message that travels outside the channels. @param {Message} message @param {Setting} setting */
export function aside({ kind, payload }, { words, small }) {
  return fit(kind === "word" ? words.readable(spoken(payload[2])) : String(payload), small, 84);
}

/** A key that is equal for messages that look the same. @param {Message} message @param {Setting} setting */
export function signature(message, setting) {
  if (setting.look === "grid" && message.kind !== "control") return message.kind; // too small for words
  return `${message.kind}|${label(message, setting).said}|${message.snapshot}|${JSON.stringify(message.tag)}`;
}
