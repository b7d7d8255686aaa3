/** The page that compares algorithms: one cursor over the beats, and for each run a stage that follows it. */

import { all, asking, first, json } from "../page.js";
import { Player } from "../player.js";
import { sizes } from "../screen.js";
import { words as wordsOf } from "../words.js";
import { bar } from "./bar.js";
import { column } from "./column.js";

/**
 * @typedef {{language: string, beat: number, told: string[], last: number,
 *   columns: (Parameters<typeof column>[2] & {place: string})[]}} Page
 */

/** How long the cursor must rest before the address changes, in milliseconds. */
const SETTLE = 300;

function run() {
  const page = /** @type {Page} */ (json("data-page"));
  const words = wordsOf(json("data-words"), page.language, {});
  const scenes = all(document, ".data-scene", HTMLScriptElement).map((each) => JSON.parse(each.text));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  let writing = 0;

  const play = new Player({ show, changed, still: () => calm.matches });
  const columns = page.columns.map((each, i) =>
    column(first(document, `[data-place="${each.place}"]`), scenes[i], each, words, { grown }),
  );
  const links = all(document, "#presenter, #switch", HTMLAnchorElement); // to this page, shown in another way
  const controls = bar(words, play, page, sizes(words), () => columns.map((each) => each.standing()));
  for (const link of links) link.addEventListener("click", address);

  /** @param {number} beat @param {number} fraction @param {boolean} settled */
  function show(beat, fraction, settled) {
    for (const each of columns) each.show(beat, fraction, settled);
  }

  function changed() {
    for (const each of columns) each.tell(play.cursor);
    controls.show();
    clearTimeout(writing);
    writing = setTimeout(address, SETTLE);
  }

  /** Only beats that all columns have can be shown. */
  function grown() {
    play.grow(Math.min(...columns.map((each) => each.held())));
    if (columns.every((each) => each.whole())) play.end();
  }

  /** An address of this page, at this beat. @param {string} of */
  const now = (of) => asking(of, { beat: play.aim || null }).href;

  function address() {
    history.replaceState(history.state, "", now(location.href));
    for (const link of links) link.href = now(link.href);
  }

  play.seek(page.beat);
  changed();
  play.draw();
  for (const each of columns) each.open();
  Promise.all(columns.map((each) => each.ready)).then(() => document.body.classList.add("ready"));
}

run();
