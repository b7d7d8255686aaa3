"""The small pictures on the cards of the places: drawn from runs, from the family of algorithms and from the history.

What ``_card_picture.html`` gets as ``drawn``
---------------------------------------------
``runs``     {name: SVG} for those that a run draws
``lattice``  the picture of the global states, see ``app.pictures.lattice_picture``
``scale``    the line of years, see ``app.web.shared.years``
``sketch``   the family in small, see Sketch
``verdicts`` the verdict on each claim, in their order
``signs``    the signs of the glossary's terms, each once
"""

from collections.abc import Iterable
from functools import lru_cache

from markupsafe import Markup

from app.analysis.global_states import moments, spine, taken
from app.core.model.value import Frozen
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
from app.web.base.templates import Context
from app.web.shared.family_tree import Kin, tree
from app.web.shared.years import scale

DRAWN = {"cuts": "which-cut", "swap": "state-that-never-was", "theorem": "slow-marker", "blank": "three-banks"}
"""The runs whose space-time diagrams are on the cards."""
SMALL_RUNS = {"scenarios": "three-banks", "challenge": "marker-lost"}
"""The runs that are on the cards as in the gallery."""
GRAPH = {"stable": "phantom-deadlock"}
"""The runs whose graph is on the cards."""

ROW, COLUMN = 11, 56
"""In the small family tree: from one leaf to the next, and from one generation to the next."""
SMALL = 320
"""The width of the line of years on its card."""


class Sketch(Frozen):
    """The family in small: ``dots`` (x, y, broken), and ``lines`` as text for SVG."""

    width: int
    height: float
    dots: tuple[tuple[int, float, bool], ...]
    lines: str


@lru_cache(maxsize=4)
def drawn(spoken: str) -> Context:
    """Return all pictures; see the top."""
    return {
        "runs": _runs(spoken),
        "lattice": _lattice(),
        "scale": scale(history(), SMALL),
        "sketch": _sketch(tree()),
        "verdicts": [row.holds for note in NOTES.notes() for row in note.form.rows],
        "signs": tuple(dict.fromkeys(form.mark for form in GLOSSARY.glossary().forms.values() if form.mark)),
    }


def _runs(spoken: str) -> dict[str, Markup]:
    looks = dict.fromkeys(DRAWN, Look(now=False)) | {"blank": Look(records=False, now=False, sober=True)}
    made = {name: _made(run) for name, run in DRAWN.items()}
    pictures = {name: render.spacetime(run, len(run.steps), spoken, looks[name], name) for name, run in made.items()}
    pictures |= {name: render.thumbnail(LIBRARY.scenario(run)) for name, run in SMALL_RUNS.items()}
    pictures |= {name: render.graph(LIBRARY.scenario(run), spoken) for name, run in GRAPH.items()}
    return {name: Markup(svg) for name, svg in pictures.items()}


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


def _sketch(roots: Iterable[Kin]) -> Sketch:
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
