"""Export: a run as a log for ShiViz, which draws space-time diagrams from text with vector clocks.

The first line is the regular expression that parses the log, the second would separate several executions and is
empty, the rest is two lines an event: ``host {clock}``, then what happened. Every step of the run is one event of the
process that acted, so the clocks count markers and recorded parts as well as the program's messages; a process's own
entry grows by one with each of its events, from 1. When the whole system goes back to a snapshot, that is an event of
each process, of which the others know nothing.

Source: I. Beschastnikh, P. Liu, A. Xing, P. Wang, Y. Brun, M. D. Ernst, "Visualizing Distributed System Executions",
ACM TOSEM 29(2), 2020, and the log format of the ShiViz wiki.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from app.core.model import (
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
from app.core.notes import (
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
)
from app.simulator.run import Run, Step

PARSER = r"(?<host>\S*) (?<clock>{.*})\n(?<event>.*)"
"""The regular expression, as ShiViz (JavaScript) writes it."""

Clock = dict[str, int]


@dataclass(frozen=True, slots=True)
class LogEvent:
    """One event of the log. ``clock`` has no entry for processes of which ``host`` knows nothing yet."""

    host: str
    clock: Clock
    text: str


def log(run: Run) -> str:
    """The whole log."""
    lines = [f"{event.host} {json.dumps(event.clock)}\n{event.text}\n" for event in events(run)]
    return f"{PARSER}\n\n" + "".join(lines)


def events(run: Run) -> Iterator[LogEvent]:
    """One event a step, or, where everybody goes back, one of each process, with a vector clock over all of them."""
    order = run.system.topology.process_order
    clocks: dict[str, Clock] = {}
    sent: dict[int, Clock] = {}
    for step in run.steps:
        hosts = acting(run, step)
        for note in step.notes:
            if isinstance(note, Doubled):
                sent[note.copy.id] = sent[note.message.id]
        for host in hosts:
            clock = dict(clocks.get(host, {}))
            for note in step.notes:
                if isinstance(note, Received):
                    for name, count in sent[note.message.id].items():  # it may be received again after going back
                        clock[name] = max(clock.get(name, 0), count)
            clock[host] = clock.get(host, 0) + 1
            clocks[host] = clock = dict(sorted(clock.items(), key=lambda item: order[item[0]]))
            for note in step.notes:
                if isinstance(note, Sent) and note.process == host:
                    sent[note.message.id] = clock
            yield LogEvent(host, clock, one_line("; ".join(facts(run, step))))


def acting(run: Run, step: Step) -> tuple[str, ...]:
    """Who has an event in a step: the process that acts, all where everybody goes back, nobody where it is the
    network."""
    if isinstance(step.action, Restore):
        return run.system.topology.names
    host = run.system.actor(step.action)
    return () if host is None else (host,)


def facts(run: Run, step: Step) -> Iterator[str]:
    """What happened in a step, in few English words."""
    if isinstance(step.action, Start):
        yield "starts a snapshot"
    if isinstance(step.action, Move) and step.action.channel is None:
        yield "changes its state"
    if isinstance(step.action, Wake):
        yield f"does what it had put off: {step.action.what}"
    if isinstance(step.action, Crash | Join | Leave):
        yield {Crash: "crashes", Join: "joins", Leave: "leaves"}[type(step.action)]
    if isinstance(step.action, Restore):
        yield f"goes back to snapshot {step.action.snapshot}" if step.action.snapshot else "goes back to the beginning"
    if isinstance(step.action, Abandon):
        yield f"gives snapshot {step.action.snapshot} up"
    if isinstance(step.action, Forget):
        yield f"never hears {step.action.what}"
    for note in step.notes:
        said = fact(run, note)
        if said:
            yield said


def fact(run: Run, note: Note) -> str | None:
    """One note in few words, None where it says nothing of its own."""
    view = run.system.program.view
    if isinstance(note, Received):
        return f"receives {named(run, note.message)} from {note.channel}"
    if isinstance(note, Sent):
        return f"sends {named(run, note.message)} on {note.channel}"
    if isinstance(note, Changed):
        return f"state {value(view(note.state))}"
    if isinstance(note, Recorded):
        return f"records {value(view(note.state))} for snapshot {note.snapshot}"
    if isinstance(note, Logged):
        return f"logs {named(run, note.message)} in {note.channel} for snapshot {note.snapshot}"
    if isinstance(note, Closed):
        return f"closes {note.channel} for snapshot {note.snapshot}"
    if isinstance(note, Completed):
        return f"snapshot {note.snapshot} is complete"
    if isinstance(note, Stored):
        return f"saves {value(view(note.state))}"
    if isinstance(note, Returned):
        return f"is back at {value(view(note.state))}"
    if isinstance(note, Output):
        return f"puts out {value(run.system.program.show(note.payload))}"
    if isinstance(note, Assembled):
        return f"snapshot {note.snapshot} is assembled"
    return None


def named(run: Run, message: Message) -> str:
    """A message as the log calls it."""
    if message.kind == APP:
        return value(run.system.program.show(message.payload))
    number = "" if message.snapshot is None else f" {message.snapshot}"
    if message.kind in (CONTROL, WORD):
        return f"{message.kind} {value(message.payload)}{number}"
    return f"marker{number}" if message.kind == MARKER else f"part of {message.payload} of snapshot{number}"


def value(shown: Any) -> str:
    """A state or payload on one line."""
    return shown if isinstance(shown, str) else json.dumps(shown, ensure_ascii=False)


def one_line(text: str) -> str:
    """The text without anything that a regular expression takes for the end of a line."""
    return " ".join(text.split()).replace("\u2028", " ").replace("\u2029", " ")
