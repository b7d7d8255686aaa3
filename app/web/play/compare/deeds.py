"""What people did, beside what the scenario's own algorithm does with the same deeds: two columns of one comparison.

A run by hand has no schedule that another algorithm could repeat, so both columns come from its choices.
"""

from urllib.parse import parse_qsl

from pydantic import ValidationError

from app.core.model.values import BluecutError
from app.course.live_run import HAND, LiveRun
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario
from app.wire.run_url import Query, address, is_stale


def by_hand(of: str, ref: str, scenario: Scenario) -> RunKey | None:
    """Return the key of the run by hand that is named by the query of a run; None if it is another run, or none."""
    try:
        query = Query.model_validate(dict(parse_qsl(of)))
        key = address(ref, scenario, query).key
    except (BluecutError, ValidationError):
        return None
    whole = [step for step, _ in key.choices] == [*range(len(key.choices))]
    return key if key.algorithm == HAND and key.manual and whole and not is_stale(query, scenario) else None


def by_rule(scenario: Scenario, hand: RunKey) -> RunKey:
    """Return the key of the run in which the same is done, and the scenario's own algorithm takes the snapshot."""
    return LiveRun(scenario, (index for _, index in hand.choices)).as_it_should()
