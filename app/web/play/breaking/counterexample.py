"""The shortest run in which a check fails: found by the explorer, and opened at the step that breaks it.

What ``find.html`` gets: ``title`` of the scenario; ``outcome`` (``large``, ``busy``, ``proof``, ``bounded`` or
``nothing``: no snapshot can become complete); ``found`` (a Found, or None); the ``check`` asked for, or None;
``limits`` of the search (``moves``, ``starts``, ``faults``); ``system``; ``back``, the address of the run; ``here``,
this one; ``exposed``, the address of a scenario that shows the harm, or None.
"""

from typing import Annotated

from fastapi import APIRouter, Depends
from fastapi import Query as Parameter
from msgspec.structs import replace
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.core.model.system import System
from app.core.model.values import BluecutError
from app.core.oracle.checks import CHECKS
from app.run.explore import limits, starting
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.base.errors import answers
from app.web.base.language import language
from app.web.base.templates import page
from app.web.shared.counterexample_links import exposure
from app.web.shared.own_scenario import resolve
from app.web.shared.search_queue import Found, too_large
from app.web.shared.visit import Ref, RunQuery
from app.wire.run_url import Address, address

router = APIRouter(responses=answers(400, 404))


def _wanted(request: Request, ref: Ref, query: RunQuery) -> Address:
    """Return the system to search: algorithm and discipline; the rest of the address is about one run of it."""
    scenario = resolve(ref, request)
    here = address(ref, scenario, query)
    return replace(here, key=RunKey(here.key.algorithm, None, here.key.discipline), step=0)


Wanted = Annotated[Address, Depends(_wanted)]
Check = Annotated[str | None, Parameter(max_length=20, description=f"one of {', '.join(CHECKS)}; any, if left out")]


@router.get("/run/{ref}/find", response_class=HTMLResponse, responses={303: {"description": "the run"}, **answers(503)})
async def find(request: Request, here: Wanted, check: Check = None) -> Response:
    """Return the shortest run in which ``check`` fails, or, if none was found, how far the search went."""
    if check and check not in CHECKS:
        raise BluecutError("unknown check {name!r}; one of {known}", name=check, known=CHECKS)
    system = here.scenario.system(here.key)
    scenario = _widened(here.scenario, system)
    if too_large(scenario):
        return await _unfound(request, here, scenario, system, check, "large", None)
    found = await request.app.state.searches.found(
        scenario, here.key, ("check", check or None), lambda _world, _number, verdict: _fails(verdict.broken, check)
    )
    if found is None:
        return await _unfound(request, here, scenario, system, check, "busy", None)
    if found.choices is not None:
        return RedirectResponse(_run_of(here, found), 303)
    outcome = "bounded" if found.bounded else "proof" if found.proof else "nothing"
    return await _unfound(request, here, scenario, system, check, outcome, found)


def _widened(scenario: Scenario, system: System) -> Scenario:
    """Return the scenario with a second start in its search if the algorithm's mistake needs several, because the
    scenario that shows the mistake has several, by one process or by two."""
    seen = exposure(system)
    if system.algorithm.WRONG is None or system.algorithm.KIND.alone or seen is None:
        return scenario
    block, names, shown = limits(scenario), scenario.topology.names, starting(LIBRARY.scenario(seen))
    if len(block.starts or ()) > 1 or len(shown) < 2:
        return scenario
    first = block.starts or [names[0]]
    twice = len(set(shown)) < len(shown)
    other = first[0] if twice else next((name for name in names if name not in first), first[0])
    block = block.model_copy(update={"starts": [*first, other], "states": None, "outcomes": None, "breaks": None})
    return replace(scenario, form=scenario.form.model_copy(update={"explore": block}))


def _fails(broken: tuple[str, ...], check: str | None) -> bool:
    """Is the check, or any if none is named, among those that fail?"""
    return check in broken if check else bool(broken)


def _run_of(here: Address, found: Found) -> str:
    """Return the address of the run found, at the step in which the check fails."""
    choices = found.choices or ()
    there = replace(here, key=replace(here.key, choices=choices, drain=True), step=len(choices))
    return there.here


async def _unfound(
    request: Request,
    here: Address,
    scenario: Scenario,
    system: System,
    check: str | None,
    outcome: str,
    found: Found | None,
) -> Response:
    """Return the page that says why there is no run to show."""
    spoken = language(request)
    seen, suffix = exposure(system), f"?lang={here.lang}" if here.lang else ""
    context: dict[str, object] = {
        "title": getattr(here.scenario.form.title, spoken),
        "back": here.link_to(),
        "outcome": outcome,
        "found": found,
        "check": check or None,
        "limits": limits(scenario),
        "system": system,
        "here": here.url("run", "find", check=check, lang=here.lang),
        "exposed": f"/run/{seen}{suffix}" if seen and seen != here.scenario.name else None,
    }
    busy = outcome == "busy"
    status, headers = (503, {"retry-after": "5"}) if busy else (200, None)
    return await run_in_threadpool(page, request, "find.html", status=status, headers=headers, **context)
