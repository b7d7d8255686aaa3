"""The target of a ref in an address: a scenario of the library, or a visitor's own."""

from starlette.requests import Request

from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario
from app.web.shared.own_scenario import is_own, scenario_of


def resolve(ref: str, request: Request) -> Scenario:
    """Return the scenario that ``ref`` names. Raises Unknown, Missing or BluecutError; no ref ever becomes part of a
    path."""
    if is_own(ref):
        return scenario_of(ref, request.app.state.store)
    return LIBRARY.scenario(ref)
