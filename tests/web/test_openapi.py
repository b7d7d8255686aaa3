"""Unlikely requests, generated from the server's own description: none may break it.

A run is bounded: a few requests per operation, the same each time, and many random ones by night.
"""

from typing import Any

import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, settings
from schemathesis import checks
from schemathesis.schemas import BaseSchema

from app.web.app import create_app
from tests.often import deep, often

schema = schemathesis.pytest.from_fixture("described")
"""Read when the tests run: preparing all operations takes as long as collecting a third of all tests, which every
worker does."""


MEASURING = "^/recovery"
"""The page that measures during the request: a few requests are enough."""

PATIENCE = 300
"""Seconds that an answer may take where the machine is busy."""


@pytest.fixture(autouse=True)
def named(request: pytest.FixtureRequest) -> None:
    """Name the test where Schemathesis 4.32 looks for its name: pytest 9.2 has it elsewhere."""
    request.node._nodeid = request.node.nodeid


@pytest.fixture(scope="module")
def described() -> BaseSchema:
    """Return the server's description of itself. By night each boundary of each parameter is tried, too:
    some 90 requests per operation."""
    found = schemathesis.openapi.from_asgi("/openapi.json", create_app())
    found.config.phases.coverage.enabled = deep()
    return found


@schema.exclude(path_regex=MEASURING).parametrize()  # type: ignore[untyped-decorator]
@often(40 if deep() else 16, fewest=2, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_server(case: "schemathesis.Case[Any]") -> None:
    conforms(case)


@schema.include(path_regex=MEASURING).parametrize()  # type: ignore[untyped-decorator]
@settings(max_examples=2, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_what_is_measured_meanwhile(case: "schemathesis.Case[Any]") -> None:
    conforms(case)


def conforms(case: "schemathesis.Case[Any]") -> None:
    """Whatever is asked for, the answer is one that the schema names, and never a failure of the server."""
    case.call_and_validate(
        checks=[checks.not_a_server_error, checks.status_code_conformance, checks.content_type_conformance],
        timeout=PATIENCE,
    )


HOSTILE = ["%00", "%ff", "..", ".", "1.", "x-", "%2e%2e%2f", "a" * 3_000, "%F0%9F%92%A9", "{{7*7}}", "1.%2B", "\\"]


@pytest.mark.parametrize("ref", HOSTILE)
@pytest.mark.parametrize(
    "page",
    [
        "/run/{}",
        "/run/{}/events",
        "/run/{}/step/0",
        "/embed/{}",
        "/editor?from={}",
        "/challenge/{}",
        "/run/{}/switches",
        "/run/{}/files",
        "/run/{}/find",
        "/quiz/{}?n=3",
        "/theorem/{}",
    ],
)
def test_no_ref_breaks_the_server(client: TestClient, ref: str, page: str) -> None:
    assert client.get(page.format(ref)).status_code in (200, 302, 307, 400, 404)


def test_the_stream_is_described_by_its_events_and_a_stale_picture_by_its_status() -> None:
    paths = create_app().openapi()["paths"]
    stream = paths["/run/{ref}/events"]["get"]["responses"]["200"]["content"]["text/event-stream"]
    assert stream["itemSchema"]["properties"]["event"]["enum"] == ["scene", "step", "end"]
    assert "409" in paths["/run/{ref}/step/{k}.svg"]["get"]["responses"]
