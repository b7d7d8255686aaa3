"""What can be answered to a question: listed in its file, or found in the run."""

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias

from app.core.model.values import Json
from app.core.oracle.history import Event
from app.course.phrases import arrow, both, plain, value, words_of
from app.course.question import CONSISTENT, Option
from app.course.run_facts import Sent, marked, sent
from app.course.yaml_forms import QuestionForm
from app.run.run import Run
from app.scenario.format import Words
from app.words.catalogues import readable, word

State: TypeAlias = Mapping[str, Json]
"""A global state: ``processes`` and ``channels``; of channels that are not named, nothing is in them."""


def offered(form: QuestionForm, run: Run, step: int, items: Iterable[Json] | None) -> tuple[Option, ...]:
    """Return the options of a question of a lesson. ``items`` are those that its file lists by an expression."""
    if form.options is not None:
        return tuple(Option(name, text) for name, text in form.options.items())
    if form.states is not None:
        return states(run, {name: one.model_dump() for name, one in form.states.items()})
    if items is not None:
        return tuple(_item(run, one) for one in items)
    return tuple(_usual(form.kind, run, step))


def _usual(kind: str, run: Run, step: int) -> Iterator[Option]:
    """Yield the options that a kind of question has by itself: all processes, channels, events, messages or lines of
    the rule."""
    graph = run.system.topology
    match kind:
        case "process":
            yield from (Option(name, plain(name)) for name in graph.names)
        case "channel":
            yield from (Option(name, plain(arrow(name))) for name in graph.channels)
        case "event":
            yield from (_item(run, marked(one)) for one in run.history.events)
        case "bug":
            yield from (Option(line, words_of(f"rule.{line}")) for line, _ in run.system.algorithm.PSEUDOCODE)
        case "verdict":
            yield Option(CONSISTENT, words_of("course.consistent"))
            yield from (_item(run, one) for one in _messages(run))
        case "set":
            yield from (_item(run, one) for one in _messages(run) if run.history.sends[one.id].step <= step or not step)


def _messages(run: Run) -> list[Sent]:
    """Return all messages of the program, in the order in which they were sent."""
    return sent(run, [e.message for e in run.history.events if e.kind == "send" and e.message])


def _item(run: Run, value: Json) -> Option:
    """Return as an option what an expression lists: a message, an event, a process, a channel, or any text."""
    if isinstance(value, Sent):
        return Option(str(value.id), _carried(run, value))
    events = {marked(one): one for one in run.history.events}
    if value in events:
        return Option(str(value), happened(run, events[value]))
    return Option(str(value), plain(arrow(str(value)) if value in run.system.topology.channels else str(value)))


def _carried(run: Run, message: Sent) -> Words:
    send = run.history.sends.get(message.id)
    if send is None or send.channel is None:
        return both(lambda language: readable(message.payload, language))
    channel = arrow(send.channel)
    return both(lambda language: word("course.message", language, message=message.payload, channel=channel))


def happened(run: Run, event: Event) -> Words:
    """Return an event in words."""
    about = run.system.program.show(event.message.payload) if event.message else None
    fields = {"process": event.process, "index": event.index, "message": about, "channel": arrow(event.channel or "")}
    return words_of(f"course.event.{event.kind}", **fields)


def states(run: Run, offers: Mapping[str, State]) -> tuple[Option, ...]:
    """Return global states by name as options."""
    every = {name: components(run, one) for name, one in offers.items()}
    return tuple(Option(name, state(run, one), one) for name, one in every.items())


def components(run: Run, whole: State) -> dict[str, Json]:
    """Return the parts of a global state by name, including empty channels."""
    queues = {name: list(whole.get("channels", {}).get(name, [])) for name in run.system.topology.channels}
    return {**whole["processes"], **queues}


def cell(run: Run, name: str, found: Json) -> tuple[str, Words]:
    """Return the name and the value of a part of a global state."""
    empty = name in run.system.topology.channels and not found
    return arrow(name), words_of("course.state.empty") if empty else value(found)


def state(run: Run, parts: Mapping[str, Json]) -> Words:
    """Return a global state in one line: first the processes, then what is in the channels."""
    queues = {name: parts[name] for name in run.system.topology.channels}
    kept = [
        words_of("course.state.part", name=name, value=value(one)) for name, one in parts.items() if name not in queues
    ]
    flying = [words_of("course.message", message=found, channel=arrow(name)) for name, found in queues.items() if found]
    rest = both(lambda language: " · ".join(getattr(one, language) for one in kept))
    return words_of("course.state" if flying else "course.state.quiet", processes=rest, messages=flying)
