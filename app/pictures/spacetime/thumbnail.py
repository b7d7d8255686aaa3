"""A run in small, for cards: its space-time diagram with its cut, in few strokes and without words."""

from collections.abc import Iterable

from app.core.model.value import Frozen
from app.core.model.values import APP, CONTROL, MARKER
from app.pictures.layout.paths import r
from app.pictures.quick_run import quick_run
from app.pictures.spacetime.diagram import timeline
from app.pictures.spacetime.options import Look
from app.pictures.spacetime.shapes import Arrow, Cut, Timeline
from app.pictures.spacetime.window import HEAD, ROWS, SMALL
from app.scenario.scenario import Scenario

WIDTH, HEIGHT = 280, 140
UNITS = {"room": SMALL, "top": HEAD - 8, "tall": ROWS + 16}
"""Its width, where it begins, and its height, in the units of its paths."""
MANY = 60
"""With more arrows than this, only a part of those that do not matter to the cut is drawn."""
CROSS = 7


class Thumbnail(Frozen):
    """What the template draws: one path for everything that looks the same."""

    lines: str = ""
    crashes: str = ""
    markers: str = ""
    messages: str = ""
    crossing: tuple[tuple[str, str], ...] = ()
    wrong: str = ""
    records: tuple[tuple[str, str], ...] = ()
    cuts: tuple[Cut, ...] = ()
    back: str = ""
    recovery: str = ""
    past: str = ""
    tint: str = ""


def thumbnail(scenario: Scenario) -> Thumbnail:
    """Return the run of a scenario in small; of a long one only the lines."""
    run = quick_run(scenario)
    if run is None:
        rows = ROWS / len(scenario.topology.names)
        return Thumbnail(
            lines="".join(f"M0 {r(HEAD + (i + 0.5) * rows)}h{SMALL}" for i in range(len(scenario.topology.names)))
        )
    return _drawn(timeline(run, len(run.steps), "en", Look(small=True, ring=False)))


def _drawn(time: Timeline) -> Thumbnail:
    """Return the strokes of a diagram."""
    app = [arrow for arrow in time.arrows if arrow.kind == APP and not arrow.undone]
    wrong = [arrow for arrow in app if arrow.fate == "orphan" or arrow.lost]
    crossing = [arrow for arrow in app if arrow.fate == "crossing" and not arrow.lost]
    plain = [arrow for arrow in app if arrow.fate == "plain" and not arrow.lost]
    markers = [arrow for arrow in time.arrows if arrow.kind in (MARKER, CONTROL)]
    half = max(3.0, time.square / 2)
    squares: dict[str, str] = {}
    for one in time.records:
        square = f"M{r(one.place.x - half)} {r(one.place.y - half)}h{r(2 * half)}v{r(2 * half)}h-{r(2 * half)}z"
        squares[one.tone] = squares.get(one.tone, "") + square
    return Thumbnail(
        "".join(f"M{r(line.x)} {r(line.y)}H{r(line.until)}" for line in time.lines if line.x is not None),
        "".join(_cross(line.until, line.y) for line in time.lines if line.crashed),
        _bodies(markers if len(markers) <= MANY else ()),
        _bodies(plain[:: len(plain) // MANY + 1]),
        tuple((tone, _bodies(a for a in crossing if a.tone == tone)) for tone in sorted({a.tone for a in crossing})),
        _bodies(wrong) + "".join(_cross(arrow.mark.x, arrow.mark.y) for arrow in wrong),
        tuple(squares.items()),
        tuple(cut for cut in time.cuts if cut.firm)[:3],
        "".join(f"M{r(one.line[0])} {r(one.line[1])}V{r(one.line[2])}" for one in time.undone),
        time.recovery,
        time.past,
        time.tint,
    )


def _bodies(arrows: Iterable[Arrow]) -> str:
    return "".join(arrow.body for arrow in arrows)


def _cross(x: float, y: float) -> str:
    return f"M{r(x - CROSS)} {r(y - CROSS)}l{2 * CROSS} {2 * CROSS}m0-{2 * CROSS}l-{2 * CROSS} {2 * CROSS}"
