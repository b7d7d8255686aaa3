"""Pictures: a step of a run, or a scenario, as SVG. Pure functions of what they show.

A picture has presentation attributes only, no style, and every label in it is escaped by the templates. It is the same
text for the same run, step and language, on every machine.
"""

import threading
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from app.narration.tell import plain, tell, word
from app.places import TEMPLATES
from app.simulator.run import Run
from app.simulator.scenario import Scenario
from app.view.frames import said
from app.view.picture import stage as stages
from app.view.picture import thumbnail as thumbnails
from app.view.picture import timeline as timelines
from app.view.picture.letters import fit
from app.view.picture.look import PLAYER, Look
from app.view.picture.paths import r

__all__ = ["spacetime", "stage", "standalone", "thumbnail"]

ENVIRONMENT = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters["n"] = r
ENVIRONMENT.filters["n2"] = lambda value: f"{round(value, 2):g}"
ENVIRONMENT.filters["fit"] = fit


KEPT = 256
_thumbnails: dict[tuple[str, str], str] = {}
_keeping = threading.Lock()


def stage(run: Run, step: int, language: str, mark: str = "stage") -> str:
    """The stage after ``step`` steps: processes, channels, what they hold and what is recorded. ``mark`` begins the ids
    in it, where several stand on one page."""
    drawn = stages.stage(run, step, language)
    size = (stages.WIDTH, stages.WIDTH * drawn.plan.height / drawn.plan.width)
    return draw("_stage.svg", size, stage=drawn, id=mark, **named("picture.stage", run, step, language))


def spacetime(run: Run, step: int, language: str, look: Look = PLAYER, mark: str = "time") -> str:
    """The space-time diagram after ``step`` steps: lines, arrows, record points and the cut. ``mark`` begins the ids in
    it, where several stand on one page."""
    drawn = timelines.timeline(run, step, language, look)
    size = (drawn.width, drawn.height)
    return draw("_spacetime.svg", size, time=drawn, id=mark, **named("picture.spacetime", run, step, language))


def thumbnail(scenario: Scenario, language: str) -> str:
    """A scenario in small: its graph, and what its first snapshot cuts in blue where that is quickly known.

    Making one means running the scenario, so the latest are kept.
    """
    title = getattr(scenario.form.title, language)
    known = _thumbnails.get((scenario.digest, title))
    if known is None:
        size = (thumbnails.WIDTH, thumbnails.HEIGHT)
        known = draw("_thumbnail.svg", size, small=thumbnails.thumbnail(scenario), title=title)
        with _keeping:
            while len(_thumbnails) >= KEPT:
                del _thumbnails[next(iter(_thumbnails))]
            _thumbnails[scenario.digest, title] = known
    return known


def standalone(svg: str) -> str:
    """The picture as a file of its own: a declaration in front, and a white ground."""
    begin = svg.index("</desc>") + len("</desc>") if "</desc>" in svg else svg.index(">") + 1
    ground = '\n<rect width="100%" height="100%" fill="#ffffff"/>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg[:begin]}{ground}{svg[begin:]}\n'


def named(key: str, run: Run, step: int, language: str) -> dict[str, str]:
    """The picture's title, and the sentence of the step for those who do not see it."""
    sentence = plain(tell(said(run, run.steps[step - 1]), language)) if step else word("picture.begin", language)
    return {"title": word(key, language), "desc": sentence}


def draw(template: str, size: tuple[float, float], **context: Any) -> str:
    """The SVG that a template makes."""
    width, height = size
    context |= {"width": round(width), "height": round(height)}
    return ENVIRONMENT.get_template(template).render(context).strip()
