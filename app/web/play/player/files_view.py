"""The files of the checkpoints of a dataflow's run, a piece of its page.

What ``_files.html`` gets: ``shelves`` are the files after a step, written in full and as increments; none if no
checkpoint is written. ``widest`` is the largest size of one of them in bytes.
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.analysis.checkpoint_sizes import ABORTED, COMPLETE, Held, Store, Weight, stores, total
from app.core.model.value import Frozen
from app.run.run import Run
from app.web.base.errors import NoSuchStep, answers
from app.web.base.templates import Context, page
from app.web.shared.visit import VisitedRun

SHOWN = 8
"""How many checkpoints are shown: the last ones, and before them those whose files are still needed."""

router = APIRouter(responses=answers(400, 404))


class Cell(Frozen):
    """A process's or channel's part of a checkpoint: a file, a ``copy`` that is not stored yet, or nothing. ``fresh``:
    it was written in this step; ``just``: it was deleted in it."""

    held: Held | None = None
    copy: bool = False
    fresh: bool = False
    just: bool = False

    @property
    def look(self) -> str:
        """How the cell looks."""
        if self.held is None:
            return "copy" if self.copy else "empty"
        return "deleted" if self.held.deleted is not None else self.held.file.kind


class Shelf(Frozen):
    """One way of writing: ``rows`` of cells by process or channel, ``columns`` are the checkpoints. ``fates`` has the
    word for each, ``reads`` what a restore of it reads, None if it cannot be restored; ``all`` and ``wasted`` are the
    sums for the completed and the aborted checkpoints."""

    store: Store
    columns: tuple[Weight, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]
    fates: tuple[str, ...]
    reads: tuple[dict[str, int] | None, ...]
    all: dict[str, int]
    wasted: dict[str, int]
    earlier: int


@router.get("/run/{ref}/files", response_class=HTMLResponse)
def files(shown: VisitedRun) -> Response:
    """Return the files of the checkpoints written by a step: a piece of the run's page."""
    told = shelves(shown.run, shown.address.step)
    if not told["shelves"]:
        raise NoSuchStep("only a dataflow whose checkpoints are restored has files of them")
    return page(shown.request, "_files.html", **told)


def shelves(run: Run, step: int) -> Context:
    """Return what the template gets for a step."""
    made = tuple(_shelf(run, one, step) for one in stores(run, step) or ())
    return {"shelves": made, "widest": max((one.all["raw"] for one in made), default=0)}


def _shelf(run: Run, store: Store, step: int) -> Shelf:
    """Return the files written one way."""
    columns = _checkpoints_to_show(store)
    places = {held.file.place: held for held in store.held}
    names = [*run.system.topology.names, *run.system.topology.channels]
    with_files = {of for _, of in places} | {name for one in columns for name in one.copied}
    rows = tuple(
        (name, tuple(_cell(places.get((one.number, name)), name in one.copied, step) for one in columns))
        for name in names
        if name in with_files
    )
    return Shelf(
        store,
        columns,
        tuple((name, cells) for name, cells in rows if any(one.look != "empty" for one in cells)),
        tuple(_fate(one) for one in columns),
        tuple(total(one.read) if one.retained else None for one in columns),
        total(store.written),
        total(store.wasted),
        len(store.weights) - len(columns),
    )


def _checkpoints_to_show(store: Store) -> tuple[Weight, ...]:
    """Return the checkpoints to show, in their order."""
    needed = [held.file.checkpoint for held in store.living]
    before = [one for one in store.weights[:-SHOWN] if one.number in needed]
    return (*before[-SHOWN:], *store.weights[-SHOWN:])


def _cell(held: Held | None, copied: bool, step: int) -> Cell:
    if held is None:
        return Cell(copy=copied)
    return Cell(held, fresh=held.file.step == step, just=held.deleted == step)


def _fate(one: Weight) -> str:
    """Return the fate of a checkpoint, as the end of a catalogue key."""
    if one.fate in (ABORTED, COMPLETE):
        return "aborted" if one.fate == ABORTED else "retained" if one.retained else "dropped"
    return "running"
