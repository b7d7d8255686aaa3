"""The stage in any global state, whether or not the run was in it."""

from dataclasses import replace

from app.core.causality import History
from app.core.model import World
from app.narration.tell import word
from app.simulator.run import Run
from app.view.picture import draw
from app.view.picture.stage import WIDTH, plan_of
from app.view.picture.stage import stage as stage_of


def stage(run: Run, world: World, language: str, said: str, mark: str = "state") -> str:
    """Return the processes and channels of ``run`` as they are in ``world``, in the player's layout. ``said`` is the
    state in words, ``mark`` begins the ids in the picture."""
    plan_of(run, language)  # the places are those of the run's beginning
    still = replace(run, begin=world, steps=(), history=History(run.history.names))
    drawn = stage_of(still, 0, language)
    size = (WIDTH, WIDTH * drawn.plan.height / drawn.plan.width)
    return draw("_stage.svg", size, stage=drawn, id=mark, title=word("states.stage", language), desc=said)
