"""The modules with routes are found by themselves, so no address may fit the patterns of two of them."""

import re
from collections.abc import Iterable
from types import ModuleType

from fastapi import APIRouter

from app.web.app import PAGES


def answered_twice(pages: Iterable[ModuleType]) -> set[tuple[str, str]]:
    """Return the pairs of patterns of different modules that one address fits."""
    routes = [(module, route) for module in pages for route in module.router.routes]
    words = {part for _, route in routes for part in route.path.split("/") if "{" not in part} | {"any", "1"}
    return {
        (mine.path, other.path)
        for module, mine in routes
        for address in {re.sub(r"\{[^}]+\}", word, mine.path) for word in words - {""}}
        for another, other in routes
        if another is not module and mine.methods & other.methods and other.path_regex.match(address)
    }


def test_no_address_is_answered_by_two_modules() -> None:
    assert answered_twice(PAGES) == set()


def test_an_address_that_two_modules_answer_is_noticed() -> None:
    one, other = ModuleType("one"), ModuleType("other")
    for module, path in ((one, "/run/{ref}/{part}"), (other, "/run/{ref}/events")):
        module.__dict__["router"] = APIRouter()
        module.__dict__["router"].add_api_route(path, lambda: None)
    assert ("/run/{ref}/{part}", "/run/{ref}/events") in answered_twice([one, other])


def test_the_first_page_and_the_last_are_found() -> None:
    found = {route.path for module in PAGES for route in module.router.routes}
    assert {"/", "/healthz", "/run/{ref}", "/editor", "/r/{code}"} <= found
