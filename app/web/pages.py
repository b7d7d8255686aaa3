"""The pages about runs. A handler parses, asks and renders.

What ``run.html`` and ``embed.html`` get, besides what every template knows (see ``app.web.page``)
-------------------------------------------------------------------------------------------------
``scenario`` ``title`` ``story`` ``surprise``   the scenario, and its words in the visitor's language
``address``    the Address: ref, key, step, presenter
``step`` ``steps``   the step to show first, and how many there are
``stale``      the link was made for another engine or scenario; the page says so and shows the run from its beginning
``scene``      JSON bytes: ``app.view.frames.scene(run)``
``first``      JSON bytes: a list of the frames 1..step (empty if step is more than EMBEDDED)
``words``      {key: text} in the visitor's language, all that a page about a run may need
``fields``     {sentence: [names of its values]}
``links``      see ``links``
``picks``      the values of the form that asks for another run: see ``picks``
``said``       the sentence of the step, without marks
``difference`` how the run differs from the author's, or None: see ``app.web.difference``
``terms``      the glossary's terms in the author's words, see ``app.web.terms.linked``; None if they are not links
``weighs``     does it have files of checkpoints?
``recovers``   does a crashed process recover?
``lessons``    [(name, address)] of the lessons to which it belongs
``taken``      how many snapshots there are
``about``      ``exposed``: where the fault of a broken variant can be seen, or None; ``property``: the name of the
               program's stable property, as the end of a catalogue key
The filter ``script`` puts a value or JSON bytes into ``<script type="application/json">``.

What ``step.html`` gets
-----------------------
``scenario title story surprise address step steps stale links picks said`` as above; ``run``; ``caption``; ``pieces``
[(matters, words), …]; ``rules`` [(line, depth, fired), …]; ``phases`` {snapshot: its phases in words}; ``membership``
{snapshot: [(Change, where it stands), …]} (see ``app.simulator.membership``); ``snapshots``, ``choices`` and
``troubles`` (the first ``offered``), and ``log`` (see ``app.web.moment``); ``walk`` {first, back, next, last: URL or
None}; ``stage`` and ``spacetime``: SVG markup; of a dataflow what ``app.web.balance``, ``app.web.guarantee`` and
``app.web.shelf`` say; ``alone``: what processes saved by themselves, see ``app.web.alone``.
"""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header
from fastapi import Path as Place
from fastapi import Query as Parameter
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.enabled import enabled
from app.core.model import BluecutError
from app.core.system import DISCIPLINES
from app.narration.fields import FIELDS
from app.narration.tell import catalogue, pieces, plain
from app.simulator.files import weighs
from app.simulator.key import RunKey
from app.simulator.library import FIRST
from app.simulator.membership import Change, membership
from app.simulator.phases import phases
from app.simulator.run import Run
from app.simulator.scenario import Scenario
from app.simulator.stable_property import stable_property
from app.view import picture
from app.view.action import text
from app.view.address import Address, Query, address, is_stale, stamp
from app.view.phases import told as phased
from app.view.trace import trace
from app.web import moment
from app.web.alone import alone
from app.web.balance import balance
from app.web.beside import door
from app.web.choice import offered
from app.web.difference import difference
from app.web.errors import NoSuchStep, Stale, answers
from app.web.exposure import exposure
from app.web.guarantee import switch
from app.web.language import language
from app.web.page import page
from app.web.recorded import Recorded, packed
from app.web.ref import resolve
from app.web.shelf import shelves
from app.web.stream import Stream, resumed, takes_gzip
from app.web.taught import taught
from app.web.terms import linked

EMBEDDED = 500
"""A page contains its frames up to this step; further ones come with the stream."""


class Svg(Response):
    """A picture."""

    media_type = "image/svg+xml"


ELSEWHERE = (
    *("gallery.", "lesson.", "assumption.", "tag.", "error.", "editor.", "algorithm.", "family.", "compare."),
    *("ledger.", "guarantee.", "files.", "cuts.", "swap.", "blank.", "claims.", "states.", "stable."),
    *("asked.", "lessons.", "quiz."),
    *("glossary.", "history.", "theorem.", "theory.", "tree.", "outage."),
    *("diagram.", "monitor.", "picker.", "succession."),
)
"""Words that no page about a run needs."""

router = APIRouter(responses=answers(400, 404))


@dataclass(frozen=True)
class Visit:
    """A request for a run: what it names, the run itself, and the visitor's presentation."""

    request: Request
    scenario: Scenario
    address: Address
    recorded: Recorded
    language: str
    stale: bool

    @property
    def run(self) -> Run:
        """The run."""
        return self.recorded.run

    @property
    def steps(self) -> int:
        """How many steps it has."""
        return len(self.run.steps)


Asked = Annotated[Query, Parameter()]
Ref = Annotated[str, Place(max_length=4_096, description="a name of the library, or an own scenario")]


def visit(request: Request, ref: Ref, query: Asked) -> Visit:
    """Return the run that a page shows. A stale link shows the scenario from its beginning."""
    scenario = resolve(ref, request)
    stale = is_stale(query, scenario)
    if stale:
        query = query.model_copy(update={"choices": "", "drain": False, "step": 0})
    here = address(ref, scenario, query)
    try:
        recorded = request.app.state.runs.recorded(scenario, here.key)
    except BluecutError:
        if not stale:
            raise
        here = replace(here, key=RunKey())
        recorded = request.app.state.runs.recorded(scenario, here.key)
    here = here.at(min(here.step, len(recorded.run.steps)))
    return Visit(request, scenario, here, recorded, language(request), stale)


def exact(request: Request, ref: Ref, query: Asked) -> Visit:
    """Return the run that a program asked for. A stale link is refused, because parts of two runs do not make one."""
    if is_stale(query, resolve(ref, request)):
        raise Stale("v: the scenario or the engine has changed since this link was made")
    return visit(request, ref, query)


Shown = Annotated[Visit, Depends(visit)]
Exact = Annotated[Visit, Depends(exact)]
Step = Annotated[int, Place(ge=0, le=20_000)]


@router.get("/", include_in_schema=False)
def home() -> Response:
    """Redirect to the first run to see."""
    return RedirectResponse(f"/run/{FIRST}", 302)


@router.get("/run/{ref}", response_class=HTMLResponse)
def run(shown: Shown) -> Response:
    """Return the player."""
    return page(shown.request, "run.html", **player(shown))


@router.get("/embed/{ref}", response_class=HTMLResponse)
def embed(shown: Shown) -> Response:
    """Return the stage and the controls alone, for other people's pages."""
    return page(shown.request, "embed.html", **player(shown) | {"terms": None})  # links must not lead out of a frame


@router.get("/run/{ref}/events", response_class=Stream, responses=answers(409))
def events(
    asked: Exact,
    after: Annotated[int | None, Parameter(ge=0, description="only the steps behind this one")] = None,
    last_event_id: Annotated[str | None, Header()] = None,
    accept_encoding: Annotated[str, Header()] = "",
) -> Response:
    """Return the run as server-sent events: ``scene``, ``step`` …, ``end``. Resumes after Last-Event-ID."""
    seen = resumed(last_event_id)
    return Stream(*asked.recorded.events(after if seen is None else seen, zipped=takes_gzip(accept_encoding)))


@router.get("/run/{ref}/branch", status_code=303, response_class=Response, responses=answers(409))
def branch(asked: Exact, action: Annotated[str, Parameter(min_length=1, max_length=2_000)]) -> Response:
    """Return the run that is the same up to ``step`` and then does ``action``."""
    return RedirectResponse(branched(asked, action).here, 303)


def branched(asked: Visit, action: str) -> Address:
    """Return the address of the step after ``action``, which replaces the next action of this run. Raises BluecutError
    if the action is impossible there."""
    here, system = asked.address, asked.run.system
    possible = [text(a, system.program.show) for a in enabled(system, asked.run.world(here.step))]
    if action not in possible:
        raise BluecutError(
            "action: {action!r} cannot happen after step {step} of this run", action=action, step=here.step
        )
    return replace(here, key=here.key.branch(here.step, possible.index(action)), step=here.step + 1)


@router.get("/run/{ref}/step/{k}.svg", response_class=Svg)
def drawing(shown: Exact, k: Step) -> Response:
    """Return the stage at a step, as a picture."""
    return Svg(picture.standalone(picture.stage(shown.run, reached(shown, k), shown.language)))


@router.get("/run/{ref}/step/{k}", response_class=HTMLResponse)
def still(shown: Shown, k: Step) -> Response:
    """Return a step as a separate page without JavaScript, for printing, previews and reading aloud."""
    run, step, spoken = shown.run, 0 if shown.stale else reached(shown, k), shown.language
    here = shown.address.at(step)
    shown = replace(shown, address=here)
    pages = {"first": 0, "back": step - 1, "next": step + 1, "last": shown.steps}
    context: dict[str, Any] = told(shown) | {
        "run": run,
        "caption": moment.caption(run, step, spoken),
        "pieces": pieces(moment.sentence(run, step, spoken)),
        "rules": moment.rules(run, step),
        "snapshots": moment.snapshots(run, step),
        "phases": {number: phased(found, step, spoken) for number, found in phases(run).items()},
        "membership": joined_and_gone(run, step),
        "choices": moment.choices(run, step, here),
        "troubles": moment.troubles(run, step, here),
        "offered": moment.OFFERED,
        "log": moment.log(run, step, here, spoken),
        "walk": {
            name: here.url("run", "step", k, lang=here.lang) if k != step and 0 <= k <= shown.steps else None
            for name, k in pages.items()
        },
        "stage": Markup(picture.stage(run, step, spoken)),
        "spacetime": Markup(picture.spacetime(run, step, spoken)),
        **shelves(run, step),
        **balance(run, step),
        "alone": alone(run, step, spoken),
    }
    if context["book"] is not None:
        context |= switch(run, shown.scenario, here)
    return page(shown.request, "step.html", **context)


@router.get("/run/{ref}/trace.json", responses=answers(409))
def whole(asked: Exact) -> Response:
    """Return the whole run as one JSON object, as ``bluecut export --to json`` writes it."""
    name = asked.scenario.name if asked.address.ref == asked.scenario.name else "scenario"
    attached = {"content-disposition": f'attachment; filename="{name}.trace.json"'}
    return Response(packed(trace(asked.run)), media_type="application/json", headers=attached)


def joined_and_gone(run: Run, step: int) -> dict[int, list[tuple[Change, str]]]:
    """Return, by snapshot, which processes joined, left or crashed during it, and the status of each by ``step``."""
    found = {number: [each for each in log if each.step <= step] for number, log in membership(run).items()}
    return {number: [(each, each.stands(step)) for each in log] for number, log in found.items() if log}


def reached(shown: Visit, step: int) -> int:
    """Return ``step`` if the run has it. Raises NoSuchStep."""
    if step > shown.steps:
        raise NoSuchStep("step {step} does not exist; this run has {steps} steps", step=step, steps=shown.steps)
    return step


def told(shown: Visit) -> dict[str, Any]:
    """Return what every page about a run gets."""
    form, spoken = shown.scenario.form, shown.language
    return {
        "scenario": shown.scenario,
        "title": getattr(form.title, spoken),
        "story": getattr(form.story, spoken, ""),
        "surprise": getattr(form.surprise, spoken, ""),
        "address": shown.address,
        "step": shown.address.step,
        "steps": shown.steps,
        "stale": shown.stale,
        "links": links(shown.address),
        "picks": picks(shown),
        "said": plain(moment.sentence(shown.run, shown.address.step, spoken)),
        "difference": difference(shown.address),
        "weighs": weighs(shown.run.system),
        "recovers": shown.run.system.recovers,
        "lessons": taught(shown.request, form.lessons),
        "taken": len(shown.run.history.recordings),
    }


def player(shown: Visit) -> dict[str, Any]:
    """Return what the player needs to begin without asking again."""
    step, recorded, whole = shown.address.step, shown.recorded, told(shown)
    return whole | {
        "scene": recorded.scene,
        "first": b"[" + b",".join(recorded.first(step) if step <= EMBEDDED else ()) + b"]",
        "words": {key: text for key, text in catalogue(shown.language).items() if not key.startswith(ELSEWHERE)},
        "fields": FIELDS,
        "about": about(shown),
        "terms": linked(shown.run, (whole["story"], whole["surprise"]), shown.language, shown.address.lang),
    }


def about(shown: Visit) -> dict[str, str | None]:
    """Return what the frames do not say of the system: see the top."""
    seen = exposure(shown.run.system)
    language = f"?lang={shown.address.lang}" if shown.address.lang else ""
    return {
        "exposed": f"/run/{seen}{language}" if seen else None,
        "property": stable_property(shown.run.system, shown.scenario.form.tags),
    }


def links(here: Address) -> dict[str, str]:
    """Return the addresses around a run. ``{step}`` in ``still`` and ``picture`` stands for the step.

    ``run`` is this run, ``share`` the same for other people: the URL API adds a step to both as ``&step=K``, and to
    ``branch`` also ``&action=TEXT``. ``events`` is the stream, ``rest`` the stream after the frames on the page.
    """
    mark = stamp(here.scenario)
    embedded = here.step if here.step <= EMBEDDED else 0
    return {
        "run": here.url(**here.seen, v=mark),
        "share": here.url(v=mark),
        "here": here.here,
        "events": here.url("run", "events", v=mark),
        "rest": here.url("run", "events", v=mark, after=embedded or None),
        "branch": here.url("run", "branch", **here.seen, v=mark),
        "still": here.url("run", "step", "{step}", lang=here.lang, v=mark),
        "picture": here.url("run", "step", "{step}.svg", lang=here.lang, v=mark),
        "trace": here.url("run", "trace.json", v=mark),
        "embed": here.url("embed", v=mark),
        "plain": here.plain,
        **{
            place: here.url(place, lang=here.lang, v=mark)
            for place in ("cuts", "swap", "states", "diagram", "monitor", "picker", "stable", "blank", "quiz")
        },
        "gallery": "/scenarios",
        "compare": door(here),
        "editor": f"/editor?from={here.quoted}",
    }


def picks(shown: Visit) -> dict[str, Any]:
    """Return the values of a GET form to ``action`` that asks for another run of the same scenario."""
    scenario, key = shown.scenario, shown.address.key
    return {
        "action": shown.address.plain,
        "algorithms": offered(scenario),
        "algorithm": scenario.algorithm(key),
        "disciplines": DISCIPLINES,
        "discipline": scenario.discipline(key),
        "seed": scenario.seed(key),
        "seeded": scenario.drawn,
        "lang": shown.address.lang,
    }
