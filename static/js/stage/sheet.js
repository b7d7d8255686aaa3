/** What is written on the recorded copy of a process. Draws. */

import { svg } from "../svg.js";
import { coins, wide } from "./coin.js";
import { savedAs } from "./holdings.js";
import { TIGHT, fit, measure, wrap } from "./letters.js";
import { parted, rows } from "./rows.js";
import { box, text } from "./shapes.js";

/** @import { Copy, Moment, Role, Setting } from "./types.js" */

/** The radius of a token in one line, and below a heading. */
const SMALL = 10;
const LARGE = 12;
/** The size of letters on a copy of one line. */
const BRIEF = 13.5;
/** The room that the camera there takes. */
const CAMERA = 20;
/** Less of a state than this, in ems, tells nothing. */
const LEGIBLE = 3;

/**
 * @param {Element} group to draw into @param {number} i the process @param {Role | null} role @param {Setting} setting
 * @param {number} round how round the corners are
 */
export function sheet(group, i, role, setting, round) {
  const { look, base, words, small: fine } = setting;
  const { larger } = setting;
  const [w, h] = [setting.cards[i].w / larger, setting.cards[i].h / larger];
  const name = base.names[i];

  /** @param {Copy} kept @param {string} region @param {Moment} moment @param {boolean} struck */
  return (kept, region, moment, struck) => {
    box(group, "sheet", w, h, round);
    if (moment.hue === 2) box(group, "double", w - 6, h - 6, round - 2);
    (look === "row" ? large : small)(kept, region, moment);
    if (struck) svg("path", { class: "strike", d: `M${-w / 2 - 4} ${h / 2 - 3}L${w / 2 + 4} ${3 - h / 2}` }, group);
  };

  /**
   * One line: the process's state, otherwise what it has to pass on.
   * @param {Copy} kept @param {string} region @param {Moment} moment
   */
  function small(kept, region, moment) {
    const { main, pending } = parted(kept.state, role);
    const brief = main === "" && pending.length ? `→ ${words.readable(pending)}` : readable(main);
    const number = setting.rows ? numbered(kept, region, moment) : region;
    const short = inLine(base.tokens ? "" : brief, number, w - 32);
    if (short.camera) camera(group, 6 - w / 2, -8, 15);
    write(short.number, 26 - w / 2, 5, BRIEF, "start", 700);
    if (base.tokens) {
      coins(group, main, w / 2 - 8 - wide(main, SMALL), 0, SMALL);
      return;
    }
    if (short.camera) write(short.said, w / 2 - 6, 5, BRIEF, "end", 600);
    else write(short.said, 0, 5, BRIEF, "middle", 600);
  }

  /** A heading, and the state in up to three lines. @param {Copy} kept @param {string} region @param {Moment} moment */
  function large(kept, region, moment) {
    const head = words.word("player.stage.recorded", { process: name });
    const number = numbered(kept, region, moment);
    const shown = measure(head, fine) <= w - 62 ? head : fit(name, fine, w - 62);
    const long = 22 + measure(`${shown} ${number}`, fine) + 8;
    camera(group, -long / 2, 10 - h / 2, 18);
    write(shown, 24 - long / 2, 24 - h / 2, fine, "start", 600);
    write(number, long / 2, 24 - h / 2, fine, "end", 700);
    if (base.tokens) {
      coins(group, kept.state, -wide(kept.state, LARGE) / 2, h / 2 - 21, LARGE);
      return;
    }
    const entries = rows(kept.state)?.map(([key]) => entry(key, kept.state));
    if (entries) {
      const { texts, font, leading, below } = broken(entries, w, h, fine);
      const top = below + (h - below - 4 - texts.length * leading) / 2 - h / 2 + font - 1;
      texts.forEach((each, at) => write(each, 0, top + at * leading, font, "middle", 600));
    } else write(...across(readable(kept.state), w, h, fine), "middle", 700);
  }

  /** @param {string} key @param {any} state */
  function entry(key, state) {
    const { name, value, mark } = words.named(key, state);
    return `${name}${name && mark}${words.readable(value)}`;
  }

  /** @param {any} state */
  function readable(state) {
    return state === "" ? "" : words.readable(state);
  }

  /**
   * The number of the snapshot, with the region's master if there are regions; or of what a process saved.
   * @param {Copy} kept @param {string} region @param {Moment} moment
   */
  function numbered({ saved }, region, { snapshot }) {
    if (saved !== null) return savedAs(base, name, saved, words);
    return region ? `#${snapshot} ${region}` : `#${snapshot}`;
  }

  /**
   * @param {string} said @param {number} x @param {number} y @param {number} size @param {string} anchor
   * @param {number} weight
   */
  function write(said, x, y, size, anchor, weight) {
    text(group, said, x, y, size, { "text-anchor": anchor, "font-weight": weight });
  }
}

/** @param {Element} group @param {number} x @param {number} y @param {number} size */
function camera(group, x, y, size) {
  svg("use", { href: "#icon-camera", x, y, width: size, height: size }, group);
}

/**
 * The state on a copy of one line, and the number of the snapshot, unless the state needs its room: its colour and the
 * name of the snapshot above the picture tell it, too. Of a state with little room, commas and signs before ticks go,
 * and at last the camera. If only a few letters of it would be left, none are written.
 * @param {string} said @param {string} number @param {number} room
 */
function inLine(said, number, room) {
  const beside = room - (number ? measure(number, BRIEF) + 8 : 0);
  if (measure(said, BRIEF) * TIGHT <= beside) return { said, number, camera: true };
  const tighter = said.replace(/[,、] ?/g, " ").replace(/=(?=[✓·])/g, "");
  const alone = /^#\d+$/.test(number) || !number;
  const most = alone ? room : beside;
  const whole = measure(tighter, BRIEF) * TIGHT;
  const camera = whole <= most || !alone || whole > room + CAMERA;
  const shown = fit(tighter, BRIEF, (camera ? most : room + CAMERA) / TIGHT);
  if (alone && shown !== tighter && measure(shown, 1) < LEGIBLE) return { said: "…", number: "", camera: true };
  return { said: shown, number: alone ? "" : number, camera };
}

/**
 * A state on one large line, smaller if it needs it: the text, its place and its size.
 * @param {string} state @param {number} w @param {number} h @param {number} fine @returns {[said: string, x: number, y: number, size: number]}
 */
function across(state, w, h, fine) {
  const room = (w - 16) / TIGHT;
  const size = Math.max(fine, Math.min(20, (19.8 * room) / Math.max(1, measure(state, 20))));
  return [fit(state, size, room), 0, h / 2 - 14, size];
}

/**
 * Entries as lines, in small letters if they need it.
 * @param {string[]} entries @param {number} w @param {number} h of the copy @param {number} fine the least size
 */
function broken(entries, w, h, fine) {
  const size = Math.max(15, fine);
  const large = wrap(entries, size, w - 16, 3);
  if (large.length * 20 <= h - 34 && entries.every((each) => measure(each, size) <= w - 16))
    return { texts: large, font: size, leading: 20, below: 36 };
  const leading = fine + 2;
  const texts = wrap(entries, fine, w - 12, Math.min(3, Math.floor((h - 28) / leading)));
  return { texts, font: fine, leading, below: 31 };
}
