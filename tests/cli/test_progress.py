"""The progress of long work without a terminal: a line now and then, never one for each step."""

import io
import sys

import pytest
from rich.console import Console

from app.cli.progress import Progressing, progressing


def test_elsewhere_than_on_a_terminal_a_line_comes_now_and_then(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    clock = [0.0]
    monkeypatch.setattr("app.cli.progress.time.monotonic", lambda: clock[0])
    with progressing("beginning") as telling:
        for second in range(1, 3_601):
            clock[0] = second / 10
            telling.now(f"step {second}")
        telling.say(["found"])
    said = capsys.readouterr()
    assert said.err == "".join(f"step {second}\n" for second in range(600, 3_601, 600))
    assert said.out == "found\n"


def test_another_stage_is_told_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with progressing("beginning") as telling:
        telling.now("measuring", new=True)
        telling.now("measuring: part 1 of 5")
    assert tuple(capsys.readouterr()) == ("", "measuring\n")


def test_what_is_short_says_nothing_of_itself(capsys: pytest.CaptureFixture[str]) -> None:
    with progressing("beginning") as telling:
        telling.now("half")
    assert tuple(capsys.readouterr()) == ("", "")


def test_where_only_one_of_the_streams_is_a_terminal_what_is_said_goes_where_it_belongs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progressing("beginning") as telling:
        telling.say(["found"])
    assert tuple(capsys.readouterr()) == ("found\n", "")


def test_on_a_terminal_a_line_that_stays_is_not_broken() -> None:
    shown = io.StringIO()
    console = Console(file=shown, force_terminal=True, width=40, color_system=None)
    address = "/run/" + 100 * "x"
    with console.status("beginning") as status:
        telling = Progressing(status)
        telling.now("half of\nit")
        telling.say([f"✗ [red]wrong[/red] {address}\x1b[2J"])
    assert f"✗ [red]wrong[/red] {address}\\x1b[2J\n" in shown.getvalue()
