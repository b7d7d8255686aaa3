"""A person's run repeated under other rules: the key of the run in which the programs do the same in the same order."""

from msgspec.structs import replace

from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.values import Refused, Start
from app.run.run import Run
from app.scenario.run_key import MOST_CHOICES, RunKey
from app.schedules.program_events import events, with_starts
from app.schedules.repeat import Follow


def again(run: Run, key: RunKey) -> RunKey | None:
    """Return the key of a run under the algorithm and discipline of ``key`` that repeats what the programs did in
    ``run``.

    Its choices spell out every step. A start that the other algorithm refuses is skipped. None where there would be too
    many choices, or where a step was the script's and cannot be chosen. Raises BluecutError for an impossible system.
    """
    scenario = run.scenario
    system, seed = scenario.system(key), scenario.seed(key)
    wanted = events((each.action, None, each.notes, run.world(each.number - 1)) for each in run.steps)
    schedule = Follow(system, with_starts(system, wanted, seed), seed)
    world = system.begin()
    choices: list[tuple[int, int]] = []
    while (action := schedule.next(world)) is not None:
        possible = enabled(system, world)
        try:
            after, notes = step(system, world, action)
        except Refused:
            if isinstance(action, Start):  # the other algorithm does not let this process start now
                continue
            return None
        if action not in possible or len(choices) == MOST_CHOICES:
            return None
        world = after
        choices.append((len(choices), possible.index(action)))
        schedule.saw(action, world, notes)
    return replace(key, choices=tuple(choices), drain=True, manual=False)
