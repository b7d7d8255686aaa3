from itertools import product
from urllib.parse import parse_qs, urlsplit

import pytest
from fastapi.testclient import TestClient

from app.core.kernel.enabled import enabled
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.shared import own_scenario
from app.wire.action_text import text
from tests.often import some
from tests.web.conversation import FIVE, events


@pytest.mark.parametrize(
    ("name", "step"), some(product(["blue-figure", "three-banks", "non-fifo-lost", "late-marker"], [0, 2, 4]), 5)
)
def test_every_action_leads_to_its_own_index(client: TestClient, name: str, step: int) -> None:
    run = record(LIBRARY.scenario(name))
    for index, action in enumerate(enabled(run.system, run.world(step))):
        named = text(action, run.system.program.show)
        answer = client.get(f"/run/{name}/branch", params={"step": step, "action": named})
        assert answer.status_code == 303
        query = parse_qs(urlsplit(answer.headers["location"]).query)
        assert query["choices"] == [f"{step}:{index}"]
        assert query["step"] == [str(step + 1)]
        assert record(LIBRARY.scenario(name), RunKey(choices=((step, index),))).steps[step].action == action


def test_a_branch_shares_its_past_with_the_run_it_left(client: TestClient) -> None:
    ref = own_scenario.keep(FIVE, client.app.state.store)  # type: ignore[attr-defined]
    there = client.get(f"/run/{ref}/branch", params={"step": 2, "action": "deliver P2->P1"}).headers["location"]
    old = events(client.get(f"/run/{ref}/events").text)
    new = events(client.get(there.replace("?", "/events?")).text)
    assert [e.data for e in new[1:3]] == [e.data for e in old[1:3]]
    assert new[3].data["a"] == "deliver P2->P1" != old[3].data["a"]


def test_a_branch_keeps_how_the_visitor_looks_at_it(client: TestClient) -> None:
    answer = client.get("/run/random-twelve/branch?seed=4&presenter=1&lang=zh&step=1&action=start+P2")
    query = parse_qs(urlsplit(answer.headers["location"]).query)
    assert (query["seed"], query["presenter"], query["lang"]) == (["4"], ["1"], ["zh"])


def test_a_branch_of_a_branch_keeps_the_earlier_choices_only(client: TestClient) -> None:
    url = "/run/blue-figure/branch?choices=1:0,3:1&step=2&action=start+P2"
    choices = parse_qs(urlsplit(client.get(url).headers["location"]).query)["choices"][0]
    assert choices.startswith("1:0.") and "3:" not in choices


def test_an_action_that_cannot_happen_is_refused_in_a_sentence(client: TestClient) -> None:
    answer = client.get("/run/blue-figure/branch?step=0&action=deliver+P1-%3EP2")
    assert answer.status_code == 400
    assert "cannot happen after step 0" in answer.text


def test_a_branch_from_a_changed_scenario_is_refused(client: TestClient) -> None:
    assert client.get("/run/blue-figure/branch?step=0&action=start+P1&v=9-0").status_code == 409
