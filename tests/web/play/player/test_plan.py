"""The plan of a run's stage, as the browser asks for it."""

import json
import re

import pytest
from fastapi.testclient import TestClient

SIZE = "width=760&least=420&most=420"


def link(client: TestClient, page: str) -> str:
    """Return the address of the plan that a page names."""
    data = re.search(r'<script type="application/json" id="data-page">(.*?)</script>', client.get(page).text, re.DOTALL)
    assert data
    told = json.loads(data[1])
    return str(told["links"]["plan"] if "links" in told else told["columns"][0]["plan"])


def test_every_page_with_a_stage_names_the_plan(client: TestClient) -> None:
    for page in ("/run/ring", "/embed/ring", "/challenge/late-marker", "/compare/ring"):
        told = client.get(f"{link(client, page)}&{SIZE}").json()
        assert told["nodes"] and told["tracks"] and told["tall"] > 0, page


def test_the_plan_does_not_depend_on_what_was_chosen(client: TestClient) -> None:
    assert (
        link(client, "/run/ring?choices=1:0")
        == link(client, "/run/ring")
        != link(client, "/run/ring?algorithm=mattern")
    )


def test_a_browser_may_keep_a_plan_by_language(client: TestClient) -> None:
    answer = client.get(f"{link(client, '/run/ring')}&{SIZE}")
    assert answer.headers["cache-control"] == "private, max-age=600"
    assert "Accept-Language" in answer.headers["vary"]


@pytest.mark.parametrize(
    "size", ["", "width=760", "width=0&least=1&most=1", "width=760&least=420&most=99999", "width=a&least=1&most=1"]
)
def test_a_size_that_is_none_is_refused(client: TestClient, size: str) -> None:
    assert client.get(f"/run/ring/plan.json?{size}").status_code == 400


def test_a_stale_link_is_refused(client: TestClient) -> None:
    assert client.get(f"/run/ring/plan.json?v=1-0&{SIZE}").status_code == 409
