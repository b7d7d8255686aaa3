"""Duplicate removal: whatever is lost or duplicate, and whatever crashes, every item takes effect once, and no id is
forgotten too early."""

from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.algorithms.independent.millwheel import Memory, number
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.notes import Catalogued, Discarded, Stored
from app.core.model.system import System
from app.core.model.values import APP, Action, Crash, Deliver, Drop, Duplicate, Forget, Message, Restart, Wake, World
from app.core.oracle.history import History
from app.core.oracle.replay import undisturbed
from app.programs.dataflow import Dataflow, Record
from app.scenario.run_key import RunKey
from app.schedules.in_flight import Flight
from tests.often import often
from tests.tiny import made

FAULTS = (Drop, Duplicate, Crash, Forget)
END = 3_000
"""How many steps are enough for everything to arrive."""

OPERATORS: tuple[dict[str, Any], ...] = (
    {"sum": "all", "emit": "record"},
    {"count": "key", "emit": "record"},
    {"map": {"times": 3, "plus": 1}},
    {"filter": {"modulo": 2, "remainder": 1}},
    {"map": {"plus": 2}, "route": "key"},
    {"sum": "key", "emit": "record"},
)
"""Operators whose results do not depend on the order of arrival."""


@st.composite
def flows(draw: st.DrawFn) -> dict[str, Any]:
    """Draw one or two sources, up to three operators in any acyclic graph, with or without a coordinator, and sinks."""
    keys = st.sampled_from(("a", "b"))
    logs = st.lists(st.builds(lambda key, value: {key: value}, keys, st.integers(1, 9)), min_size=1, max_size=5)
    sources = [f"s{i}" for i in range(1, draw(st.integers(1, 2)) + 1)]
    middle = [f"o{i}" for i in range(1, draw(st.integers(1, 3)) + 1)]
    operators: dict[str, Any] = {
        name: {"source": draw(logs), "ends": draw(st.booleans())} | ({"route": "key"} if draw(st.booleans()) else {})
        for name in sources
    }
    links: list[tuple[str, str]] = []
    for place, name in enumerate(middle):
        before = [*sources, *middle[:place]]
        links += [(one, name) for one in draw(st.lists(st.sampled_from(before), unique=True, min_size=1))]
        operators[name] = draw(st.sampled_from(OPERATORS))
    loose = [name for name in (*sources, *middle) if not any(a == name for a, _ in links)]
    links += [(name, "out") for name in loose]
    inputs = [a for a, b in links if b == "o1"]
    if len(inputs) == 2:
        operators["o1"] = draw(st.sampled_from((operators["o1"], {"join": "key"})))
    operators["out"] = {"sink": "plain"}
    names = [*sources, *middle, "out"]
    if draw(st.booleans()):
        links += [("JM", name) for name in sources]
        names, operators["JM"] = ["JM", *names], {"coordinator": True}
    capacity = {"capacity": draw(st.integers(1, 3))} if draw(st.booleans()) else {}
    return capacity | {
        "topology": {"processes": names, "channels": [f"{a}->{b}" for a, b in links]},
        "program": {"kind": "dataflow", "operators": operators},
        "algorithm": "millwheel",
        "discipline": draw(st.sampled_from(("fifo", "any"))),
        "schedule": {"kind": "manual"},
    }


@often(120)
@given(values=flows(), seed=st.integers(0, 10**6), trouble=st.sampled_from((0.0, 0.05, 0.2, 0.5)))
def test_every_record_takes_effect_once_whatever_goes_wrong(values: dict[str, Any], seed: int, trouble: float) -> None:
    system = made(values).system(RunKey())
    world, history, watch = system.begin(), History(system.topology.names), Watch(system)
    rng, flight = Random(seed), Flight(system)
    for _ in range(120):
        offered = [action for action in enabled(system, world) if not isinstance(action, FAULTS)]
        wrong = [action for action in enabled(system, world) if isinstance(action, FAULTS)]
        usual = [action for action in offered if wanted(action)]
        if not usual and not wrong:
            break
        action = rng.choice(wrong if wrong and (not usual or rng.random() < trouble) else usual)
        world = made_step(system, world, action, history, flight, watch)
    for _ in range(END):
        if (last := flight.rest(world)) is None:
            break
        world = made_step(system, world, last, history, flight, watch)
    else:
        raise AssertionError("it does not come to its end")
    assert outcome(system, world) == outcome(system, quiet(system))
    assert undisturbed(system, history)
    assert not world.in_flight()


def wanted(action: Action) -> bool:
    """May this happen in a run? Everything may, except partitions of channels."""
    return type(action).__name__ not in ("Partition", "Heal", "Overtake")


def made_step(system: System, world: World, action: Action, history: History, flight: Flight, watch: "Watch") -> World:
    """Return the world after one step, and update all observers."""
    after, notes = step(system, world, action)
    history.watch(action, notes)
    flight.saw(notes)
    watch.saw(world, action, after)
    return after


def quiet(system: System) -> World:
    """Return the last world of a run without faults."""
    world, flight = system.begin(), Flight(system)
    while action := flight.rest(world):
        world, notes = step(system, world, action)
        flight.saw(notes)
    return world


def outcome(system: System, world: World) -> dict[str, Any]:
    """Return what every process keeps at the end, whatever the order of arrival, and what has left the system, maybe
    twice: that cannot be undone."""

    def plain(name: str) -> Any:
        state = world.states[name]
        sides = tuple(tuple(sorted(side, key=lambda one: one.id)) for side in state.sides)
        return state.offset, state.total, sorted(state.table), sides, len(state.ended), state.pending

    outside = world.durable.outside.get("out") or ()
    gone = sorted({(one.id, one.value) for one in outside if isinstance(one, Record)})
    return {name: plain(name) for name in system.topology.names} | {"outside": gone}


class Watch:
    """The messages that each process has saved; checks that it recognizes a copy of any of them."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.saved: dict[str, set[str]] = {channel: set() for channel in system.topology.channels}

    def saw(self, before: World, action: Action, after: World) -> None:
        """Observe one step."""
        if isinstance(action, Wake) and action.what.word == "commit":
            doing = before.memories[action.process].doing
            assert doing is not None and doing[1] not in self.saved[doing[0]], "saved twice"
            self.saved[doing[0]].add(doing[1])
        for channel, ends in self.system.topology.channels.items():
            memory = after.memories[ends.target]
            queue = after.queues.get(channel, ())
            if ends.target not in after.down:
                for message in (*queue, *after.memories[ends.source].kept.get(channel, ())):
                    self.known(channel, memory, message)

    def known(self, channel: str, memory: Memory, message: Message) -> None:
        """Check that exactly what was saved is recognized as a copy."""
        if message.kind != APP:
            return
        ident = message.tag[0]
        known = ident in memory.seen.get(channel, ()) or number(ident) < memory.marks.get(channel, 0)
        assert known == (ident in self.saved[channel]), (channel, ident)


def test_the_catalogue_stays_short_where_acknowledgements_come_and_grows_where_they_do_not() -> None:
    values: dict[str, Any] = {
        "topology": {"processes": ["src", "sum"], "channels": ["src->sum"]},
        "program": {"kind": "dataflow", "operators": {"src": {"source": list(range(50))}, "sum": {"sum": "all"}}},
        "algorithm": "millwheel",
        "schedule": {"kind": "manual"},
    }
    system = made(values).system(RunKey())

    def most(lost: bool) -> int:
        world, flight, found = system.begin(), Flight(system), 0
        while action := flight.rest(world):
            if isinstance(action, Wake) and action.what.word == "resend" and lost:
                return found
            if lost and isinstance(action, Wake) and action.what.word == "ack":
                action = Forget(action.process, action.what)
            world, notes = step(system, world, action)
            flight.saw(notes)
            found = max(found, *(note.kept for note in notes if isinstance(note, Catalogued)), 0)
        return found

    assert most(lost=True) == 50
    assert most(lost=False) <= 2


def test_a_process_comes_back_alone_and_only_it_changes() -> None:
    values: dict[str, Any] = {
        "topology": {"processes": ["src", "a", "b"], "channels": ["src->a", "a->b"]},
        "program": {
            "kind": "dataflow",
            "operators": {"src": {"source": [5, 6]}, "a": {"sum": "all", "emit": "record"}, "b": {"sum": "all"}},
        },
        "algorithm": "millwheel",
        "schedule": {"kind": "manual"},
    }
    system = made(values).system(RunKey())
    world, flight = system.begin(), Flight(system)
    for _ in range(9):
        action = flight.rest(world)
        assert action is not None
        world, notes = step(system, world, action)
        flight.saw(notes)
    down, _ = step(system, world, Crash("a"))
    back, notes = step(system, down, Restart("a"))
    assert {name for name in system.topology.names if back.states[name] != world.states[name]} <= {"a"}
    assert isinstance(system.program, Dataflow)
    assert not any(isinstance(note, Stored | Discarded) for note in notes)
    assert all(back.queues[channel][: len(queue)] == queue for channel, queue in world.queues.items())
    assert not any(isinstance(action, Deliver) and action.channel == "src->a" for action in enabled(system, down))
