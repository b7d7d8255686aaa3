"""Warming up: what the first visitor would otherwise wait for."""

import sys
import threading
from pathlib import Path

from fastapi.testclient import TestClient

from app.web.app import create_app
from app.web.warm import warm


def test_the_first_run_is_there_before_anybody_asks(tmp_path: Path) -> None:
    app = create_app(data=tmp_path)
    assert app.state.runs.cache.bytes == 0
    warm(app)
    assert app.state.runs.cache.bytes > 0
    assert "numpy" in sys.modules


def test_a_server_that_has_stopped_measures_no_more(tmp_path: Path) -> None:
    app = create_app(data=tmp_path)
    with TestClient(app) as client:
        assert "part-progress" in client.get("/tradeoffs").text
    measuring = [thread for thread in threading.enumerate() if thread.name == "laboratory"]
    for thread in measuring:
        thread.join(10)
    assert not any(thread.is_alive() for thread in measuring)
