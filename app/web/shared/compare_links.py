"""Addresses of comparisons, for links."""

from collections.abc import Iterable
from urllib.parse import quote

from app.algorithms.registry import ALGORITHMS, standing_for
from app.scenario.scenario import Scenario
from app.web.shared.algorithm_options import offered
from app.wire.run_url import Address, stamp, written_url

OTHERWISE = {"rollback": standing_for("local"), "local": standing_for("rollback"), "retry": standing_for("rerun")}
"""Another way of recovery to compare with first, by a run's way of recovery."""


def beside(ref: str, names: Iterable[str], **more: object) -> str:
    """Return the address that shows ``names``, each ``ALGORITHM`` or ``ALGORITHM~DISCIPLINE``, on a scenario."""
    pairs = [("with", name) for name in names]
    pairs += [(key, str(value)) for key, value in more.items() if value not in (None, "")]
    path = f"/compare/{quote(ref, safe='.')}"
    return path + "".join(("&" if i else "?") + written_url("", {k: v})[1:] for i, (k, v) in enumerate(pairs))


def pair(scenario: Scenario) -> list[str]:
    """Return the author's algorithm, and the first other that is right and fits the graph, or else any that fits."""
    own = scenario.form.algorithm
    others = [offer.name for group in offered(scenario) for offer in group.offers if not offer.reason]
    others.sort(key=lambda name: name != OTHERWISE.get(ALGORITHMS[own].RECOVERY.way) or not scenario.recovers)
    return [own, *[name for name in others if name != own][:1]]


def compared(here: Address) -> list[str]:
    """Return what to compare a run with first: its algorithm beside the author's, or the author's beside another."""
    now, own = here.scenario.algorithm(here.key), here.scenario.form.algorithm
    return [own, now] if now != own else pair(here.scenario)


def door(here: Address) -> str:
    """Return the address of the comparison that begins with a run. ``of`` in it keeps the run for the way back: a
    comparison has no choices of its own."""
    key, mark = here.key, stamp(here.scenario)
    whole = here.query(step=here.step or None)
    kept = written_url("", {**whole, "v": mark})[1:] if whole else ""
    return beside(here.ref, compared(here), seed=key.seed, discipline=key.discipline, lang=here.lang, of=kept)
