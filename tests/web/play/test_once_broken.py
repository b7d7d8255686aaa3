"""Scenarios that once broke the server: each page answers."""

import json

import pytest
from fastapi.testclient import TestClient

from app.scenario.library import LIBRARY
from app.wire.scenario_link import canonical, packed
from tests.each import each

TYPO = {
    "title": {"en": "A sink that is no process", "zh": "不存在的进程"},
    "topology": {"processes": ["s", "k"], "channels": ["s->k"]},
    "program": {
        "kind": "dataflow",
        "operators": {"s": {"source": [1]}, "k": {"sink": "plain"}, "typo": {"sum": "all"}},
    },
}


def unreliable() -> list[str]:
    """Return the scenarios whose channels lose or duplicate messages."""
    forms = {name: LIBRARY.scenario(name).form for name in LIBRARY.files()}
    return [name for name, form in forms.items() if form.loss or form.duplication]


@pytest.mark.slow
@each("name", unreliable)
def test_a_run_that_breaks_is_looked_for_in_unreliable_networks_too(client: TestClient, name: str) -> None:
    assert client.get(f"/run/{name}/find").status_code in (200, 303)


def test_an_operator_that_is_no_process_is_told_wherever_it_is_sent(client: TestClient) -> None:
    text = json.dumps(TYPO)
    answers = [client.post("/api/scenarios", content=text), client.get(f"/run/{packed(canonical(TYPO))}?lang=en")]
    answers += [client.post(f"/editor/{page}?lang=en", data={"text": text}) for page in ("check", "run", "share")]
    assert [each.status_code for each in answers] == [422, 400, 200, 422, 422]
    assert all("no process typo" in each.text for each in answers)
