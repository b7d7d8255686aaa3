"""The shortest run that breaks: opened where there is one, and told how far the search went where there is none."""

import re

import pytest
from fastapi.testclient import TestClient

from app.scenario.library import LIBRARY
from app.web.shared.search_queue import Searches
from tests.each import each


@pytest.fixture
def client(alone: TestClient) -> TestClient:
    """Return a client of a server that searches for nobody else."""
    return alone


def test_the_run_that_is_found_breaks_at_the_step_that_is_shown(client: TestClient) -> None:
    answer = client.get("/run/token-late/find?algorithm=no-channels")
    assert answer.status_code == 303
    url = answer.headers["location"]
    assert url.startswith("/run/token-late?algorithm=no-channels&choices=0:0.0.0.1.0.0.0&drain=1&step=7&v=")
    trace = client.get(url.replace("?", "/trace.json?")).json()
    assert any(note[0] == "judged" and not note[3] for note in trace["frames"][6]["n"])
    assert not any(note[0] == "judged" and not note[3] for frame in trace["frames"][:6] for note in frame["n"])


def test_a_check_can_be_asked_for(client: TestClient) -> None:
    any_check = client.get("/run/late-marker/find").headers["location"]
    conserved = client.get("/run/late-marker/find?check=conserved").headers["location"]
    assert "step=5" in any_check and "step=7" in conserved


def test_the_language_and_the_discipline_stay(client: TestClient) -> None:
    url = client.get("/run/token-late/find?discipline=any&lang=zh").headers["location"]
    assert "discipline=any" in url and "lang=zh" in url and "choices=" in url


def test_what_the_address_says_of_one_run_does_not_matter(client: TestClient) -> None:
    plain = client.get("/run/late-marker/find").headers["location"]
    assert client.get("/run/late-marker/find?choices=0:2.1&step=2&seed=5").headers["location"] == plain


def test_a_proof_is_called_one_and_says_its_limits(client: TestClient) -> None:
    answer = client.get("/run/token-late/find")
    assert answer.status_code == 200
    assert "It cannot break here" in answer.text and "<b>64</b>" in answer.text
    assert re.search(r"moves of the programs, at most</dt><dd>4</dd>", answer.text)
    assert "proof" in client.get("/run/token-late/find?check=cost").text


def test_where_nothing_breaks_the_promises_are_offered(client: TestClient) -> None:
    html = client.get("/run/token-late/find?check=cost").text
    assert re.search(r'href="/run/token-late[^"]*#switches-title"', html) and 'id="switches-title"' in (
        client.get("/run/token-late").text
    )


def test_a_bound_is_no_proof(client: TestClient) -> None:
    client.app.state.searches = Searches(most_states=20)  # type: ignore[attr-defined]
    answer = client.get("/run/token-late/find")
    assert "None found, but this is no proof" in answer.text and "<b>20</b>" in answer.text
    assert "It cannot break here" not in answer.text


def test_where_nothing_completes_nothing_is_claimed(client: TestClient) -> None:
    assert "There is nothing to break" in client.get("/run/chain-from-b/find").text


def test_a_large_system_is_refused_politely_with_a_small_one_to_look_at(client: TestClient) -> None:
    answer = client.get("/run/random-twelve/find?discipline=any&lang=zh")
    assert answer.status_code == 200
    assert "系统太大" in answer.text and 'href="/run/non-fifo-lost?lang=zh"' in answer.text
    sound = client.get("/run/random-twelve/find?lang=en").text
    assert "Too large to search" in sound and "non-fifo-lost" not in sound and "small system" not in sound


def test_too_many_searches_are_told_to_come_back(client: TestClient) -> None:
    client.app.state.searches = Searches(waiting=-1)  # type: ignore[attr-defined]
    answer = client.get("/run/token-late/find")
    assert answer.status_code == 503 and answer.headers["retry-after"] == "5"
    assert 'href="/run/token-late/find"' in answer.text


@pytest.mark.parametrize(
    ("address", "status"),
    [
        ("/run/token-late/find?check=green", 400),
        ("/run/token-late/find?algorithm=paxos", 400),
        ("/run/nowhere/find", 404),
    ],
)
def test_what_cannot_be_is_told(client: TestClient, address: str, status: int) -> None:
    assert client.get(address).status_code == status


def test_a_run_with_a_newcomer_or_a_lost_message_can_be_found_and_opened(client: TestClient) -> None:
    for name, what in (("joiner-merged", "join"), ("resent-marker", "drop")):
        answer = client.get(f"/run/{name}/find")
        assert answer.status_code == 303, name
        trace = client.get(answer.headers["location"].replace("?", "/trace.json?")).json()
        assert any(frame["a"].startswith(what) for frame in trace["frames"]), name


@pytest.mark.slow
@each("name", LIBRARY.names())
def test_every_scenario_of_the_library_is_searched(client: TestClient, name: str) -> None:
    client.app.state.searches = Searches(most_states=5)  # type: ignore[attr-defined]
    assert client.get(f"/run/{name}/find").status_code in (200, 303)


def test_a_mistake_that_needs_two_starts_is_looked_for_with_two(client: TestClient) -> None:
    answer = client.get("/run/blue-figure/find?algorithm=unlabelled")
    assert answer.status_code == 303
    trace = client.get(answer.headers["location"].replace("?", "/trace.json?")).json()
    assert sum(frame["a"].startswith("start ") for frame in trace["frames"]) == 2
