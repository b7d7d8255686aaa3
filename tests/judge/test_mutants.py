"""The systems are chosen so that no wrong version of a right class passes them all."""

import pytest

from app.judge.judge import FAILED, judge
from app.judge.suite import FOLDER, of_level
from tests.judge.mutants import mutants
from tests.often import some

EQUIVALENT = {
    "markers": (  # two verbs, or two things that a process keeps, whose order nobody can tell
        "self.close(channel, snapshot) first, line 17",
        "self.open[snapshot] = list(self.inputs) first, line 27",
        "for channel in self.outputs: first, line 28",
    ),
    "keeps": (
        "without self.kept.remove(kept), line 30",  # what is kept for a closed channel is never looked at again
        "self.kept = [] first, line 9",
        "self.known = () first, line 10",
        "if channel is not None: first, line 23",
        "self.record(snapshot) first, line 24",
        "for output in self.outputs: first, line 25",
        "self.marked.add((snapshot, channel)) first, line 32",
        "self.log(channel, snapshot, kept[2]) first, line 30",
    ),
    "counts": (
        "self.sent = dict.fromkeys(self.outputs, 0) first, line 8",
        "self.came = {channel: [] for channel in self.inputs} first, line 9",
        "self.owed = {} first, line 10",
        "self.finished = [] first, line 11",
        "self.catch_up(message.tag) first, line 36",  # what it catches up with is not logged either way
        "for snapshot in range(message.tag + 1, before + 1): first, line 37",
        "self.came[channel].append(message.tag) first, line 38",
        "owed = self.owed[snapshot] first, line 45",
        "self.record(self.round) first, line 21",
        "for channel in self.outputs: first, line 22",
        "self.check(self.round) first, line 23",
        "self.done(snapshot) first, line 53",
        "self.close(channel, snapshot) first, line 50",
    ),
    "walks": (
        "without return None, line 69",
        "self.sent = dict.fromkeys(self.outputs, 0) first, line 9",
        "self.came = dict.fromkeys(self.inputs, 0) first, line 10",
        "self.owed = {} first, line 11",
        "self.closed = [] first, line 12",
        "told, knows = value first, line 24",
        "for one in self.inputs: first, line 27",
        "way = self.way(lambda one: one not in knows) first, line 30",
        "seen = [self.name] first, line 59",
        "self.record(snapshot) first, line 47",
        "if wanted(target): first, line 65",
        "ways += [(onward, output) for onward in self.told.get(target, ())] first, line 66",
        "self.close(channel, snapshot) first, line 53",
    ),
}
"""Changes that change nothing. Two remove what is never used; the others exchange two statements of one callback that
do not depend on each other, and a callback is one step. In every system the explorer finds as many states as before."""
LEVELS = {"markers": 3, "keeps": 3, "counts": 4, "walks": 5}


def survivors(name: str, every: int = 1) -> list[tuple[str, str]]:
    """Return the mutants of a class that do not fail, ``every`` so many one, except those that change nothing."""
    source = (FOLDER / "right" / f"{name}.py").read_text("utf-8")
    made = [one for one in mutants(source) if one[0] not in EQUIVALENT[name]]
    return [
        (what, judged.verdict)
        for what, changed in made[::every]
        if (judged := judge(changed, f"{name}.py", of_level(LEVELS[name]), first=True)).verdict != FAILED
    ]


@pytest.mark.slow
def test_there_are_more_than_a_hundred_mutants() -> None:
    made = {name: len(list(mutants((FOLDER / "right" / f"{name}.py").read_text("utf-8")))) for name in LEVELS}
    assert min(made.values()) >= 30 and sum(made.values()) > 100


@pytest.mark.parametrize("name", some(LEVELS, 4))
def test_some_mutants_fail(name: str) -> None:
    assert survivors(name, every=20) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LEVELS)
def test_every_mutant_fails(name: str) -> None:
    assert survivors(name) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", LEVELS)
def test_what_is_taken_for_equivalent_has_the_same_states(name: str) -> None:
    source = (FOLDER / "right" / f"{name}.py").read_text("utf-8")
    same = [one for one in mutants(source) if one[0] in EQUIVALENT[name]]
    assert [what for what, _ in same] == sorted((what for what, _ in same), key=[w for w, _ in same].index)
    assert len(same) == len(EQUIVALENT[name])
    states = seen(name, source)
    for what, changed in same:
        assert seen(name, changed) == states, what


def seen(name: str, source: str) -> list[tuple[str, int, int]]:
    """Return how a class does in each system: its verdict, its states and its markers."""
    trials = judge(source, f"{name}.py", of_level(LEVELS[name])).trials
    return [(trial.verdict, trial.states, trial.markers) for trial in trials]
