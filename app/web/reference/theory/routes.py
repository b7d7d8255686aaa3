"""The hub of the theory: ``/theory``, a card for each of its pages, with a picture of its content.

What ``theory.html`` gets
-------------------------
``cards``    (name, address) in order
``pictures`` {name: SVG} for those that a run draws
``lattice``  the picture of the global states, see ``app.pictures.lattice_picture``
``scale``    the line of years, see ``app.web.reference.theory.history``
``sketch``   the family in small, see Sketch
``verdicts`` the verdict on each claim of the notes, in their order
``signs``    the signs of the glossary's terms, each once
``total``    how many terms there are
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from fastapi import APIRouter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.analysis.global_states import moments, spine, taken
from app.core.oracle.lattice import Lattice
from app.course.claim import NOTES
from app.course.glossary import GLOSSARY
from app.course.history import history
from app.pictures import render
from app.pictures.lattice_picture import Drawing, Marks, draw
from app.pictures.spacetime.options import Look
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.base.errors import answers
from app.web.base.language import language
from app.web.base.templates import page
from app.web.reference.theory.history import scale
from app.web.shared.family_tree import Kin, tree

router = APIRouter(responses=answers(400))

CARDS = ("cuts", "swap", "theorem", "states", "stable", "glossary", "history", "family", "claims", "blank")
DRAWN = {
    "cuts": "which-cut",
    "swap": "state-that-never-was",
    "theorem": "slow-marker",
    "stable": "phantom-deadlock",
    "blank": "three-banks",
}
"""The scenarios whose pictures are on the cards."""

ROW, COLUMN = 11, 56
"""In the small family tree: from one leaf to the next, and from one generation to the next."""
SMALL = 320
"""The width of the line of years on its card."""


@dataclass(frozen=True, slots=True)
class Sketch:
    """The family in small: ``dots`` (x, y, broken), and ``lines`` as text for SVG."""

    width: int
    height: float
    dots: tuple[tuple[int, float, bool], ...]
    lines: str


@router.get("/theory", response_class=HTMLResponse)
def theory(request: Request) -> Response:
    """Return the hub."""
    known = GLOSSARY.glossary()
    signs = dict.fromkeys(form.mark for form in known.forms.values() if form.mark)
    return page(
        request,
        "theory.html",
        cards=[(name, f"/{name}") for name in CARDS],
        pictures=_pictures(language(request)),
        lattice=_lattice(),
        scale=scale(history(), SMALL),
        sketch=sketch(tree()),
        verdicts=[row.holds for note in NOTES.notes() for row in note.form.rows],
        signs=tuple(signs),
        total=len(known.forms),
    )


@lru_cache(maxsize=8)
def _pictures(spoken: str) -> dict[str, Markup]:
    """Return the pictures of runs: space and time if the page is about them, otherwise the graph."""
    looks = {place: Look(now=False) for place in ("cuts", "swap", "theorem")}
    looks["blank"] = Look(records=False, now=False, sober=True)
    runs = {name: _made(DRAWN[name]) for name in looks}
    drawn = {
        name: render.spacetime(runs[name], len(runs[name].steps), spoken, look, name) for name, look in looks.items()
    }
    drawn["stable"] = render.graph(LIBRARY.scenario(DRAWN["stable"]), spoken)
    return {name: Markup(svg) for name, svg in drawn.items()}


def _made(name: str) -> Run:
    """Return the author's run of a scenario."""
    return record(LIBRARY.scenario(name), RunKey())


@lru_cache(maxsize=1)
def _lattice() -> Drawing:
    """Return the global states of a run whose recorded state never occurred."""
    run = _made("state-that-never-was")
    states = Lattice(run.history)
    usable = [one for one in taken(run, states) if one.consistent]
    recorded = {one.cut: (one.number,) for one in usable}
    passage = usable[0].passage if usable else ()
    return draw(states, states.levels(), Marks(spine(run, states), moments(run, states), passage, recorded))


def sketch(roots: Iterable[Kin]) -> Sketch:
    """Return the family in small: each leaf has a row, and an ancestor is in the middle of its descendants."""
    dots: list[tuple[int, float, bool]] = []
    lines: list[str] = []
    rows = 0

    def put(kin: Kin, depth: int) -> float:
        nonlocal rows
        below = [put(child, depth + 1) for child in kin.children]
        if below:
            y = (below[0] + below[-1]) / 2
        else:
            y, rows = float(ROW * (rows + 1)), rows + 1
        x = 12 + COLUMN * depth
        lines.extend(f"M{x} {y:g}H{x + COLUMN // 2}V{other:g}H{x + COLUMN}" for other in below)
        dots.append((x, y, kin.rules.WRONG is not None))
        return y

    for root in roots:
        put(root, 0)
    wide = max(x for x, _, _ in dots) + 12
    return Sketch(wide, ROW * (rows + 1), tuple(dots), "".join(lines))
