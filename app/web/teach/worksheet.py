"""A run as a sheet of paper: the space-time diagram without its cut, to be drawn in, or with it:
``/blank/REF?…[&snapshot=1][&solution=1]``.

What ``blank.html`` gets
------------------------
``title`` ``stale`` ``address`` ``run`` as the pages about runs do; ``seen`` (the snapshot, or None), ``solution``,
``whole`` (is its cut whole?), ``pictures`` (SVG, for paper and for a phone; none if the run is too long), ``begin``
(the first states of the processes) and ``asks`` (is the recorded state asked for?), ``rows`` (parts of the state: name,
step of recording or None, recorded text or None), ``orphans`` (texts), ``of`` (the address for another snapshot, or of
the solution) and ``cuts`` (that of the page to draw a cut)
"""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from markupsafe import Markup
from msgspec.structs import replace
from starlette.responses import HTMLResponse, Response

from app.core.model import recorded_state
from app.core.model.values import BluecutError
from app.core.oracle.history import Recording
from app.pictures import render
from app.pictures.spacetime.options import Look
from app.run.run import Run
from app.web.base.errors import answers
from app.web.base.templates import Context, page
from app.web.shared.default_run import redirects_to
from app.web.shared.run_head import SHEET, run_head
from app.web.shared.visit import SnapshotNumber, Visit, VisitedRun
from app.words.catalogues import readable

FIRST = "three-banks"
COUNTED = ("bank", "token")
"""Programs whose states follow from the messages."""

router = APIRouter(responses=answers(400, 404))
redirects_to(router, "blank", FIRST)


@router.get("/blank/{ref}", response_class=HTMLResponse)
def blank(
    shown: VisitedRun,
    snapshot: SnapshotNumber = None,
    solution: Annotated[bool, Parameter(description="with the cut")] = False,
) -> Response:
    """Return the sheet."""
    run, known = shown.run, shown.run.history.recordings
    if snapshot is not None and snapshot not in known and not shown.stale:
        raise BluecutError("snapshot: this run has no snapshot {number}", number=snapshot)
    seen = known.get(snapshot if snapshot in known else min(known, default=0)) if known else None
    paper = Look(
        whole=True, records=solution and seen is not None, only=seen.id if seen else None, now=False, sober=True
    )
    looks = {"time": paper, "time-narrow": replace(paper, narrow=True)} if shown.steps <= SHEET else {}
    program = run.system.program
    context: Context = run_head(shown, "blank") | {
        "seen": seen,
        "solution": solution,
        "whole": seen is not None and run.verdicts[seen.id].checks["consistent"] is not None,
        "pictures": [
            Markup(render.spacetime(run, shown.steps, shown.language, look, mark)) for mark, look in looks.items()
        ],
        "begin": [(name, program.view(run.begin.states[name])) for name in run.system.topology.names],
        "asks": shown.scenario.form.program.kind in COUNTED,
        "rows": _rows(run, seen, shown.language) if seen else [],
        "orphans": _orphans(run, seen, shown.language) if seen else [],
        "of": lambda **more: _of(shown, seen, **more),
        "cuts": shown.address.link_to("cuts"),
    }
    return page(shown.request, "blank.html", **context)


def _rows(run: Run, seen: Recording, language: str) -> list[tuple[str, int | None, str | None]]:
    """Return the parts of a recorded state: processes, and channels whose state is final."""
    program, parts = run.system.program, recorded_state.parts(run.system, run.end, seen.id)
    channels, still = recorded_state.channels(run.system, parts), set(recorded_state.open_channels(parts))
    found: list[tuple[str, int | None, str | None]] = []
    for name in run.system.topology.names:
        said = readable(program.view(parts[name].state), language) if name in parts else None
        found.append((name, seen.recorded.get(name), said))
    for channel in run.system.topology.channels:
        said = None
        if channel in channels and channel not in still:
            said = readable([program.show(message.payload) for message in channels[channel]], language)
        found.append((channel, None, said))
    return found


def _orphans(run: Run, seen: Recording, language: str) -> list[str]:
    history = seen.life or run.history
    return [readable(run.system.program.show(message.payload), language) for message in history.orphans(seen.cut)]


def _of(shown: Visit, seen: Recording | None, solution: bool = False, snapshot: int | None = None) -> str:
    """Return the address of another sheet of this run."""
    number = snapshot if snapshot is not None else seen.id if seen else None
    return shown.address.link_to("blank", snapshot=number, solution=1 if solution else None)
