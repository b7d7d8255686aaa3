"""What a process will have at the end, asked when all that will still reach it is on its way."""

from collections.abc import Iterator

from app.core.causality import RECEIVE, Event
from app.core.model import Json
from app.core.oracle import parts
from app.course.generated.card import MOST_OPTIONS, Subject, card, distinct, joined, narrated, told, value
from app.course.question import LARGEST, Answer, Option, Question
from app.narration.tell import readable
from app.simulator.run import Run
from app.view.address import Address

NAME = "live"


def subjects(run: Run) -> Iterator[Subject]:
    """Processes that receive something last, with the step from which nothing else happens to them."""
    if run.history.lives or run.history.went or run.system.program.EAGER or run.full:
        return
    for name in run.system.topology.names:
        mine = [event for event in run.history.events if event.process == name]
        step = since(run, mine)
        if step is not None and (whole(views(run, mine)[-1]) or answerable(views(run, mine))):
            yield name, step


def since(run: Run, mine: list[Event]) -> int | None:
    """The first step after which a process only receives what has been sent by then, and at least one message."""
    for start, first in enumerate(mine):
        rest = mine[start:]
        if any(event.kind != RECEIVE or event.message is None for event in rest):
            continue
        sends = [run.history.sends[event.message.identity].step for event in rest if event.message]
        copies = [run.history.copied.get(event.message.identity, 0) for event in rest if event.message]
        before = mine[start - 1].step if start else 0
        known = max([*sends, *copies, before])
        if known < first.step:
            return known
    return None


def views(run: Run, mine: list[Event]) -> list[Json]:
    """What a process had: at first, and after each event."""
    name = mine[0].process
    return [run.system.program.view(state) for state in (run.begin.states[name], *(e.state for e in mine))]


def whole(view: Json) -> bool:
    """Is it a whole number, which can be written down?"""
    return isinstance(view, int) and not isinstance(view, bool) and abs(view) < LARGEST


def answerable(found: list[Json]) -> bool:
    """Are there several states to choose from?"""
    return 1 < len(states(found)) <= MOST_OPTIONS and distinct(states(found))


def states(found: list[Json]) -> tuple[Option, ...]:
    """Each state once, as an option."""
    once = {readable(view, "en"): view for view in found}
    return tuple(Option(f"state-{number}", value(view)) for number, view in enumerate(once.values(), 1))


def chosen(options: tuple[Option, ...], view: Json) -> str:
    """The option of a state; nothing where it is none."""
    return next((one.value for one in options if one.text == value(view)), "")


def ask(run: Run, address: Address, subject: Subject) -> Question:
    """What will it have?"""
    name, step = subject
    mine = [event for event in run.history.events if event.process == name]
    found = views(run, mine)
    now, end = run.system.program.view(run.world(step).states[name]), found[-1]
    number = whole(end)
    options = () if number else states(found)
    tempting: dict[Answer, str] = {str(now) if number else chosen(options, now): "M3"}
    for snapshot in run.history.recordings:
        if part := parts(run.system, run.end, snapshot).get(name):
            kept = run.system.program.view(part.state)
            tempting[str(kept) if number else chosen(options, kept)] = "M9"
    coming = [run.system.program.show(e.message.payload) for e in mine if e.step > step and e.message]
    why = [told("quiz.live.why", process=name, now=value(now), messages=coming, end=value(end))]
    if not run.system.algorithm.PAUSES:
        why.append(told("quiz.live.copy"))
    return card(
        NAME,
        "number" if number else "choice",
        run,
        address,
        step,
        str(end) if number else chosen(options, end),
        asks=told("quiz.live.asks", process=name, step=step),
        options=options,
        tempting=tempting,
        why=joined(*why, narrated(run, mine[-1].step)),
        shows=mine[-1].step,
    )
