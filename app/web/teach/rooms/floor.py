"""An open floor: what can happen next in a run, for the class to decide."""

from itertools import islice

from app.core.kernel.enabled import faults, options
from app.web.shared.step_view import option
from app.web.shared.visit import Visit
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


def worded(shown: Visit, actions: tuple[str, ...], spoken: str) -> list[tuple[str, str, bool]]:
    """Return each action with its words; the last part is false where something goes wrong."""
    run, step = shown.run, shown.address.step
    world = run.world(step)
    able = [action for action, reason in options(run.system, world) if reason is None]
    found = {text(each, run.system.program.show): each for each in (*able, *faults(run.system, world))}
    told = [(name, option(run, step, None, found[name]), found[name] in able) for name in actions if name in found]
    return [(name, plain(word(one.key, spoken, **one.fields)), ordinary) for name, one, ordinary in told]
