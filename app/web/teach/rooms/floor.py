"""An open floor: what can happen next in a run, for the class to decide."""

from itertools import islice

from app.core.kernel.enabled import faults, options
from app.core.model.value import Frozen
from app.course.question import letter
from app.web.shared.step_view import option
from app.web.shared.visit import Visit
from app.web.teach.rooms.room import Poll
from app.wire.action_text import text
from app.words.catalogues import plain, word

MOST = 40
"""The most events that a class chooses from."""


def offered(shown: Visit) -> tuple[str, ...]:
    """Return the actions that are possible after the step that is shown, and what can go wrong: at most MOST."""
    run, world = shown.run, shown.run.world(shown.address.step)
    able = (action for action, reason in options(run.system, world) if reason is None)
    both = (*islice(able, MOST), *islice(faults(run.system, world), MOST))
    return tuple(text(action, run.system.program.show) for action in both[:MOST])


class Offer(Frozen):
    """An action in words. It keeps the ``letter`` that it had in the first round; ``ordinary``: nothing goes wrong."""

    action: str
    text: str
    ordinary: bool
    letter: str


def worded(shown: Visit, poll: Poll, spoken: str) -> list[Offer]:
    """Return what an open floor offers."""
    run, step = shown.run, shown.address.step
    world = run.world(step)
    able = [action for action, reason in options(run.system, world) if reason is None]
    found = {text(each, run.system.program.show): each for each in (*able, *faults(run.system, world))}
    letters = {name: letter(place) for place, name in enumerate(poll.first or poll.offered)}
    told = [(name, option(run, step, None, found[name])) for name in poll.offered if name in found]
    return [
        Offer(name, plain(word(one.key, spoken, **one.fields)), found[name] in able, letters[name])
        for name, one in told
    ]
