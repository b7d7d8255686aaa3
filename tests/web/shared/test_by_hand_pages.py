"""A run by hand is a run: every page about runs shows it."""

import pytest
from fastapi.testclient import TestClient

HAND = "algorithm=by-hand&choices=0:4.0.0.0.2.2.4.0.2.2.0.4.4.6.6.5.0.3.0.2.2.2&manual=1"
PAGES = ("run", "states", "stable", "monitor", "diagram", "cuts", "swap", "quiz", "blank", "embed")


@pytest.mark.parametrize("page", PAGES)
def test_every_page_shows_it(client: TestClient, page: str) -> None:
    assert client.get(f"/{page}/two-starters?{HAND}").status_code == 200


def test_it_is_named_where_algorithms_are_chosen_and_offered_nowhere_else(client: TestClient) -> None:
    option = '<option value="by-hand" selected>By hand</option>'
    assert option in client.get(f"/run/two-starters?{HAND}").text
    assert 'value="by-hand"' not in client.get("/run/two-starters").text
    assert client.get("/algorithms/by-hand").status_code == 404


@pytest.mark.parametrize("name", ["barriers-wait", "domino", "joiner-merged", "random-twelve"])
def test_by_hand_every_scenario_runs(client: TestClient, name: str) -> None:
    for query in ("algorithm=by-hand", "algorithm=by-hand&seed=3&drain=1"):
        assert client.get(f"/run/{name}?{query}").status_code in (200, 400)
