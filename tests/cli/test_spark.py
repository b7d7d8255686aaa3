"""Commands that run on Spark: to be told to end is as good as Ctrl-C."""

import signal
from pathlib import Path
from typing import NoReturn

import pytest

from app.cli.main import INTERRUPTED
from app.pipeline.engine import session
from tests.cli.command import bluecut
from tests.pipeline import made

pytest.importorskip("pyspark")


@pytest.mark.parametrize("command", ["verify", "measure", "stream"])
def test_a_command_that_is_told_to_end_is_interrupted(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told(*arguments: object, **options: object) -> NoReturn:
        signal.raise_signal(signal.SIGTERM)
        raise AssertionError("nobody was interrupted")

    directory = made.planned(tmp_path, 1, 1)
    made.written(directory, 0, made.runs(1))
    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr(session, "session", told)
    try:
        assert bluecut(command, str(directory)).code == INTERRUPTED
    finally:
        signal.signal(signal.SIGTERM, before)
