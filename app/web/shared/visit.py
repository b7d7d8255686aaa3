"""A request for a run: what it names, the run itself, and the visitor's language."""

from collections.abc import Callable
from typing import Annotated

from fastapi import Depends
from fastapi import Path as PathParameter
from fastapi import Query as QueryParameter
from msgspec.structs import replace
from starlette.requests import Request

from app.core.kernel.enabled import enabled
from app.core.model.value import Frozen
from app.core.model.values import BluecutError
from app.forms.fields import STEPS
from app.run.run import Run
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.web.base.errors import NoSuchStep, Stale
from app.web.base.language import language
from app.web.shared.encoded_run import Recorded
from app.web.shared.own_scenario import resolve
from app.wire.action_text import text
from app.wire.run_url import Address, Query, address, is_stale
from app.wire.scenario_link import LONGEST

RunQuery = Annotated[Query, QueryParameter()]
Ref = Annotated[str, PathParameter(max_length=LONGEST, description="a name of the library, or an own scenario")]
Step = Annotated[int, PathParameter(ge=0, le=STEPS)]
SnapshotNumber = Annotated[int | None, QueryParameter(ge=0, le=STEPS, description="the number of a snapshot")]


class Visit(Frozen):
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

    def snapshot(self, asked: int | None, first: Callable[[Run], int | None]) -> int | None:
        """Return the snapshot that is asked for; where none is, or the link is stale, the ``first`` one. Raises
        BluecutError where the run has no such snapshot."""
        number = first(self.run) if asked is None or self.stale else asked
        if number is not None and number not in self.run.history.recordings:
            raise BluecutError("snapshot: this run has no snapshot {number}", number=number)
        return number


def visit(request: Request, ref: Ref, query: RunQuery) -> Visit:
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


def exact(request: Request, ref: Ref, query: RunQuery) -> Visit:
    """Return the run that a program asked for. A stale link is refused, because parts of two runs do not make one."""
    if is_stale(query, resolve(ref, request)):
        raise Stale("v: the scenario or the engine has changed since this link was made")
    return visit(request, ref, query)


VisitedRun = Annotated[Visit, Depends(visit)]
ExactRun = Annotated[Visit, Depends(exact)]


def checked_step(shown: Visit, step: int) -> int:
    """Return ``step`` if the run has it. Raises NoSuchStep."""
    if step > shown.steps:
        raise NoSuchStep("step {step} does not exist; this run has {steps} steps", step=step, steps=shown.steps)
    return step


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
