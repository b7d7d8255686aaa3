"""The game of Theorem 1 without scripts: every swap is a link."""

import re

import pytest
from fastapi.testclient import TestClient


def page(client: TestClient, address: str, status: int = 200) -> str:
    answer = client.get(address)
    assert answer.status_code == status, answer.text
    return answer.text


def hint(html: str) -> str | None:
    """Return where the swap that helps leads."""
    found = re.search(r'id="swap-hint" href="([^"]+)"', html)
    return found[1].replace("&amp;", "&") if found else None


def test_links_lead_from_what_happened_to_the_recorded_state(client: TestClient) -> None:
    html = page(client, "/swap/slow-marker?lang=en")
    assert "Swaps: 0. Pairs still out of place: 5. At least 5 swaps are needed." in html
    assert "never passes through the recorded state" in html and html.count("swap-state blue") == 1
    for done in range(5):
        address = hint(html)
        assert address is not None, done
        html = page(client, address)
    assert hint(html) is None
    assert "All before, then all after" in html and "5 swaps: the fewest possible." in html
    assert html.count("swap-state blue") == 2 and "This is the recorded state." in html
    kinds = re.findall(r'class="swap-card (early|late)"', html)
    assert kinds == sorted(kinds) and set(kinds) == {"early", "late"}
    link = re.search(r'button-first" href="([^"]+)">Watch the run that happens in this order', html)
    assert link and "manual=1" in link[1]
    assert client.get(link[1].replace("&amp;", "&")).status_code == 200


def test_a_swap_that_is_not_possible_explains_itself(client: TestClient) -> None:
    html = page(client, "/swap/slow-marker?swaps=3,1&lang=en")
    assert "This swap is not possible. P cannot receive 1 before it is sent." in html
    assert "Swaps: 1. Pairs still out of place: 4." in html
    assert "不能这样交换。1 发送之前，P 不可能收到它。" in page(client, "/swap/slow-marker?swaps=3,1&lang=zh")


def test_an_inconsistent_cut_cannot_be_won_and_the_orphan_is_the_reason(client: TestClient) -> None:
    html = page(client, "/swap/late-marker?lang=en")
    assert "This cannot be won. Q receives 4 before the cut, and P sends it after the cut" in html
    assert hint(html) is None and "data-swap=" not in html and "needed" not in html.split("<main", 1)[1]


def test_what_was_not_recorded_rightly_is_not_won_by_sorting(client: TestClient) -> None:
    html = page(client, "/swap/no-channels?lang=en")
    assert "the state between them is not the recorded one" in html and "All before" not in html


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("domino", "Nobody takes a snapshot in this run"),
        ("chain-from-b", "Snapshot 1 is not complete in this run"),
        ("random-twelve", "Too much happened during this snapshot to fit here (56 events)"),
    ],
)
def test_where_there_is_no_game_it_says_why(client: TestClient, name: str, said: str) -> None:
    html = page(client, f"/swap/{name}?lang=en")
    assert said in html and 'class="swap-list"' not in html


def test_each_snapshot_has_its_game(client: TestClient) -> None:
    html = page(client, "/swap/two-starters?snapshot=2&lang=en")
    assert re.search(r'snapshot=2[^"]*" aria-current="true">Snapshot 2<', html) and "while snapshot 2 was taken" in html
    assert "this run has no snapshot 7" in page(client, "/swap/two-starters?snapshot=7&lang=en", 400)


@pytest.mark.parametrize("swaps", ["99", "x", "1,,2"])
def test_swaps_that_mean_nothing_are_refused(client: TestClient, swaps: str) -> None:
    assert "swaps: " in page(client, f"/swap/slow-marker?swaps={swaps}&lang=en", 400)


def test_the_addresses_without_a_run_lead_to_one(client: TestClient) -> None:
    assert client.get("/swap").headers["location"] == "/swap/slow-marker"
    assert client.get("/blank").headers["location"] == "/blank/three-banks"


def test_an_event_is_called_the_same_as_in_the_states_and_one_swap_is_one(client: TestClient) -> None:
    html = client.get("/swap/state-that-never-was?lang=en").text
    assert "At least 1 swap is needed." in html
    won = client.get("/swap/state-that-never-was?swaps=1&lang=en").text
    assert "1 swap: the fewest possible." in won and "At least" not in won
    said = set(re.findall(r'<span class="swap-event">([^<]+)<', html))
    states = client.get("/states/state-that-never-was?at=2,2&lang=en").text
    assert said and said <= set(re.findall(r"<li>([^<]+)</li>", states))


def test_where_the_run_or_a_state_cannot_be_watched_the_reason_is_told(client: TestClient) -> None:
    assert 'id="swap-unseen"' not in client.get("/swap/state-that-never-was?swaps=1&lang=en").text
    html = client.get("/states/blue-figure?at=0,1&lang=en").text
    assert "happens only because the script says so" in html
