"""A written class is tried in every run of each small system; the first failure is a shortest run.

A system is passed when all its runs were visited, each snapshot in them passed every check, and none was left undone.
Where the search reached its bound, or no snapshot was ever complete, the system is undecided: nothing was proved.

Source of the method: explicit-state model checking, see ``app.run.explore``.
"""

from collections.abc import Callable, Iterable
from pathlib import PurePath

from app.core.model.algorithm import AnyAlgorithm
from app.core.model.system import System
from app.core.model.value import Frozen
from app.core.model.values import Json, Refused, World
from app.core.oracle.checks import Verdict
from app.judge.mistake import MOST_LINES, Mistake
from app.judge.pair import OVER, Pair
from app.judge.replay import Replay, replay
from app.judge.suite import TrialSystem
from app.judge.written import Written
from app.run.explore import MOST_STATES, Exploration, explore
from app.scenario.run_key import Choices

PASSED, FAILED, UNDECIDED = "passed", "failed", "undecided"
INCOMPLETE = "incomplete"
"""What is wrong where a run ends and its snapshot is not done."""
UNKNOWN = "unknown"
"""What is wrong where a process records for a snapshot that nobody has started."""
CROWD = 100
"""The most messages that may wait on a channel: where each marker is answered with two, there is no end."""
MOST_SOURCE = MOST_LINES
"""The most characters of a file."""


class Failure(Frozen):
    """What is wrong in a shortest run: a check and its witness, ``incomplete``, ``unknown``, or a mistake; and the run
    by hand."""

    what: str
    witness: Json = None
    mistake: Mistake | None = None
    replay: Replay | None = None


class Trial(Frozen):
    """How a class did in one system, and how many states that took. ``markers`` is how many it has sent, in the run
    with most of them, until the snapshot was complete; 0 where it did not pass, or they are not counted."""

    system: TrialSystem
    verdict: str
    states: int = 0
    failure: Failure | None = None
    markers: int = 0


class Judgement(Frozen):
    """The trials of a class; ``mistake`` says why there are none."""

    file: str
    source: str
    trials: tuple[Trial, ...] = ()
    mistake: Mistake | None = None

    @property
    def verdict(self) -> str:
        """``failed`` where a system was, otherwise ``undecided`` where one was."""
        if self.mistake is not None:
            return FAILED
        found = {trial.verdict for trial in self.trials}
        return next((one for one in (FAILED, UNDECIDED) if one in found), PASSED)

    @property
    def failed(self) -> Trial | None:
        """The first system that was failed."""
        return next((trial for trial in self.trials if trial.verdict == FAILED), None)

    @property
    def score(self) -> tuple[int, int]:
        """How many systems were passed, of how many."""
        return sum(trial.verdict == PASSED for trial in self.trials), len(self.trials)

    @property
    def points(self) -> int:
        """What the passed systems are worth together."""
        return sum(trial.system.weight for trial in self.trials if trial.verdict == PASSED)

    @property
    def markers(self) -> int | None:
        """How many markers all systems take together; None where they are not counted, or not all was passed."""
        counted = [trial.markers for trial in self.trials if trial.system.fewest]
        return sum(counted) if counted and self.verdict == PASSED else None

    @property
    def fewest(self) -> int:
        """How many they take a class that is known to pass."""
        return sum(trial.system.fewest for trial in self.trials)


Watch = Callable[[TrialSystem, int], None]
"""Called now and then with the system that is tried, and the number of its states so far."""


def judge(
    source: str,
    file: str,
    systems: Iterable[TrialSystem],
    *,
    most: int = MOST_STATES,
    first: bool = False,
    watch: Watch | None = None,
) -> Judgement:
    """Return how the class in ``source`` does in the systems; with ``first`` up to the first failure."""
    name = PurePath(file).name
    if len(source) > MOST_SOURCE:
        return Judgement(file, source, mistake=Mistake("long"))
    try:
        pair = Pair(source, name)
    except Mistake as mistake:
        return Judgement(file, source, mistake=mistake)
    with pair:
        written = Written(pair.ask, pair.facts)
        trials = list[Trial]()
        for system in systems:
            trials.append(tried(system, written, most, watch=watch))
            try:
                pair.ask_backwards()
            except Mistake as mistake:
                return Judgement(file, source, mistake=mistake)
            if trials[-1].verdict == FAILED and (first or _ended(trials[-1])):
                break
    return Judgement(file, source, tuple(trials))


def _ended(trial: Trial) -> bool:
    """Has the class ended its own process, so that it can be asked nothing more?"""
    mistake = trial.failure.mistake if trial.failure else None
    return mistake is not None and mistake.kind in OVER


def tried(
    system: TrialSystem,
    written: Written,
    most: int,
    *,
    watch: Watch | None = None,
    tired: Callable[[], bool] | None = None,
) -> Trial:
    """Return how the class does in one system; see ``explore`` for ``tired``."""
    real = system.scenario.system(system.key)
    rules, markers = written.algorithm(real.program, counts=system.fewest > 0), 0

    def sought(world: World, number: int, verdict: Verdict) -> bool:
        nonlocal markers
        markers = max(markers, sum(kept.markers for kept in world.memories.values()))
        return number not in world.snapshots or bool(verdict.broken)

    try:
        if not _set_up(real, rules):
            return Trial(system, UNDECIDED)
        found = explore(
            system.scenario,
            system.key,
            most=most,
            watch=(lambda states: watch(system, states)) if watch else None,
            sought=sought,
            tired=lambda: written.full or bool(tired and tired()),
            finishing=True,
            crowd=CROWD,
            bounds=system.bounds,
            rules=rules,
        )
    except Mistake as mistake:  # in its setup, before any run
        return Trial(system, FAILED, 0, Failure("mistake", mistake=mistake))
    if (failure := _failure(found)) is not None:
        what, witness, error, choices = failure
        return Trial(system, FAILED, found.states, Failure(what, witness, error, replay(system, written, choices)))
    decided = not found.bounded and found.complete
    if not decided:
        return Trial(system, UNDECIDED, found.states)
    return Trial(system, PASSED, found.states, markers=markers)


def _set_up(system: System, rules: AnyAlgorithm) -> bool:
    """Are all processes set up? One that is asked elsewhere may not have answered yet."""
    ready = True
    for process in system.topology.processes.values():
        try:
            rules.start(process)
        except Refused:
            ready = False
    return ready


def _failure(found: Exploration) -> tuple[str, Json, Mistake | None, Choices] | None:
    """Return what is wrong, with a witness or a mistake, and the choices of a shortest run to it."""
    if found.broken is not None:
        error, choices = found.broken
        return "mistake", None, error if isinstance(error, Mistake) else Mistake("crowd"), choices
    if found.reached is not None:
        for check, example in found.counterexamples.items():
            return check, example.witness, None, example.choices
        return UNKNOWN, None, None, found.reached
    return (INCOMPLETE, None, None, found.stuck) if found.stuck is not None else None
