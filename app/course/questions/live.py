"""What a process will have at the end, asked when all that will still reach it is on its way."""

from collections.abc import Iterator

from app.core.model.recorded_state import channels, parts
from app.core.model.values import Json, Part
from app.core.oracle.history import RECEIVE, Event
from app.course.phrases import joined, value, words_of
from app.course.question import LARGEST, Answer, Option, Question
from app.course.questions.card import MOST_OPTIONS, Subject, card, distinct, events_of, narrated
from app.course.reasons.number import Parts
from app.course.reasons.number import number as counted
from app.run.run import Run
from app.scenario.format import Words
from app.words.catalogues import readable

LEVEL = 2


def subjects(run: Run) -> Iterator[Subject]:
    """Yield processes that receive something last, with the step after which they do nothing else."""
    if run.history.lives or run.history.went or run.system.program.EAGER or run.full:
        return
    for name, mine in events_of(run).items():
        step = _since(run, mine)
        if step is not None and (whole(views(run, mine)[-1]) or answerable(views(run, mine))):
            yield name, step


def _since(run: Run, mine: list[Event]) -> int | None:
    """Return the first step after which a process only receives messages sent by then, and at least one; None if there
    is no such step."""
    found, latest = None, 0
    for place in range(len(mine) - 1, -1, -1):
        event = mine[place]
        if event.kind != RECEIVE or event.message is None:
            break
        identity = event.message.identity
        latest = max(latest, run.history.sends[identity].step, run.history.copied.get(identity, 0))
        known = max(latest, mine[place - 1].step if place else 0)
        if known < event.step:
            found = known
    return found


def views(run: Run, mine: list[Event]) -> list[Json]:
    """Return the states that a process had: at first, and after each event."""
    name = mine[0].process
    return [run.system.program.view(state) for state in (run.begin.states[name], *(e.state for e in mine))]


def whole(view: Json) -> bool:
    """Is it a whole number, which can be written down?"""
    return isinstance(view, int) and not isinstance(view, bool) and abs(view) < LARGEST


def answerable(found: list[Json]) -> bool:
    """Are there several states to choose from?"""
    return 1 < len(states(found)) <= MOST_OPTIONS and distinct(states(found))


def states(found: list[Json]) -> tuple[Option, ...]:
    """Return each state once, as an option."""
    once = {readable(view, "en"): view for view in found}
    return tuple(Option(f"state-{number}", value(view)) for number, view in enumerate(once.values(), 1))


def chosen(options: tuple[Option, ...], view: Json) -> str:
    """Return the option of a state; "" if there is none."""
    return next((one.value for one in options if one.text == value(view)), "")


def stated(found: list[Json], option: str) -> Json:
    """Return the state that an option of ``states`` stands for."""
    once = {readable(view, "en"): view for view in found}
    return list(once.values())[int(option.removeprefix("state-")) - 1]


def _unfinished(run: Run, name: str, step: int, given: Json, coming: list[Json]) -> Words | None:
    """Explain why a process does not end with its present state, or with what was recorded of it."""
    fields = {"process": name, "state": value(given), "messages": coming, "step": step}
    if given == run.system.program.view(run.world(step).states[name]):
        return words_of("wrong.live.now", **fields)
    for snapshot, part in _copies(run, name).items():
        if given == run.system.program.view(part.state):
            return words_of("wrong.live.copy", snapshot=snapshot, **fields)
    return None


def _copies(run: Run, name: str) -> dict[int, Part]:
    """Return what each snapshot recorded of a process."""
    found = {number: parts(run.system, run.end, number).get(name) for number in run.history.recordings}
    return {number: part for number, part in found.items() if part is not None}


def _amounts(now: Json, end: Json, coming: list[Json]) -> Parts:
    """Return the parts of the final state, if what arrives is added to what is there."""
    if whole(now) and all(whole(one) for one in coming) and sum([now, *coming]) == end:
        return [(str(one), one) for one in (now, *coming)]
    return ()


def ask(run: Run, name: str, step: int) -> Question:
    """What will it have?"""
    mine = events_of(run)[name]
    found = views(run, mine)
    now, end = run.system.program.view(run.world(step).states[name]), found[-1]
    number = whole(end)
    options = () if number else states(found)
    tempting: dict[Answer, str] = {}
    recordings = (channels(run.system, parts(run.system, run.end, number)) for number in run.history.recordings)
    caught = {message.identity for logs in recordings for log in logs.values() for message in log}
    if caught & {event.message.identity for event in mine if event.step > step and event.message}:
        tempting[str(now) if number else chosen(options, now)] = "M3"
    for part in _copies(run, name).values():
        kept = run.system.program.view(part.state)
        tempting[str(kept) if number else chosen(options, kept)] = "M9"
    coming = [run.system.program.show(e.message.payload) for e in mine if e.step > step and e.message]

    def wrong(given: str) -> Words:
        """Explain why it does not end with this state."""
        view = int(given) if number else stated(found, given)
        known = _unfinished(run, name, step, view, coming)
        if known is None and number:
            return counted(int(given), end, _amounts(now, end, coming))
        return known or words_of("wrong.live.other", process=name, state=value(view), messages=coming)

    why = [words_of("quiz.live.why", process=name, now=value(now), messages=coming, end=value(end))]
    if not run.system.algorithm.PAUSES:
        why.append(words_of("quiz.live.copy"))
    return card(
        "number" if number else "choice",
        run,
        step,
        str(end) if number else chosen(options, end),
        asks=words_of("quiz.live.asks", process=name, step=step),
        options=options,
        tempting=tempting,
        wrong=wrong,
        why=joined(*why, narrated(run, mine[-1].step)),
        shows=mine[-1].step,
    )
