"""Challenges: the oracle's verdict on the run in the address decides, not a stored answer."""

import json
import re
from html import unescape
from typing import Any

import pytest
import yaml
from fastapi.testclient import TestClient

from app.scenario.library import LIBRARY
from app.web.play.breaking.challenge import challenges
from app.web.shared.search_queue import Searches
from app.wire.scenario_link import packed

WINS = {
    "photographs-none": "0:0.1.1",
    "photographs-two": "0:1.0.0.1",
    "late-marker": "0:2.1.0.0.0.0.0",
    "no-channels": "0:0.0.0.1.0.0.0",
    "non-fifo-lost": "0:0.2.1",
    "non-fifo-doubled": "0:1.1.1.0",
    "unlabelled-overlap": "0:3.0.0.3.4.0.0.0",
    "errors-that-cancel": "0:0.2.2.2.1",
}


def state(client: TestClient, address: str) -> str:
    page = client.get(address)
    assert page.status_code == 200, page.text
    found = re.search(r'data-state="([a-z]+)"', page.text)
    assert found
    return found[1]


def links(page: str) -> Any:
    data = re.search(r'<script type="application/json" id="data-page">(.*?)</script>', page)
    assert data
    return json.loads(data[1])["links"]


def test_the_list_goes_from_easy_to_hard(client: TestClient) -> None:
    text = client.get("/challenge").text
    assert re.findall(r'data-ref="([a-z-]+)"', text) == [each.name for each in challenges()]
    assert [each.name for each in challenges()][:2] == ["photographs-none", "photographs-two"]
    assert "让令牌消失" in client.get("/challenge?lang=zh").text


def test_a_challenge_begins_with_nothing_and_tells_nothing_away(client: TestClient) -> None:
    page = client.get("/challenge/late-marker").text
    assert 'data-state="open"' in page and 'data-steps="0"' in page
    form = LIBRARY.scenario("late-marker").form
    assert form.story and form.story.en not in page
    assert form.ending and form.ending.en not in page
    assert "the 4 was received" not in page  # as the scenario's own ending tells
    assert 'id="picks"' not in page and 'id="switches"' not in page


def test_a_snapshot_that_is_not_complete_is_named_as_such(client: TestClient) -> None:
    begun = client.get(f"/challenge/late-marker?choices={WINS['late-marker'][:-2]}").text
    assert 'data-state="open"' in begun and "Only a complete one is judged." in begun
    assert "Only a complete one" not in client.get("/challenge/late-marker").text


def test_a_snapshot_that_was_aborted_is_named_as_such(client: TestClient) -> None:
    asked, flow = (yaml.safe_load(LIBRARY.file(name).read_bytes()) for name in ("late-marker", "end-gives-up"))
    own = packed(json.dumps(flow | {"challenge": asked["challenge"]}))
    as_written = "0:0.3.0.3.1.1.3.4.1.1"
    page = client.get(f"/challenge/{own}?lang=en&choices={as_written}").text
    assert "The snapshot was aborted." in page and "not complete yet. Only" not in page


@pytest.mark.parametrize(("name", "choices"), WINS.items())
def test_a_run_that_does_it_wins(client: TestClient, name: str, choices: str) -> None:
    steps = choices.count(".") + 1
    address = f"/challenge/{name}?choices={choices}&step={steps}"
    assert state(client, address) == "won"
    assert state(client, address.rsplit(".", 1)[0]) == "open"


def test_a_harmless_run_does_not_win_however_it_is_called(client: TestClient) -> None:
    harmless = "/challenge/late-marker?choices=0:2.0.0.0.0"
    page = client.get(harmless).text
    assert 'data-state="open"' in page and "nothing is wrong with it" in page
    assert state(client, harmless + "&won=1&state=won&manual=0&drain=1") == "open"


def test_another_algorithm_in_the_address_is_not_the_challenge_s(client: TestClient) -> None:
    assert state(client, "/challenge/token-late?algorithm=no-channels&choices=0:0.0.0.1.0.0.0") == "open"


def test_the_wrong_kind_of_failure_does_not_win(client: TestClient) -> None:
    page = client.get("/challenge/errors-that-cancel?choices=0:0.2.1").text
    assert 'data-state="open"' in page and "not in the way the challenge asks" in page


def test_too_many_steps_do_not_win(client: TestClient) -> None:
    waste = "0:0.0.0.0.0.0.0.0"
    assert state(client, f"/challenge/non-fifo-lost?choices={waste}") == "over"


def test_a_scenario_without_a_challenge_is_not_found(client: TestClient) -> None:
    answer = client.get("/challenge/ring", headers={"accept": "application/json"})
    assert (answer.status_code, answer.json()["error"]) == (404, "ring holds no challenge")
    assert client.get("/challenge/nowhere").status_code == 404


def test_one_stays_in_the_challenge(client: TestClient) -> None:
    found = links(client.get("/challenge/late-marker?choices=0:2&lang=zh").text)
    assert found["run"].startswith("/challenge/late-marker?choices=0:2&lang=zh&v=")
    assert found["share"].startswith("/challenge/late-marker?choices=0:2&v=")
    assert found["branch"].startswith("/challenge/late-marker/branch?choices=0:2&lang=zh&v=")
    assert "manual=1" in found["events"]


def test_a_choice_leads_to_the_next_page(client: TestClient) -> None:
    branch = links(client.get("/challenge/late-marker").text)["branch"]
    answer = client.get(f"{branch}&step=0&action=start P")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/challenge/late-marker?choices=0:2&step=1&v=")


def test_a_script_gets_only_what_is_new(client: TestClient) -> None:
    branch = links(client.get("/challenge/late-marker").text)["branch"]
    made = client.get(f"{branch}&step=0&action=start P", headers={"accept": "application/json"}).json()
    page = client.get(made["url"]).text
    data = re.search(r'id="data-first">(.*?)</script>', page)
    assert data and json.loads(data[1])[-1] == made["frame"]
    assert links(page) == made["links"]
    assert 'data-steps="1"' in made["banner"]
    assert set(made["end"]) >= {"full", "undisturbed", "stable"}


def test_a_choice_in_the_middle_is_another_run(client: TestClient) -> None:
    branch = links(client.get("/challenge/late-marker?choices=0:2.1").text)["branch"]
    made = client.get(f"{branch}&step=0&action=start Q", headers={"accept": "application/json"}).json()
    assert set(made) == {"url"} and "choices=0:3&step=1" in made["url"]


def test_what_cannot_happen_is_refused(client: TestClient) -> None:
    branch = links(client.get("/challenge/late-marker").text)["branch"]
    assert client.get(f"{branch}&step=0&action=wake P markers 1").status_code == 400


def test_a_stale_link_begins_anew(client: TestClient) -> None:
    page = client.get("/challenge/late-marker?choices=0:2.1&v=1-000000000000").text
    assert 'data-steps="0"' in page


def test_who_says_that_it_cannot_be_done_is_right_where_the_explorer_has_seen_everything(client: TestClient) -> None:
    page = unescape(client.get("/challenge/token-late/answer?claim=1").text)
    assert "Right, it cannot be done." in page and "there are 64 states" in page and 'data-right="1"' in page
    given_up = client.get("/challenge/token-late/answer").text
    assert "It cannot be done." in given_up and "data-right" not in given_up


def test_who_says_so_wrongly_is_told_and_can_look(client: TestClient) -> None:
    page = unescape(client.get("/challenge/late-marker/answer?claim=1").text)
    assert "It can be done in 7 steps." in page and "data-right" not in page
    show = re.search(r'<a href="(/challenge/late-marker\?choices=[^"]+)">Show me', page)
    assert show and state(client, show[1]) == "won"


def test_who_was_wrong_can_try_again_where_he_stood(client: TestClient) -> None:
    begun = unescape(client.get("/challenge/late-marker/answer?claim=1").text)
    assert re.search(r'<a class="button" href="/challenge/late-marker\?v=[^"]*">Try again</a>', begun)
    right = client.get("/challenge/token-late/answer?claim=1").text
    assert "Try again</a>" not in right


def test_a_winner_is_told_whether_there_is_a_shorter_way(client: TestClient) -> None:
    best = client.get("/challenge/late-marker/answer?choices=0:2.1.0.0.0.0.0&step=7").text
    assert "knows no shorter way" in best
    longer = client.get("/challenge/non-fifo-lost/answer?choices=0:0.1.3.2&step=4").text
    assert 'data-state="won"' in longer and "The shortest way has 3 steps." in longer


def test_the_shortest_way_is_told_to_nobody_before(client: TestClient) -> None:
    for address in ("/challenge/late-marker", "/challenge/late-marker?choices=0:2.1"):
        assert "7 steps" not in client.get(address).text


def test_a_search_at_its_bound_decides_nothing(alone: TestClient) -> None:
    alone.app.state.searches = Searches(most_states=20)  # type: ignore[attr-defined]
    page = alone.get("/challenge/token-late/answer?claim=1").text
    assert "proves nothing" in page and "data-right" not in page


def test_a_piece_of_the_page_is_the_banner_alone(client: TestClient) -> None:
    piece = client.get("/challenge/late-marker/answer", headers={"hx-request": "true"}).text
    assert piece.lstrip().startswith("<section") and "<html" not in piece
