/** The player page: takes the data in the page, and connects stream, scenes, cursor and views. */

import { address } from "./controls/address.js";
import { branching } from "./controls/branching.js";
import { controls } from "./controls/controls.js";
import { frame } from "./controls/frame.js";
import { framed } from "./controls/framed.js";
import { goal } from "./controls/goal.js";
import { Imagining } from "./controls/imagining.js";
import { keys } from "./controls/keys.js";
import { addressed, menu } from "./controls/menu.js";
import { pen } from "./controls/pen.js";
import { keptPlace } from "./controls/place.js";
import { Predicting } from "./controls/predicting.js";
import { presenter } from "./controls/presenter.js";
import { Selection } from "./controls/selection.js";
import { share } from "./controls/share.js";
import { tabs } from "./controls/tabs.js";
import { timeline } from "./controls/timeline.js";
import { tray } from "./controls/tray.js";
import { all, first, json, maybe, one } from "./page.js";
import { Panels } from "./panels/panels.js";
import { tell } from "./panels/tell.js";
import { Player } from "./player.js";
import { beats, landed } from "./run/beats.js";
import { Scenes } from "./run/scenes.js";
import { tone } from "./run/snapshot.js";
import { stage } from "./stage/stage.js";
import { stream } from "./stream.js";
import { knowing } from "./time/come.js";
import { History } from "./time/history.js";
import { Spacetime } from "./time/spacetime.js";
import { words as wordsOf } from "./words.js";

/** @import { Frame, Scene } from "./types.js" */

/**
 * @typedef {{language: string, fields: Record<string, string[]>, step: number, opening: [cast: string, question: string],
 *   title: string, view: string, pauses: number[], shape: Partial<import("./stage/types.js").Shape>, about: import("./panels/checks.js").About,
 *   links: Record<string, string> & import("./panels/checks.js").Links,
 *   terms: import("./panels/tell.js").Terms | null}} Page what the server says of the page
 */

/** How long after the picture the panels follow, in milliseconds. */
const REST = 40;
/** Of how many steps the words are measured. */
const TOLD = 300;

/** @type {WeakMap<import("./run/imagined.js").Imagined, History>} */
const imagined = new WeakMap();

/** The history of a run that could have been. @param {import("./run/imagined.js").Imagined} made
 * @param {Scenes} real */
function historyOf(made, real) {
  const known = imagined.get(made);
  if (known) return known;
  const { scenes } = made;
  const history = new History({ base: real.base, end: null, held: scenes.length - 1, at: (step) => scenes[step] });
  history.grow();
  imagined.set(made, history);
  return history;
}

class PlayerPage {
  #resting = 0;
  /** Is only the picture to be drawn at once? */
  #leaps = false;
  /** @type {{said: Scene, done: Scene, shown: number | null, end: import("./types.js").End | null} | null} what was said
   * last, of which scenes */
  told = null;
  /** @type {{tell: () => void} | null} */
  framed = null;

  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.words = wordsOf(json("data-words"), page.language, page.fields);
    this.scenes = new Scenes(json("data-scene"));
    this.history = new History(this.scenes);
    /** The history of the run on the stage: the real one, or the one that could have been. */
    this.shown = this.history;
    this.challenged = maybe("challenge") !== null;
    if (this.challenged) Object.assign(this.scenes.base, { phases: {}, membership: {} }); // the run is still being made
    this.selection = new Selection(location.hash);
    this.place = address(page.links);
    this.kept = keptPlace();
    const calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.play = new Player({
      show: (k, fraction, settled) => this.show(k, fraction, settled),
      changed: () => this.changed(),
      still: () => calm.matches,
      stops: (k) => this.predicting.stops(k),
      lasts: (k) => beats(this.scenes.at(k).happening).lasts,
      // Who waits for the answer to a question wants to see it, not to read on the way there.
      said: () => (this.goal ? "" : `${one("say").textContent} ${one("caption").textContent}`),
    });
    this.menus = menu(this.place.menu, (action) => this.place.branch(action));
    this.drawn = this.#stage();
    this.chips = tray(one("tray"), this.words, (id) => this.pick(id));
    this.slider = timeline(one("timeline"), this.words, this.scenes.base.run.steps, {
      seek: (step) => this.jump(step),
      kinds: (step) => this.scenes.kinds(step),
      hue: (step) => this.hue(step),
      said: (step) => this.words.told(this.scenes.at(step).happening?.frame.s ?? []),
    });
    this.imagining = new Imagining(this.scenes, this.words, {
      show: (k, fraction, settled, made, id) => {
        const { scenes, line } = made;
        this.shown = historyOf(made, this.scenes);
        this.drawn.show(scenes[Math.max(0, k - 1)], scenes[k], fraction, k < line ? null : id, settled);
      },
      head: (place) => this.time?.head(place),
      changed: () => this.refresh(),
      still: () => calm.matches,
    });
    this.predicting = new Predicting(this.scenes, this.words, this.play, one("stage"), page.pauses);
    one("saying").classList.toggle("asks", Boolean(this.scenes.base.predict));
    this.bar = controls(this.words, () => this.acting, {
      step: () => this.play.cursor,
      next: () => this.find(1),
      previous: () => this.find(-1),
      only: (kind) => this.slider.only(kind),
    });
    const where = {
      saying: one("saying"),
      last: maybe("last-word"),
      say: one("say"),
      caption: one("caption"),
      live: one("live"),
    };
    const [cast, question] = page.opening;
    this.sentence = tell(where, this.words, { cast, question }, page.terms);
    this.whole = document.body.classList.contains("embed") ? null : this.#whole();
    this.time = this.#time();
    this.goal = goal(one("player"), maybe("spacetime") ?? one("stage"), this.play, () => calm.matches);
  }

  #stage() {
    return stage(one("stage"), this.scenes.at(0), {
      words: this.words,
      plan: this.page.links.plan,
      shape: this.page.shape,
      ...knowing(() => this.shown),
      picks: {
        branch: (action) => this.place.branch(action),
        onHover: (message) => this.light(message),
        onPick: (process, node) => this.menus.open({ process }, node),
        onChannel: (channel, node) => this.menus.open({ channel }, node),
        onMessage: (message, channel, node) => this.openMessage(message, channel, node),
      },
    });
  }

  /** What a page has and a frame in another page has not. */
  #whole() {
    const { page, place, scenes, words } = this;
    const jump = (/** @type {number} */ step) => this.jump(step);
    const offered = (/** @type {HTMLElement} */ host, /** @type {number} */ step) =>
      addressed(host, (action) => place.branch(action, step));
    const panels = new Panels(scenes, words, page, { jump, offered });
    const rubber = maybe("rubber");
    if (rubber && (scenes.base.private || !scenes.base.most)) rubber.hidden = true; // there is no cut to straighten
    const begin = this.challenged ? "next" : (this.selection.panel ?? undefined);
    tabs(one("tabs"), words, this.kept.tab ?? begin);
    const { leave, ...presents } = presenter(
      words,
      (on, view) => {
        place.presenting(on, view);
        this.rest();
      },
      page.view,
    );
    const tools = pen(first(document, "main"), { pen: maybe("pen"), pointer: maybe("pointer") });
    maybe("pen")?.addEventListener("click", tools.pen);
    maybe("pointer")?.addEventListener("click", tools.pointer);
    return { panels, presents, leave, tools, sharing: share(place, words, page.title) };
  }

  /** The space-time diagram; a frame in another page may have none. */
  #time() {
    const host = maybe("spacetime");
    if (!host) return null;
    const onJump = (/** @type {number} */ step) => this.jump(step);
    const onHover = (/** @type {number | null} */ message) => this.light(message);
    const button = maybe("fit", HTMLButtonElement);
    const onFit = (/** @type {boolean} */ whole, /** @type {boolean} */ long) => {
      if (!button) return;
      button.hidden = !long;
      button.setAttribute("aria-pressed", String(whole));
    };
    const onStraight = (/** @type {import("./controls/imagining.js").Cut | null} */ cut) => this.imagining.show(cut);
    const time = new Spacetime(host, this.history, { words: this.words.word, onJump, onHover, onFit, onStraight });
    button?.addEventListener("click", () => time.fit());
    return time;
  }

  /** @param {number} k @param {number} fraction of step k @param {boolean} settled */
  show(k, fraction, settled) {
    const { play } = this;
    const now = this.scenes.at(k);
    const chosen = this.selection.in(now);
    if (!this.imagining.play) {
      this.shown = this.history;
      this.drawn.show(this.scenes.before(k), now, fraction, chosen, settled);
    }
    if (this.#leaps) this.time?.wait();
    else this.time?.show(k, fraction, chosen);
    this.tell();
    one("stage-section").toggleAttribute("data-moving", !settled);
    if (settled) this.rest();
    if (settled) this.goal?.at(k);
    if (settled && play.stepped && this.whole) this.predicting.at(k);
  }

  /**
   * Say what the picture shows: the sentence when the first beat of the step is over, what has become of the snapshot
   * after each. Going back, or with no motion, all at once.
   */
  tell() {
    const { play, scenes, selection } = this;
    const { cursor: k, part } = play;
    const of = beats(scenes.at(k).happening);
    const over = part < 1 ? landed(of, part) : of.all.length;
    const said = scenes.at(over ? k : k - 1);
    const done = scenes.within(k, over);
    const shown = selection.in(done);
    const end = k === scenes.base.run.steps && done === scenes.at(k) ? scenes.end : null;
    const { told } = this;
    if (told?.said === said && told.done === done && told.shown === shown && told.end === end) return;
    this.told = { said, done, shown, end };
    this.sentence.show(said, play.playing, this.challenged ? null : end);
    frame(one("stage-section"), done, shown);
    this.rest();
  }

  /** Let everything around the picture follow soon: a drag must not wait for it. */
  rest() {
    if (!this.#resting) this.#resting = setTimeout(() => this.rested(), REST);
  }

  rested() {
    this.#resting = 0;
    const { place, play, scenes, told, whole } = this;
    const other = maybe("switch", HTMLAnchorElement);
    if (other) other.href = place.language(other.lang.startsWith("zh") ? "zh" : "en");
    const open = maybe("open-run", HTMLAnchorElement);
    if (open) open.href = place.share();
    if (told) {
      this.chips.show(told.done, told.shown, told.end);
      whole?.panels.show(told);
    }
    if (play.moving) return;
    if (this.time?.waits) this.time.show(play.cursor, 1, this.selection.in(scenes.at(play.cursor)));
    this.settled();
  }

  /** Bring up to date what is read only at rest. */
  settled() {
    this.time?.rest();
    this.whole?.panels.rest(this.play.cursor);
  }

  changed() {
    const { place, play, scenes } = this;
    const k = play.cursor;
    const now = scenes.at(k);
    const shown = this.selection.in(now);
    this.menus.close();
    this.predicting.left(k);
    place.at(k, play.aim);
    this.framed?.tell();
    this.bar.show();
    this.slider.show(k, shown === null ? undefined : scenes.base.phases[shown]);
    this.tell();
    this.rest();
  }

  refresh() {
    this.changed();
    this.play.draw();
  }

  /** @param {number} id of a snapshot */
  pick(id) {
    this.selection.picked = id;
    this.refresh();
  }

  /** @param {number | null} message */
  light(message) {
    this.drawn.light(message);
    this.time?.light(message);
  }

  /**
   * Open the menu of a message, if it has one.
   * @param {number} message @param {string} channel @param {Element} node
   */
  openMessage(message, channel, node) {
    const { base } = this.scenes;
    const { queue } = this.scenes.at(this.play.cursor).channels.get(base.at.get(channel) ?? -1);
    if (queue.find(message) < 0) return false;
    this.menus.open({ channel, message }, node);
    return true;
  }

  /** The player that keys and buttons move: that of the run, or of the one that could have been. */
  get acting() {
    return this.imagining.play ?? this.play;
  }

  /** Go far: the picture first, the diagram with everything else around it. @param {number} step */
  jump(step) {
    this.time?.straight.letGo();
    this.play.pause();
    this.#leaps = true;
    try {
      this.play.seek(step);
    } finally {
      this.#leaps = false;
    }
  }

  /** Go to the next step of the kind that is chosen in the legend. @param {1 | -1} by */
  find(by) {
    const step = this.scenes.find(this.bar.kind(), this.play.cursor, by);
    if (step !== null) this.jump(step);
  }

  /** @param {Frame[]} frames */
  add(frames) {
    const { history, scenes, slider, play, time, whole } = this;
    scenes.add(frames);
    history.grow();
    time?.grow();
    slider.grow(scenes.held);
    whole?.panels.log.grow(scenes.held);
    play.grow(scenes.held);
  }

  /**
   * What was chosen at the last step has happened: the run continues here, without another page.
   * @param {import("./controls/branching.js").Made} made
   */
  goOn({ links, frame: last, end }) {
    Object.assign(this.page.links, links);
    one("next").dataset.from = links.next;
    this.scenes.base.run.steps += 1;
    this.scenes.end = end;
    this.add([last]);
    this.keepRoom();
    this.play.forward();
    this.settled(); // what can happen next must be up to date: it is clicked
  }

  /** Leave what was opened last. */
  escape() {
    const { imagining, menus, whole } = this;
    if (menus.isOpen) return menus.close(true);
    if (imagining.play) return this.time?.straight.letGo();
    return whole?.tools.clear() || (whole?.leave() ?? false);
  }

  openShare() {
    this.place.settle();
    this.whole?.sharing.open(this.play.cursor, this.scenes.base.run.steps);
  }

  /** A move at the end of the run that this page can make itself. Does it? @param {DOMStringMap} move */
  moved({ move, step }) {
    if (step) {
      this.jump(Number(step));
      return true;
    }
    const rubber = document.querySelector("#rubber button:not(:disabled)");
    if (move !== "straighten" || !(rubber instanceof HTMLElement) || !rubber.offsetParent) return false;
    rubber.click();
    one("panel-time").scrollIntoView({ block: "nearest" }); // on a phone it is below the sentence
    return true;
  }

  /** The colour of the snapshot that a step is about: the one that it records or completes. @param {number} step */
  hue(step) {
    const { base, snapshots, happening } = this.scenes.at(step);
    const own = happening?.records.find(({ snapshot }) => snapshot)?.snapshot;
    const id = own ?? snapshots.find(({ complete }) => complete === step)?.id;
    return id === undefined ? 1 : tone(base, id);
  }

  /** Nothing below the sentence moves. */
  keepRoom() {
    const { scenes, challenged } = this;
    const count = Math.min(scenes.held, TOLD);
    const steps = [...Array(count + 1).keys(), ...(scenes.held > count ? [scenes.held] : [])];
    this.sentence.keepRoom(
      steps.map((step) => scenes.at(step)),
      challenged ? null : scenes.end,
    );
  }

  /** Let visitors act. */
  listen() {
    const { place, play, words, whole } = this;
    this.framed = framed(play, this.page.step);
    if (this.challenged) {
      const atEnd = () => play.over && play.cursor === play.held;
      branching({ branch: (action) => place.branch(action), atEnd, goOn: (made) => this.goOn(made) }, words);
    }
    const help = () => maybe("help-dialog", HTMLDialogElement)?.showModal();
    keys({
      forward: (held) => this.acting.forward(held),
      back: (held) => this.acting.back(held),
      toggle: () => this.acting.toggle(),
      first: () => this.acting.first(),
      last: () => this.acting.last(),
      nextKind: () => this.find(1),
      previousKind: () => this.find(-1),
      share: () => this.openShare(),
      ...whole?.presents,
      pen: () => document.body.classList.contains("presenter") && whole?.tools.pen(),
      pointer: () => document.body.classList.contains("presenter") && whole?.tools.pointer(),
      fit: () => (maybe("fit")?.hidden === false ? this.time?.fit() : false),
      help,
      escape: () => this.escape(),
    });
    for (const move of all(document, ".moves a", HTMLAnchorElement))
      move.addEventListener("click", (event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey || !this.moved(move.dataset)) return;
        event.preventDefault();
      });
    maybe("share")?.addEventListener("click", () => this.openShare());
    maybe("help")?.addEventListener("click", help);
    addEventListener("pagehide", () => place.settle());
    document.addEventListener("click", () => place.settle(), { capture: true });
  }

  /** Show the step that the link names, and follow the run to its end. */
  begin() {
    const { page, play, scenes } = this;
    const frames = /** @type {Frame[]} */ (json("data-first"));
    if (frames.length) this.add(frames);
    play.seek(page.step);
    this.keepRoom();
    this.refresh();
    this.drawn.ready.then(() => {
      document.body.classList.add("ready");
      this.goal?.begin();
    });
    this.kept.restore();
    if (this.whole) this.selection.reveal();
    stream(page.links.rest, frames.length, one("timeline"), {
      frames: (more) => this.add(more),
      ended: (end) => {
        scenes.end = end;
        play.end();
        this.keepRoom();
        play.draw(); // now it is known when everything arrives
      },
      lamp: this.bar.lamp,
    });
  }
}

try {
  const shown = new PlayerPage(json("data-page"));
  shown.listen();
  shown.begin();
} catch (error) {
  const words = wordsOf(json("data-words"), document.documentElement.lang.slice(0, 2), {});
  one("say").textContent = words.word("player.error").replaceAll("**", "");
  throw error;
}
