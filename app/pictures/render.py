"""Pictures: a step of a run, or a scenario, as SVG. Pure functions of their contents.

A picture has presentation attributes only, no style, and the templates escape every label. The same run, step and
language give the same text on every machine.
"""

import re
from collections.abc import Collection, Sequence
from contextlib import suppress
from typing import TypeAlias

from jinja2 import Environment, FileSystemBytecodeCache, FileSystemLoader, StrictUndefined, nodes
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator, Frame

from app.cache import Cache
from app.paths import HERE, TEMPLATES
from app.pictures.layout.paths import r
from app.pictures.layout.plan import FINE
from app.pictures.layout.stage_plan import WIDTH, fitted, plan_of
from app.pictures.layout.text_width import fit
from app.pictures.spacetime import diagram as timelines
from app.pictures.spacetime import thumbnail as thumbnails
from app.pictures.spacetime.description import description as spacetime_in_words
from app.pictures.spacetime.options import PLAYER, Look
from app.pictures.spacetime.phase_ribbon import with_ribbon
from app.pictures.stage import small_graph
from app.pictures.stage import stage as stages
from app.pictures.stage.description import description as stage_in_words
from app.pictures.stage.shapes import Stage
from app.run.run import Run
from app.scenario.scenario import Scenario
from app.wire.frames import sentences_of_step
from app.words.catalogues import plain, tell, word

__all__ = ["graph", "spacetime", "spacetime_in_words", "stage", "stage_in_words", "standalone", "thumbnail"]


class Compiled(FileSystemBytecodeCache):
    """Templates as Python code, kept where Python keeps its own: to compile them takes longer than to draw."""

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep one, if the folder is there and can be written to."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def environment() -> Environment:
    """Return an environment for the templates, with what pictures and pages have in common."""
    return Environment(
        loader=FileSystemLoader(TEMPLATES),
        bytecode_cache=Compiled(str(HERE / "__pycache__")),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


class Plain(CodeGenerator):
    """Makes code that asks values for their attributes without ado, and writes numbers and constants as they are: a
    large picture has a hundred thousand of each."""

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:  # noqa: N802 (its name there)
        """Write what asks for an attribute."""
        self.visit(node.node, frame)
        self.write(f".{node.attr}")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: CodeGenerator._FinalizeInfo) -> None:
        if _harmless(node):
            self.write("(")
        else:
            super()._output_child_pre(node, frame, finalize)


def _harmless(node: nodes.Node) -> bool:
    """Is what a template writes here a text without any character to escape?"""
    number = isinstance(node, nodes.Filter) and node.name in ("n", "n2", "points")
    return number or (isinstance(node, nodes.Name) and node.name.isupper())


ENVIRONMENT = environment()
ENVIRONMENT.code_generator_class = Plain
ENVIRONMENT.filters["n"] = r
ENVIRONMENT.filters["n2"] = lambda value: f"{round(value, 2):g}"
ENVIRONMENT.filters["fit"] = fit
ENVIRONMENT.filters["points"] = lambda corners: " ".join(f"{r(p.x)},{r(p.y)}" for p in corners)


Room: TypeAlias = tuple[int, int, int]
"""The width, the least and the greatest height of the place of a picture, in px."""

_thumbnails = Cache[str, str](4_000_000)
_graphs = Cache[tuple[str, str], str](1_000_000)


def stage(
    run: Run,
    step: int,
    language: str,
    mark: str = "stage",
    *,
    ring: bool = True,
    rooms: Sequence[Room] = (),
    unclosed: Collection[str] = (),
    said: str = "",
) -> str:
    """Return the stage after ``step`` steps: processes, channels, their contents and the recorded states. ``mark``
    begins the ids in it, in case a page has several; ``ring``: draw one around the process that acted last, and mark
    what it changed; ``rooms``: lay it out for one of these places, so that its letters are not made smaller: the first
    in which most channels show all of their messages, and its letters can be read; ``unclosed`` channels are shown as
    still being recorded; ``said``: what it shows, in words, if that is not the sentence of the step."""
    starter = run.scenario.starter
    plans = (
        ((fitted(run.system, language, *room, starter)[0], room[0]) for room in rooms)
        if rooms
        else iter(((plan_of(run, language), WIDTH),))
    )
    found = ((stages.stage(run, step, language, ring=ring, plan=plan, unclosed=unclosed), wide) for plan, wide in plans)
    drawn, width = next(found)
    while any(_lacking(drawn)) and (other := next(found, None)):  # a large plan takes a second: none is made in vain
        drawn, width = min((drawn, width), other, key=lambda one: _lacking(one[0]))
    size = (width, width * drawn.plan.height / drawn.plan.width)
    return draw("_stage.svg", size, stage=drawn, id=mark, **_named("player.stage", run, step, language, said))


def _lacking(drawn: Stage) -> tuple[int, bool]:
    """Return on how many channels a stage counts messages instead of showing them, and whether its letters would have
    to be larger to be read. Where channels are thin there is no room for either."""
    if drawn.thin:
        return 0, False
    return sum(tube.more is not None for tube in drawn.tubes), drawn.plan.least > FINE


def spacetime(run: Run, step: int, language: str, look: Look = PLAYER, mark: str = "time") -> str:
    """Return the space-time diagram after ``step`` steps: lines, arrows, record points and the cut. ``mark`` begins the
    ids in it, in case a page has several."""
    drawn = with_ribbon(timelines.timeline(run, step, language, look), run, step, language, look)
    size = (drawn.width, drawn.height)
    said = "" if look.controls else word("picture.events", language)
    return draw("_spacetime.svg", size, time=drawn, id=mark, **_named("player.time", run, step, language, said))


def thumbnail(scenario: Scenario) -> str:
    """Return the run of a scenario in small, for cards: its space-time diagram with its cut, without words.

    Making one means running the scenario, so it is cached.
    """

    def drawn() -> str:
        size, small = (thumbnails.WIDTH, thumbnails.HEIGHT), thumbnails.thumbnail(scenario)
        return draw("_thumbnail.svg", size, small=small, **thumbnails.UNITS)

    return _thumbnails.get(scenario.digest, drawn)


def graph(scenario: Scenario, language: str) -> str:
    """Return the graph of a scenario in small and, if it is quickly found, what its first snapshot recorded in blue."""
    title = getattr(scenario.form.title, language)

    def drawn() -> str:
        size = (small_graph.WIDTH, small_graph.HEIGHT)
        return draw("_graph.svg", size, small=small_graph.small_graph(scenario), title=title)

    return _graphs.get((scenario.digest, title), drawn)


def standalone(svg: str) -> str:
    """Return the picture as a separate file: with an XML declaration and a white background."""
    begin = svg.index("</desc>") + len("</desc>") if "</desc>" in svg else svg.index(">") + 1
    ground = '\n<rect width="100%" height="100%" fill="#ffffff"/>'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{svg[:begin]}{ground}{svg[begin:]}\n'


def _named(key: str, run: Run, step: int, language: str, said: str = "") -> dict[str, str]:
    """Return the picture's title, and for those who cannot see it what is said, or the sentence of the step."""
    if step and not said:
        said = plain(tell(sentences_of_step(run, run.steps[step - 1]), language))
    return {"title": word(key, language), "desc": said or word("picture.begin", language)}


UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""The characters that XML has none of, not even in escaped form, and what stands for them."""


def draw(template: str, size: tuple[float, float], **context: object) -> str:
    """Return the SVG that a template makes."""
    width, height = size
    context |= {"width": round(width), "height": round(height)}
    return UNWRITABLE.sub("�", ENVIRONMENT.get_template(template).render(context).strip())
