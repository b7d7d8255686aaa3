"""Theorem 1 with its proof, beside the events of a run: ``/theorem/REF?…&snapshot=1``.

The query is that of ``/run/REF``, and ``snapshot``.

What ``theorem.html`` gets
--------------------------
``title`` ``stale`` ``address`` ``run``   as the pages about runs do
``proof``    see ``app.pictures.theorem_steps``; None if no snapshot is taken
``steps``    those of the proof
``at`` ``of``   functions: the address of the run at a step, and that of this page for another snapshot
``doors``    URLs of other pages
``picture``  the run and its cut (SVG, or None)
``really`` ``straight``   the run in the order of the proof: its URL and its picture (or None)
``first``    the URL of this page with the run that shows its point
``maths``    a function: a text with e_i and S_i in mathematical notation
"""

import re
from collections.abc import Iterable

from fastapi import APIRouter
from markupsafe import Markup, escape
from msgspec.structs import replace
from starlette.responses import HTMLResponse, Response

from app.pictures import render
from app.pictures.chosen_cut import Cut, Cutting
from app.pictures.chosen_cut import written as cut_written
from app.pictures.spacetime.options import Chosen, Look
from app.pictures.swap_game import Game, begins, written
from app.pictures.theorem_steps import RESTS, STEPS, Proof
from app.run.run import Run
from app.web.base.errors import answers
from app.web.base.templates import Context, page
from app.web.shared.default_run import redirects_to
from app.web.shared.run_head import run_head
from app.web.shared.visit import SnapshotNumber, Visit, VisitedRun
from app.wire.run_url import canonical

FIRST = "state-that-never-was"
MOST_STEPS = 120
"""A longer run is not drawn."""
RELATION = re.compile(" ([=<≤≥]) ")
INDEXED = re.compile(r"\b([eS])(′?)_(\w+|\([^)]*\))")

router = APIRouter(responses=answers(400, 404))
redirects_to(router, "theorem", FIRST)


@router.get("/theorem/{ref}", response_class=HTMLResponse)
def theorem(shown: VisitedRun, snapshot: SnapshotNumber = None) -> Response:
    """Return the theorem, its proof, and what each step of the proof says of a snapshot."""
    run = shown.run
    number = shown.snapshot(snapshot, begins)
    proof = Proof(run, number, shown.language) if number is not None else None
    straight, really = _reordered(shown, proof) if proof and not proof.open else (None, None)
    context: Context = run_head(shown, "theorem", number) | {
        "proof": proof,
        "steps": STEPS,
        "rests": RESTS,
        "at": shown.address.of_step,
        "of": lambda other: shown.address.link_to("theorem", snapshot=other),
        "doors": _doors(shown, proof),
        "picture": _drawn(shown, proof) if proof and shown.steps <= MOST_STEPS else None,
        "really": really,
        "straight": straight,
        "first": f"/theorem/{FIRST}" + (f"?lang={shown.address.lang}" if shown.address.lang else ""),
        "maths": maths,
    }
    return page(shown.request, "theorem.html", **context)


def maths(text: str) -> Markup:
    """Return a text in which e_i, S_φ and so on have subscripts, and no line ends beside a relation."""
    text = RELATION.sub("\u00a0\\1\u00a0", text)
    return Markup(INDEXED.sub(lambda m: f"<i>{m[1]}</i>{m[2]}<sub>{m[3].strip('()')}</sub>", str(escape(text))))


# --- pictures -----------------------------------------------------------------------------------------------------


def _drawn(shown: Visit, proof: Proof) -> Markup:
    """Return the run with the cut of a snapshot, and its events with their names in the proof; up to its rollback, if
    there is one."""
    run, cutting = shown.run, Cutting(shown.run, shown.language)
    cut, chosen = cutting.recorded.get(proof.number), None
    if cut is not None and not run.history.lives:
        chosen = _indexed(cutting, cut, range(len(run.history.events)))
    look = Look(whole=True, only=proof.number, now=False, narrow=True, chosen=chosen)
    ended = proof.seen.completed if proof.seen.life is not None else None
    return Markup(render.spacetime(run, ended or shown.steps, shown.language, look))


def _indexed(cutting: Cutting, cut: Cut, indices: Iterable[int]) -> Chosen:
    """Return a cut through a run whose events have these ``indices`` in the proof."""
    names = {(e.process, e.index): f"e{index}" for e, index in zip(cutting.history.events, indices, strict=False)}
    chosen = cutting.chosen(cut, None, clocks=True)
    dots = tuple(replace(dot, clock=names.get((dot.process, dot.index), "")) for dot in chosen.dots)
    return replace(chosen, dots=dots, held=False, pale=False)


def _reordered(shown: Visit, proof: Proof) -> tuple[Markup | None, str | None]:
    """Return the picture and the URL of the run that happens in the order of the proof, if a visitor can perform it and
    the order differs."""
    if not proof.listed or proof.fails or not proof.swaps:
        return None, None
    game = Game(shown.run, proof.number, shown.language, proof.swaps)
    if (key := game.really) is None:
        return None, None
    there = replace(shown.address, key=canonical(shown.scenario, key))
    run: Run = shown.request.app.state.runs.recorded(shown.scenario, there.key).run
    step = game.seen.started - 1 + game.boundary
    url = there.link_to(step=step)
    if len(run.steps) > MOST_STEPS:
        return None, url
    cutting = Cutting(run, shown.language)
    indices = [*range(len(game.before)), *(item.index for item in proof.sorted)]
    chosen = _indexed(cutting, cutting.instant(step), indices)
    look = Look(whole=True, records=False, now=False, narrow=True, chosen=chosen)
    return Markup(render.spacetime(run, len(run.steps), shown.language, look, "straight")), url


# --- addresses ----------------------------------------------------------------------------------------------------


def _doors(shown: Visit, proof: Proof | None) -> dict[str, str]:
    """Return the other pages about the same run, as near to the snapshot as possible."""
    here, history = shown.address, shown.run.history
    found = {place: here.link_to(place) for place in ("swap", "cuts", "states", "stable")}
    if proof is None:
        return found
    found["swap"] = here.link_to("swap", snapshot=proof.number)
    if proof.open:
        return found
    if proof.swaps and proof.fails is None and proof.listed:
        found["swapped"] = here.link_to("swap", snapshot=proof.number, swaps=written(proof.swaps))
    if proof.seen.life is None:
        cut = cut_written(history.names, {name: proof.seen.cut.get(name, 0) for name in history.names})
        found["cuts"] = here.link_to("cuts", cut=cut)
        if proof.checks["consistent"]:
            found["states"] = here.link_to("states", at=cut, of=proof.number)
    return found
