"""Spark's three engines: whatever crashes, task or driver, no item is lost, state is exact if that is promised, and a
batch or a task that runs again is the same."""

from collections import Counter
from itertools import pairwise
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.core.kernel.enabled import enabled, restorable, together
from app.core.kernel.step import step
from app.core.model.commit_log import OFFSETS, Ranges
from app.core.model.notes import Acted, Changed, Down, Note, Returned
from app.core.model.values import Action, Crash, Deed, Restart, Restore, Start, Wake
from app.core.oracle.checks import Oracle
from app.core.oracle.history import History
from app.core.oracle.replay import undisturbed
from app.programs.dataflow import Dataflow
from app.scenario.run_key import RunKey
from app.schedules.in_flight import Flight, reading
from tests.often import often
from tests.tiny import made

ORDINARY = ("Deliver", "Collect", "Wake", "Move", "Start")
END = 3_000
"""How many steps are enough for everything to arrive."""

MAPS: tuple[dict[str, Any], ...] = ({"map": {"times": 3, "plus": 1}}, {"filter": {"modulo": 2, "remainder": 1}})
OPERATORS: tuple[dict[str, Any], ...] = (
    *MAPS,
    {"sum": "all", "emit": "record"},
    {"count": "key", "emit": "record"},
    {"map": {"plus": 2}, "route": "key"},
)
"""Operators whose results do not depend on the order of arrival."""

RESULTS: tuple[dict[str, Any], ...] = ({"sum": "all"}, {"count": "key"})
"""Operators whose results do: they send what they have so far."""

LOGGED = st.lists(
    st.builds(lambda key, value: {key: value}, st.sampled_from(("a", "b")), st.integers(1, 9)), min_size=1, max_size=5
)


@st.composite
def flows(draw: st.DrawFn, algorithm: str, sink: str) -> dict[str, Any]:
    """Draw one or two sources, up to three operators in any acyclic graph, and a sink."""
    sources = [f"s{i}" for i in range(1, draw(st.integers(1, 2)) + 1)]
    middle = [f"o{i}" for i in range(1, draw(st.integers(1, 3)) + 1)]
    operators: dict[str, Any] = {name: {"source": draw(LOGGED), "ends": draw(st.booleans())} for name in sources}
    links = [("driver", name) for name in sources]
    for place, name in enumerate(middle):
        before = [*sources, *middle[:place]]
        links += [(one, name) for one in draw(st.lists(st.sampled_from(before), unique=True, min_size=1))]
        operators[name] = draw(st.sampled_from(OPERATORS))
    links += [(name, "out") for name in (*sources, *middle) if not any(a == name for a, _ in links)]
    operators["driver"] = {"coordinator": True} | ({"batch": draw(st.integers(1, 3))} if draw(st.booleans()) else {})
    operators["out"] = {"sink": sink}
    return scenario(algorithm, ["driver", *sources, *middle, "out"], links, operators)


@st.composite
def chains(draw: st.DrawFn, algorithm: str) -> dict[str, Any]:
    """Draw partitions: each with a reader, stateless operators and a writer; or one writer for all, behind a task that
    merges them."""
    names, links = ["driver"], list[tuple[str, str]]()
    operators: dict[str, Any] = {"driver": {"coordinator": True}}
    meet = draw(st.booleans())
    if meet:
        names, links = ["driver", "one", "out"], [("one", "out")]
        operators |= {"one": draw(st.sampled_from(MAPS)), "out": {"sink": "plain"}}
    for part in range(1, draw(st.integers(1, 3)) + 1):
        middle = [f"o{part}{i}" for i in range(draw(st.integers(0, 2)))]
        chain = [f"s{part}", *middle, "one" if meet else f"out{part}"]
        operators |= {name: draw(st.sampled_from(MAPS)) for name in middle}
        operators |= {f"s{part}": {"source": draw(LOGGED)}} | ({} if meet else {f"out{part}": {"sink": "plain"}})
        links += [("driver", chain[0]), *pairwise(chain)]
        names += chain[:-1] if meet else chain
    return scenario(algorithm, names, links, operators)


@st.composite
def rows(draw: st.DrawFn, algorithm: str) -> dict[str, Any]:
    """Draw a source, a chain of operators whose results depend on the order of their inputs, and a sink."""
    middle = [f"o{i}" for i in range(1, draw(st.integers(1, 3)) + 1)]
    names = ["driver", "s", *middle, "out"]
    operators: dict[str, Any] = {name: draw(st.sampled_from((*OPERATORS, *RESULTS))) for name in middle}
    operators |= {"driver": {"coordinator": True, "batch": draw(st.integers(1, 3))}}
    operators |= {"s": {"source": draw(LOGGED)}, "out": {"sink": "batch"}}
    return scenario(algorithm, names, list(pairwise(names)), operators)


def scenario(
    algorithm: str, names: list[str], links: list[tuple[str, str]], operators: dict[str, Any]
) -> dict[str, Any]:
    """Return the values of a scenario file."""
    return {
        "topology": {"processes": names, "channels": [f"{a}->{b}" for a, b in links]},
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": algorithm,
        "schedule": {"kind": "manual"},
    }


SEEDS = st.integers(0, 10**6)
ORDER = st.sampled_from(("fifo", "any"))
TASKS, DRIVER = "tasks", "driver"
"""Which processes may crash, if not all."""


@often(80)
@given(values=flows("micro-batch", "batch"), seed=SEEDS, crashes=st.integers(0, 4), order=ORDER)
def test_micro_batches_take_effect_once_and_a_sink_that_knows_them_shows_each_item_once(
    values: dict[str, Any], seed: int, crashes: int, order: str
) -> None:
    values |= {"discipline": order}
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes)
    assert run.states == calm.states
    assert run.shown == calm.shown
    assert all(len(said) == 1 for said in run.entries.values())
    assert run.holds()


@often(60)
@given(values=flows("micro-batch", "batch"), seed=SEEDS, crashes=st.integers(1, 4), order=ORDER)
def test_a_task_that_crashes_is_retried_and_nobody_else_rolls_back(
    values: dict[str, Any], seed: int, crashes: int, order: str
) -> None:
    values |= {"discipline": order}
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes, falls=TASKS)
    assert not run.restores and run.returned == run.fallen
    assert (run.states, run.shown) == (calm.states, calm.shown)
    assert not any(progress.aborted for progress in run.world.snapshots.values())
    assert run.holds()


@often(60)
@given(values=flows("micro-batch", "batch"), seed=SEEDS, crashes=st.integers(1, 3))
def test_a_driver_that_crashes_takes_everybody_back_to_the_last_commit_and_runs_the_same_batch_again(
    values: dict[str, Any], seed: int, crashes: int
) -> None:
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes, falls=DRIVER)
    assert run.restores == run.fallen.total() and not run.returned
    assert (run.states, run.shown) == (calm.states, calm.shown)
    assert all(len(said) == 1 for said in run.entries.values())
    assert run.holds()


@often(80)
@given(values=rows("micro-batch"), seed=SEEDS, crashes=st.integers(1, 4))
def test_what_is_made_again_has_the_same_values_in_the_same_order(
    values: dict[str, Any], seed: int, crashes: int
) -> None:
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes)
    assert run.visible("out") == calm.visible("out")
    assert run.holds()


@often(60)
@given(values=flows("micro-batch", "plain"), seed=SEEDS, crashes=st.integers(1, 3))
def test_micro_batches_lose_nothing_at_a_plain_sink(values: dict[str, Any], seed: int, crashes: int) -> None:
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes)
    assert run.states == calm.states
    assert run.shown.keys() == calm.shown.keys()


@often(80)
@given(
    values=st.one_of(flows("micro-batch", "transactional"), flows("lineage", "transactional")),
    seed=SEEDS,
    crashes=st.integers(1, 4),
)
def test_a_transactional_sink_shows_each_record_of_a_batch_once(
    values: dict[str, Any], seed: int, crashes: int
) -> None:
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes)
    assert run.shown == calm.shown
    assert run.holds()


@often(100)
@given(
    values=flows("micro-batch-speculation", "batch"), seed=SEEDS, other=SEEDS, crashes=st.integers(0, 3), hasty=SEEDS
)
def test_whichever_copy_of_a_task_is_done_first_the_result_is_that_of_the_task_alone(
    values: dict[str, Any], seed: int, other: int, crashes: int, hasty: int
) -> None:
    alone = Ran(values | {"algorithm": "micro-batch"}, seed, 0)
    runs = Ran(values, seed, 0), Ran(values, other, crashes), Ran(values, hasty, crashes, first="Wake")
    assert [run.states for run in runs] == [alone.states] * 3
    assert [run.shown for run in runs] == [alone.shown] * 3
    assert all(len(said) == 1 for run in runs for said in run.entries.values())
    assert all(run.holds() for run in runs)


@often(40)
@given(values=flows("micro-batch-speculation", "transactional"), seed=SEEDS, crashes=st.integers(0, 3))
def test_a_transactional_sink_shows_what_a_copy_made_once(values: dict[str, Any], seed: int, crashes: int) -> None:
    alone = Ran(values | {"algorithm": "micro-batch"}, seed, 0)
    assert Ran(values, seed, crashes, first="Wake").shown == alone.shown


@often(100)
@given(values=flows("lineage", "batch"), seed=SEEDS, crashes=st.integers(0, 4))
def test_a_lost_task_makes_the_same_again_and_nobody_else_goes_back(
    values: dict[str, Any], seed: int, crashes: int
) -> None:
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes)
    assert run.states == calm.states
    assert run.shown == calm.shown
    assert all(len(said) == 1 for said in run.entries.values())
    assert run.holds()


@often(80)
@given(values=flows("real-time", "batch"), seed=SEEDS, crashes=st.integers(0, 3))
def test_real_time_mode_keeps_state_exact_and_loses_no_output(values: dict[str, Any], seed: int, crashes: int) -> None:
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes)
    assert run.states == calm.states
    assert run.shown.keys() == calm.shown.keys()
    assert crashes or run.shown == calm.shown
    assert run.holds()


@often(80)
@given(values=chains("continuous"), seed=SEEDS, crashes=st.integers(0, 3))
def test_continuous_processing_loses_no_record(values: dict[str, Any], seed: int, crashes: int) -> None:
    calm, run = Ran(values, seed, 0), Ran(values, seed, crashes)
    assert run.shown.keys() == calm.shown.keys()
    assert crashes or run.shown == calm.shown
    assert run.holds()


class Ran:
    """A run of random actions with some crashes, until nothing is left to do. Actions of kind ``first`` have priority:
    nothing else happens while there are some. ``falls`` says which processes may crash; ``fallen`` are those that did,
    ``returned`` those that came back alone, ``restores`` counts the rollbacks."""

    def __init__(
        self, values: dict[str, Any], seed: int, crashes: int, first: str | None = None, falls: str | None = None
    ) -> None:
        self.system = made(values).system(RunKey())
        self.world, self.history = self.system.begin(), History(self.system.topology.names)
        self.flight = Flight(self.system)
        self.entries: dict[int, set[Ranges]] = {}
        self.copies: Counter[bool] = Counter()
        self.falls, self.restores = falls, 0
        self.fallen: Counter[str] = Counter()
        self.returned: Counter[str] = Counter()
        self.rng = Random(seed)
        self.make(Start("driver"))
        for _ in range(150):
            if crashes and self.rng.random() < 0.04 and (fitting := self.crashes()):
                self.make(self.rng.choice(fitting))
                crashes -= 1
            if self.world.down and self.rng.random() < 0.3:
                self.make(self.back())
            if not (usual := self.usual()):
                break
            hurried = [one for one in usual if type(one).__name__ == first]
            self.make(self.rng.choice(hurried or usual))
        for _ in range(END):
            last = self.flight.quiet(self.world) or self.flight.back(self.world) or reading(self.system, self.world)
            if last is None:
                break
            self.make(last)
        else:
            raise AssertionError("it does not come to its end")
        assert not self.world.in_flight()

    def back(self) -> Action:
        """Return an action that brings a crashed process back."""
        if together(self.system, self.world):
            return Restore(restorable(self.world)[-1])
        return Restart(self.rng.choice(self.world.down))

    def crashes(self) -> list[Action]:
        """Return the crashes that may happen now."""
        found = self.possible("Crash")
        return (
            found
            if self.falls is None
            else [one for one in found if (one == Crash("driver")) == (self.falls == DRIVER)]
        )

    def usual(self) -> list[Action]:
        """Return what may happen without a fault; snapshots start rarely."""
        found = [one for kind in ORDINARY for one in self.possible(kind)]
        starting = len(self.world.snapshots) < 6 and self.rng.random() < 0.1
        return found if starting else [one for one in found if not isinstance(one, Start)]

    def possible(self, kind: str) -> list[Action]:
        """Return the actions of a kind that can happen now."""
        return [action for action in enabled(self.system, self.world) if type(action).__name__ == kind]

    def make(self, action: Action) -> None:
        """One step."""
        self.world, notes = step(self.system, self.world, action)
        self.history.watch(action, notes)
        self.flight.saw(notes)
        self.restores += isinstance(action, Restore)
        self.fallen.update(note.process for note in notes if isinstance(note, Down))
        self.returned.update(note.process for note in notes if isinstance(note, Returned))
        if isinstance(action, Wake) and action.what.word == "copy":
            self.copies[any(isinstance(note, Changed) for note in notes)] += 1
        for entry in logged(notes):
            self.entries.setdefault(entry[1], set()).add(entry[2])

    @property
    def states(self) -> dict[str, Any]:
        """Return the final states of sources and operators; which of their inputs ended first does not matter."""
        names = [name for name in self.system.topology.names if name != "driver" and not name.startswith("out")]
        return {name: told(self.system.program.view(self.world.states[name])) for name in names}

    @property
    def shown(self) -> Counter[tuple[str, int]]:
        """Return how often each item is visible, with its value."""
        return Counter(one for name in sorted(self.world.durable.outside) for one in self.visible(name))

    def visible(self, sink: str) -> list[tuple[str, int]]:
        """Return what is visible at a sink, in order, with its values."""
        program, outside = self.system.program, self.world.durable.outside
        assert isinstance(program, Dataflow)
        return [(r.id, r.value) for r in program.visible(outside.get(sink))]

    def holds(self) -> bool:
        """Is every snapshot a global state through which the run could have passed?"""
        oracle = Oracle(self.system, self.history)
        judged = [oracle.judge(self.world, number) for number in self.history.recordings]
        return undisturbed(self.system, self.history) and not any(one.broken for one in judged)


def told(state: Any) -> Any:
    """Return a state as people see it, with a fixed order of the ended inputs."""
    return state | {"ended": sorted(state["ended"])} if isinstance(state, dict) and "ended" in state else state


def logged(notes: tuple[Note, ...]) -> list[tuple[str, int, Ranges]]:
    """Return what was written to the offset log in a step."""
    moves = [n.move for n in notes if isinstance(n, Acted) and n.move.detail == Deed.LOG]
    return [move.payload for move in moves if move.payload[0] == OFFSETS]


def test_crashes_do_happen_and_a_plain_sink_shows_it_after_that_of_a_task_and_after_that_of_the_driver() -> None:
    values = scenario(
        "micro-batch",
        ["driver", "s", "out"],
        [("driver", "s"), ("s", "out")],
        {"driver": {"coordinator": True, "batch": 2}, "s": {"source": [1, 2, 3]}, "out": {"sink": "plain"}},
    )
    for falls in (TASKS, DRIVER):
        runs = [Ran(values, seed, 3, falls=falls) for seed in range(60)]
        assert sum(run.world.durable.lives for run in runs) > 30
        assert any(max(run.shown.values()) > 1 for run in runs)


def test_copies_are_done_first_and_come_too_late() -> None:
    values = scenario(
        "micro-batch-speculation",
        ["driver", "s", "map", "out"],
        [("driver", "s"), ("s", "map"), ("map", "out")],
        {"driver": {"coordinator": True, "batch": 2}, "s": {"source": [1, 2, 3]}, "out": {"sink": "plain"}},
    )
    copies: Counter[bool] = Counter()
    for seed in range(20):
        copies += Ran(values, seed, 0).copies
    assert min(copies[True], copies[False]) > 5
