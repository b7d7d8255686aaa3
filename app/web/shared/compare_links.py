"""Addresses of comparisons, for links."""

from collections.abc import Iterable
from urllib.parse import quote

from app.algorithms.registry import ALGORITHMS, standing_for
from app.course.live_run import HAND
from app.scenario.scenario import Scenario
from app.web.shared.algorithm_options import offered
from app.wire.run_url import Address, stamp, written_url

OPPOSITE = {"rollback": standing_for("local"), "local": standing_for("rollback"), "retry": standing_for("rerun")}
"""Another way of recovery to compare with first, by a run's way of recovery."""


def beside(ref: str, names: Iterable[str], **more: object) -> str:
    """Return the address that shows ``names``, each ``ALGORITHM`` or ``ALGORITHM~DISCIPLINE``, on a scenario."""
    pairs = [("with", name) for name in names]
    pairs += [(key, str(value)) for key, value in more.items() if value not in (None, "")]
    return written_url(f"/compare/{quote(ref, safe='.')}", pairs)


def pair(scenario: Scenario) -> list[str]:
    """Return the author's algorithm, and another that fits the graph: another way to recover; or beside a wrong one the
    first right one, and beside a right one the right one whose rules differ most."""
    own = scenario.form.algorithm
    others = [(kind, name) for kind, names in offered(scenario).items() for name, reason in names.items() if not reason]

    def alike(other: tuple[str, str]) -> tuple[bool, bool, bool, float]:
        kind, name = other
        foreign = (ALGORITHMS[name].COORDINATED, ALGORITHMS[name].KIND) != (
            ALGORITHMS[own].COORDINATED,
            ALGORITHMS[own].KIND,
        )
        opposite = scenario.recovers and name == OPPOSITE.get(ALGORITHMS[own].RECOVERY.way)
        return not opposite, kind != "right", foreign, 0 if ALGORITHMS[own].WRONG is not None else _shared(own, name)

    return [own, *[name for _, name in sorted(others, key=alike) if name != own][:1]]


def _shared(own: str, other: str) -> float:
    """Return the part of the lines of two algorithms that are the same."""
    mine, theirs = ({line for line, _ in ALGORITHMS[name].PSEUDOCODE} for name in (own, other))
    return len(mine & theirs) / max(1, len(mine | theirs))


def compared(here: Address) -> list[str]:
    """Return what to compare a run with first: its algorithm beside the author's, or the author's beside another; what
    was done by hand stands first."""
    now, own = here.scenario.algorithm(here.key), here.scenario.form.algorithm
    if now == HAND:
        return [now, own]
    return [own, now] if now != own else pair(here.scenario)


def door(here: Address) -> str:
    """Return the address of the comparison that begins with a run. ``of`` in it keeps the run for the way back: a
    comparison has no choices of its own."""
    key, mark = here.key, stamp(here.scenario)
    whole = here.query(step=here.step or None)
    kept = written_url("", {**whole, "v": mark})[1:] if whole else ""
    return beside(here.ref, compared(here), seed=key.seed, discipline=key.discipline, lang=here.lang, of=kept)
