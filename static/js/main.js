/** The player page: takes the data in the page, and connects stream, scenes, cursor and views. */

import { address } from "./controls/address.js";
import { branching } from "./controls/branching.js";
import { controls } from "./controls/controls.js";
import { keys } from "./controls/keys.js";
import { addressed, menu } from "./controls/menu.js";
import { keptPlace } from "./controls/place.js";
import { presenter } from "./controls/presenter.js";
import { share } from "./controls/share.js";
import { tabs } from "./controls/tabs.js";
import { timeline } from "./controls/timeline.js";
import { tray } from "./controls/tray.js";
import { checks } from "./panels/checks.js";
import { line, onLine } from "./panels/line.js";
import { ledger } from "./panels/ledger.js";
import { log } from "./panels/log.js";
import { rule } from "./panels/rule.js";
import { switches } from "./panels/switches.js";
import { table } from "./panels/table.js";
import { tell } from "./panels/tell.js";
import { player } from "./player.js";
import { begin, fold } from "./run/scene.js";
import { latest } from "./run/snapshot.js";
import { stage } from "./stage/stage.js";
import { stream } from "./stream.js";
import { spacetime } from "./time/spacetime.js";
import { words as wordsOf } from "./words.js";

/** How long a step must rest before the slow panels follow, in milliseconds. */
const REST = 40;

const one = (id) => document.getElementById(id);
const data = (name) => JSON.parse(one(`data-${name}`).textContent);

function run() {
  const page = data("page");
  const words = wordsOf(data("words"), page.language, page.fields);
  const scenes = [begin(data("scene"))];
  const { base } = scenes[0];
  const kept = keptPlace();
  const place = address(page.links, page.language);
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const whole = !document.body.classList.contains("embed");
  if (one("challenge")) Object.assign(base, { phases: {}, membership: {} }); // the run is still being made
  let end = null;
  // A link may ask for the checks of a snapshot: #checks-2.
  const asked = /^#checks-(\d{1,6})$/.exec(location.hash);
  let picked = asked ? Number(asked[1]) : null;
  let resting = 0;

  const play = player({ show, changed, still: () => calm.matches });
  const branch = (action) => place.branch(action);
  const jump = (step) => {
    play.pause();
    play.seek(step);
  };
  const kinds = (step) => scenes[step].happening.kinds;

  const chips = tray(one("tray"), words, (id) => {
    picked = id;
    refresh();
  });
  const menus = menu(place.menu, branch);
  const onPick = (process, node) => menus.open({ process }, node);
  const onChannel = (channel, node) => menus.open({ channel }, node);
  const drawn = stage(one("stage"), scenes[0], { words, plan: page.links.plan, branch, onHover, onPick, onChannel, onMessage });
  const slider = timeline(one("timeline"), words, base.run.steps, { seek: jump, kinds });
  const bar = controls(words, play, { next: (kind) => find(kind, 1), previous: (kind) => find(kind, -1) });
  const opening = page.story || page.surprise;
  const sentence = tell({ say: one("say"), caption: one("caption"), live: one("live") }, words, opening, page.terms);
  const panels = whole ? wholePage() : null;
  const presents = whole ? presenter(words, presenting, page.view) : null;
  const sharing = whole ? share(place, words, page.title) : null;

  function wholePage() {
    const time = spacetime(one("spacetime"), scenes[0], { words: words.word, onJump: jump, onHover });
    const views = {
      time,
      rule: rule(one("rule"), one("rule-note"), scenes[0], words),
      table: base.private ? line(one("table"), one("table-title"), words) : table(one("table"), one("table-of"), words),
      checks: base.private ? onLine(one("checks"), words) : checks(one("checks"), words, jump, page.about, page.links),
      next: ledger(one("next"), offer),
      log: log(one("log"), words, jump, (step) => scenes[step]),
      ledger: one("ledger") ? ledger(one("ledger")) : null,
      files: one("files") ? ledger(one("files")) : null,
    };
    if ((base.private || !base.most) && one("rubber")) one("rubber").hidden = true; // there is no cut to straighten
    tabs(one("tabs"), words, () => {}, kept.tab ?? (one("challenge") ? "next" : asked ? "checks" : undefined));
    if (one("switches")) switches(one("switches"));
    return views;
  }

  /** What can happen after step `k` is on the page. */
  function offer(host, k, focused) {
    addressed(host, (action) => place.branch(action, k));
    if (focused) (host.querySelector("a") ?? host).focus({ preventScroll: true });
  }

  /** The snapshot that colours the page: the selected one, if it has begun; otherwise the latest. */
  function shownOf(scene) {
    return picked !== null && scene.snapshots.some((snapshot) => snapshot.id === picked) ? picked : latest(scene);
  }

  function show(k, fraction, settled) {
    const now = scenes[k];
    const shown = shownOf(now);
    drawn.show(k ? scenes[k - 1] : now, now, fraction, shown, settled);
    panels?.time.show(k, fraction, now);
    if (settled && panels && !resting) resting = setTimeout(rested, REST);
  }

  /** What measures the page, or is read only at rest, must not slow down a drag. */
  function rested() {
    resting = 0;
    const k = play.cursor;
    panels.next.show(k);
    panels.log.show(k);
    panels.ledger?.show(k);
    panels.files?.show(k);
    panels.rule.reveal();
    panels.table.reveal();
  }

  function changed() {
    const k = play.cursor;
    const now = scenes[k];
    const shown = shownOf(now);
    menus.close();
    place.at(k);
    bar.show();
    slider.show(k, base.phases[shown]);
    sentence.show(now, play.playing);
    chips.show(now, shown);
    frame(now, shown);
    if (panels) {
      panels.time.snapshot(shown);
      panels.rule.show(now);
      panels.table.show(now, shown);
      panels.checks.show(now, shown, k === base.run.steps ? end : null);
    }
    const other = one("switch");
    if (other) other.href = place.language(other.lang.startsWith("zh") ? "zh" : "en");
    const open = one("open-run");
    if (open) open.href = place.share();
  }

  /** Show and focus what the link asked for. */
  function showChecks() {
    const section = document.querySelector('[data-panel="checks"]');
    section.tabIndex = -1;
    section.focus({ preventScroll: true });
    section.scrollIntoView({ block: "nearest" });
  }

  /** The blue frame around a complete snapshot. */
  function frame(now, shown) {
    const snapshot = now.snapshots.find((each) => each.id === shown);
    const section = one("stage-section");
    section.classList.toggle("complete", Boolean(snapshot?.complete && snapshot.aborted === null));
    section.classList.toggle("back", Boolean(now.happening?.back?.snapshot));
    section.classList.toggle("wrong", Boolean(snapshot?.complete) && Object.values(snapshot.checks).some((check) => !check.holds));
    section.classList.toggle("useless", Boolean(snapshot && (snapshot.aborted !== null || snapshot.unusable.length)));
    section.dataset.hue = shown === null ? 0 : (shown - base.first) % 2 === 1 ? 2 : 1;
    document.body.dataset.hue = section.dataset.hue;
  }

  function refresh() {
    changed();
    play.draw();
  }

  function onHover(message) {
    drawn.light(message);
    panels?.time.light(message);
  }

  /** @returns {boolean} does the message have a menu? */
  function onMessage(message, channel, node) {
    const { queue } = scenes[play.cursor].channels.get(base.at.get(channel));
    if (queue.find(message) < 0) return false;
    menus.open({ channel, message }, node);
    return true;
  }

  function presenting(on, view) {
    place.presenting(on, view);
    if (panels && !resting) resting = setTimeout(rested, REST);
  }

  function find(kind, by) {
    for (let k = play.cursor + by; k >= 1 && k <= play.held; k += by) {
      if (kinds(k).includes(kind)) {
        jump(k);
        return;
      }
    }
  }

  function add(frames) {
    for (const each of frames) scenes.push(fold(scenes[scenes.length - 1], each));
    panels?.time.add(frames);
    const held = scenes.length - 1;
    slider.grow(held);
    panels?.log.grow(held);
    play.grow(held);
  }

  /** What was chosen at the last step has happened: the run continues here, without another page. */
  function goOn({ links, frame, end: last }) {
    Object.assign(page.links, links);
    one("next").dataset.from = links.next;
    base.run.steps += 1;
    end = last;
    add([frame]);
    play.forward();
    rested(); // what can happen next must be up to date: it is clicked
  }

  if (one("challenge")) branching({ branch, atEnd: () => play.over && play.cursor === play.held, goOn }, words);

  keys({
    forward: () => play.forward(),
    back: () => play.back(),
    play: () => play.toggle(),
    first: () => play.first(),
    last: () => play.last(),
    nextRecord: () => find("record", 1),
    previousRecord: () => find("record", -1),
    nextKind: () => find(bar.kind(), 1),
    previousKind: () => find(bar.kind(), -1),
    share: () => openShare(),
    presenter: () => presents?.toggle(),
    panels: () => presents?.panels(),
    view: () => presents?.view(),
    blank: () => presents?.blank(),
    help: () => one("help-dialog")?.showModal(),
    escape: () => (menus.isOpen ? menus.close(true) : (presents?.leave() ?? false)),
  });

  function openShare() {
    place.settle();
    sharing?.open(play.cursor, base.run.steps);
  }

  one("share")?.addEventListener("click", openShare);
  one("help")?.addEventListener("click", () => one("help-dialog").showModal());
  addEventListener("pagehide", () => place.settle());
  document.addEventListener("click", () => place.settle(), { capture: true });

  const first = data("first");
  if (first.length) add(first);
  play.seek(page.step);
  changed();
  play.draw();
  drawn.ready.then(() => document.body.classList.add("ready"));
  kept.restore();
  if (asked && panels) setTimeout(showChecks, 2 * REST);

  stream(page.links.rest, first.length, one("timeline"), {
    frames: add,
    ended(last) {
      end = last;
      play.end();
    },
    lamp: bar.lamp,
  });
}

try {
  run();
} catch (error) {
  const words = wordsOf(data("words"), document.documentElement.lang.slice(0, 2), {});
  one("say").textContent = words.word("player.error").replaceAll("**", "");
  throw error;
}
