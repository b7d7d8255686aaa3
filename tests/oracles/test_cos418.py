"""Princeton's COS418, assignment 2: the course's own files compared with its published snapshots, and random ones with
its rules, written literally."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.formats.cos418 import imported
from app.run.run import record, summary
from app.scenario.scenario import load
from app.scenario.yaml_writer import written
from tests.cli.command import bluecut
from tests.often import often
from tests.oracles.course import Course
from tests.oracles.shared import ORACLES, needs

FOLDER = ORACLES / "cos418"
CASES = sorted(path.stem for path in FOLDER.glob("*.events")) or ["the course's files"]
FILES = ("a.top", "a.events", "a.delays")


def taken(top: str, events: str, delays: str) -> Any:
    """Return Bluecut's result for the three texts, through its own YAML."""
    text = written(imported(top, events, delays, names=FILES, title="course"))
    return summary(record(load(text, "course")))


@pytest.mark.parametrize("case", CASES)
def test_the_course_s_published_snapshots_come_out(case: str, tmp_path: Path) -> None:
    events = needs(FOLDER / f"{case}.events")
    target = tmp_path / "scenario.yaml"
    paths = ["--top", str(FOLDER / f"{case.split('-')[0]}.top"), "--events", str(events)]
    done = bluecut("import", "cos418", *paths, "--delays", str(FOLDER / "delays.txt"), "-o", str(target))
    assert (done.code, done.out, done.err) == (0, "", "")
    ran = bluecut("run", str(target), "--json")
    assert (ran.code, ran.err) == (0, "")
    golden = [read(path) for path in sorted(FOLDER.glob(f"{case}*.snap")) if path.stem.rstrip("0123456789") == case]
    assert golden
    told = json.loads(ran.out)["snapshots"]
    assert [
        (s["id"], s["processes"], {c: m for c, m in s["channels"].items() if m}, s["complete"]) for s in told
    ] == sorted(golden, key=lambda snapshot: snapshot[0])


def read(path: Path) -> tuple[int, dict[str, int], dict[str, list[int]], bool]:
    """Read a ``.snap`` file: id, recorded tokens, messages by channel, and True, since it is complete."""
    lines = [line.split() for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")]
    messages: dict[str, list[int]] = {}
    for source, target, token in (line for line in lines if len(line) == 3):
        messages.setdefault(f"{source}->{target}", []).append(int(token.removeprefix("token(").removesuffix(")")))
    return int(lines[0][0]), {line[0]: int(line[1]) for line in lines if len(line) == 2}, messages, True


@st.composite
def worlds(draw: st.DrawFn, size: int, snapshots: int) -> tuple[str, str, str]:
    """Draw a strongly connected topology, a script that never overdraws, and delays."""
    names = draw(st.permutations([f"N{i + 1}" for i in range(size)]))
    ring = {(names[i], names[(i + 1) % size]) for i in range(size)} if size > 1 else set()
    pairs = [(a, b) for a in names for b in names if a != b]
    more = draw(st.sets(st.sampled_from(pairs), max_size=2 * size)) if pairs else set()
    links = draw(st.permutations(sorted(ring | more)))
    top = [str(size), *(f"{name} 40" for name in names), *(f"{a} {b}" for a, b in links)]
    events = []
    starts = snapshots
    spent = dict.fromkeys(names, 0)
    for _ in range(draw(st.integers(0, 25))):
        kind = draw(st.sampled_from(("send", "send", "tick", "snapshot")))
        if kind == "tick":
            events.append(draw(st.sampled_from(("tick", "tick 2", "tick 7"))))
        elif kind == "snapshot" and starts:
            starts -= 1
            events.append(f"snapshot {draw(st.sampled_from(names))}")
        elif links:
            source, target = draw(st.sampled_from(links))
            amount = draw(st.integers(0, 40 - spent[source]))
            spent[source] += amount
            events.append(f"send {source} {target} {amount}")
    events += [f"snapshot {draw(st.sampled_from(names))}" for _ in range(starts)]
    wanted = len(events) + snapshots * len(links)
    delays = draw(st.text("01234", min_size=wanted, max_size=wanted))
    return "\n".join(top), "\n".join(events), delays


def agrees(world: tuple[str, str, str]) -> None:
    """Check that Bluecut's snapshots are those of the course's rules."""
    top, events, delays = world
    course = Course(top, delays)
    course.run(events)
    told = taken(top, events, delays)
    assert told["final"]["processes"] == course.tokens
    assert [s["id"] for s in told["snapshots"]] == list(range(len(course.snapshots)))
    for snapshot, expected in zip(told["snapshots"], course.snapshots, strict=True):
        assert snapshot["processes"] == expected.tokens
        filled = {f"{a}->{b}": messages for (a, b), messages in expected.messages.items()}
        assert {c: messages for c, messages in snapshot["channels"].items() if messages} == filled
        assert snapshot["complete"] and not expected.open
        assert snapshot["markers"] == len(course.links)
        assert set(snapshot["checks"].values()) == {True}


@often(120)
@given(st.integers(1, 5).flatmap(lambda size: worlds(size, 1)))
def test_one_snapshot_on_any_graph_is_the_course_s(world: tuple[str, str, str]) -> None:
    agrees(world)


@often(60)
@given(worlds(8, 5))
def test_five_overlapping_snapshots_on_eight_servers_are_the_course_s(world: tuple[str, str, str]) -> None:
    agrees(world)


@often(60)
@given(worlds(10, 10))
def test_ten_overlapping_snapshots_on_ten_servers_are_the_course_s(world: tuple[str, str, str]) -> None:
    agrees(world)


def test_n10_comes_before_n2_as_bytes_do() -> None:
    names = [f"N{i + 1}" for i in range(10)]
    top = "\n".join(["10", *(f"{n} 1" for n in names), *(f"N1 {n}" for n in names)])
    values = imported(top, "snapshot N1", "0" * 9, names=FILES, title="order")
    assert values["topology"]["processes"][:3] == ["N1", "N10", "N2"]
    assert values["topology"]["channels"][:2] == ["N1->N10", "N1->N2"]
