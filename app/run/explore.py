"""All interleavings of a small system: how many states there are, which snapshots are possible, what breaks first.

Two states are the same when no continuation can tell them apart: same programs, same algorithm memories, same queues,
same moves and starts left, and the same debt to the oracle (which messages were sent outside a cut, which have crossed
one, and where markers were sent and states recorded). The ids of messages do not count, but it does count whether the
same message stands in two places: in the sender's history and in a queue, say, while a copy made by the network stands
in the queue alone. The search is breadth first, so the first counter-example found is a shortest one.

Source of the method: explicit-state model checking; the figures for the token are those of Chandy and Lamport 1985,
example 2.1.
"""

from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from types import NoneType
from typing import Any, TypeAlias, get_args

from immutables import Map
from msgspec import structs

from app.core.kernel.enabled import arrivals, enabled, faults, hindrance, moves, startable
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.algorithm import AnyAlgorithm
from app.core.model.conditions import USUAL
from app.core.model.notes import (
    Closed,
    Completed,
    Copied,
    Derived,
    Discarded,
    Doubled,
    Folded,
    Logged,
    Lost,
    Merged,
    Note,
    Overtook,
    Recorded,
    Sent,
)
from app.core.model.system import System
from app.core.model.value import Frozen, Value
from app.core.model.values import MARKER, NO_PAST, NOTHING, Action, Json, Message, Move, Refused, Saved, Start, World
from app.core.oracle import checks
from app.core.oracle.checks import CHECKS, Verdict
from app.core.oracle.history import History
from app.run.debt import Debt
from app.run.run import OWN, channels
from app.scenario.format import ExploreForm, FaultName
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario

MOST_STATES = 50_000
"""The most states visited; a search of twelve processes reaches it in well under half a minute."""

FAULTS: tuple[FaultName, ...] = get_args(FaultName)
MOST_FAULTS = 5
"""The most faults of each kind, as in an ``explore`` block."""

TELLING = frozenset((Recorded, Completed, Lost, Discarded, Doubled, Overtook))
"""The notes after which the oracle may say something new about a snapshot."""

LATE = (Logged, Copied, Folded, Derived, Closed, Merged)
"""Those after which it may, if the snapshot was complete before: what is recorded should not change any more."""

WATCHED = 500
"""How many new states there are between two calls of ``watch``."""


class Broken(Exception):
    """An algorithm has done what no process can do: no run goes on from here."""


Plain: TypeAlias = tuple[int, tuple[int, ...]]
"""The number of a value in which messages count by their content and the debt for them, and the identities of these
messages in the order in which they stand there."""


class Node(Value, gc=True):
    """A world on the way, what may still be done, and the path to it."""

    world: World
    moves: int
    starts: tuple[str, ...]
    faults: tuple[tuple[str, int], ...]
    debt: Debt
    table: dict[Hashable, int]
    """The number of each value of the search, see ``Plain``: it is hashed more quickly than all that it stands for."""
    parent: "Node | None" = None
    action: Action | None = None
    notes: tuple[Note, ...] = ()
    """What happened in the step that led here."""
    holders: tuple[Any, ...] = ()
    """The memories, lanes and queues, see ``_with_messages``."""
    plain: tuple["Plain", ...] = ()
    """What the fingerprint holds of each of them; where nothing happened, the parent's own value."""

    def path(self) -> tuple[tuple[Action, tuple[Note, ...]], ...]:
        """Return the actions that led here, each with what happened."""
        steps: list[tuple[Action, tuple[Note, ...]]] = []
        node: Node | None = self
        while node is not None and node.action is not None:
            steps.append((node.action, node.notes))
            node = node.parent
        return tuple(reversed(steps))


class Outcome(Frozen):
    """A possible recorded global state, as JSON, and the choices of a shortest run to it."""

    processes: Json
    channels: Json
    choices: tuple[tuple[int, int], ...]


class Counterexample(Frozen):
    """A shortest run in which ``check`` fails: its witness, and its choices."""

    check: str
    witness: Json
    choices: tuple[tuple[int, int], ...]


@dataclass
class Exploration:
    """The result. ``bounded`` says that the search stopped at its bound, so that more may be possible.

    ``judged`` counts the snapshots that the oracle judged in a state that was new to it, ``complete`` the complete ones
    among them: if there were none, finding nothing proves nothing.
    """

    states: int = 0
    transitions: int = 0
    bounded: bool = False
    judged: int = 0
    complete: int = 0
    outcomes: list[Outcome] = field(default_factory=list)
    counterexamples: dict[str, Counterexample] = field(default_factory=dict)
    incomplete: int = 0
    """States in which nothing more can happen and a snapshot is not complete."""
    stuck: tuple[tuple[int, int], ...] | None = None
    """The choices of a shortest run after which nothing is in flight and a snapshot is not complete, where that was
    asked; the search stopped there."""
    reached: tuple[tuple[int, int], ...] | None = None
    """The choices of a shortest run to what was sought; the search stopped there."""
    broken: tuple[Broken, tuple[tuple[int, int], ...]] | None = None
    """How the algorithm broke down, and the choices of a shortest run to it; the search stopped there."""


Sought = Callable[[World, int, Verdict], bool]
"""Is a snapshot what is sought? The arguments are the world, the snapshot's number and the oracle's verdict on it."""


def limits(scenario: Scenario) -> ExploreForm:
    """Return the limits of the search: what the scenario's ``explore`` block says, and the defaults."""
    form = scenario.form.explore or ExploreForm(faults=faulty(scenario))
    return form if form.starts is not None else form.model_copy(update={"starts": list(starting(scenario))})


def explore(
    scenario: Scenario,
    key: RunKey = OWN,
    *,
    most: int = MOST_STATES,
    watch: Callable[[int], None] | None = None,
    sought: Sought | None = None,
    tired: Callable[[], bool] | None = None,
    begun: Iterable[Action] = (),
    finishing: bool = False,
    crowd: int = 0,
    bounds: ExploreForm | None = None,
    rules: AnyAlgorithm | None = None,
) -> Exploration:
    """Visit every state that the scenario's ``explore`` block allows, at most ``most``: of all, or of those that follow
    after the actions with which it has ``begun``. Moves made there do not count; a process that started a snapshot
    there has used its start.

    ``watch`` is called now and then with the number of states so far. The search ends with the first snapshot that is
    ``sought``, which is one of a shortest run; ``tired`` is called before each state, and a search that it stops is
    bounded. With ``finishing`` it also ends where nothing is in flight and a snapshot is not complete: the programs
    need not do anything more. Where more than ``crowd`` messages wait on a channel, the algorithm has broken down; 0 is
    no limit. ``bounds`` takes the place of the scenario's ``explore`` block, ``rules`` that of its algorithm.
    """
    real = scenario.system(key)
    real = replace(real, algorithm=rules) if rules else real
    system, found = replace(real, collect=False), Exploration()  # collecting never changes what is recorded
    first = first_node(system, bounds or limits(scenario), begun)
    search = _Search(system, real, found, most, watch, sought, {fingerprint(system, first)}, deque([first]))
    while search.queue:
        if tired and tired():
            found.bounded = True
            break
        node = search.queue.popleft()
        found.states += 1
        if finishing and _is_stuck(node.world):
            found.stuck = choices(real, [action for action, _ in node.path()])
            break
        if crowd and any(len(queue) > crowd for queue in node.world.queues.values()):
            found.broken = Broken("crowd"), choices(real, [action for action, _ in node.path()])
            break
        search.expand(node)
    found.outcomes.sort(key=lambda outcome: repr((outcome.processes, outcome.channels)))
    return found


@dataclass(slots=True)
class _Search:
    """A search under way: what it has seen, and the nodes from which it has not gone on."""

    system: System
    real: System
    found: Exploration
    most: int
    watch: Callable[[int], None] | None
    sought: Sought | None
    seen: set[Hashable]
    queue: deque[Node]
    judged: set[Hashable] = field(default_factory=set)
    known: set[Hashable] = field(default_factory=set)

    def expand(self, node: Node) -> None:
        """Visit what follows a node. Where the search ends, nothing is left in the queue."""
        system, found, seen = self.system, self.found, self.seen
        dead = True
        for action in _allowed(system, node):
            try:
                after = node_after(system, node, action)
            except Refused:
                continue
            except Broken as error:
                found.broken = error, choices(self.real, [*(one for one, _ in node.path()), action])
                self.queue.clear()
                return
            dead = False
            found.transitions += 1
            mark = fingerprint(system, after)
            before = len(seen)
            seen.add(mark)
            if len(seen) == before:
                continue
            if before >= self.most:  # no state can be added any more, so continuing would find nothing
                found.bounded = True
                found.states = before
                self.queue.clear()
                break
            self.queue.append(after)
            if self.watch and not len(seen) % WATCHED:
                self.watch(len(seen))
            if after.world.snapshots and _tells(after) and mark[1:] not in self.judged:
                self.judged.add(mark[1:])
                _look(system, self.real, after, found, self.known, self.sought)
            if found.reached is not None:
                self.queue.clear()
                break
        if dead and _is_running(node.world):
            found.incomplete += 1


def _tells(node: Node) -> bool:
    """May the oracle say something new about a snapshot after the step that led to this node?"""
    for note in node.notes:
        if type(note) in TELLING:
            return True
        number = None
        if isinstance(note, LATE):
            number = note.snapshot
        elif isinstance(note, Sent) and note.message.kind == MARKER:
            number = note.message.snapshot
        # An own class may name one that nobody has started.
        if number is not None and (begun := node.world.snapshots.get(number)) and not begun.running:
            return True
    return False


def _is_running(world: World) -> bool:
    return any(world.snapshots[number].running for number in sorted(world.snapshots))


def _is_stuck(world: World) -> bool:
    """Is nothing in flight or deferred, and a snapshot not complete?"""
    return not (world.queues or world.lanes or world.wakes) and _is_running(world)


def first_node(system: System, form: ExploreForm, begun: Iterable[Action]) -> Node:
    """Return the node with which the search begins, after the actions with which it has ``begun``."""
    starts, world = form.starts or [], system.begin()
    if starts and system.algorithm.KIND.alone:  # a process that is not told must start by itself
        starts = [*starts, *(name for name in system.topology.names if name not in starts)]
    faults, holders = tuple(sorted(form.faults.items())), _with_messages(system, world)
    table: dict[Hashable, int] = {}
    plain = tuple(_plain(one, Debt(), table) for one in holders)
    first = Node(world, form.moves, tuple(starts), faults, Debt(), table, holders=holders, plain=plain)
    for action in begun:
        first = _later(system, first, action)
    return first


def node_after(system: System, node: Node, action: Action) -> Node:
    """Return the node after an action. Raises Refused where it cannot be."""
    world, notes = step(system, node.world, action)
    debt, holders = node.debt.after(notes), _with_messages(system, world)
    plain = tuple(
        [
            known if holder is before else _plain(holder, debt, node.table)
            for holder, before, known in zip(holders, node.holders, node.plain, strict=True)
        ]
    )
    starts, spent = _without(node.starts, _starter(action)), _less(node.faults, action)
    moves = node.moves - (isinstance(action, Move) and action.process not in node.world.leaving)
    return Node(world, moves, starts, spent, debt, node.table, node, action, notes, holders, plain)


def _later(system: System, node: Node, action: Action) -> Node:
    """Return the node after an action that has happened already: it uses up no move. Raises Refused where it cannot
    be."""
    starts = tuple(name for name in node.starts if name != _starter(action))
    return structs.replace(node_after(system, node, action), moves=node.moves, starts=starts, faults=node.faults)


def starting(scenario: Scenario) -> list[str]:
    """Return the processes that start a snapshot in the scenario's own run; the first process where none does."""
    listed = [initiator.process for initiator in scenario.form.initiators]
    scripted = [entry.start for entry in scenario.form.script if entry.start]
    return listed or scripted or [scenario.topology.names[0]]


def faulty(scenario: Scenario) -> dict[FaultName, int]:
    """Return the faults in the scenario's own run, and how often each happens: at least once each fault that its
    channels make by themselves, and each newcomer joins."""
    form = scenario.form
    counted: Counter[str] = Counter(n for entry in form.script for n in FAULTS if getattr(entry, n) is not None)
    counted["drop"] = max(counted["drop"], int(bool(form.loss)))
    counted["duplicate"] = max(counted["duplicate"], int(bool(form.duplication)))
    counted["join"] = max(counted["join"], len(form.newcomers))
    return {name: min(counted[name], MOST_FAULTS) for name in FAULTS if counted[name]}


def _allowed(system: System, node: Node) -> Iterator[Action]:
    """Yield the enabled actions that the limits leave. Handing over before leaving does not count as a move."""
    world, names = node.world, system.topology.names
    yield from (action for action, reason in arrivals(system, world) if reason is None)
    for name in names if node.moves else (one for one in names if one in world.leaving):
        yield from (move for move in moves(system, world, name) if hindrance(system, world, move) is None)
    yield from (Start(name) for name in names if name in node.starts and startable(system, world, name))
    if node.faults:
        left = dict(node.faults)
        yield from (fault for fault in faults(system, world) if left.get(fault.key))


def _less(left: tuple[tuple[str, int], ...], action: Action) -> tuple[tuple[str, int], ...]:
    kind = action.key
    return tuple((name, count - (name == kind)) for name, count in left)


def _starter(action: Action) -> str | None:
    """Return the process that starts a snapshot; None where the action is no start."""
    return action.process if isinstance(action, Start) else None


def _without(names: tuple[str, ...], name: str | None) -> tuple[str, ...]:
    place = names.index(name) if name in names else len(names)
    return names[:place] + names[place + 1 :]


def _look(
    system: System,
    real: System,
    node: Node,
    found: Exploration,
    known: set[Hashable],
    sought: Sought | None,
) -> None:
    """Let the oracle judge every snapshot of the run that led here; remember what is new."""
    history, world = History(system.topology.names), node.world
    path = node.path()
    actions = [action for action, _ in path]
    for action, notes in path:
        history.watch(action, notes)
    oracle = checks.Oracle(system, history)
    for number in sorted(history.recordings):
        found.judged += 1
        found.complete += history.recordings[number].completed is not None
        verdict = oracle.judge(world, number)
        if sought and found.reached is None and sought(world, number, verdict):
            found.reached = choices(real, actions)
        for check in CHECKS:
            if verdict.checks[check] is False and check not in found.counterexamples:
                found.counterexamples[check] = Counterexample(check, verdict.witnesses[check], choices(real, actions))
        if history.recordings[number].completed is None:
            continue
        recorded = recorded_state.parts(system, world, number)
        processes = {name: system.program.view(part.state) for name, part in recorded.items()}
        in_flight = channels(system, recorded)
        if (said := repr((processes, in_flight))) not in known:
            known.add(said)
            found.outcomes.append(Outcome(processes, in_flight, choices(real, actions)))


def choices(system: System, path: Iterable[Action]) -> tuple[tuple[int, int], ...]:
    """Return the path as indices into the enabled actions of the system as visitors run it."""
    world: World | None = None
    made, before = [], None
    for number, action in enumerate(path):
        world = step(system, world, before)[0] if world and before else system.begin()
        made.append((number, enabled(system, world).index(action)))
        before = action
    return tuple(made)


def _with_messages(system: System, world: World) -> tuple[Any, ...]:
    """Return what may hold messages: the memories of the processes, the lanes and the queues; None for an empty one. A
    step touches a few; what a fingerprint has of the others stays, because the debt for a message never changes once it
    is sent."""
    names, lines = system.topology.names, system.topology.channels
    return (*map(world.memories.get, names), *map(world.lanes.get, lines), *map(world.queues.get, lines))


def _plain(value: object, debt: Debt, table: dict[Hashable, int]) -> Plain:
    """Return the number of a value without the ids of its messages, and these ids."""
    identities: list[int] = []
    return table.setdefault(_bare(value, debt, identities), len(table)), tuple(identities)


_ATOMS = frozenset({NoneType, str, int, bool})


def _bare(value: Any, debt: Debt, identities: list[int]) -> Hashable:
    """Return a value in which messages count by their content and the debt for them; their ids are put aside."""
    kind = type(value)
    if kind in _ATOMS:
        return value  # type: ignore[no-any-return]
    if kind is tuple:
        return tuple([_bare(item, debt, identities) for item in value])
    if kind is Map:
        keys = sorted(value, key=repr) if len(value) > 1 else value
        return tuple([(key, _bare(value[key], debt, identities)) for key in keys])
    if kind is Message:
        identity = value.identity
        identities.append(identity)
        past = None if value.past is NO_PAST else (value.past.number, _bare(value.past.known, debt, identities))
        owed = (debt.outside.get(identity), debt.made.get(identity))
        return (value.kind, value.payload, value.snapshot, value.tag, value.origin is None, past, owed)
    if kind is Saved:  # which messages come after it is all that its number of messages is for, see ``fingerprint``
        return _bare(value.state, debt, identities), _bare(value.memory, debt, identities)
    fields = getattr(value, "__struct_fields__", None) or getattr(value, "__dataclass_fields__", None)
    if fields is not None and not isinstance(value, type):
        return (kind.__name__, *[_bare(getattr(value, name), debt, identities) for name in fields])
    return value  # type: ignore[no-any-return]


def _numbered(identities: list[int]) -> tuple[int, ...]:
    """Number the identities by first occurrence: equal where another choice of ids makes them equal."""
    places: dict[int, int] = {}
    return tuple([places.setdefault(identity, len(places)) for identity in identities])


def fingerprint(system: System, node: Node) -> tuple[Hashable, ...]:
    """Return a value that two nodes share when no continuation can tell them apart."""
    names, world, debt = system.topology.names, node.world, node.debt
    bare: list[int] = []
    identities: list[int] = []
    for number, some in node.plain:
        bare.append(number)
        identities += some
    for _, _, identity in debt.crossed:
        identities.append(identity)
    members = _bare(world.conditions, debt, identities) if world.conditions is not USUAL else ()
    kept = _bare(world.durable, debt, identities) if world.durable is not NOTHING else ()
    saved = [one for name in sorted(world.durable.saved) for one in world.durable.saved[name]]
    return (
        node.moves,
        node.starts,
        node.faults,
        members,
        kept,
        tuple([tuple([identity >= one.sent for identity in identities]) for one in saved]),
        tuple(map(world.states.__getitem__, names)),
        tuple(bare),
        world.wakes,
        tuple([(n, world.snapshots[n]) for n in sorted(world.snapshots)]),
        debt.orphans,
        tuple([(s, c, debt.outside.get(identity), debt.made.get(identity)) for s, c, identity in debt.crossed]),
        debt.disordered,
        debt.counted if system.algorithm.MARKERS else (),
        _numbered(identities),
    )
