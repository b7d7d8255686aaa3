"""The scenarios on which the two ways to recover from a crash can be compared."""

from app.algorithms.registry import ALGORITHMS, standing_for
from app.core.model.values import Crash
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario, unfit

SIDES = (standing_for("rollback"), standing_for("local"))
"""Rolling back to a checkpoint, and removing duplicates."""


def crash_scenarios() -> list[Scenario]:
    """Return the scenarios with a crash on which both can run. Neither of them handles a crash of the coordinator."""
    return [
        scenario
        for scenario in LIBRARY.scenarios()
        if (fallen := {entry.action.process for entry in scenario.entries if isinstance(entry.action, Crash)})
        and scenario.topology.root not in fallen
        and not any(unfit(ALGORITHMS[name], scenario.topology) for name in SIDES)
        and ALGORITHMS[scenario.form.algorithm].RECOVERY.way != "none"
    ]
