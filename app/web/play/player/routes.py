"""The pages about runs. A handler parses, asks and renders.

What ``run.html`` and ``embed.html`` get is described in ``app.web.shared.run_page``.

What ``step.html`` gets
-----------------------
``scenario title story surprise address step steps stale links picks said`` as above; ``run``; ``caption``; ``pieces``
[(matters, words), …]; ``rules`` [(line, depth, fired), …]; ``phases`` {snapshot: its phases in words}; ``membership``
{snapshot: [(Change, where it stands), …]} (see ``app.analysis.membership_log``); ``snapshots``, ``choices`` and
``troubles`` (the first ``offered``), and ``log`` (see ``app.web.shared.step_view``); ``because(witness)``: a sentence;
``walk`` {first, back, next, last: URL or None}; ``stage`` and ``spacetime``: SVG markup, for a screen and for a phone;
of a dataflow what ``app.web.play.player.ledger_view`` and ``app.web.play.player.files_view`` say; ``card`` and
``moves``: the last word about the run, at its last step; ``alone``: what processes saved by themselves, see
``app.web.play.player.saved_states``.
"""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi import Query as Parameter
from markupsafe import Markup
from msgspec.structs import replace
from pydantic import StringConstraints
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.analysis.membership_log import Change, membership
from app.analysis.phases import phases
from app.formats.trace_json import trace
from app.forms.fields import STEPS
from app.pictures import render
from app.pictures.layout.colours import current
from app.pictures.layout.stage_plan import as_json
from app.pictures.spacetime.options import PLAYER, Look
from app.run.run import Run
from app.web.base.errors import Stale, answers
from app.web.base.language import language
from app.web.base.sse import Stream, resumed, takes_gzip
from app.web.base.templates import Context, page
from app.web.play.player.files_view import shelves
from app.web.play.player.ledger_view import balance
from app.web.play.player.saved_states import alone
from app.web.shared import step_view
from app.web.shared.encoded_run import packed
from app.web.shared.last_word import told
from app.web.shared.next_moves import moves
from app.web.shared.own_scenario import resolve
from app.web.shared.question_view import stages
from app.web.shared.run_page import player_context, run_context
from app.web.shared.visit import ExactRun, Ref, RunQuery, Step, VisitedRun, branched, checked_step
from app.wire.phase_words import phases_line
from app.wire.run_url import is_stale
from app.words.catalogues import pieces
from app.words.witness_words import witness_sentence

NARROW = ((340, 176, 640), (340, 400, 640))
"""The place of the stage on a still page on a phone, in px; the other where messages would have to be left out
or letters would be too small."""
MINUTES = 10
"""How long a browser may keep the plan of a stage."""
Name = Annotated[str, StringConstraints(max_length=200)]
Pixels = Annotated[int, Parameter(ge=1, le=10_000)]
Letters = Annotated[int, Parameter(ge=0, le=200)]


class Svg(Response):
    """A picture."""

    media_type = "image/svg+xml"


router = APIRouter(responses=answers(400, 404))


@router.get("/run/{ref}", response_class=HTMLResponse)
def run(shown: VisitedRun) -> Response:
    """Return the player."""
    return page(shown.request, "run.html", **player_context(shown))


@router.get("/embed/{ref}", response_class=HTMLResponse)
def embed(
    shown: VisitedRun,
    to: Annotated[int | None, Parameter(ge=0, le=STEPS, description="play to this step, and stop there")] = None,
    circle: Annotated[list[Name] | None, Parameter(max_length=40, description="what is circled there")] = None,
) -> Response:
    """Return the stage and the controls alone, for other people's pages. With ``to`` it is the answer to a question."""
    goal = None if to is None or shown.stale else {"to": min(to, shown.steps), "circle": circle or []}
    context = player_context(shown) | {"terms": None, "goal": goal}  # links must not lead out of a frame
    return page(shown.request, "embed.html", **context)


EVENTS = {
    "description": "the events of the run, one after another",
    "content": {
        "text/event-stream": {
            "itemSchema": {
                "type": "object",
                "required": ["event", "id", "data"],
                "properties": {
                    "event": {"enum": ["scene", "step", "end"]},
                    "id": {"type": "string", "description": "the number of the step"},
                    "data": {"type": "string", "contentMediaType": "application/json"},
                },
            }
        }
    },
}
"""The description of a stream, as OpenAPI 3.2 writes it."""


@router.get("/run/{ref}/events", response_class=Stream, responses={200: EVENTS, **answers(409)})
def events(
    asked: ExactRun,
    after: Annotated[int | None, Parameter(ge=0, description="only the steps behind this one")] = None,
    last_event_id: Annotated[str | None, Header()] = None,
    accept_encoding: Annotated[str, Header()] = "",
) -> Response:
    """Return the run as server-sent events: ``scene``, ``step`` …, ``end``. Resumes after Last-Event-ID."""
    seen = resumed(last_event_id)
    return Stream(*asked.recorded.events(after if seen is None else seen, zipped=takes_gzip(accept_encoding)))


@router.get("/run/{ref}/branch", status_code=303, response_class=Response, responses=answers(409))
def branch(asked: ExactRun, action: Annotated[str, Parameter(min_length=1, max_length=2_000)]) -> Response:
    """Return the run that is the same up to ``step`` and then does ``action``."""
    return RedirectResponse(branched(asked, action).here, 303)


@router.get("/run/{ref}/step/{k}.svg", response_class=Svg, responses=answers(409))
def drawing(shown: ExactRun, k: Step) -> Response:
    """Return the stage at a step, as a picture."""
    return Svg(render.standalone(render.stage(shown.run, checked_step(shown, k), shown.language)))


@router.get("/run/{ref}/step/{k}", response_class=HTMLResponse)
def still(shown: VisitedRun, k: Step) -> Response:
    """Return a step as a separate page without JavaScript, for printing, previews and reading aloud."""
    run, step, spoken = shown.run, 0 if shown.stale else checked_step(shown, k), shown.language
    here = shown.address.at(step)
    shown = replace(shown, address=here)

    def to(number: int) -> str:
        return here.url("run", "step", number, lang=here.lang)

    context: Context = run_context(shown) | {
        "caption": step_view.caption(run, step, spoken),
        "pieces": pieces(step_view.sentence(run, step, spoken)),
        "rules": step_view.rules(run, step),
        # First the one that the pictures show.
        "snapshots": sorted(step_view.snapshots(run, step), key=lambda one: one.number != current(run, step)),
        "because": partial(witness_sentence, language=spoken),
        "phases": {number: phases_line(found, step, spoken) for number, found in phases(run).items()},
        "membership": _joined_and_gone(run, step),
        "choices": step_view.choices(run, step, here),
        "troubles": step_view.troubles(run, step, here),
        "offered": step_view.OFFERED,
        "log": step_view.log(run, step, to, spoken),
        "walk": step_view.walk(step, shown.steps, to),
        "stage": stages(run, step, spoken, "stage", ring=True, rooms=(), narrow=NARROW),
        "spacetime": [
            Markup(render.spacetime(run, step, spoken, look, mark))
            for look, mark in ((PLAYER, "time"), (Look(brief=True), "time-narrow"))
        ],
        "in_words_stage": render.stage_in_words(run, step, spoken),
        "in_words_time": render.spacetime_in_words(run, step, spoken),
        **shelves(run, step),
        **balance(shown),
        "alone": alone(run, step, spoken),
        "card": told(shown.recorded.card, spoken) if step == shown.steps else None,
        "moves": moves(shown) if step == shown.steps else (),
    }
    return page(shown.request, "step.html", **context)


@router.get("/run/{ref}/words", response_class=HTMLResponse)
def words(shown: VisitedRun) -> Response:
    """Return the stage after a step in words: a piece of a page."""
    parts = render.stage_in_words(shown.run, shown.address.step, shown.language)
    return page(shown.request, "_stage_in_words.html", parts=parts)


@router.get("/run/{ref}/trace.json", responses=answers(409))
def whole(asked: ExactRun) -> Response:
    """Return the whole run as one JSON object, as ``bluecut export --to json`` writes it."""
    name = asked.scenario.name if asked.address.ref == asked.scenario.name else "scenario"
    attached = {"content-disposition": f'attachment; filename="{name}.trace.json"'}
    return Response(packed(trace(asked.run)), media_type="application/json", headers=attached)


@router.get("/run/{ref}/plan.json", responses=answers(409))
def plan(
    request: Request, ref: Ref, query: RunQuery, width: Pixels, least: Pixels, most: Pixels, letters: Letters = 0
) -> Response:
    """Return the plan of the stage in JSON, see ``app.pictures.layout.stage_plan``, for a place ``width`` pixels wide
    and ``least`` to ``most`` pixels high, the letters of its processes at least ``letters`` pixels. All runs of the
    system share it."""
    scenario = resolve(ref, request)
    if is_stale(query, scenario):
        raise Stale("v: the scenario or the engine has changed since this link was made")
    made = as_json(scenario.system(query.key()), language(request), width, least, most, scenario.starter, letters)
    headers = {"cache-control": f"private, max-age={MINUTES * 60}", "vary": "Accept-Language, Cookie"}
    return Response(packed(made), media_type="application/json", headers=headers)


def _joined_and_gone(run: Run, step: int) -> dict[int, list[tuple[Change, str]]]:
    """Return, by snapshot, which processes joined, left or crashed during it, and the status of each by ``step``."""
    found = {number: [each for each in log if each.step <= step] for number, log in membership(run).items()}
    return {number: [(each, each.stands(step)) for each in log] for number, log in found.items() if log}
