"""Each broken variant is caught, with a witness that names a real message and the steps at which it moved."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from app.algorithms.registry import algorithm
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.notes import Changed, Logged, Received, Recorded, Sent
from app.core.model.recorded_state import channels, parts
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from app.scenario.scenario import unfit
from tests.often import often
from tests.properties.colours import Colours, colours
from tests.properties.systems import systems
from tests.tiny import made

BROKEN = (
    ("chandy-lamport", "any"),
    ("late-marker", "fifo"),
    ("no-channels", "fifo"),
    ("photographs", "fifo"),
    ("unlabelled", "fifo"),
)
NAMED = (
    "chandy-lamport",
    "photographs",
    "late-marker",
    "no-channels",
    "unlabelled",
    "spezialetti-kearns",
    "venkatesan",
    "acharya-badrinath",
    "alagar-venkatesan",
    "unicast-token",
)
"""Those that neither copy messages nor pause programs: the colours cannot express either."""
EVERY = [(name, discipline) for name in NAMED for discipline in ("fifo", "any")]

BUSY: dict[str, Any] = {
    "topology": {"complete": 3},
    "program": {"kind": "bank", "everyone": 5},
    "initiators": [{"process": "P1", "at": 2}, {"process": "P3", "at": 4}, {"process": "P2", "at": 6}],
}


def ran(values: dict[str, Any], key: RunKey) -> Run:
    """Return the run under an algorithm that can run on the graph."""
    scenario = made(values)
    assume(unfit(algorithm(str(key.algorithm)), scenario.topology) is None)
    return record(scenario, key)


KEYS = st.builds(lambda pair: RunKey(algorithm=pair[0], discipline=pair[1]), st.sampled_from(EVERY))


def busy(algorithm: str, discipline: str, seed: int) -> Run:
    """Return a run of three banks that send all the time, with three overlapping snapshots."""
    schedule = {"kind": "seeded", "seed": seed, "moves": 20}
    return record(made(BUSY | {"schedule": schedule}), RunKey(algorithm=algorithm, discipline=discipline))


def recorded(run: Run, number: int) -> dict[str, list[int]]:
    """By channel, the ids of the recorded messages."""
    found = channels(run.system, parts(run.system, run.end, number))
    return {channel: [m.id for m in messages] for channel, messages in found.items()}


def check(run: Run, number: int) -> None:
    """Check that the verdict on a snapshot agrees with the colours, and that its witnesses are true."""
    verdict, seen = run.verdicts[number], colours(run, number)
    if verdict.checks["consistent"] is not None:
        assert verdict.checks["consistent"] == seen.closed_downwards() == (not seen.orphans())
    if verdict.checks["channels"] is not None:
        held, order = recorded(run, number), (lambda ids: ids) if run.system.fifo else sorted
        same = all(order(held[c]) == order(seen.in_channel(c)) for c in run.system.topology.channels)
        assert verdict.checks["channels"] == same
        assert verdict.checks["reachable"] == (same and not seen.orphans())
    elif verdict.checks["reachable"] is not None:
        assert seen.orphans() and verdict.checks["reachable"] is False
        assert verdict.witnesses["channels"] == {"fault": "inconsistent"}
    for name in ("consistent", "channels"):
        if verdict.checks[name] is False:
            true(run, number, seen, verdict.witnesses[name])


def true(run: Run, number: int, seen: Colours, witness: dict[str, Any]) -> None:
    """Check that the witness names a message of the run, its send and its receive, and what is wrong with it."""
    message = witness["message"]
    sent = next(
        (s.number, n) for s in run.steps for n in s.notes if isinstance(n, Sent) and n.message.id == message["id"]
    )
    got = [s.number for s in run.steps for n in s.notes if isinstance(n, Received) and n.message.id == message["id"]]
    assert (message["sent"], message["channel"]) == (sent[0], sent[1].channel)
    assert message["received"] == (got[0] if got else None)
    assert message["payload"] == run.system.program.show(sent[1].message.payload)
    held, crossing = recorded(run, number), seen.in_channel(message["channel"])
    assert {
        "orphan": message["id"] in seen.orphans(),
        "missing": message["id"] in crossing and message["id"] not in held[message["channel"]],
        "extra": message["id"] in held[message["channel"]] and message["id"] not in crossing,
        "doubled": held[message["channel"]].count(message["id"]) > 1,
        "order": held[message["channel"]] != crossing and sorted(held[message["channel"]]) == sorted(crossing),
    }[witness["fault"]]


@often(300)
@given(systems(), KEYS)
def test_the_oracle_and_the_colours_agree_on_every_variant(values: dict[str, Any], key: RunKey) -> None:
    run = ran(values, key)
    for number in run.verdicts:
        check(run, number)
    assert run.undisturbed


@often(100)
@given(systems(), KEYS)
def test_collecting_changes_nothing_in_any_variant(values: dict[str, Any], key: RunKey) -> None:
    def facts(collect: bool) -> list[Any]:
        run = ran(values | {"collect": collect}, key)
        return [
            (note.snapshot, note.channel, note.message.payload) if isinstance(note, Logged) else note
            for one in run.steps
            for note in one.notes
            if isinstance(note, Changed | Recorded | Logged)
        ]

    assert facts(True) == facts(False)


@often(60)
@given(systems(), KEYS)
def test_every_enabled_action_can_be_made_in_any_variant(values: dict[str, Any], key: RunKey) -> None:
    run = ran(values, key)
    for number in range(0, len(run.steps) + 1, 6):
        for action in enabled(run.system, run.world(number)):
            step(run.system, run.world(number), action)


@pytest.mark.parametrize(("algorithm", "discipline"), BROKEN)
def test_a_search_over_a_few_seeds_finds_the_mistake(algorithm: str, discipline: str) -> None:
    for seed in range(20):
        run = busy(algorithm, discipline, seed)
        broken = [number for number, verdict in run.verdicts.items() if {"consistent", "channels"} & {*verdict.broken}]
        if broken:
            for number in run.verdicts:
                check(run, number)
            return
    pytest.fail("nothing found in 20 runs")


def test_the_right_algorithm_has_no_mistake_in_the_same_runs() -> None:
    for seed in range(20):
        run = busy("chandy-lamport", "fifo", seed)
        assert [verdict.broken for verdict in run.verdicts.values()] == [(), (), ()]
        assert all(seen.completed for seen in run.history.recordings.values())
