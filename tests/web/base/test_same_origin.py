"""Nothing is changed for pages of other sites."""

import re

from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from app.web.app import PAGES

CHANGES = sorted(
    route.path
    for module in PAGES
    for route in module.router.routes
    if isinstance(route, APIRoute) and route.methods and not route.methods <= {"GET", "HEAD"}
)


def test_every_form_is_refused_that_comes_from_another_site(client: TestClient) -> None:
    assert len(CHANGES) > 20
    for path in CHANGES:
        there = re.sub(r"\{\w+\}", "ABCDEF", path)
        for foreign in (
            {"sec-fetch-site": "cross-site"},
            {"origin": "https://evil.example"},
            {"origin": "null"},
            {"origin": "http://["},
        ):
            assert client.post(there, headers=foreign).status_code == 403, (there, foreign)
