"""The promises that an algorithm relies on, as switches: what this run would be with one of them broken.

What ``_switches.html`` gets: ``switches``, several of Switch; ``long``: the run is too long to repeat for each.
"""

from fastapi import APIRouter
from msgspec.structs import replace
from starlette.responses import HTMLResponse, Response

from app.algorithms.registry import DESCRIPTIONS
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json
from app.run.replay_key import again
from app.run.run import Run
from app.scenario.run_key import RunKey
from app.web.base.errors import answers
from app.web.base.templates import page
from app.web.shared.family_tree import bases
from app.web.shared.search_queue import too_large
from app.web.shared.visit import Visit, VisitedRun
from app.wire.run_url import canonical
from app.words.witness_words import witness_sentence

PROMISES: dict[str, str] = {
    description.breaks: name for name, description in DESCRIPTIONS.items() if description.breaks is not None
}
"""The algorithm that breaks each promise. The channels themselves keep the order."""

ORDER = "order"
MOST_WORK = 60_000
"""The most work of a run that is repeated for every switch; a step of a small run takes about ten."""

LONGEST = 6_000
"""The most characters of an address that a switch leads to."""

router = APIRouter(responses=answers(400, 404))


class Outcome(Frozen):
    """What a run shows: ``breaks`` (a check fails: ``check`` and ``because``, at ``step``), ``still`` (it also fails
    without the switch), ``never`` (a snapshot is never complete), ``survives``, ``idle`` (there is no snapshot),
    ``impossible`` (the algorithm cannot run here) or ``unseen`` (the run is too long to look)."""

    kind: str
    check: str = ""
    because: str = ""
    step: int | None = None


class Switch(Frozen):
    """A promise, whether it is kept now, the outcome with the switch turned, the address of that run, and where one
    that breaks can be found (None if the promise would be kept, or the system is too large to search)."""

    promise: str
    kept: bool
    outcome: Outcome
    url: str | None
    find: str | None
    repeated: bool
    """Is it the same run, or the author's, because the same cannot be written down?"""


@router.get("/run/{ref}/switches", response_class=HTMLResponse)
def switches(shown: VisitedRun) -> Response:
    """Return the effect of breaking each promise on this run: a piece of the run's page."""
    made = tuple(_made_of(shown, promise, key) for promise, key in _turned(shown).items())
    return page(shown.request, "_switches.html", switches=made, long=shown.run.work > MOST_WORK)


def _turned(shown: Visit) -> dict[str, RunKey]:
    """Return, for each promise that matters here, the key with its switch turned."""
    scenario, key = shown.scenario, shown.address.key
    now, order = scenario.algorithm(key), scenario.discipline(key)
    own = scenario.form.discipline
    kept = own if own != "any" else "fifo"
    found = {ORDER: replace(key, discipline=kept if order == "any" else "any")}
    for promise, broken in PROMISES.items():
        if promise == "after" and not scenario.form.newcomers:
            continue
        if now == broken:
            own_algorithm = scenario.form.algorithm
            back = own_algorithm if sound(own_algorithm) == own_algorithm else sound(broken)
            found[promise] = replace(key, algorithm=back)
        elif sound(now) == sound(broken):
            found[promise] = replace(key, algorithm=broken)
    return {promise: canonical(scenario, other) for promise, other in found.items()}


def sound(name: str) -> str:
    """Return the algorithm of which ``name`` is a broken variant, or itself."""
    if name not in PROMISES.values():
        return name
    return next((str(base.NAME) for base in bases(name)), name)


def _made_of(shown: Visit, promise: str, key: RunKey) -> Switch:
    here, scenario = shown.address, shown.scenario
    kept = scenario.discipline(here.key) != "any"
    if promise != ORDER:
        kept = scenario.algorithm(here.key) != PROMISES[promise]
    repeated = True
    try:
        if key.choices or key.drain or key.manual:
            same = again(shown.run, replace(key, choices=(), drain=False, manual=False)) if _affordable(shown) else None
            repeated = same is not None and len(replace(here, key=same, step=0).here) <= LONGEST
            key = same if same is not None and repeated else replace(key, choices=(), drain=False, manual=False)
        outcome = Outcome("unseen")
        if _affordable(shown):
            run = shown.request.app.state.runs.recorded(scenario, key).run
            outcome = _outcome_of(run, shown.language)
            if (
                promise == ORDER
                and kept
                and outcome.kind == "breaks"
                and any(v.broken for v in shown.run.verdicts.values())
            ):
                outcome = replace(outcome, kind="still", because="")
        elif not repeated:
            scenario.system(key)
    except BluecutError:
        return Switch(promise, kept, Outcome("impossible"), None, None, repeated)
    step = here.step if outcome.step is None else outcome.step
    find = None
    if kept and not too_large(scenario):
        about = replace(here, key=RunKey(key.algorithm, None, key.discipline))
        find = about.url("run", "find", lang=here.lang)
    return Switch(promise, kept, outcome, replace(here, key=key, step=step).here, find, repeated)


def _affordable(shown: Visit) -> bool:
    """Is the run short enough to repeat for every switch?"""
    return shown.run.work <= MOST_WORK


def _outcome_of(run: Run, language: str) -> Outcome:
    """Return what a run shows, the first failure first."""
    failures: list[tuple[int, str, Json]] = []
    for verdict in run.verdicts.values():
        failures += [(verdict.since[check], check, verdict.witnesses[check]) for check in verdict.broken]
    if failures:
        step, check, witness = min(failures, key=lambda failure: failure[0])
        return Outcome("breaks", check, witness_sentence(witness, language), step)
    if not run.verdicts:
        return Outcome("idle")
    if any(snapshot.running for snapshot in run.end.snapshots.values()):
        return Outcome("never", step=len(run.steps))
    return Outcome("survives")
