"""The editor: a scenario as text and as a form, checked while it is written, run at once, shared as a link.

The text is authoritative. The form is read from it and written back into it, and a post contains only a text and
perhaps the form's changes, so nothing is kept here between two requests.

What ``editor.html`` and its partials get
-----------------------------------------
``text``      the scenario as text, as it was posted, right or wrong
``verdict``   what is wrong with it, see Verdict
``outline``   the form's rows (``app.web.play.editor.form``), or None if the text has no form
``offered``   the buttons that can do something; ``done`` is what came of the form (or None), and ``pressed``
              the list whose button it was
``of``        the text that the form shows; the form is ignored for any other
``asked``     what to append to an address so that its answer is in the same language
``origin``    the ref that the text came from, or nothing
``examples``  [(name, title), …] to start from
``link``      the address of the scenario after Share; ``unkept`` says why there is none
``outdated``  the form was ignored, because the text had changed
"""

import hashlib
from typing import Annotated, Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, Query
from markupsafe import Markup
from pydantic import BaseModel
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Phrase
from app.forms.yaml_source import Source, SourceError, read
from app.pictures import render
from app.run.run import Run, record
from app.scenario.format import VISITOR_BYTES
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario, build
from app.scenario.yaml_writer import amended, written
from app.web.base.form_fields import form_fields
from app.web.base.language import asked_of_a_program, language, language_query, other
from app.web.base.quota import client_of
from app.web.base.root import at, public
from app.web.base.same_origin import same_origin
from app.web.base.store import TooOften, Unkept
from app.web.base.templates import page
from app.web.play.editor.buttons import STEPS, Done, done, offered
from app.web.play.editor.form import SHAPES, outline
from app.web.shared.own_scenario import is_own, keep, values_of
from app.wire.scenario_link import LONGEST, parsed
from app.words.catalogues import word
from app.words.error_words import error_text

MOST_DRAWN = 400
"""The most channels of a system drawn beside the text."""

router = APIRouter()
Fields = dict[str, str]


async def _posted(request: Request) -> Fields:
    """Return the fields of a posted form by their names; the last counts."""
    return dict(await form_fields(request))


Posted = Annotated[Fields, Depends(_posted)]
ours = [Depends(same_origin)]


@router.get("/editor", include_in_schema=False)
def editor(request: Request, origin: Annotated[str, Query(alias="from", max_length=LONGEST)] = "") -> Response:
    """Return the page, with a scenario to start from."""
    return _editor_page(request, _text_of(request, origin), origin=origin)


@router.get("/editor/check", include_in_schema=False)
@router.get("/editor/form", include_in_schema=False)
@router.get("/editor/run", include_in_schema=False)
@router.get("/editor/share", include_in_schema=False)
def again(request: Request) -> Response:
    """Return the editor to visitors who come back to a posted address; their draft is there."""
    return RedirectResponse(f"/editor{language_query(request)}", 303)


@router.post("/editor", include_in_schema=False, dependencies=ours)
@router.post("/editor/check", include_in_schema=False, dependencies=ours)
def check(request: Request, fields: Posted) -> Response:
    """Return what there is to say about the text."""
    return _editor_page(request, fields.get("text", ""), origin=fields.get("from", ""))


@router.post("/editor/form", include_in_schema=False, dependencies=ours)
def form(request: Request, fields: Posted) -> Response:
    """Return the text with the form's changes."""
    text = fields.get("text", "")
    fits = fields.get("of") == _shown_of(text)
    made, how = _reformed(text, fields) if fits else (text, None)
    part = fields.get("do", "").split(".")[0] or "process"
    return _editor_page(
        request, made, origin=fields.get("from", ""), reformed=True, outdated=not fits, done=how, pressed=part
    )


@router.post("/editor/run", include_in_schema=False, dependencies=ours)
def run(request: Request, fields: Posted) -> Response:
    """Return the run of the text, or the page with its mistake."""
    text = fields.get("text", "")
    try:
        there = _address(_stored_ref(request, text)) + language_query(request)
        if request.headers.get("hx-request"):
            return Response(status_code=204, headers={"hx-redirect": there})
        return RedirectResponse(there, 303)
    except BluecutError as error:
        return _refused(request, text, fields, error)


@router.post("/editor/share", include_in_schema=False, dependencies=ours)
def share(request: Request, fields: Posted) -> Response:
    """Return the link to the text's scenario."""
    text = fields.get("text", "")
    try:
        link = public(request) + _address(_stored_ref(request, text))
    except BluecutError as error:
        return _refused(request, text, fields, error)
    return _editor_page(request, text, origin=fields.get("from", ""), link=link)


class Kept(BaseModel):
    """A stored scenario has a ref, and its run an address."""

    ref: str
    url: str


class Refusal(BaseModel):
    """What is wrong with a scenario: the line (of its YAML) and the field, if they are known."""

    error: str
    line: int | None
    field: str
    says: str


AS_YAML = {
    "type": "object",
    "required": ["yaml"],
    "properties": {"yaml": {"type": "string"}},
    "additionalProperties": False,
}
AS_VALUES = {
    "type": "object",
    "required": ["title", "topology", "program"],
    "description": "see /static/scenario.schema.json",
}
BODY = {
    "requestBody": {
        "required": True,
        "description": "A scenario, or its YAML",
        "content": {"application/json": {"schema": {"anyOf": [AS_YAML, AS_VALUES]}}},
    }
}
REFUSALS: dict[int | str, dict[str, Any]] = {
    403: {"description": "The request comes from another site's page"},
    413: {"description": "The body is larger than 64 KiB"},
    422: {"model": Refusal, "description": "There is a mistake in the scenario"},
    429: {"model": Refusal, "description": "The client has saved too many scenarios in this hour"},
    503: {"model": Refusal, "description": "The scenario is too large for a link, and cannot be kept now"},
}


async def _body(request: Request) -> bytes:
    """Return the raw body; its size is limited before anything reads it."""
    return await request.body()


@router.post("/api/scenarios", response_model=Kept, responses=REFUSALS, openapi_extra=BODY, dependencies=ours)
def make(request: Request, sent: Annotated[bytes, Depends(_body)]) -> Response:
    """Make an address for a scenario: JSON of its values, or ``{"yaml": "…"}``. The same scenario, the same address."""
    try:
        values = parsed(sent)
        if isinstance(values, dict) and values.keys() == {"yaml"}:
            source = read(str(values["yaml"]), "scenario", limit=VISITOR_BYTES)
            build(source)  # here the lines are still those of the text sent
            values = source.values
        ref = keep(values, request.app.state.store, client_of(request))
    except BluecutError as error:
        wrong = error if isinstance(error, SourceError) else None
        spoken = asked_of_a_program(request)
        refusal = Refusal(
            error=error_text(error.phrase, spoken),
            line=wrong.line if wrong else None,
            field=wrong.field if wrong else "",
            says=error_text(wrong.says if wrong else error.phrase, spoken),
        )
        status = 429 if isinstance(error, TooOften) else 503 if isinstance(error, Unkept) else 422
        later = {"retry-after": str(error.seconds)} if isinstance(error, Unkept) else None
        return JSONResponse(refusal.model_dump(), status, headers=later)
    return JSONResponse(Kept(ref=ref, url=at(_address(ref))).model_dump())


def _text_of(request: Request, origin: str) -> str:
    """Return the text of a scenario. Raises Unknown or BluecutError if there is none."""
    if not origin:
        return word("editor.blank", language(request))
    if is_own(origin):
        return written(values_of(origin, request.app.state.store))
    return LIBRARY.file(origin).read_text(encoding="utf-8")


def _stored_ref(request: Request, text: str) -> str:
    """Return the ref of the text's scenario. Raises BluecutError for a mistake in it, or in its run."""
    verdict = _judged(text)
    if verdict.source is None or verdict.mistake:
        raise BluecutError("the scenario has a mistake")
    return keep(verdict.source.values, request.app.state.store, client_of(request))


def _address(ref: str) -> str:
    """Return the address of a scenario's run."""
    return f"/run/{quote(ref, safe='.')}"


def _reformed(text: str, fields: Fields) -> tuple[str, Done | None]:
    """Return the text with the form's changes, and what became of them; the same text if it has no form."""
    try:
        source = read(text, "scenario", limit=VISITOR_BYTES)
    except SourceError:
        return text, None
    if not isinstance(source.values, dict) or outline(source.values) is None:
        return text, None
    made = done(source.values, fields)
    return text if made.values == source.values else amended(source, text, made.values), made


def _refused(request: Request, text: str, fields: Fields, error: BluecutError) -> Response:
    """Return the page again, with everything that was written, and why it cannot be run or shared."""
    origin = fields.get("from", "")
    unkept = "" if _judged(text).mistake else error_text(error.phrase, language(request))
    return _editor_page(request, text, origin=origin, status=422, unkept=unkept)


def _shown_of(text: str) -> str:
    """Return a few characters that identify the text that a form shows."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _drawn(scenario: Scenario, spoken: str) -> Markup:
    """Return the picture of a scenario, if it is small enough to send with every change of the text."""
    if len(scenario.topology.channels) > MOST_DRAWN:
        return Markup()
    return Markup(render.graph(scenario, spoken))


def _editor_page(request: Request, text: str, *, status: int = 200, **more: object) -> HTMLResponse:
    """Return the page; for htmx only the parts that depend on the text."""
    verdict, spoken = _judged(text), language(request)
    origin = {"from": str(more["origin"])} if more.get("origin") else {}
    rows = outline(verdict.source.values) if verdict.source else None
    known: dict[str, Any] = {
        "text": text,
        "verdict": verdict,
        "outline": rows,
        "offered": offered(verdict.source.values, rows, right=not verdict.mistake) if rows and verdict.source else (),
        "done": None,
        "pressed": "",
        "of": _shown_of(text),
        "shapes": SHAPES,
        "link": "",
        "unkept": "",
        "reformed": False,
        "outdated": False,
        "origin": "",
        "asked": language_query(request),
        "switch": "/editor?" + urlencode(origin | {"lang": other(spoken)}),
        "posted": request.method == "POST",
        "thumbnail": _drawn(verdict.scenario, spoken) if verdict.scenario else "",
    } | more
    if request.headers.get("hx-request"):
        return page(request, "_editor_changes.html", **known)
    examples = [(scenario.name, getattr(scenario.form.title, spoken)) for scenario in LIBRARY.scenarios()]
    return page(request, "editor.html", status=status, examples=examples, **known)


class Mistake(Frozen):
    """What is wrong, where (the line from 1; None for the whole text), and what would be right."""

    line: int | None
    field: str
    says: Phrase


class Verdict(Frozen):
    """``source`` is what could be read (None: not even YAML), ``scenario`` what could be built from it."""

    text: str
    source: Source | None = None
    scenario: Scenario | None = None
    run: Run | None = None
    mistake: Mistake | None = None

    @property
    def excerpt(self) -> str:
        """The text of the line with the mistake."""
        lines = self.text.split("\n")
        return lines[self.mistake.line - 1].strip()[:120] if self.mistake and self.mistake.line else ""


def _judged(text: str) -> Verdict:
    """Return the verdict on a visitor's text."""
    source = scenario = None
    try:
        source = read(text, "scenario", limit=VISITOR_BYTES)
        scenario = build(source)
        return Verdict(text, source, scenario, record(scenario, most=STEPS))
    except SourceError as error:
        last = text.count("\n") + 1  # a text that ends too early is wrong after its last line
        mistake = Mistake(error.line and min(error.line, last), error.field, error.says)
    except BluecutError as error:
        mistake = Mistake(None, "", error.phrase)
    return Verdict(text, source, scenario, None, mistake)
