"""The stage in any global state, whether or not the run was in it."""

from app.core.model.values import World
from app.pictures.layout.stage_plan import WIDTH, fitted, plan_of
from app.pictures.render import Room, draw
from app.pictures.stage.stage import stage as stage_of
from app.run.run import Run
from app.words.catalogues import word


def stage(run: Run, world: World, language: str, said: str, mark: str = "state", room: Room | None = None) -> str:
    """Return the processes and channels of ``run`` as they are in ``world``, in the player's layout, or laid out for
    a ``room``. ``said`` is the state in words, ``mark`` begins the ids in the picture."""
    still = run.standing(world)
    plan = fitted(run.system, language, *room, run.scenario.starter)[0] if room else plan_of(run, language)
    drawn = stage_of(still, 0, language, plan=plan)
    wide = room[0] if room else WIDTH
    size = (wide, wide * drawn.plan.height / drawn.plan.width)
    return draw("_stage.svg", size, stage=drawn, id=mark, title=word("states.stage", language), desc=said)
