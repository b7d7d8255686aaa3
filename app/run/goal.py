"""The goal of a challenge: a complete snapshot of a certain kind, and whether a run has one."""

from itertools import chain

from app.core.model.program import conserved
from app.core.model.recorded_state import channels, parts
from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import Fault, World
from app.core.oracle.checks import Verdict
from app.run.explore import Sought
from app.run.run import Run
from app.scenario.format import ChallengeForm


class Goal(Frozen):
    """A complete snapshot in which ``check`` fails (any check, if that is None) and ``keeps`` holds, and which adds up
    to ``total`` of what the program conserves."""

    check: str | None = None
    keeps: str | None = None
    total: int | None = None

    def reached(self, system: System, world: World, number: int, verdict: Verdict) -> bool:
        """Does this snapshot reach the goal?"""
        if verdict.checks["reachable"] is None:  # decided as soon as a snapshot is complete
            return False
        broken = verdict.broken
        if not broken or (self.check is not None and self.check not in broken):
            return False
        if self.keeps is not None and verdict.checks[self.keeps] is not True:
            return False
        return self.total is None or _total(system, world, number) == self.total

    def sought(self, system: System) -> Sought:
        """Return the same question for the explorer."""
        return lambda world, number, verdict: self.reached(system, world, number, verdict)


def goal_of(challenge: ChallengeForm) -> Goal:
    """Return the goal that a challenge describes."""
    return Goal(challenge.check, challenge.keeps, challenge.total)


def attained(run: Run, goal: Goal) -> int | None:
    """Return the first snapshot of a run that reaches the goal; None where none does, or where the network failed."""
    if any(run.steps_of(Fault)):
        return None
    numbers = (n for n, verdict in run.verdicts.items() if goal.reached(run.system, run.end, n, verdict))
    return next(numbers, None)


def _total(system: System, world: World, number: int) -> int:
    """Return the total of all parts and channels of a snapshot, all quantities counted as one."""
    recorded = parts(system, world, number)
    logged = chain.from_iterable(channels(system, recorded).values())
    return conserved(system.program, (part.state for part in recorded.values()), logged).total()
