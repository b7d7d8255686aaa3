"""``bluecut costs``: what it prints is the file that the pages read."""

import json
from itertools import islice

import pytest

from app.analysis.cost_runs import FILE
from app.pipeline.measure import costs
from app.wire.scenario_link import unpacked
from tests.cli.command import bluecut


def test_it_prints_the_file_that_is_shipped(monkeypatch: pytest.MonkeyPatch) -> None:
    first = list(islice(costs.settings(), 3))
    monkeypatch.setattr(costs, "settings", lambda: first)
    done = bluecut("costs")
    assert (done.code, done.err) == (0, "")
    printed, shipped = (json.loads(text)["straggler"] for text in (done.out, FILE.read_text("utf-8")))
    assert [(line["at"], line["found"]) for line in printed] == [(line["at"], line["found"]) for line in shipped[:3]]
    assert [unpacked(line["run"]) for line in printed] == [one.carried for one in first]
