"""The library: every scenario meets its expectations, and states enough of them."""

import re
from pathlib import Path
from typing import Any

import pytest

from app.analysis.expectations import mismatches, unexplained
from app.core.model import recorded_state
from app.paths import SCENARIOS
from app.run.explore import explore
from app.run.run import Run, record, summary
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario
from tests.each import each

NAMES = LIBRARY.names()
WORDS = [
    (f"{name}: {where}", words)
    for name in NAMES
    for where, words in [
        ("title", LIBRARY.scenario(name).form.title),
        ("surprise", LIBRARY.scenario(name).form.surprise),
        ("story", LIBRARY.scenario(name).form.story),
        ("ending", LIBRARY.scenario(name).form.ending),
        *((f"line {i}", words) for i, words in enumerate(LIBRARY.scenario(name).captions)),
    ]
    if words
]


def ran(name: str) -> tuple[Scenario, Run, Any]:
    """Return a scenario of the library, its run, and what it recorded."""
    scenario = LIBRARY.scenario(name)
    run = record(scenario)
    return scenario, run, summary(run)["snapshots"]


def recorded(name: str) -> Any:
    """States, channels that are not empty, and markers of the only snapshot of a scenario."""
    ((told,),) = [ran(name)[2]]
    return told["processes"], {c: m for c, m in told["channels"].items() if m}, told["markers"]


def failing(name: str) -> list[list[str]]:
    """Return the checks that fail, by snapshot."""
    return [[check for check, holds in told["checks"].items() if holds is False] for told in ran(name)[2]]


@each("name", NAMES)
def test_the_run_is_what_the_scenario_expects(name: str) -> None:
    scenario, run, _ = ran(name)
    assert mismatches(run) == []
    expect = scenario.form.expect
    assert expect is not None and (expect.snapshots or expect.line or expect.recovery)
    assert not run.full or expect.steps == scenario.form.steps  # a message storm stops at its limit


@pytest.mark.parametrize("name", [n for n in NAMES if LIBRARY.scenario(n).form.explore])
def test_all_interleavings_are_what_the_scenario_expects(name: str) -> None:
    scenario = LIBRARY.scenario(name)
    assert unexplained(scenario, explore(scenario)) == []
    assert scenario.form.explore is not None and scenario.form.explore.states


@each("name", NAMES)
def test_expectations_leave_no_process_out(name: str) -> None:
    scenario, _, told = ran(name)
    assert scenario.form.expect is not None
    for form, snapshot in zip(scenario.form.expect.snapshots or (), told, strict=True):
        assert list(form.processes or ()) == list(snapshot["processes"]), "`expect` names every recorded process"
        filled = {channel for channel, content in snapshot["channels"].items() if content}
        assert filled <= set(form.channels or ()), "`expect` names every channel that is not empty"


def test_words_are_said_in_both_languages() -> None:
    latin, chinese = re.compile(r"[A-Za-z]"), re.compile(r"[\u4e00-\u9fff]")
    stripped = [where for where, words in WORDS if words.en != words.en.strip() or words.zh != words.zh.strip()]
    english = [where for where, words in WORDS if not latin.search(words.en) or chinese.search(words.en)]
    assert (stripped, english, [where for where, words in WORDS if not chinese.search(words.zh)]) == ([], [], [])


@each("name", NAMES)
def test_every_scenario_ends_with_a_sentence_of_its_author(name: str) -> None:
    _, run, _ = ran(name)
    words = run.caption(len(run.steps))
    assert words is not None and words.en and words.zh


@each("name", NAMES)
def test_cards_have_a_surprise_of_one_line_and_tags_that_begin_with_the_algorithm(name: str) -> None:
    form = LIBRARY.scenario(name).form
    assert form.surprise and form.story
    assert form.tags[0] == form.algorithm, "the first tag is the algorithm"
    assert len(form.surprise.en) <= 110 and "\n" not in form.surprise.en + form.surprise.zh


def test_every_scenario_with_a_failing_check_is_tagged_as_a_violation() -> None:
    violating = [name for name in NAMES if any(failing(name))]
    assert violating == [name for name in NAMES if "violation" in LIBRARY.scenario(name).form.tags]


def test_every_file_is_in_the_library() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in Path(SCENARIOS).glob("*.yaml"))


# The figures of the paper and of textbooks, repeated here independently of the files that expect them.


def test_the_blue_figure_has_m_in_its_channel_while_the_live_processes_go_on() -> None:
    states = {"P1": {"X1": 1, "Y1": 2, "Z1": 3}, "P2": {"X2": 4, "Y2": 5, "Z2": 6}}
    assert recorded("blue-figure") == (states, {"P2->P1": ["M"]}, 2)
    run = ran("blue-figure")[1]
    live = [run.system.program.view(run.world(step).states["P1"])["X1"] for step in range(len(run.steps) + 1)]
    assert live[:3] == [1, 1, 10]
    assert run.history.recordings[1].recorded["P1"] == 1 and run.history.recordings[1].completed == 7


def test_the_single_token_is_recorded_in_q_in_a_channel_or_in_p() -> None:
    assert recorded("token-late") == ({"p": 0, "q": 1}, {}, 2)
    assert recorded("token-back") == ({"p": 0, "q": 0}, {"q->p": ["T"]}, 2)
    assert recorded("token-first") == ({"p": 1, "q": 0}, {}, 2)


def test_the_token_system_has_64_states_and_three_possible_snapshots() -> None:
    found = explore(LIBRARY.scenario("token-late"))
    assert (found.states, found.bounded, found.counterexamples) == (64, False, {})
    filled = [(o.processes, {c: m for c, m in o.channels.items() if m}) for o in found.outcomes]
    assert filled == [({"p": 0, "q": 0}, {"q->p": ["T"]}), ({"p": 0, "q": 1}, {}), ({"p": 1, "q": 0}, {})]


def test_photographs_show_no_token_or_two() -> None:
    assert recorded("photographs-none") == ({"p": 0, "q": 0}, {}, 0)
    assert recorded("photographs-two") == ({"p": 1, "q": 1}, {}, 0)
    assert failing("photographs-none") == [["channels", "conserved", "reachable"]]
    assert "consistent" in failing("photographs-two")[0] and "conserved" in failing("photographs-two")[0]


def test_the_state_that_never_was_was_at_no_step() -> None:
    assert recorded("state-that-never-was") == ({"p": "A", "q": "D"}, {"q->p": ["m'"]}, 2)
    assert passed("state-that-never-was", 1) == []


def test_both_snapshots_of_the_random_graph_were_at_no_step() -> None:
    assert passed("random-twelve", 1) == passed("random-twelve", 2) == []


def passed(name: str, number: int) -> list[int]:
    """Return the steps after which the world was what the snapshot recorded."""
    run = ran(name)[1]
    parts = recorded_state.parts(run.system, run.end, number)
    states = {process: part.state for process, part in parts.items()}
    held = {c: messages for part in parts.values() for c, messages in part.channels if messages}
    steps = range(len(run.steps) + 1)
    return [i for i in steps if (dict(run.world(i).states), run.world(i).in_flight()) == (states, held)]


def test_only_what_is_ahead_of_the_marker_in_the_queue_is_recorded() -> None:
    run = ran("queue")[1]
    queues = [
        [m.payload[0][1] if m.kind == "app" else m.kind for m in run.world(i).queues.get("k->j", ())]
        for i in range(len(run.steps))
    ]
    assert [1, 2, 3, "marker", 10, 20, 30] in queues
    assert recorded("queue")[1] == {"k->j": [1, 2, 3]}
    assert run.system.program.view(run.end.states["j"]) == 66


def test_a_chain_needs_two_markers_from_its_head_and_never_completes_from_its_middle() -> None:
    assert recorded("chain-from-a")[2] == 2
    ((told,),) = [ran("chain-from-b")[2]]
    assert not told["complete"] and "A" not in told["processes"]
    assert told["witnesses"]["complete"] == {"unreachable": ["A"], "open": ["A->B"]}


def test_shapes_cost_one_marker_a_channel() -> None:
    shapes = {"ring": 3, "ring-five": 5, "star": 8, "complete": 12, "three-banks": 6, "random-twelve": 24}
    for name, markers in shapes.items():
        assert {told["markers"] for told in ran(name)[2]} == {markers} == {len(ran(name)[1].system.topology.channels)}


def test_three_banks_have_5_1_2_and_3_and_2_on_their_way() -> None:
    assert recorded("three-banks") == ({"N1": 5, "N2": 1, "N3": 2}, {"N1->N2": [3, 2]}, 6)


def test_marker_by_marker_two_of_four_messages_are_in_channels() -> None:
    states, channels, markers = recorded("marker-by-marker")
    inside = {process: [event for event, done in state.items() if done == "✓"] for process, state in states.items()}
    assert inside == {"P1": ["b"], "P2": ["a", "e"], "P3": ["c"]}
    assert (channels, markers) == ({"P3->P1": ["m2"], "P2->P3": ["m4"]}, 6)


def test_a_key_that_is_handed_over_on_the_ring_is_with_no_node() -> None:
    states, channels, _ = recorded("hash-ring")
    assert [node for node, keys in states.items() if keys.get("k25")] == []
    assert channels == {"N50->N30": [{"k25": 1}]}


def test_the_widget_trade_keeps_1050_dollars_and_2000_widgets() -> None:
    states = {"p1": {"money": 1000, "widgets": 0}, "p2": {"money": 50, "widgets": 1995}}
    assert recorded("widget-trade") == (states, {"p2->p1": [{"widgets": 5}]}, 2)


def test_a_stable_property_is_detected_when_it_holds_and_not_before() -> None:
    first, second = ran("phantom-termination")[2]
    assert first["channels"]["p->q"] == ["work"] and first["stable"]["recorded"] is False
    assert second["stable"] == {"before": True, "recorded": True, "after": True}
    ((naive,),) = [ran("phantom-photographs")[2]]
    assert naive["stable"] == {"before": False, "recorded": True, "after": False}
    ((deadlock,),) = [ran("phantom-deadlock")[2]]
    assert deadlock["channels"]["Q->P"] == ["grant r", "request s"] and deadlock["stable"]["recorded"] is False


def test_without_order_7_of_10_or_12_of_10_are_recorded_and_errors_can_cancel() -> None:
    assert recorded("non-fifo-lost") == ({"P": 7, "Q": 0}, {}, 1)
    assert recorded("non-fifo-doubled") == ({"P": 7, "Q": 5}, {}, 1)
    assert recorded("errors-that-cancel") == ({"P": 8, "Q": 12}, {}, 1)
    assert failing("errors-that-cancel") == [["consistent", "reachable"]]


def test_colours_and_counts_record_7_and_0_and_3_on_their_way_where_order_is_not_kept() -> None:
    assert recorded("lai-yang") == ({"P": 7, "Q": 0}, {"P->Q": [3]}, 0)
    assert recorded("mattern") == ({"P": 7, "Q": 0}, {"P->Q": [3]}, 0)
    assert recorded("colour-blind") == ({"P": 7, "Q": 2}, {"P->Q": [3]}, 0)
    assert recorded("lai-yang-accounts") == ({"S1": 780, "S2": 200}, {"S1->S2": [20]}, 0)


def test_a_stopped_world_has_nothing_in_its_channels_and_two_starters_share_their_markers() -> None:
    assert recorded("stop-the-world") == ({"P": 9, "Q": 6}, {}, 0)
    assert [told["markers"] for told in ran("two-starters")[2]] == [4, 4]


def test_clocks_that_disagree_count_30_twice_or_are_lucky() -> None:
    assert failing("wall-clock-skewed") == [["consistent", "conserved", "reachable"]]
    assert failing("wall-clock-lucky") == [[]]


def test_every_broken_variant_is_caught_with_a_witness() -> None:
    caught = {
        name: [
            (check, witness["fault"])
            for told in ran(name)[2]
            for check, witness in told["witnesses"].items()
            if check in ("consistent", "channels")
        ]
        for name in ("non-fifo-lost", "non-fifo-doubled", "late-marker", "no-channels", "unlabelled-overlap")
    }
    assert caught == {
        "non-fifo-lost": [("channels", "missing")],
        "non-fifo-doubled": [("consistent", "orphan"), ("channels", "inconsistent")],
        "late-marker": [("consistent", "orphan"), ("channels", "inconsistent")],
        "no-channels": [("channels", "missing")],
        "unlabelled-overlap": [("channels", "missing")],
    }
