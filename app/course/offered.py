"""What can be answered to a question: listed in its file, or found in the run."""

from collections.abc import Callable, Iterable, Iterator

from app.core.causality import Event
from app.core.model import Json
from app.course.facts import Sent, marked, sent
from app.course.form import QuestionForm
from app.course.question import CONSISTENT, Option
from app.narration.tell import LANGUAGES, readable, word
from app.simulator.format import OutcomeForm, Words
from app.simulator.run import Run


def offered(form: QuestionForm, run: Run, step: int, items: Iterable[Json] | None) -> tuple[Option, ...]:
    """The options of a question of a lesson; ``items`` are those that its file lists by an expression."""
    if form.options is not None:
        return tuple(Option(name, text) for name, text in form.options.items())
    if form.states is not None:
        return tuple(Option(name, state(run, one)) for name, one in form.states.items())
    if items is not None:
        return tuple(item(run, one) for one in items)
    return tuple(usual(form.kind, run, step))


def usual(kind: str, run: Run, step: int) -> Iterator[Option]:
    """What a kind of question offers by itself: all processes, channels, events, messages or lines of the rule."""
    graph = run.system.topology
    match kind:
        case "process":
            yield from (Option(name, plain(name)) for name in graph.names)
        case "channel":
            yield from (Option(name, plain(arrow(name))) for name in graph.channels)
        case "event":
            yield from (item(run, marked(one)) for one in run.history.events)
        case "bug":
            yield from (Option(line, said(f"rule.{line}")) for line, _ in run.system.algorithm.PSEUDOCODE)
        case "verdict":
            yield Option(CONSISTENT, said("course.consistent"))
            yield from (item(run, one) for one in messages(run))
        case "set":
            yield from (item(run, one) for one in messages(run) if run.history.sends[one.id].step <= step or not step)


def messages(run: Run) -> list[Sent]:
    """All messages of the program, in the order in which they were sent."""
    return sent(run, [e.message for e in run.history.events if e.kind == "send" and e.message])


def item(run: Run, value: Json) -> Option:
    """Something that an expression lists: a message, an event, a process, a channel, or any text."""
    if isinstance(value, Sent):
        return Option(str(value.id), carried(run, value))
    events = {marked(one): one for one in run.history.events}
    if value in events:
        return Option(str(value), happened(run, events[value]))
    return Option(str(value), plain(arrow(str(value)) if value in run.system.topology.channels else str(value)))


def carried(run: Run, message: Sent) -> Words:
    """A message with its channel."""
    send = run.history.sends.get(message.id)
    if send is None or send.channel is None:
        return both(lambda language: readable(message.payload, language))
    channel = arrow(send.channel)
    return both(lambda language: word("course.message", language, message=message.payload, channel=channel))


def happened(run: Run, event: Event) -> Words:
    """An event in words."""
    about = run.system.program.show(event.message.payload) if event.message else None
    fields = {"process": event.process, "index": event.index, "message": about, "channel": arrow(event.channel or "")}
    return said(f"course.event.{event.kind}", **fields)


def state(run: Run, form: OutcomeForm) -> Words:
    """A global state in words: processes, then the channels, empty ones too."""
    queues = {name: form.channels.get(name, []) for name in run.system.topology.channels}

    def told(language: str) -> str:
        parts = [f"{name} {readable(value, language)}" for name, value in form.processes.items()]
        parts += [
            f"{arrow(name)} " + ("∅" if not queue else "[" + ", ".join(readable(m, language) for m in queue) + "]")
            for name, queue in queues.items()
        ]
        return " · ".join(parts)

    return both(told)


def arrow(channel: str) -> str:
    """A channel as people read it."""
    return channel.replace("->", "→")


def plain(text: str) -> Words:
    """A name, which is the same in every language."""
    return Words(en=text, zh=text)


def said(key: str, /, **fields: Json) -> Words:
    """The words of the catalogues."""
    return both(lambda language: word(key, language, **fields))


def both(told: Callable[[str], str]) -> Words:
    """The same in each language."""
    return Words(**{language: told(language) for language in LANGUAGES})
