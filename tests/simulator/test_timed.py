"""The schedule of virtual time, where channels are cut."""

from typing import Any

from app.core.model import Collect, Cut, Mend
from app.simulator.run import record
from tests.tiny import actions, made, notes

CUT: dict[str, Any] = {
    "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
    "program": {"kind": "token", "holders": {"A": 1}},
    "algorithm": "mattern",
    "discipline": "any",
    "schedule": {"kind": "timed", "delay": {"constant": 2}},
    "script": [{"cut": "A->B", "at": 0}, {"start": "A", "at": 0}, {"mend": "A->B", "at": 30}],
}
"""A agrees with B on a snapshot while nothing gets through to B."""


def test_what_waits_in_the_lane_of_a_cut_channel_arrives_when_it_is_mended() -> None:
    made_run = record(made(CUT))
    done = actions(made_run)
    assert Collect("A->B") in done[done.index(Mend("A->B")) :]
    assert not made_run.end.lanes
    assert [note.key for note in notes(made_run, "completed")] == ["completed"]


def test_nothing_arrives_in_the_lane_before_that() -> None:
    done = actions(record(made(CUT)))
    assert done[0] == Cut("A->B")
    assert Collect("A->B") not in done[: done.index(Mend("A->B"))]


def test_what_waits_in_the_lane_of_a_channel_that_is_never_mended_stays_there() -> None:
    cut = record(made(CUT | {"script": CUT["script"][:2]}))
    assert list(cut.end.lanes) == ["A->B"]
