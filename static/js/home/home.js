/** The home page: the blue figure plays by itself, in a loop, and there are links to where the visitor was. Wires. */

import { data, json, maybe, one } from "../page.js";
import { Player } from "../player.js";
import { Scenes } from "../run/scenes.js";
import { current } from "../run/snapshot.js";
import { stage } from "../stage/stage.js";
import { html } from "../svg.js";
import { knowing } from "../time/come.js";
import { History } from "../time/history.js";
import { last } from "../last.js";
import { words as wordsOf } from "../words.js";

/** How long the figure rests at its end before it begins again, in milliseconds. */
const REST = 4_500;

class Figure {
  /** Is it meant to play? Between two rounds it rests. */
  #wanted = false;
  #again = 0;

  constructor() {
    const { language, fields, plan, says } = json("data-home");
    this.says = says;
    this.scenes = new Scenes(json("data-scene"));
    this.scenes.add(json("data-first"));
    const history = new History(this.scenes);
    history.grow();
    this.host = one("stage");
    this.said = one("home-said");
    this.still = this.said.textContent;
    this.button = one("home-pause", HTMLButtonElement);
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.live = html("div", { class: "home-live", inert: true }); // a picture: nothing in it can be focused or pressed
    this.host.append(this.live);
    this.drawn = stage(this.live, this.scenes.at(0), {
      words: wordsOf(json("data-words"), language, fields),
      plan,
      ...knowing(() => history),
    });
    this.player = new Player({
      show: (k, fraction, settled) => this.show(k, fraction, settled),
      changed: () => this.changed(),
      still: () => this.calm.matches,
    });
    this.player.grow(this.scenes.held);
    this.player.end();
    this.drawn.ready.then(() => this.begin());
  }

  /** @param {number} k @param {number} fraction of step k @param {boolean} settled */
  show(k, fraction, settled) {
    const now = this.scenes.at(k);
    this.drawn.show(this.scenes.before(k), now, fraction, current(now), settled);
  }

  changed() {
    const { cursor, playing, held } = this.player;
    this.said.textContent = cursor === held ? this.still : (this.says[cursor - 1] ?? "");
    const word = data(this.button, this.#wanted ? "pause" : "play");
    this.button.setAttribute("aria-label", word);
    this.button.title = word;
    this.button.dataset.playing = String(this.#wanted);
    clearTimeout(this.#again);
    if (this.#wanted && !playing) this.#again = setTimeout(() => this.player.play(), REST);
  }

  /** @param {boolean} on */
  turn(on) {
    this.#wanted = on;
    if (on) this.player.play();
    else this.player.pause();
    this.changed();
  }

  /** Replace the still, and let the figure play unless motion is not wanted. */
  begin() {
    if (!this.live.querySelector("[data-process]")) return;
    this.button.hidden = false;
    this.button.addEventListener("click", () => this.turn(!this.#wanted));
    this.calm.addEventListener("change", () => this.calm.matches && this.turn(false));
    this.player.seek(this.scenes.held);
    this.host.classList.add("lives");
    if (!this.calm.matches) this.turn(true);
  }
}

/** Link to where the visitor was. */
function goOn() {
  const visits = last();
  const place = maybe("home-on");
  if (!place || !visits.length) return;
  place.append(...visits.map(({ url, title, lang = null }) => html("a", { href: url, lang }, title)));
  place.hidden = false;
}

goOn();
new Figure();
