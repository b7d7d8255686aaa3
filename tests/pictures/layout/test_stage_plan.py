"""The plan of a stage of any size: what it fits into, and which way it goes."""

import json
from itertools import pairwise
from math import dist, hypot
from statistics import fmean

import pytest
from networkx import shortest_path_length

from app.compact_json import compact
from app.core.model.system import System
from app.pictures.layout.plan import Plan
from app.pictures.layout.stage_plan import as_json, fitted, plan_of
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, load
from tests.flows import FLOWS, yaml
from tests.often import some

PHONE = (374, 176, 454)
"""The width of the stage on a phone, and the least and the most height."""
CROWD = """
title: {en: Crowd, zh: 许多进程}
topology: {SHAPE}
program: {kind: bank, everyone: 100, amounts: [1, 5]}
initiators: [{process: P9, at: 20}, {process: STARTER, at: 12}]
schedule: {kind: seeded, seed: 1, moves: 5}
"""


def crowd(shape: str, starter: str = "P3") -> Scenario:
    return load(CROWD.replace("SHAPE", shape).replace("STARTER", starter), "crowd")


def drawn(given: Scenario, width: int, height: int) -> Plan:
    return fitted(given.system(RunKey()), "en", width, height, height, given.starter)[0]


def system(name: str) -> System:
    return LIBRARY.scenario(name).system(RunKey())


def planned(of: System, width: int, least: int, most: int) -> Plan:
    return fitted(of, "en", width, least, most)[0]


def test_every_plan_has_the_shape_of_its_place_and_keeps_processes_apart() -> None:
    for scenario in LIBRARY.scenarios():
        for width, height in ((960, 440), (700, 380), (374, 420), (500, 700)):
            plan = planned(scenario.system(RunKey()), width, height, height)
            assert plan.width / plan.height == pytest.approx(width / height)
            for i, a in enumerate(plan.nodes):
                for b in plan.nodes[i + 1 :]:
                    assert abs(a.x - b.x) >= (a.w + b.w) / 2 or abs(a.y - b.y) >= (a.h + b.h) / 2, scenario.name


def test_a_picture_has_the_plan_of_a_place_of_its_size() -> None:
    run = record(LIBRARY.scenario("complete"))
    assert planned(run.system, 960, 440, 440) == plan_of(run, "en")


def test_where_the_height_is_free_it_suits_the_width_within_limits() -> None:
    plan, tall = fitted(system("blue-figure"), "en", *PHONE)
    assert 176 < tall < 454 and plan.width / plan.height == pytest.approx(374 / tall)
    low, same = fitted(system("blue-figure"), "en", 374, 176, 200)
    assert same == tall > 200 and low.width / low.height == pytest.approx(374 / 200)
    high, _ = fitted(system("blue-figure"), "en", 374, 450, 454)
    assert high.width / high.height == pytest.approx(374 / 450)


@pytest.mark.slow
def test_tubes_too_short_for_messages_are_wires() -> None:
    looks = set()
    for scenario in LIBRARY.scenarios():
        for width in (637, 795):
            plan, _ = fitted(scenario.system(RunKey()), "en", width, 475, 475, scenario.starter, letters=20)
            if plan.look == "circle":
                assert min(track.way.length / track.tube for track in plan.tracks) >= 1.5, scenario.name
            looks.add((scenario.name, plan.look))
    assert {("hash-ring", "wires"), ("ring-five", "circle")} <= looks


def test_a_flow_goes_downwards_on_a_phone_where_its_letters_would_be_too_small_otherwise() -> None:
    flow = load(yaml(FLOWS["line"]), "flow").system(RunKey())
    across, down = planned(flow, 960, 440, 440), planned(flow, 320, 176, 700)
    assert [node.x for node in across.nodes] == sorted(node.x for node in across.nodes)
    assert max(node.y for node in across.nodes) - min(node.y for node in across.nodes) < 2
    assert [node.y for node in down.nodes] == sorted(node.y for node in down.nodes)
    assert max(node.x for node in down.nodes) - min(node.x for node in down.nodes) < 2


def test_a_crowd_has_more_rows_than_columns_on_a_stage_that_is_higher_than_wide() -> None:
    queue = crowd("ring: 30").system(RunKey())

    def columns(width: int, height: int) -> int:
        return len({round(node.x) for node in planned(queue, width, height, height).nodes})

    def rows(width: int, height: int) -> int:
        return len({round(node.y) for node in planned(queue, width, height, height).nodes})

    assert columns(960, 440) > rows(960, 440) and columns(374, 600) < rows(374, 600)


@pytest.mark.slow
def test_a_crowd_stands_in_rings_around_the_first_starter() -> None:
    for n in (20, 50, 200):
        for starter in ("P1", f"P{n // 2}"):
            many = crowd(f"random: {{processes: {n}, degree: 3, seed: 3}}", starter)
            plan, topology = drawn(many, 960, 600), many.topology
            assert drawn(many, 960, 600) is plan and plan.look == "grid"
            far = shortest_path_length(topology.graph, starter)
            middle = plan.nodes[topology.process_order[starter]]
            away: dict[float, list[float]] = {}
            for name, box in zip(topology.names, plan.nodes, strict=True):
                away.setdefault(far[name], []).append(
                    hypot((box.x - middle.x) / plan.width, (box.y - middle.y) / plan.height)
                )
            means = [fmean(away[i]) for i in sorted(away)]
            # A ring is no circle: a part of one may be a little nearer than the whole one before it.
            assert len(means) > 3 and all(a < b * 1.1 for a, b in pairwise(means)), (n, starter)


def test_rings_keep_processes_apart_and_inside_on_every_stage() -> None:
    thirteen, most = "random: {processes: 13, degree: 4, seed: 2}", "random: {processes: 200, degree: 2, seed: 3}"
    for shape in (thirteen, most, "star: 20"):
        for width, height in ((960, 600), (1300, 700), (760, 420), (374, 454)):
            plan = drawn(crowd(shape), width, height)
            for i, a in enumerate(plan.nodes):
                assert a.w / 2 < a.x < plan.width - a.w / 2 and a.h / 2 < a.y < plan.height - a.h / 2
                for b in plan.nodes[i + 1 :]:
                    assert abs(a.x - b.x) >= (a.w + b.w) / 2 + 4 or abs(a.y - b.y) >= (a.h + b.h) / 2 + 4, shape


@pytest.mark.slow
def test_where_rings_have_no_room_a_crowd_stands_in_ranks_from_the_starter() -> None:
    many = crowd("random: {processes: 200, degree: 2, seed: 3}")
    far = shortest_path_length(many.topology.graph, many.starter)
    for width, height in ((904, 330), (374, 900)):
        plan = drawn(many, width, height)
        ranks: dict[float, list[float]] = {}
        for name, box in zip(many.topology.names, plan.nodes, strict=True):
            ranks.setdefault(far[name], []).append(box.x if width > height else box.y)
        order = [ranks[i] for i in sorted(ranks)]
        assert len(order) > 8 and all(max(a) < min(b) for a, b in pairwise(order)), (width, height)
        # The names are not smaller than they would be in rows.
        assert 11 * width / plan.width > (7.9 if width > height else 6)


def test_processes_grow_with_the_space_as_far_as_their_channels_stay_long() -> None:
    def width(name: str, across: int, down: int) -> float:
        plan = planned(system(name), across, down, down)
        return plan.nodes[0].w * across / plan.width

    for name in ("queue", "three-banks"):
        assert 100 < width(name, 904, 330) < 130 and width(name, 1544, 500) > 150
    # Crossing channels leave room to grow, on a laptop and in a lecture hall.
    assert width("complete", 904, 400) > 98 and width("complete", 955, 620) > 145
    assert width("crash-hangs", 904, 400) > 125 and width("ring-five", 904, 400) > 90
    # Eight tubes at its middle, and crossing channels on a phone, need the space themselves.
    assert width("star", 904, 330) < 90 and width("three-banks", 374, 454) < 100
    plan = planned(system("queue"), 904, 330, 330)
    assert min(track.way.length for track in plan.tracks) > 100
    left, right = min(box.x for box in plan.nodes), max(box.x for box in plan.nodes)
    assert right - left > plan.width * 0.65, "three use the whole width"


def test_an_arrowhead_stands_outside_the_round_end_of_its_tube_and_before_the_process() -> None:
    for name in ("queue", "star", "ring-five"):
        plan = planned(system(name), 904, 330, 330)
        targets = [c.target for c in system(name).topology.channels.values()]
        for target, track in zip(targets, plan.tracks, strict=True):
            end, (tip, right, notch, left) = track.way.points[-1], track.head
            assert all(hypot(p.x - end.x, p.y - end.y) > track.tube / 2 for p in (right, left))
            assert hypot(tip.x - notch.x, tip.y - notch.y) < hypot(tip.x - right.x, tip.y - right.y)
            box = plan.nodes[system(name).topology.process_order[target]]
            assert abs(tip.x - box.x) > box.w / 2 - 5 or abs(tip.y - box.y) > box.h / 2 - 5


def test_the_starter_is_the_earliest_initiator_else_the_first_of_the_script_else_the_first_process() -> None:
    assert crowd("ring: 30").starter == "P3"
    assert LIBRARY.scenario("chain-from-b").starter != LIBRARY.scenario("chain-from-b").topology.names[0]
    assert LIBRARY.scenario("what-is-state").starter == LIBRARY.scenario("what-is-state").topology.names[0]


def test_as_json_a_plan_has_one_box_a_process_and_one_track_a_channel() -> None:
    ring = system("ring-five")
    told = json.loads(compact(as_json(ring, "en", 960, 440, 440)))
    assert told["look"] == "circle"
    assert len(told["nodes"]) == len(told["cards"]) == len(ring.topology.names)
    assert len(told["tracks"]) == len(ring.topology.channels)
    for track in told["tracks"]:
        assert track["path"]["d"].startswith("M") and len(track["path"]["points"]) in (2, 33)
        assert len(track["head"]) == 4 and track["stretches"] is None
        assert track["tray"]["thick"] < track["tube"]


def test_as_json_the_cells_of_a_dataflow_are_within_its_processes_or_directly_below() -> None:
    told = json.loads(compact(as_json(system("micro-batch"), "en", 960, 440, 440)))
    assert (told["level"], told["flow"]) == (True, len(told["nodes"]))
    assert any(feet["low"] for feet in told["feet"])
    for node, feet in zip(told["nodes"], told["feet"], strict=True):
        box, below = feet["box"], feet["below"]
        assert -node["h"] / 2 < box["y"] < box["y"] + box["h"] < node["h"] / 2 - feet["low"]
        assert not feet["low"] or below["y"] >= node["h"] / 2 - feet["low"]


def test_as_json_a_straight_path_is_its_two_ends() -> None:
    told = as_json(system("complete"), "en", 960, 440, 440)
    assert told["look"] == "wires"
    assert {len(track["path"]["points"]) for track in told["tracks"]} >= {2}
    for track in told["tracks"]:
        parts = track["stretches"]
        assert parts and all(0 <= part["begin"] <= part["end"] for part in parts) and track["home"]


SHUFFLE = """
title: {en: Shuffle, zh: 按键分发}
topology: {processes: [JM, A, B, k1, k2], channels: [JM->A, JM->B, A->k1, A->k2, B->k1, B->k2]}
program:
  kind: dataflow
  operators:
    JM: {coordinator: true}
    A: {source: [{x: 1}], route: key}
    B: {source: [{x: 10}], route: key}
    k1: {sum: key}
    k2: {sum: key}
algorithm: unaligned
"""


@pytest.mark.parametrize("width", [860, 960, 1280])
def test_what_is_recorded_of_a_channel_stands_beside_it_and_on_no_other(width: int) -> None:
    plan = drawn(load(SHUFFLE, "shuffle"), width, 368)
    for i, track in enumerate(plan.tracks):
        assert track.badge is not None and track.badge.w >= 34, "four letters fit"
        box = track.badge.box(track.badge.w, 20)
        for other in plan.tracks[:i] + plan.tracks[i + 1 :]:
            spots = [other.way.spot(at) for at in range(0, int(other.way.length), 4)]
            assert not any(abs(x - box.x) < box.w / 2 and abs(y - box.y) < box.h / 2 for x, y in spots)


def test_on_wires_every_channel_has_a_place_where_a_message_is_drawn() -> None:
    for name in ("regions-on-a-grid", "random-twelve", "complete"):
        assert all(track.stretches is None or track.home is not None for track in planned(system(name), *PHONE).tracks)


@pytest.mark.parametrize("name", some(LIBRARY.names(), 4))
def test_the_line_from_a_badge_ends_at_its_own_tray(name: str) -> None:
    for track in plan_of(record(LIBRARY.scenario(name)), "en").tracks:
        if (badge := track.badge) is None or track.tray is None or not badge.gap:
            continue
        way = track.tray.way
        end = (badge.x - badge.nx * badge.gap, badge.y - badge.ny * badge.gap)
        nearest = min(dist(end, way.spot(way.length * part / 40)) for part in range(41))
        assert nearest < track.tray.thick / 2 + max(2, way.length / 40)
