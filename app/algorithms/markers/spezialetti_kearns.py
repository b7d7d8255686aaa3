"""Spezialetti–Kearns: several initiators share one snapshot; each rules a region, and they exchange what they have.

Every process records once and sends one marker on each output, as in Chandy–Lamport. A marker carries its initiator,
the *master*. The first marker makes a process belong to the region of its master, and its sender the parent; a marker
of another master is not forwarded: it only says that the region of that master is adjacent, and that master is added to
the border set. A marker also says whether its receiver is the sender's parent, so once markers have come on all inputs,
a process knows its children. Channels go both ways.

Then the parts go up: a process that is done and has heard all its children tells its parent what it has, with the
border sets of all. A master that has its whole region exchanges with the adjacent masters, in rounds. In the first it
tells them its region; in each later one what was new in the round before. A round that brings nothing new is the last:
a region at distance d would have been reported in round d. So the master tells those that still exchange that it has
nothing more, and every master ends with the whole snapshot.

There is one marker per channel however many initiators there are: |E|, where separate snapshots for k initiators take k
|E|. What is told beside the channels is added: one message for each process that is not a master, and the rounds.

Notes: those of Chandy–Lamport, and Region, Round, Assembled.

References
----------
M. Spezialetti, P. Kearns, "Efficient distributed snapshots", ICDCS 1986, 382-388; A. D. Kshemkalyani, M. Singhal,
Distributed Computing, 2008, chapter 4. The rules of recording are those of Chandy and Lamport, ACM TOCS 3(1), 1985.
"""

from collections.abc import Iterable
from typing import Any

from immutables import Map
from msgspec import field
from msgspec.structs import replace

from app.algorithms.markers import chandy_lamport
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Assembled, Region, Round, Rule
from app.core.model.topology import source_of
from app.core.model.value import Value
from app.core.model.values import APP, MARKER, Message, Part, Post, Process, Tell

NAME = "spezialetti-kearns"
REQUIRES = "fifo"
GRAPH = "both-ways"
LABELLED = False
MARKERS = True
COLLECTS = True
COST = "|E| + x"
PSEUDOCODE = (
    ("on-start", 0),
    ("region-own", 1),
    ("start-send", 1),
    ("on-marker", 0),
    ("if-first", 1),
    ("region-join", 2),
    ("send", 2),
    ("else", 1),
    ("close", 2),
    ("region-border", 2),
    ("on-message", 0),
    ("log", 1),
    ("process", 1),
    ("on-region", 0),
    ("region-report", 1),
    ("on-exchange", 0),
    ("region-exchange", 1),
    ("region-nothing", 1),
)

Names = tuple[str, ...]


class Place(Value):
    """The place of a process in one snapshot.

    ``border`` are the adjacent masters, ``children`` the processes whose parent it is, ``reports`` what they told:
    their names, and the adjacent masters. The rest is a master's: ``known`` are the processes whose parts it has,
    ``round`` is the present round (0: not yet), ``active`` the masters that still exchange with it, ``heard`` what they
    told in each round (None where they told nothing), ``ended`` whether its last round is over.
    """

    master: str
    parent: str | None
    border: Names = ()
    children: Names = ()
    reports: "Map[str, tuple[Names, Names]]" = field(default_factory=Map)
    told: bool = False
    known: Names = ()
    round: int = 0
    active: Names = ()
    heard: "Map[tuple[int, str], Names | None]" = field(default_factory=Map)
    ended: bool = False


class Memory(Value):
    """The tables of Chandy–Lamport, and the place in each snapshot."""

    tables: "Map[int, chandy_lamport.Table]"
    places: "Map[int, Place]"


def start(process: Process) -> Memory:
    """Return a memory with nothing recorded."""
    return Memory(Map(), Map())


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record as the master of a region of its own."""
    return _record(process, memory, state, snapshot, None, Place(process.name, None))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Log messages; join the region of the first marker, remember the masters of the others."""
    if message.kind == APP:
        tables, effects = chandy_lamport.on_receive(process, memory.tables, state, channel, message)
        return replace(memory, tables=tables), effects
    assert message.snapshot is not None
    source, (master, parent) = source_of(channel), message.payload
    if message.snapshot not in memory.tables:
        return _record(process, memory, state, message.snapshot, channel, Place(master, source))
    tables, effects = chandy_lamport.close(process, memory.tables, message.snapshot, channel)
    effects = list(effects)
    place = memory.places[message.snapshot]
    if master != place.master and master not in place.border:
        place = replace(place, border=_in_order(process, (*place.border, master)))
        effects += [Region(message.snapshot, process.name, place.master, place.border), Rule(("region-border",))]
    if parent == process.name:
        place = replace(place, children=(*place.children, source))
    return _onward(process, replace(memory, tables=tables), message.snapshot, place, effects)


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: Any
) -> Reply[Memory]:
    """Take a child's report, or what an adjacent master tells."""
    assert snapshot is not None
    place = memory.places[snapshot]
    if word[0] == "region":
        place = replace(place, reports=place.reports.set(source, word[1:]))
    else:
        place = replace(place, heard=place.heard.set((word[1], source), word[2] if word[0] == "exchange" else None))
    return _onward(process, memory, snapshot, place, [Rule(("on-region" if word[0] == "region" else "on-exchange",))])


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return what Chandy–Lamport's table says."""
    return chandy_lamport.result(process, memory.tables, snapshot)


def _record(
    process: Process, memory: Memory, state: object, snapshot: int, first: str | None, place: Place
) -> Reply[Memory]:
    """Record by Chandy–Lamport's rule; the markers carry the master, and the parent."""
    tables, effects = chandy_lamport.record(process, memory.tables, state, snapshot, first)
    said: list[Effect] = [Region(snapshot, process.name, place.master, ())]
    for effect in effects:
        match effect:
            case Post(channel):
                said.append(Post(channel, MARKER, snapshot, (place.master, place.parent)))
            case Rule():
                said.append(Rule(_lines(first, process)))
            case _:
                said.append(effect)
    return _onward(process, replace(memory, tables=tables), snapshot, place, said)


def _lines(first: str | None, process: Process) -> tuple[str, ...]:
    """Return the lines of the pseudocode that recording executes."""
    if first is None:
        return ("on-start", "region-own", *(("start-send",) if process.outputs else ()))
    return ("on-marker", "if-first", "region-join", "send")


def _onward(process: Process, memory: Memory, snapshot: int, place: Place, effects: list[Effect]) -> Reply[Memory]:
    """Report or exchange as far as is possible now. The effects of that come after ``effects``."""
    if not place.told and not memory.tables[snapshot].open and all(c in place.reports for c in place.children):
        place = _report(process, snapshot, place, effects)
    while place.round and not place.ended and all((place.round, master) in place.heard for master in place.active):
        place = _end_round(process, snapshot, place, effects)
    return replace(memory, places=memory.places.set(snapshot, place)), effects


def _report(process: Process, snapshot: int, place: Place, effects: list[Effect]) -> Place:
    """Send to the parent what this process and all below it have, or begin the rounds, once everything is here."""
    reports = [place.reports[child] for child in place.children]
    names = _in_order(process, (process.name, *(name for names, _ in reports for name in names)))
    border = _in_order(process, (*place.border, *(master for _, masters in reports for master in masters)))
    place = replace(place, told=True)
    if place.parent is not None:
        effects += [Rule(("on-region", "region-report")), Tell(place.parent, snapshot, ("region", names, border))]
        return place
    place = replace(place, known=names, active=border)
    if not border:
        effects.append(Assembled(snapshot, process.name))
        return replace(place, ended=True)
    effects += [Tell(master, snapshot, ("exchange", 1, names)) for master in border]
    effects.append(Rule(("on-exchange", "region-exchange")))
    return replace(place, round=1)


def _end_round(process: Process, snapshot: int, place: Place, effects: list[Effect]) -> Place:
    """End the round once all masters that still exchange have spoken, and ask whether anything was new."""
    heard = {master: place.heard[place.round, master] for master in place.active}
    active = tuple(master for master, names in heard.items() if names is not None)
    told = _in_order(process, (name for names in heard.values() for name in names or ()))
    fresh = tuple(name for name in told if name not in place.known)
    known = _in_order(process, (*place.known, *fresh))
    effects.append(Round(snapshot, process.name, len(known)))
    place = replace(place, known=known, active=active, round=place.round + 1, ended=not fresh)
    if fresh:
        effects.append(Rule(("on-exchange", "region-exchange")))
        effects += [Tell(master, snapshot, ("exchange", place.round, fresh)) for master in active]
    else:
        effects.append(Rule(("on-exchange", "region-nothing")))
        effects += [Tell(master, snapshot, ("nothing", place.round)) for master in active]
        effects.append(Assembled(snapshot, process.name))
    return place


def _in_order(process: Process, names: Iterable[str]) -> Names:
    """Return the names once each, in the scenario's order."""
    given = dict.fromkeys(names)
    return tuple(name for name in process.members if name in given)
