"""Theorem 1 as a game: ``/swap/REF?…&snapshot=1&swaps=3,5``.

The query is that of ``/run/REF``, and ``snapshot``, and ``swaps``: the places (from 1) of the events swapped with the
next one, in order. Every swap is a link; the script also makes events draggable.

What ``swap.html`` gets
-----------------------
``title`` ``stale`` ``address`` as the pages about runs do; ``game`` (see ``app.pictures.swap_game``; None if no
snapshot is taken), ``to`` (the address with other swaps), ``of`` (the same for another snapshot), ``hint`` (a swap that
helps, or None), ``really`` (the URL of the run that happens in this order, or None) and ``rubber`` (that of
the run at the end of the snapshot, where its cut can be pulled straight, or None)
"""

from typing import Annotated

from fastapi import APIRouter
from fastapi import Query as Parameter
from msgspec.structs import replace
from pydantic import StringConstraints
from starlette.responses import HTMLResponse, Response

from app.pictures.swap_game import Game, begins, read, written
from app.web.base.errors import answers
from app.web.base.templates import Context, page
from app.web.shared.default_run import redirects_to
from app.web.shared.run_head import run_head
from app.web.shared.visit import SnapshotNumber, Visit, VisitedRun
from app.wire.run_url import canonical, stamp

FIRST = "slow-marker"
router = APIRouter(responses=answers(400, 404))
redirects_to(router, "swap", FIRST)


@router.get("/swap/{ref}", response_class=HTMLResponse)
def swap(
    shown: VisitedRun,
    snapshot: SnapshotNumber = None,
    swaps: Annotated[str, StringConstraints(max_length=2_000), Parameter(description="places of events")] = "",
) -> Response:
    """Return the events during a snapshot, to be put in order."""
    run = shown.run
    number = shown.snapshot(snapshot, begins)
    game = None
    if number is not None:
        game = Game(run, number, shown.language, read(swaps) if not shown.stale else ())
    context: Context = run_head(shown, "swap", number) | {
        "game": game,
        "to": lambda done: _to(shown, number, done),
        "of": lambda other: _to(shown, other, ()),
        "hint": _hint(game),
        "really": _really(shown, game),
        "rubber": _rubber(shown, game),
    }
    return page(shown.request, "swap.html", **context)


def _hint(game: Game | None) -> int | None:
    """Return a swap that helps, if there is one."""
    if game is None or game.state not in ("play", "orphan"):
        return None
    return next((gap.at for gap in game.gaps if gap.helps and gap.possible), None)


def _to(shown: Visit, number: int | None, swaps: tuple[int, ...]) -> str:
    """Return the address of this page after other swaps."""
    return shown.address.link_to("swap", snapshot=number, swaps=written(swaps))


def _really(shown: Visit, game: Game | None) -> str | None:
    """Return the URL of the run that happens in this order, if it passes through the recorded state."""
    if game is None or not game.won or (key := game.really) is None:
        return None
    there = replace(shown.address, key=canonical(shown.scenario, key))
    step = game.seen.started - 1 + game.boundary
    return there.link_to(step=step)


def _rubber(shown: Visit, game: Game | None) -> str | None:
    """Return the address of the run at the end of the snapshot; None if there is none."""
    here = shown.address
    return here.url(lang=here.lang, step=game.seen.completed, v=stamp(here.scenario)) if game else None
