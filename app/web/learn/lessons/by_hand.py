"""A snapshot carried out by hand: ``/lessons/NAME/by-hand?m=record:P1&m=mark:P1->P2&…``. The moves are in the address,
so the server stores nothing.

What ``_hand.html`` gets: ``hand``, a Shown.
"""

import re
from collections.abc import Sequence

from markupsafe import Markup
from msgspec.structs import replace

from app.core.model.value import Frozen
from app.core.model.values import Phrase
from app.course.hand.barriers import Barriers
from app.course.hand.exercise import Steps
from app.course.hand.line import Line
from app.course.hand.markers import Markers
from app.course.hand.replay import replayed
from app.course.yaml_forms import HandForm
from app.pictures import render
from app.pictures.in_words import Described
from app.scenario.library import LIBRARY
from app.web.shared.question_view import LECTURE, SCREEN, of_events, stages
from app.wire.run_url import Address
from app.words.catalogues import word

BESIDE, ABOVE, BELOW = 44, 76, 44
"""What is shown around the middles of the processes, in units of the stage; above stand their recorded states."""
EDGE = 0.42
"""How far from the middle of its process a marker is drawn that is being taken, as a part of the way that was left."""
DOWNWARDS = ((382, 640, 640),)
"""The place of a stage on a phone, where the flow goes downwards."""


class Try(Frozen):
    """A move that can be tried, in ``words``; ``chosen``: is it what counts now, where that can be changed?"""

    value: str
    words: str
    chosen: bool | None = None


class Shown(Frozen):
    """The exercise as a page shows it. ``kept`` are the moves that were allowed; ``refused`` says why the last one was
    not, ``wrong`` what is wrong with all of it; ``drags`` is what can be dragged in the picture, if anything, and
    ``report`` explains a report in it. At the end ``finished`` says so, and ``checks`` are those of the oracle, by
    name. ``parts``: the drawings in words."""

    asks: str
    action: str
    kept: tuple[str, ...]
    keeps: tuple[tuple[str, str], ...]
    refused: Phrase | None
    wrong: Phrase | None
    groups: tuple[tuple[str, tuple[Try, ...]], ...]
    figure: str
    drags: str
    drawings: tuple[Markup, ...]
    parts: tuple[Described, ...]
    count: str
    report: str = ""
    finished: str = ""
    checks: tuple[tuple[str, bool], ...] = ()
    url: str = ""


def shown(
    form: HandForm, action: str, keeps: Sequence[tuple[str, str]], moves: Sequence[str], spoken: str, *, hall: bool
) -> Shown:
    """Return the exercise after these moves; ``hall``: on a screen in a lecture hall. Raises BluecutError if one of
    them is no move."""
    hand, refused = replayed(form, moves)
    wrong = hand.objection
    count = {name: word("lessons.hand.held.none", spoken) if told == [] else told for name, told in hand.count.items()}
    seen = Shown(
        getattr(form.asks, spoken),
        action,
        tuple(moves[:-1]) if refused is not None else tuple(moves),
        tuple(keeps),
        refused.phrase if refused is not None else None,
        wrong.phrase if wrong is not None else None,
        tuple(
            (name, tuple(Try(":".join(one), hand.say(one, spoken), hand.chosen(one)) for one in offered))
            for name, offered in hand.offers()
        ),
        hand.FIGURE,
        hand.DRAGS,
        *(_line(hand, spoken) if isinstance(hand, Line) else (_stage(hand, spoken, hall), _in_words(hand, spoken))),
        word(f"lessons.hand.count.{form.rules}", spoken, **count),
        _report(hand, spoken) if isinstance(hand, Markers) else "",
    )
    if not hand.done:
        return seen
    run = (hand.ending() if isinstance(hand, Barriers) else hand).run
    checks = ((name, holds) for verdict in run.verdicts.values() for name, holds in verdict.checks.items())
    return replace(
        seen,
        finished=word(f"lessons.hand.done.{form.rules}", spoken, **hand.count),
        checks=tuple((name, holds) for name, holds in checks if holds is not None),
        url=Address(hand.scenario, LIBRARY.scenario(hand.scenario), run.key, len(run.steps)).here,
    )


def _report(hand: Markers, spoken: str) -> str:
    """Return what the report is that travels beside a channel, if there is one; before its sender has recorded, ask
    what that has to do."""
    if hand.behind:
        return word("lessons.hand.arrived", spoken, process=hand.taker)
    for channel, lane in hand.world.lanes.items():
        for message in lane:
            return word("lessons.hand.report", spoken, process=message.payload, collector=hand.target(channel))
    return ""


def _line(hand: Line, spoken: str) -> tuple[tuple[Markup, ...], tuple[Described, ...]]:
    """Return the diagram up to the crash, with the line as it has been chosen, and the same in words; its orphans are
    seen once it is complete."""
    run, names = hand.run, hand.run.history.names
    look = of_events(run, spoken, hand.cut if hand.places else None, fates=hand.complete)
    if look.chosen is not None:  # it goes through the checkpoints, not beside the events before them
        now = len(run.steps) + 0.5
        places = tuple(now if (at := hand.step(name)) is None else at for name in names)
        look = replace(look, chosen=replace(look.chosen, places=places))
    look, steps = replace(look, records=True), len(run.steps)
    drawn = Markup(render.spacetime(run, steps, spoken, look, "hand"))
    return (drawn,), render.spacetime_in_words(run, steps, spoken, look)


def _in_words(hand: Steps, spoken: str) -> tuple[Described, ...]:
    """Return what the stage shows in words."""
    if isinstance(hand, Barriers):
        return render.stage_in_words(hand.run, hand.shown, spoken, hidden=hand.veiled, among=hand.near)
    return render.stage_in_words(hand.run, hand.shown, spoken, hand.unclosed, hand.veiled)


def _stage(hand: Steps, spoken: str, hall: bool) -> tuple[Markup, ...]:
    """Return the stage for a screen and for a phone; ``hall``: the screen is in a lecture hall. A marker that nobody
    has put into its channel is not in it, one that is being taken is at its process, and a channel that nobody has
    closed is open."""
    run, unclosed = hand.run, hand.unclosed
    hidden = {str(one) for one in (hand.veiled if isinstance(hand, Barriers) else hand.unsent)}

    def veiled(svg: str) -> str:
        return re.sub(
            r'(<g [^>]*data-message="(\d+)")', lambda m: m[1] + ' visibility="hidden"' if m[2] in hidden else m[1], svg
        )

    if isinstance(hand, Barriers):
        rooms = DOWNWARDS if hall else SCREEN  # a low picture would only count what is in the inputs
        wide, slim = map(veiled, stages(run, hand.shown, spoken, "hand", rooms=rooms, narrow=DOWNWARDS))
        return Markup(_around(hand, wide, downwards=hall)), Markup(_around(hand, slim, downwards=True))
    rooms = LECTURE if hall else SCREEN
    drawn = stages(run, hand.shown, spoken, "hand", rooms=rooms, unclosed=unclosed)
    return tuple(Markup(veiled(_arrived(svg, hand.taken, hand.taker) if hand.behind else svg)) for svg in drawn)


def _arrived(svg: str, message: int, process: str) -> str:
    """Return the stage with a marker at the edge of the process that is taking it."""
    place = r' transform="translate\(([0-9.]+) ([0-9.]+)\)"'
    there = re.findall(rf'data-process="{re.escape(process)}"[^>]*{place}', svg)[0]

    def moved(m: re.Match[str]) -> str:
        x, y = (EDGE * float(here) + (1 - EDGE) * float(to) for here, to in zip(m.groups()[1:], there, strict=True))
        return f'{m[1]} transform="translate({x:.1f} {y:.1f})"'

    return re.sub(rf'(data-message="{message}"[^>]*){place}', moved, svg)


def _around(hand: Barriers, svg: str, *, downwards: bool = False) -> str:
    """Return the part of a stage around the process that the exercise is about: in larger letters, or, where the flow
    goes ``downwards``, in its whole width."""
    found = re.findall(r'<g [^>]*data-process="([^"]*)"[^>]* transform="translate\(([0-9.]+) ([0-9.]+)\)"', svg)
    across, down = zip(*((float(x), float(y)) for name, x, y in found if name in hand.near), strict=True)
    left, top = min(across) - BESIDE, min(down) - ABOVE
    box = (left, top, max(across) + BESIDE - left, max(down) + BELOW - top)
    if downwards:
        box = (0, min(down) - BELOW, DOWNWARDS[0][0], max(down) + BELOW - min(down) + BELOW)
        svg = re.sub(r' width="[^"]*" height="[^"]*"', f' width="{box[2]}" height="{box[3]:.0f}"', svg, count=1)
    return re.sub(r'viewBox="[^"]*"', f'viewBox="{" ".join(f"{one:.1f}" for one in box)}"', svg, count=1)
