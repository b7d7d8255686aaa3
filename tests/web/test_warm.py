"""Warming up: what the first visitor would otherwise wait for."""

import sys
from pathlib import Path

from app.web.app import Settings, create_app, warm


def test_the_first_run_is_there_before_anybody_asks(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path))
    assert app.state.runs.cache.bytes == 0
    warm(app)
    assert app.state.runs.cache.bytes > 0
    assert "numpy" in sys.modules
