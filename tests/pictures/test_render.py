"""Pictures of steps: whole, honest, safe, and always the same."""

import os
import re
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from app.core.model.notes import Sent
from app.pictures.layout.colours import current
from app.pictures.layout.stage_plan import fitted
from app.pictures.layout.text_width import TIGHT, measure
from app.pictures.render import ENVIRONMENT, Compiled, graph, spacetime, stage, standalone, thumbnail
from app.pictures.spacetime.diagram import timeline
from app.pictures.spacetime.options import Look
from app.pictures.stage.stage import stage as drawing
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario, load
from tests.often import some
from tests.tiny import run

SVG = "{http://www.w3.org/2000/svg}"
RECORDED = {"#0072b2", "#882255", "#0069a5", "#e6f1f8", "#f6e9f0", "#cfe8f6", "#ecd3e0"}
HOSTILE = "<script>alert(1)</script>\"'&]]>"

TWO = """
title: {en: Two, zh: 二}
topology: {processes: [P, Q], channels: [P->Q, Q->P]}
program: {kind: variables, values: {P: {a: 1}, Q: {b: 2}}}
script:
  - send: {on: P->Q, message: M}
  - start: Q
  - deliver: P->Q
"""


def test_a_barrier_in_front_of_messages_that_are_only_counted_is_drawn_and_not_counted() -> None:
    overtakes = record(LIBRARY.scenario("barrier-overtakes"))
    plan = fitted(overtakes.system, "en", 374, 176, 454)[0]
    more = next(tube.more for tube in drawing(overtakes, 5, "en", plan=plan).tubes if tube.more)
    assert more.headed and more.said.said == "+3"


def test_a_long_state_in_a_small_process_breaks_after_commas() -> None:
    counted = record(LIBRARY.scenario("old-file-needed"))
    plan = fitted(counted.system, "en", 374, 176, 454)[0]
    node = drawing(counted, 12, "en", plan=plan).nodes[2]
    assert [text.said for text in node.texts][:3] == ["count", "a=1,", "b=1, …"]


def test_a_picture_is_about_the_snapshot_that_its_step_completes_and_otherwise_about_the_latest() -> None:
    both = record(LIBRARY.scenario("two-labels"))
    completed = {seen.completed: number for number, seen in both.history.recordings.items()}
    assert sorted(completed.values()) == [1, 2]
    for step, number in completed.items():
        assert step is not None
        assert current(both, step) == number
        assert current(both, step - 1) == current(both, step + 1) == 2


def run_of(text: str) -> Run:
    return record(load(text, "two"))


def library() -> list[Scenario]:
    return list(LIBRARY.scenarios())


def parsed(svg: str) -> ElementTree.Element:
    root = ElementTree.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def colours(svg: str) -> set[str]:
    return {
        element.get(name, "").lower()
        for element in parsed(svg).iter()
        if element.tag not in (f"{SVG}pattern",)
        for name in ("fill", "stroke")
    } - {""}


@pytest.mark.parametrize("scenario", some(library(), 3), ids=lambda scenario: scenario.name)
def test_every_scenario_has_pictures_that_parse_and_show_all_processes_and_channels(scenario: Scenario) -> None:
    run = record(scenario)
    for step in {0, len(run.steps) // 2, len(run.steps)}:
        for language in ("en", "zh"):
            drawn = parsed(stage(run, step, language))
            processes = {e.get("data-process") for e in drawn.iter()} - {None}
            channels = {e.get("data-channel") for e in drawn.iter()} - {None}
            assert processes == set(scenario.topology.names)
            assert channels == set(scenario.topology.channels)
            lines = parsed(spacetime(run, step, language))
            names = {e.text for e in lines.iter(f"{SVG}text")}
            assert set(scenario.topology.names) <= names
    small = parsed(graph(scenario, "en"))
    assert {e.get("data-process") for e in small.iter()} - {None} == set(scenario.topology.names)


def named(inline: str) -> str:
    """Return an inline picture as a file: with the name space that a page has already."""
    return inline.replace("<svg ", f'<svg xmlns="{SVG[1:-1]}" ', 1)


def test_every_run_has_a_small_picture_of_its_own_with_its_cut() -> None:
    drawn = {scenario.name: thumbnail(scenario) for scenario in LIBRARY.scenarios()}
    for name, picture in drawn.items():
        assert list(parsed(named(picture)).iter(f"{SVG}path")), name
        assert len(picture) < 9_000, name
    assert sum(map(len, drawn.values())) / len(drawn) < 2_000
    twins = [name for name in drawn if list(drawn.values()).count(drawn[name]) > 1]
    assert len(twins) <= len(drawn) / 10, twins
    for name, strokes in {"blue-figure": ["#0072B2"], "photographs-two": ["#0072B2", "#D55E00"]}.items():
        assert all(f'stroke="{ink}"' in drawn[name] for ink in strokes), name
    assert "#D55E00" not in drawn["blue-figure"]


def test_a_label_cannot_become_markup() -> None:
    hostile = TWO.replace("message: M", "message: '" + HOSTILE.replace("'", "''") + "'")
    run = run_of(hostile)
    for step in range(len(run.steps) + 1):
        for svg in (stage(run, step, "en"), spacetime(run, step, "en")):
            root = parsed(svg)
            assert not list(root.iter(f"{SVG}script"))
            assert "<script" not in svg
    said = parsed(spacetime(run, 1, "en")).find(f"{SVG}desc")
    assert said is not None and HOSTILE in (said.text or "")


def test_a_character_that_xml_has_none_of_is_replaced() -> None:
    run = run_of(TWO.replace("message: M", r'message: "M\0\x1b\uFFFE"'))
    for step in range(len(run.steps) + 1):
        for svg in (stage(run, step, "en"), spacetime(run, step, "en")):
            parsed(svg)
    assert "M\ufffd\ufffd\ufffd" in spacetime(run, 1, "en")


def test_pictures_obey_the_content_security_policy() -> None:
    run = run_of(TWO)
    for svg in (
        stage(run, 3, "en"),
        spacetime(run, 3, "en"),
        named(thumbnail(run.scenario)),
        graph(run.scenario, "en"),
    ):
        for element in parsed(svg).iter():
            assert element.tag not in (f"{SVG}style", f"{SVG}script", f"{SVG}foreignObject", f"{SVG}image")
            assert not {"style", "onload", "onclick", "href"} & set(element.attrib)


def test_before_anything_is_recorded_nothing_is_blue() -> None:
    run = run_of(TWO)
    assert not colours(stage(run, 1, "en")) & RECORDED
    assert not colours(spacetime(run, 1, "en")) & RECORDED


def test_blue_are_the_process_that_recorded_and_its_input_and_nothing_else() -> None:
    drawn = parsed(stage(run_of(TWO), 2, "en"))
    assert [e.get("data-recorded") for e in drawn.iter() if e.get("data-recorded")] == ["Q"]
    modes = {e.get("data-channel"): e.get("data-mode") for e in drawn.iter() if e.get("data-channel")}
    assert modes == {"P->Q": "recording", "Q->P": "none"}
    for group in drawn.iter(f"{SVG}g"):
        if group.get("data-process") or group.get("data-channel") == "Q->P":
            inside = ElementTree.tostring(group, encoding="unicode")
            assert not {e.get("fill", "").lower() for e in ElementTree.fromstring(inside).iter()} & RECORDED


def test_a_message_that_crosses_the_cut_is_drawn_as_channel_state() -> None:
    before, after = (parsed(spacetime(run_of(TWO), step, "en")) for step in (1, 2))
    assert [e.get("data-fate") for e in before.iter() if e.get("data-kind") == "app"] == ["plain"]
    assert [e.get("data-fate") for e in after.iter() if e.get("data-kind") == "app"] == ["crossing"]


def test_a_channel_at_which_nobody_looked_is_not_blue() -> None:
    run = record(LIBRARY.scenario("photographs-two"))
    drawn = parsed(stage(run, len(run.steps), "en"))
    modes = {e.get("data-mode") for e in drawn.iter() if e.get("data-channel")}
    assert modes == {"unwatched"}
    assert "not recorded" in {e.text for e in drawn.iter(f"{SVG}text")}


def test_an_orphan_is_marked_only_when_its_receiver_has_recorded() -> None:
    run = record(LIBRARY.scenario("photographs-two"))
    witness = run.verdicts[run.system.first].witnesses["consistent"]
    message = str(witness["message"]["id"])
    received = witness["message"]["received"]

    def fate(step: int) -> str | None:
        drawn = parsed(spacetime(run, step, "en"))
        return next(e.get("data-fate") for e in drawn.iter() if e.get("data-message") == message)

    assert fate(received) == "plain"
    assert fate(len(run.steps)) == "orphan"


def test_the_second_snapshot_has_its_own_colour() -> None:
    run = record(LIBRARY.scenario("random-twelve"))
    found = colours(stage(run, len(run.steps), "en"))
    assert "#882255" in found
    assert "#0072b2" not in found


def test_the_sentence_of_the_step_is_the_description_of_the_picture() -> None:
    run = run_of(TWO)
    for language, words in (("en", "P sends M"), ("zh", "P 经 P→Q 发送 M")):
        for svg in (stage(run, 1, language), spacetime(run, 1, language)):
            said = parsed(svg).find(f"{SVG}desc")
            assert said is not None and words in (said.text or "")


def test_a_picture_of_its_own_is_a_file_with_a_ground() -> None:
    file = standalone(stage(run_of(TWO), 2, "en"))
    assert file.startswith('<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg"')
    root = parsed(file.split("\n", 1)[1])
    ground = root.find(f"{SVG}rect")
    assert ground is not None and (ground.get("width"), ground.get("fill")) == ("100%", "#ffffff")
    assert root.find(f"{SVG}title") is not None and root.find(f"{SVG}desc") is not None


PRINT = """
from app.scenario.library import LIBRARY
from app.run.run import record
from app.pictures.render import spacetime, stage, thumbnail
for name in ("blue-figure", "random-twelve", "photographs-two"):
    scenario = LIBRARY.scenario(name)
    run = record(scenario)
    print(stage(run, len(run.steps) // 2, "zh"), spacetime(run, len(run.steps), "en"), thumbnail(scenario))
"""


def test_the_same_step_is_the_same_picture_under_any_hash_seed() -> None:
    pictures = [
        subprocess.run(
            [sys.executable, "-c", PRINT],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert pictures[0] == pictures[1]
    assert "<svg" in pictures[0]
    run = run_of(TWO)
    assert stage(run, 2, "en") == stage(run, 2, "en")


FAULTY = """
    topology: {processes: [A, B, C, N], channels: [A->B, B->A, B->C, C->B, N->B, B->N]}
    newcomers: {N: B}
    program: {kind: bank, accounts: {A: 9, B: 9}}
    script:
      - send: {on: A->B, message: 3}
      - send: {on: A->B, message: 2}
      - duplicate: A->B
      - {drop: A->B, position: 1}
      - partition: B->C
      - join: N
      - heal: B->C
      - leave: C
      - crash: A
"""


def test_the_stage_shows_what_the_network_did_and_who_came_and_went() -> None:
    made = run(FAULTY)
    ghost = stage(made, 0, "en")
    assert 'data-life="unborn"' in ghost and "may join" in ghost
    severed = stage(made, 5, "en")
    assert 'data-channel="B-&gt;C" data-mode="none" data-partitioned=""' in severed
    assert "data-bolt" in severed and ">partitioned<" in severed
    assert "data-partitioned" not in stage(made, 7, "en")
    assert 'data-life="left"' in stage(made, 8, "en")
    assert "已崩溃" in stage(made, 9, "zh") and "data-crashed" in stage(made, 9, "zh")


def test_what_was_lost_just_now_is_named_beside_its_channel() -> None:
    made = run(
        """
        topology: {processes: [P, Q], channels: [P->Q, Q->P]}
        program: {kind: bank, accounts: {P: 9}}
        script: [{send: {on: P->Q, message: 3}}, {drop: P->Q}]
        """
    )
    assert ">lost<" in stage(made, 2, "en") and "已丢失" in stage(made, 2, "zh")
    assert ">lost<" not in stage(made, 1, "en")


def test_space_and_time_end_what_is_lost_and_who_is_gone() -> None:
    made = run(FAULTY)
    early, late = spacetime(made, 3, "en"), spacetime(made, len(made.steps), "en")
    assert "data-lost" not in early and "data-bound" not in early
    assert late.count("data-lost") >= 1 and "lost 2" in late
    assert re.search(r'data-kind="app"[^>]*><path d="[^"]*" stroke="#D55E00" stroke-width="2" stroke-dasharray', late)
    assert ">2′<" in late or ">3′<" in late
    assert "B→C partitioned" in late and "B→C healed" in late
    assert [late.count(f'data-fault="{kind}"') for kind in ("partitioned", "healed")] == [1, 1]
    assert [late.count(f'data-bound="{kind}"') for kind in ("begins", "ends", "crashed")] == [1, 1, 1]


def test_a_message_shows_the_colour_that_it_takes_along() -> None:
    made = record(LIBRARY.scenario("lai-yang"))
    drawn = [stage(made, step, "en") for step in range(len(made.steps) + 1)]
    assert any('data-tag="W"' in one for one in drawn)
    assert any('data-tag="R"' in one for one in drawn)


def test_control_messages_and_words_have_shapes_of_their_own() -> None:
    made = record(LIBRARY.scenario("stop-the-world"))
    drawn = [stage(made, step, "en") for step in range(len(made.steps) + 1)]
    assert any('data-kind="control"' in one for one in drawn)
    assert any('data-kind="word"' in one for one in drawn)
    assert any('data-life="paused"' in one for one in drawn)


@pytest.mark.parametrize(("name", "step", "snapshot"), [("born-after", 6, 1), ("leave-in-order", 7, 2)])
def test_who_takes_no_part_does_not_keep_a_cut_from_being_whole(name: str, step: int, snapshot: int) -> None:
    drawn = timeline(record(LIBRARY.scenario(name)), step, "en")
    (cut,) = (each for each in drawn.cuts if each.snapshot == snapshot)
    assert cut.firm and not cut.loose


def test_the_past_ends_before_the_line_of_a_process_that_was_born_after_the_cut() -> None:
    drawn = timeline(record(LIBRARY.scenario("born-after")), 6, "en")
    newcomer = drawn.lines[2]
    (cut,) = drawn.cuts
    ends = {float(y): float(x) for x, y in re.findall(r"([-\d.]+) ([-\d.]+)(?=[CV])", cut.firm)}
    assert newcomer.x is not None
    assert ends[newcomer.y] < newcomer.x


def test_what_is_sent_again_is_no_orphan_where_it_was_sent_first_before_the_cut() -> None:
    run = record(LIBRARY.scenario("lineage"))
    again = {n.message.id for s in run.steps for n in s.notes if isinstance(n, Sent) and n.message.origin is not None}
    fates = {arrow.message: arrow.fate for arrow in timeline(run, len(run.steps), "en").arrows if arrow.kind == "app"}
    assert run.verdicts[1].checks["consistent"] and again <= set(fates)
    assert set(fates.values()) == {"plain"}


def test_a_narrow_diagram_is_as_wide_as_its_steps_need_and_its_events_stay_inside() -> None:
    short, long = record(LIBRARY.scenario("queue")), record(LIBRARY.scenario("domino"))
    assert timeline(short, 0, "en").width == timeline(long, 0, "en").width == 960
    for one, width in ((short, 18 * (len(short.steps) + 1)), (long, 18 * (len(long.steps) + 1))):
        drawn = timeline(one, len(one.steps), "en", Look(narrow=True))
        assert max(440, width) <= drawn.width <= max(440, width + 130)
        assert all(event.place.x <= drawn.room for event in drawn.events)
        assert len(drawn.events) == len(timeline(one, len(one.steps), "en").events)


def test_the_rings_around_what_acted_last_can_be_left_out() -> None:
    run, ringed = record(LIBRARY.scenario("blue-figure")), 0
    for step in range(1, len(run.steps) + 1):
        marked, bare = (drawing(run, step, "en", ring=ring) for ring in (True, False))
        assert sum(node.acts for node in marked.nodes) == 1 and not any(node.acts for node in bare.nodes)
        ringed += sum(pill.fresh for tube in marked.tubes for pill in tube.pills)
        calm = tuple(replace(t, pills=tuple(replace(p, fresh=False) for p in t.pills)) for t in marked.tubes)
        assert replace(bare, nodes=()) == replace(marked, nodes=(), tubes=calm)
        assert timeline(run, step, "en").acted is not None and timeline(run, step, "en", Look(ring=False)).acted is None
    assert ringed


def test_a_diagram_of_events_alone_has_no_markers_and_no_record_points() -> None:
    run = record(LIBRARY.scenario("which-cut"))
    whole = spacetime(run, len(run.steps), "en", Look(whole=True))
    alone = spacetime(run, len(run.steps), "en", Look(whole=True, records=False, now=False, controls=False))
    assert 'data-kind="marker"' in whole and "data-cut" in whole
    assert 'data-kind="marker"' not in alone and "data-cut" not in alone
    assert re.findall('data-kind="app"', alone) == re.findall('data-kind="app"', whole) == 5 * ['data-kind="app"']


@pytest.mark.parametrize(("width", "beside"), [(374, True), (960, False)])
def test_a_copy_hangs_on_a_thread_that_leads_to_its_process(width: int, beside: bool) -> None:
    run = record(LIBRARY.scenario("micro-batch"))
    plan, _ = fitted(run.system, "en", width, 176, 700)
    cards = drawing(run, len(run.steps), "en", plan=plan).cards
    assert {card.beside for card in cards} == {beside}
    for card in cards:
        node = plan.nodes[run.system.topology.process_order[card.process]]
        x, y, end = card.thread
        near = abs(end - (card.box.x if beside else card.box.y))
        assert near == pytest.approx((card.box.w if beside else card.box.h) / 2)
        assert abs(x - node.x) <= node.w / 2 + 0.1 and abs(y - node.y) <= node.h / 2 + 0.1


def test_a_token_is_a_coin_wherever_it_is_and_money_is_not() -> None:
    run = record(LIBRARY.scenario("token-back"))
    for step in range(len(run.steps) + 1):
        drawn = drawing(run, step, "en")
        held = sum(not coin.empty for node in drawn.nodes for coin in node.coins)
        travelling = sum(pill.coin is not None for tube in drawn.tubes for pill in tube.pills)
        assert held + travelling == 1, step
    recorded = [copy.coin for tube in drawn.tubes for copy in tube.copies if copy.coin]
    assert [coin.ink for coin in recorded] == ["paper"]
    assert all(coin.empty for card in drawn.cards for coin in card.coins)
    assert "data-coin" not in stage(record(LIBRARY.scenario("three-banks")), 3, "en")


@pytest.mark.parametrize("name", ["continuous-aligns", "past-the-jam", "slow-task"])
def test_letters_on_a_message_stay_inside_it_and_touch_no_other(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    plan, _ = fitted(run.system, "en", 760, 440, 440)
    pills = 0
    for step in range(len(run.steps) + 1):
        for tube in drawing(run, step, "en", plan=plan).tubes:
            flat = [pill for pill in tube.pills if pill.kind == "app"]
            pills += len(flat)
            for pill in flat:
                assert pill.said is not None
                assert measure(pill.said.said, pill.said.size) * TIGHT < pill.width * pill.scale, (step, tube.name)
            for one, other in pairwise(flat):
                apart = (abs(one.place.x - other.place.x), abs(one.place.y - other.place.y))
                wide, high = (one.width + other.width) / 2 * one.scale, one.height * one.scale
                assert apart[0] >= wide - 1 or apart[1] >= high - 1, (step, tube.name)
    assert pills


def test_a_snapshot_of_no_use_has_a_broken_cut_with_a_word_and_no_past() -> None:
    run = record(LIBRARY.scenario("crash-hangs"))
    before, after = spacetime(run, 2, "en"), spacetime(run, 4, "en")
    assert "data-past" in before and "data-ruined" not in before
    assert "data-past" not in after and ">unusable<" in after
    (cut,) = re.findall(r'<g data-cut="1" data-ruined="">(.*?)</g>', after)
    assert "#0072B2" not in cut and 'stroke-dasharray="9 7"' in cut
    small = thumbnail(LIBRARY.scenario("crash-hangs"))
    assert small.count('stroke-dasharray="9 7"') == 1 and "thumb-past" not in small


def test_no_channel_covers_the_arrowhead_of_another() -> None:
    drawn = stage(record(LIBRARY.scenario("complete")), 0, "en")
    assert drawn.count("data-head=") == 12
    assert drawn.rindex("data-line=") < drawn.index("data-head=")


@pytest.mark.parametrize("folder", [".", "not/there"])
def test_compiled_templates_are_kept_where_that_is_possible(folder: str, tmp_path: Path) -> None:
    for _ in range(2):
        anew = ENVIRONMENT.overlay(cache_size=0, bytecode_cache=Compiled(str(tmp_path / folder)))
        assert "words" in anew.get_template("_picture.svg").module.__dict__
        assert len([*tmp_path.rglob("*.cache")]) == (folder == ".")
