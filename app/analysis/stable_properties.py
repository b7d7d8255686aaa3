"""Properties that stay once they are true: when they are true in a run, and what can be concluded from a snapshot.

If the property was true when the snapshot began, it is true in what was recorded; if it is true there, it is true from
the end of the snapshot on, forever. Both are checked against every step of the run.

Source: Chandy and Lamport 1985, section 5 (stability detection).
"""

from collections.abc import Sequence

from app.core.model.value import Frozen
from app.core.model.values import World
from app.run.run import Run, members, recorded_state
from app.run.stable_property import holds, stable_property


class Span(Frozen):
    """From step ``first`` to step ``last`` the property is ``true``, or is not. Step 0 is the beginning."""

    first: int
    last: int
    true: bool


class Conclusion(Frozen):
    """What a complete snapshot says of a property. ``before``, ``recorded`` and ``after``: is it true when the snapshot
    begins, in what it recorded, and when it ends? ``polled``: does it seem true to an observer that asks only the
    processes, when they record? ``sound``: is the recorded state one in which the system could have been? ``kept``: do
    both implications hold here, at every step? ``began`` and ``ended`` are the steps before which, and with which."""

    number: int
    before: bool
    recorded: bool
    after: bool
    polled: bool
    sound: bool
    kept: bool
    began: int
    ended: int


def properties(run: Run) -> tuple[str, ...]:
    """Return the stable properties that apply to the program of a run."""
    found = stable_property(run.system, run.scenario.form.tags)
    return (found,) if found else ()


def spans(run: Run, name: str) -> tuple[Span, ...]:
    """Return when the property is true, from the beginning to the last step."""
    asked = holds(run.system, name)
    found: list[Span] = []
    for number in range(len(run.steps) + 1):
        world = run.world(number)
        if number and _unchanged(run.world(number - 1), world):
            true = found[-1].true
        else:
            true = asked(members(world), world.in_flight())
        if found and found[-1].true == true:
            found[-1] = Span(found[-1].first, number, true)
        else:
            found.append(Span(number, number, true))
    return tuple(found)


def _unchanged(one: World, two: World) -> bool:
    """Is everything equal on which a property depends? What was not written anew is the same object."""
    return one.states is two.states and one.queues is two.queues and one.gone is two.gone


def _true_at(found: Sequence[Span], step: int) -> bool:
    return next(span.true for span in found if span.first <= step <= span.last)


def conclusions(run: Run, name: str) -> tuple[Conclusion, ...]:
    """Return what each complete snapshot says, by number; those that a rollback removed are left out."""
    asked, when = holds(run.system, name), spans(run, name)
    found = []
    for number, seen in sorted(run.history.recordings.items()):
        if seen.completed is None or seen.life is not None:
            continue
        states, channels = recorded_state(run, number)
        true = asked(states, channels)
        before, after = _true_at(when, seen.started - 1), _true_at(when, seen.completed)
        for_ever = all(span.true for span in when if span.last >= seen.completed)
        checks = run.verdicts[number].checks
        found.append(
            Conclusion(
                number,
                before,
                true,
                after,
                asked(states, {}),
                checks["consistent"] is True and checks["channels"] is True,
                (true or not before) and (for_ever or not true),
                seen.started,
                seen.completed,
            )
        )
    return tuple(found)
