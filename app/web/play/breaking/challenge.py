"""Challenges: the visitor decides what happens next, and must make the snapshot fail, or say that it cannot.

The player's own page, with a banner that states the task and the progress. The oracle says whether the run in the
address wins; the explorer says whether there is a winning run, and how short it can be.

What ``challenge.html`` gets, besides what ``run.html`` does: ``challenge``, a Standing. ``challenges.html`` gets
``challenges``, the scenarios.
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Query as Parameter
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.model.value import Frozen
from app.core.model.values import Fault
from app.run.explore import limits
from app.run.goal import attained, goal_of
from app.scenario.format import ChallengeForm
from app.scenario.library import LIBRARY, Unknown
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.base.errors import answers
from app.web.base.root import at, below
from app.web.base.templates import Context, page
from app.web.shared.encoded_run import packed
from app.web.shared.run_page import SCRIPT_WORDS, links, player_context
from app.web.shared.search_queue import Found
from app.web.shared.visit import Ref, RunQuery, Visit, branched, exact, visit
from app.wire.run_url import Address, stamp
from app.words.catalogues import texts, word
from app.words.witness_words import witness_sentence

PLACE = "challenge"

router = APIRouter(responses=answers(400, 404))


class Answer(Frozen):
    """The explorer's answer: ``kind`` is ``can`` (and in how many ``steps``, at ``url``), ``cannot`` (all ``states``
    were seen), ``unknown`` (the search reached its bound) or ``busy``."""

    kind: str
    steps: int = 0
    states: int = 0
    url: str = ""
    moves: int = 0
    starts: tuple[str, ...] = ()


class Standing(Frozen):
    """A challenge and the progress of the run in the address."""

    ref: str
    form: ChallengeForm
    number: int
    count: int
    steps: int
    state: str
    """``open``, ``won``, or ``over``: too many steps without having won."""
    because: str
    """What the oracle says of a winning run."""
    missed: str
    """What the oracle says if the latest complete snapshot is not the required one: see ``misses``."""
    again: str
    back: str
    """The run as it is, to continue after an answer."""
    answer_url: str
    claim_url: str
    following: str
    answer: Answer | None = None
    claimed: bool = False
    """Has the visitor said that it cannot be done?"""


def challenges() -> tuple[Scenario, ...]:
    """Return the library's challenges, the easy ones first."""
    found = [scenario for scenario in LIBRARY.scenarios() if scenario.form.challenge]
    return tuple(sorted(found, key=lambda each: each.form.challenge.place if each.form.challenge else 0))


@router.get("/challenge", response_class=HTMLResponse)
def listed(request: Request) -> Response:
    """Return the page of all challenges in the library."""
    return page(request, "challenges.html", challenges=challenges())


def _played(query: RunQuery) -> RunQuery:
    """Return the query with the visitor's choices only; the system is the challenge's own."""
    alone = {"algorithm": None, "seed": None, "discipline": None, "drain": False, "manual": True}
    return query.model_copy(update=alone)


def _game(request: Request, ref: Ref, query: RunQuery) -> Visit:
    """Return the visitor's run of a challenge. Raises Unknown for a scenario that is not a challenge."""
    shown = visit(request, ref, _played(query))
    _form_of(shown.scenario)
    return shown


def _exact_game(request: Request, ref: Ref, query: RunQuery) -> Visit:
    """Return the same, but refuse a stale link."""
    shown = exact(request, ref, _played(query))
    _form_of(shown.scenario)
    return shown


def _form_of(scenario: Scenario) -> ChallengeForm:
    """Return the task of the challenge. Raises Unknown for a scenario without one."""
    form = scenario.form.challenge
    if form is None:
        raise Unknown("{name} holds no challenge", name=scenario.name)
    return form


Game = Annotated[Visit, Depends(_game)]
ExactGame = Annotated[Visit, Depends(_exact_game)]


@router.get("/challenge/{ref}", response_class=HTMLResponse)
def challenge(shown: Game) -> Response:
    """Return a challenge, at the step that the address names."""
    return page(shown.request, "challenge.html", **_context(shown, _standing(shown)))


@router.get(
    "/challenge/{ref}/branch", response_class=Response, responses={303: {"description": "the run"}, **answers(409)}
)
def branch(shown: ExactGame, action: Annotated[str, Parameter(min_length=1, max_length=2_000)]) -> Response:
    """Return the run that is the same up to ``step`` and then does ``action``.

    A script that asks for JSON gets only what is new if the step is the last: ``url``, ``links``, ``frame``, ``end``
    and ``banner`` (HTML); otherwise only ``url``.
    """
    there = branched(shown, action)
    url = _own(there).url(PLACE, **there.seen, step=there.step, v=stamp(there.scenario))
    if "application/json" not in shown.request.headers.get("accept", ""):
        return RedirectResponse(url, 303)
    if shown.address.step < shown.steps:
        return _answered(b"{%b}" % _entry("url", packed(at(url))))
    recorded = shown.request.app.state.runs.recorded(shown.scenario, there.key)
    after = replace(shown, address=there, recorded=recorded)
    banner = bytes(page(shown.request, "_challenge.html", **_banner_of(after, _standing(after))).body).decode()
    parts = {
        "url": packed(at(url)),
        "links": packed(below(_links_of(after))),
        "frame": recorded.first(there.step)[-1],
        "end": recorded.end,
        "banner": packed(banner),
    }
    return _answered(b"{%b}" % b",".join(_entry(name, value) for name, value in parts.items()))


def _entry(name: str, value: bytes) -> bytes:
    """Return a field of a JSON object whose value is already JSON."""
    return packed(name) + b":" + value


def _answered(body: bytes) -> Response:
    """Return JSON that depends on the language and is never cached."""
    headers = {"cache-control": "no-cache", "vary": "Accept, Accept-Language, Cookie"}
    return Response(body, media_type="application/json", headers=headers)


@router.get("/challenge/{ref}/answer", response_class=HTMLResponse)
async def answer(
    shown: Game, claim: Annotated[bool, Parameter(description="the visitor says that it cannot be done")] = False
) -> Response:
    """Return what the explorer says of this challenge: for visitors who have won, want the answer, or say that it is
    impossible. A script that asks for a piece of the page gets the banner alone."""
    given = await _explored(shown.request, shown.address)
    return await run_in_threadpool(_answer_page, shown, given, claim)


def _answer_page(shown: Visit, given: Answer, claim: bool) -> Response:
    stands = replace(_standing(shown), answer=given, claimed=claim)
    if shown.request.headers.get("hx-request"):
        return page(shown.request, "_challenge.html", **_banner_of(shown, stands))
    return page(shown.request, "challenge.html", **_context(shown, stands))


async def _explored(request: Request, here: Address) -> Answer:
    """Return the explorer's answer."""
    scenario = here.scenario
    goal = goal_of(_form_of(scenario))
    found: Found | None = await request.app.state.searches.found(
        scenario, RunKey(), goal, goal.sought(scenario.system(RunKey()))
    )
    if found is None:
        return Answer("busy")
    if found.choices is not None:
        there = replace(here, key=RunKey(choices=found.choices), step=0)
        return Answer("can", len(found.choices), found.states, there.url(PLACE, **here.seen, v=stamp(scenario)))
    bounds = limits(scenario)
    kind = "cannot" if found.proof else "unknown"
    return Answer(kind, 0, found.states, "", bounds.moves, tuple(bounds.starts or ()))


def _own(here: Address) -> Address:
    """Return the address without what every challenge implies."""
    return replace(here, key=replace(here.key, manual=False))


def _links_of(shown: Visit) -> dict[str, str]:
    """Return the addresses around a challenge: those of a run, but within the challenge."""
    here, mark = _own(shown.address), stamp(shown.scenario)
    # In a challenge nothing goes wrong: the visitor has to manage without faults.
    return links(shown.address) | {
        "run": here.url(PLACE, **here.seen, v=mark),
        "share": here.url(PLACE, v=mark),
        "here": here.url(PLACE, **here.seen, step=here.step or None, v=mark),
        "branch": here.url(PLACE, "branch", **here.seen, v=mark),
        "next": shown.address.link_to("run", "next", faulty=0),
        "menu": shown.address.link_to("run", "menu", faulty=0),
        "plain": here.path(PLACE),
    }


def _standing(shown: Visit) -> Standing:
    """Return the progress of the run, judged by the oracle, never by an answer written down beforehand."""
    form, spoken, run, here = _form_of(shown.scenario), shown.language, shown.run, _own(shown.address)
    goal = goal_of(form)
    number = attained(run, goal)
    won = number is not None and len(run.steps) <= form.within
    because = missed = ""
    if won and number is not None:
        verdict = run.verdicts[number]
        because = witness_sentence(verdict.witnesses[goal.check or verdict.broken[0]], spoken)
    else:
        missed = _misses(shown)
    everyone = [each.name for each in challenges()]
    place = everyone.index(here.ref) if here.ref in everyone else -1
    beyond = everyone[place + 1] if 0 <= place < len(everyone) - 1 else ""
    language_of = f"?lang={here.lang}" if here.lang else ""
    fresh = replace(here, key=RunKey())
    return Standing(
        here.ref,
        form,
        place + 1,
        len(everyone),
        len(run.steps),
        "won" if won else "over" if len(run.steps) >= form.within else "open",
        because,
        missed,
        fresh.url(PLACE, **here.seen),
        here.url(PLACE, **here.seen, step=here.step or None, v=stamp(shown.scenario)),
        here.url(PLACE, "answer", **here.seen, step=here.step or None, v=stamp(shown.scenario)),
        here.url(PLACE, "answer", **here.seen, step=here.step or None, claim=1, v=stamp(shown.scenario)),
        f"/challenge/{beyond}{language_of}" if beyond else "",
    )


def _misses(shown: Visit) -> str:
    """Return why the run does not win: ``faults`` (the network interfered, which does not count), ``holds`` (no check
    fails in the latest complete snapshot), ``other`` (another check than the required one fails), ``unfinished`` (no
    snapshot is complete yet), ``aborted`` (none will be), or nothing if none has begun."""
    if any(shown.run.steps_of(Fault)):
        return "faults"
    complete = [verdict for verdict in shown.run.verdicts.values() if verdict.checks["reachable"] is not None]
    if not complete:
        running = any(seen.aborted is None for seen in shown.run.history.recordings.values())
        return "unfinished" if running else "aborted" if shown.run.verdicts else ""
    return "other" if complete[-1].broken else "holds"


def _banner_of(shown: Visit, stands: Standing) -> Context:
    """Return what the banner alone gets."""
    return {"challenge": stands, "address": shown.address}


def _context(shown: Visit, stands: Standing) -> Context:
    """Return what the page gets: the player's context, with the challenge's own words, because the scenario's say too
    much."""
    whole, spoken = player_context(shown), shown.language
    return whole | {
        "challenge": stands,
        "title": getattr(stands.form.title, spoken),
        "story": "",
        "surprise": "",
        "opening": ("", ""),
        "links": _links_of(shown),
        "difference": None,
        "words": {
            **texts(spoken, SCRIPT_WORDS),
            **dict.fromkeys(("player.now.begin", "player.now.touch"), word("challenge.now", spoken)),
        },
        "about": whole["about"] | {"exposed": None},
        "terms": None,  # they would reveal the story
    }
