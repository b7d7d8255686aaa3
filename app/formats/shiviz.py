"""Export: a run as a log for ShiViz, which draws space-time diagrams from text with vector clocks.

The first line is the regular expression that parses the log, the second would separate several executions and is empty,
the rest has two lines per event: ``host {clock} {program} {cut}``, then what happened. Every step of the run is one
event of the process that acted; a process's own entry grows by one with each of its events, from 1. When the whole
system rolls back to a snapshot, that is an event of each process, unknown to the others.

clock
    counts markers and all other messages of the algorithm as well as the program's: ShiViz draws them all
program
    the same clock, but an event's knowledge of others comes from the program's messages alone. These decide whether
    a cut is consistent: a marker may well bring knowledge of an event beyond the cut
cut
    by snapshot, how many events of this process are before its cut, in an event in which the process recorded (or
    beside which it is clear that it takes no part); null where the snapshot has no cut that can be judged: it was never
    complete in its processes, it was aborted, or a process keeps a message that its sender has undone

Source: I. Beschastnikh, P. Liu, A. Xing, P. Wang, Y. Brun, M. D. Ernst, "Visualizing Distributed System Executions",
ACM TOSEM 29(2), 2020, and the log format of the ShiViz wiki.
"""

import json
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from app.core.model.notes import (
    Assembled,
    Changed,
    Closed,
    Completed,
    Doubled,
    Logged,
    Note,
    Output,
    Received,
    Recorded,
    Returned,
    Sent,
    Stored,
    only,
)
from app.core.model.value import Frozen
from app.core.model.values import (
    APP,
    CONTROL,
    MARKER,
    WORD,
    Abandon,
    Crash,
    Forget,
    Join,
    Leave,
    Message,
    Move,
    Restore,
    Start,
    Wake,
)
from app.core.oracle.history import RECEIVE
from app.run.run import Run, Step

PARSER = r"(?<host>\S*) (?<clock>{.*}) (?<program>{.*}) (?<cut>{.*})\n(?<event>.*)"
"""The regular expression, as ShiViz (JavaScript) writes it."""

Clock = dict[str, int]


class LogEvent(Frozen):
    """One event of the log. The clocks have no entry for processes of which ``host`` knows nothing yet."""

    host: str
    clock: Clock
    program: Clock
    text: str


def log(run: Run) -> str:
    """Return the whole log."""
    found = list(_events(run))
    cut = _cuts(run, found)
    lines = []
    for place, event in enumerate(found):
        counts = " ".join(json.dumps(each) for each in (event.clock, event.program, cut.get(place, {})))
        lines.append(f"{event.host} {counts}\n{event.text}\n")
    return f"{PARSER}\n\n" + "".join(lines)


def _events(run: Run) -> Iterator[LogEvent]:
    """Yield one event per step, or, where all processes roll back, one per process, with vector clocks over all of
    them."""
    order = run.system.topology.process_order
    clocks: dict[str, Clock] = {}
    programs: dict[str, Clock] = {}
    sent: dict[int, Clock] = {}
    learnt = _known(run)
    at: dict[tuple[str, int], Clock] = {}
    for number, step in enumerate(run.steps, 1):
        hosts = _acting(run, step)
        for note in only(Doubled, step.notes):
            sent[note.copy.id] = sent[note.message.id]
        for host in hosts:
            # what was received may be received again after a rollback
            arrived = [sent[note.message.id] for note in only(Received, step.notes)]
            clocks[host] = clock = _later(host, order, clocks.get(host, {}), arrived)
            told = [at[event] for event in learnt.get((host, number), ())]
            programs[host] = at[host, number] = _later(host, order, programs.get(host, {}), told)
            sent |= {note.message.id: clock for note in only(Sent, step.notes) if note.process == host}
            yield LogEvent(host, clock, programs[host], _one_line("; ".join(_facts(run, step))))


def _later(host: str, order: Mapping[str, int], before: Clock, arrived: Iterable[Clock]) -> Clock:
    """Return the clock of the next event of ``host``, to which these clocks arrive."""
    clock = dict(before)
    for other in arrived:
        for name, count in other.items():
            clock[name] = max(clock.get(name, 0), count)
    clock[host] = clock.get(host, 0) + 1
    return dict(sorted(clock.items(), key=lambda item: order[item[0]]))


def _known(run: Run) -> dict[tuple[str, int], list[tuple[str, int]]]:
    """Return, by process and step, the processes and steps in which the messages were sent that the program received
    there.

    A sending that was undone before its message arrived has not happened; no process knows of it.
    """
    found: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for history in (*run.history.lives, run.history):
        for event in history.events:
            if event.kind == RECEIVE and event.message is not None and event.message.identity not in history.undone:
                send = history.sends[event.message.identity]
                found.setdefault((event.process, event.step), []).append((send.process, send.step))
    return found


def _cuts(run: Run, logged: Sequence[LogEvent]) -> dict[int, dict[str, int | None]]:
    """Return, by place in the log, the cuts of snapshots at the process that has its event there."""
    places: dict[str, list[int]] = {}
    for place, event in enumerate(logged):
        places.setdefault(event.host, []).append(place)
    steps: dict[str, list[int]] = {}
    for number, step in enumerate(run.steps, 1):
        for host in _acting(run, step):
            steps.setdefault(host, []).append(number)
    found: dict[int, dict[str, int | None]] = {}
    for number, seen in run.history.recordings.items():
        history = seen.life or run.history
        whole = run.verdicts[number].checks["consistent"] is not None and not any(
            event.kind == RECEIVE and event.message and event.message.identity in history.undone
            for event in history.events
        )
        at = {(event.process, event.index): event.step for event in history.events}
        for host, mine in places.items():
            if host not in seen.cut:
                continue
            count = seen.cut[host]
            shown = before = bisect_right(steps[host], at.get((host, count), 0))
            if host in seen.recorded:
                shown = bisect_left(steps[host], seen.recorded[host])
                beyond = bisect_left(steps[host], at.get((host, count + 1), len(run.steps) + 1))
                before = max(before, min(shown, beyond))  # with its earlier events that are not the program's
            place = mine[min(shown, len(mine) - 1)]
            found.setdefault(place, {})[str(number)] = before if whole else None
    return found


def _acting(run: Run, step: Step) -> tuple[str, ...]:
    """Return the processes that have an event in a step: the one that acts, all where they roll back, none where it is
    the network."""
    if isinstance(step.action, Restore):
        return run.system.topology.names
    host = run.system.actor(step.action)
    return () if host is None else (host,)


def _facts(run: Run, step: Step) -> Iterator[str]:
    """Yield what happened in a step, in few English words."""
    action = step.action
    match action:
        case Start():
            yield "starts a snapshot"
        case Move(channel=None):
            yield "changes its state"
        case Wake():
            yield f"does what it had put off: {action.what}"
        case Crash() | Join() | Leave():
            yield {Crash: "crashes", Join: "joins", Leave: "leaves"}[type(action)]
        case Restore():
            yield f"goes back to snapshot {action.snapshot}" if action.snapshot else "goes back to the beginning"
        case Abandon():
            yield f"gives snapshot {action.snapshot} up"
        case Forget():
            yield f"never hears {action.what}"
    for note in step.notes:
        if fact := _FACTS.get(type(note)):
            yield fact(run, note)


def _named(run: Run, message: Message) -> str:
    if message.kind == APP:
        return _value(run.system.program.show(message.payload))
    number = "" if message.snapshot is None else f" {message.snapshot}"
    if message.kind in (CONTROL, WORD):
        return f"{message.kind} {_value(message.payload)}{number}"
    return f"marker{number}" if message.kind == MARKER else f"part of {message.payload} of snapshot{number}"


def _value(shown: object) -> str:
    """Return a state or payload on one line."""
    return shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)


def _one_line(text: str) -> str:
    """Return the text without anything that a regular expression takes for the end of a line."""
    return " ".join(text.split()).replace("\u2028", " ").replace("\u2029", " ")


def _state(run: Run, state: object) -> str:
    return _value(run.system.program.view(state))


_FACTS: dict[type[Note], Callable[[Run, Any], str]] = {
    Received: lambda run, note: f"receives {_named(run, note.message)} from {note.channel}",
    Sent: lambda run, note: f"sends {_named(run, note.message)} on {note.channel}",
    Changed: lambda run, note: f"state {_state(run, note.state)}",
    Recorded: lambda run, note: f"records {_state(run, note.state)} for snapshot {note.snapshot}",
    Logged: lambda run, note: f"logs {_named(run, note.message)} in {note.channel} for snapshot {note.snapshot}",
    Closed: lambda run, note: f"closes {note.channel} for snapshot {note.snapshot}",
    Completed: lambda run, note: f"snapshot {note.snapshot} is complete",
    Stored: lambda run, note: f"saves {_state(run, note.state)}",
    Returned: lambda run, note: f"is back at {_state(run, note.state)}",
    Output: lambda run, note: f"puts out {_value(run.system.program.show(note.payload))}",
    Assembled: lambda run, note: f"snapshot {note.snapshot} is assembled",
}
"""What notes say in few words; the others say nothing of their own."""
