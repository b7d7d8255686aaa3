"""Pictures and the player look the same: Chromium draws a still and the player's stage of the same step, and everything
is in the same place. One page shows all runs in turn."""

from collections import Counter
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from app.pictures.layout.arrange import look
from app.pictures.layout.stage_plan import fitted, graph, plan_of
from app.pictures.render import draw
from app.pictures.stage.stage import stage
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.scenario import load
from app.wire.frames import frames, scene
from tests.browser.conftest import Open
from tests.flows import FLOWS, yaml

NAMED = (
    *("blue-figure", "token-back", "chain-from-a", "micro-batch", "three-guarantees", "loop-waits-for-itself"),
    *("ring-five", "star", "complete", "random-twelve", "joiner-merged", "crash-unusable"),
)
CROWD = """
title: {en: Fourteen, zh: 十四}
topology: {random: {processes: 14, degree: 4, seed: 3}}
program: {kind: bank, everyone: 100, amounts: [1, 5]}
schedule: {kind: seeded, seed: 4, moves: 60}
initiators: [{process: P1, at: 8}]
"""
TOKENS = """
title: {en: Tokens, zh: 令牌}
topology: {ring: 5}
program: {kind: token, holders: {P1: 2, P3: 5}}
schedule: {kind: seeded, seed: 4, moves: 20}
initiators: [{process: P1, at: 4}]
"""
OWN = {"tokens": TOKENS, "crowd": CROWD, "nested": yaml(FLOWS["nested"]), "many": yaml(FLOWS["many"])}

PORTRAIT, BROAD = (374, 460), (560, 680)
"""Curved tubes need a broad stage."""
CLOSE = 0.35
"""Both round to tenths of a unit; a unit is at most 2.2 px."""

SETTING = """([width, height]) => {
  document.body.replaceChildren();
  for (const id of ['player', 'still']) {
    const host = document.createElement('div');
    Object.assign(host, { id, className: 'host' });
    host.style.cssText = `position: fixed; left: 0; top: 0; width: ${width}px; height: ${height}px`;
    document.body.append(host);
  }
}"""

PLAYED = """async ([scripts, data, plan, size, raw, frames, steps, stills]) => {
  const parts = ['stage/stage.js', 'run/scenes.js', 'run/snapshot.js', 'time/come.js', 'time/history.js', 'words.js'];
  const [{ stage }, { Scenes }, { current }, { knowing }, { History }, { words }] = await Promise.all(
    parts.map((path) => import(`${scripts}/${path}`)),
  );
  const scenes = new Scenes(raw);
  scenes.add(frames);
  const history = new History(scenes);
  history.grow();
  const host = document.getElementById('player');
  const knows = knowing(() => history);
  const drawn = stage(host, scenes.at(0), { words: words(data, 'en', {}), plan, ...knows });
  await drawn.ready;

  const places = (root, selectors) => {
    const corner = root.getBoundingClientRect();
    const round = (x, y) => [x - corner.left, y - corner.top].map((value) => Math.round(value * 100) / 100);
    const corners = (shape) => {
      const { x, y, width, height } = shape.getBBox();
      const ends = [new DOMPoint(x, y), new DOMPoint(x + width, y + height)];
      return ends.map((p) => p.matrixTransform(shape.getScreenCTM())).flatMap((p) => round(p.x, p.y));
    };
    const middle = (group) => {
      const { a, e, f } = group.getScreenCTM();
      const body = group.querySelector('.body, .sheet, :is(rect, path):not(.halo, [fill="none"])');
      return [...round(e, f), a, ...corners(body)];
    };
    const along = (path) => [0, 0.5, 1].flatMap((part) => {
      const p = path.getPointAtLength(part * path.getTotalLength()).matrixTransform(path.getScreenCTM());
      return round(p.x, p.y);
    });
    const measures = { channel: along, message: middle };
    const found = {};
    for (const [kind, [selector, name]] of Object.entries(selectors)) {
      for (const shape of root.querySelectorAll(selector)) {
        const shown = shape.checkVisibility({ visibilityProperty: true }) && shape.getAttribute('opacity') !== '0';
        if (shown) found[`${kind} ${name(shape)}`] = (measures[kind] ?? corners)(shape);
      }
    }
    return found;
  };
  const cards = [...host.querySelectorAll('.card')];
  const trays = [...host.querySelectorAll('.prints .tray')];
  const mark = (shape) =>
    `${of('data-process')(shape)} ${[...shape.parentNode.querySelectorAll('.changed, [data-changed]')].indexOf(shape)}`;
  const holder = (shape) => {
    const { message, recorded, process } = shape.closest('[data-message], [data-recorded], [data-process]').dataset;
    return message ?? (recorded ? `copy of ${recorded}` : process);
  };
  const HELD = '.piece, [data-coin] > [r]:first-child';
  const held = (shape) => {
    const owner = shape.closest('[data-recorded], [data-process]');
    return `${holder(shape)} ${[...owner.querySelectorAll(HELD)].indexOf(shape)}`;
  };
  const tray = (shape) => raw.channels[trays.indexOf(shape.parentNode)] ?? of('data-channel')(shape);
  const of = (attribute) => (shape) => shape.closest(`[${attribute}]`).getAttribute(attribute);
  const PLAYER = {
    process: ['.node > .box', of('data-process')],
    acts: ['.node > .ring', of('data-process')],
    changed: ['.node .changed', mark],
    coin: ['[data-message] .rim', holder],
    held: ['.piece', held],
    channel: ['.tube > .edge', of('data-channel')],
    tray: ['.tube:is(.recording, .closed) > :is(.hatch, .solid), .prints .tray > .edge', tray],
    head: ['.head:not(.blocked)', of('data-of')],
    copy: ['.card > .sheet', (sheet) => raw.processes[cards.indexOf(sheet.parentNode)].name],
    message: ['[data-message]', of('data-message')],
  };
  const STILL = {
    process: ['[data-process] > rect:not([data-acts], [data-changed])', of('data-process')],
    acts: ['[data-acts]', of('data-process')],
    changed: ['[data-changed]', mark],
    coin: ['[data-message] [data-coin] > circle', holder],
    held: [':is([data-process], [data-recorded]) [data-coin] > [r]:first-child', held],
    channel: ['[data-channel] > [data-line]', of('data-channel')],
    tray: ['[data-channel] [data-tray]', of('data-channel')],
    head: ['[data-head]', of('data-head')],
    copy: ['[data-recorded]:not([data-process]) > g > rect:first-of-type', of('data-recorded')],
    message: ['[data-message]', of('data-message')],
  };
  const still = document.getElementById('still');
  return steps.map((step, i) => {
    drawn.show(scenes.before(step), scenes.at(step), 1, current(scenes.at(step)), true);
    const { documentElement } = new DOMParser().parseFromString(stills[i], 'image/svg+xml');
    still.replaceChildren(document.importNode(documentElement, true));
    return [places(host.firstElementChild, PLAYER), places(still.firstElementChild, STILL)];
  });
}"""


def apart(player: dict[str, list[float]], still: dict[str, list[float]]) -> list[str]:
    """Return what is not in the same place, or only on one side."""
    lone = [f"{name}: only in the player" for name in player.keys() - still.keys()]
    lone += [f"{name}: only in the still" for name in still.keys() - player.keys()]
    moved = [
        f"{name}: {there} in the player, {still[name]} in the still"
        for name, there in player.items()
        if name in still and any(abs(p - q) > CLOSE for p, q in zip(there, still[name], strict=True))
    ]
    return sorted([*lone, *moved])


STEPS = 4
"""Of each run, the beginning and so many steps are compared."""


@pytest.mark.slow
def test_a_picture_and_the_player_agree_where_everything_is(visit: Open) -> None:
    page = visit("/run/blue-figure", viewport={"width": 1000, "height": 700}, reduced_motion="reduce")
    expect(page.locator("#lamp")).to_have_attribute("data-state", "done")  # its scripts are done with the page
    words = page.evaluate("JSON.parse(document.getElementById('data-words').textContent)")
    scripts = page.evaluate("document.querySelector('script[type=module]').src.replace(/joined.*/, 'js')")
    looks, found, counted = set(), {}, Counter[str]()
    for name in (*NAMED, *OWN):
        run = record(LIBRARY.scenario(name) if name in NAMED else load(OWN[name], name))
        ref = name if name in NAMED else stored(page, OWN[name])
        whole = plan_of(run, "en")
        for size in ((960, round(960 * whole.height / whole.width)), BROAD if whole.look == "circle" else PORTRAIT):
            places, links = graph(run.system)
            looks.add((look(places, links, size[0], run.system.topology.layers), size[0] > size[1]))
            for step, (player, still) in shown(page, run, ref, size, STEPS, [scripts, words]):
                counted.update(key.split()[0] for key in still)
                if different := apart(player, still):
                    found[f"{name} {size} step {step}"] = different
    assert found == {}
    assert counted["message"] > 300 and counted["changed"] > 30
    assert counted["coin"] > 10 and counted["held"] > 20
    assert looks == {(each, wide) for each in ("row", "circle", "wires", "layers", "grid") for wide in (True, False)}


def stored(page: Page, text: str) -> str:
    """Return the ref of a scenario of our own."""
    kept = page.request.post("/api/scenarios", data={"yaml": text}, headers={"Origin": page.url.split("/run")[0]})
    assert kept.ok, kept.text()
    return str(kept.json()["url"]).removeprefix("/run/").partition("?")[0]


def shown(page: Page, run: Run, ref: str, size: tuple[int, int], count: int, own: list[Any]) -> Any:
    """Return, by step, where everything is in the player's stage of that size and in a still."""
    last, (width, height) = len(run.steps), size
    steps = sorted({round(last * i / count) for i in range(count + 1)})
    plan, _ = fitted(run.system, "en", width, height, height, run.scenario.starter)
    stills = [
        draw("_stage.svg", size, stage=stage(run, step, "en", plan=plan), id="still", title="", desc="")
        for step in steps
    ]
    page.evaluate(SETTING, size)
    seen = page.evaluate(
        PLAYED,
        [*own, f"/run/{ref}/plan.json?lang=en", size, scene(run), list(frames(run)), steps, stills],
    )
    return zip(steps, seen, strict=True)
