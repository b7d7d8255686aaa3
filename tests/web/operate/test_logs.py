"""The log as text and as JSON."""

import json
import logging
import logging.config
import re
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from app.web.operate.logs import JsonLines, TextLines

STAMP = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z"


def record(message: str, *, error: BaseException | None = None, **extra: object) -> logging.LogRecord:
    about = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord("bluecut", logging.WARNING, "file", 1, message, ("a\nb",), about)
    made.__dict__ |= extra
    return made


def test_a_line_of_json_has_its_time_and_stays_one_line() -> None:
    line = JsonLines().format(record("cannot save %s", fields={"status": 200}))
    assert "\n" not in line
    told = json.loads(line)
    assert re.fullmatch(STAMP, told.pop("time"))
    assert told == {"level": "warning", "logger": "bluecut", "message": "cannot save a\nb", "status": 200}


def test_an_exception_is_told_with_its_traceback() -> None:
    try:
        raise ValueError("wrong")
    except ValueError as error:
        told = json.loads(JsonLines().format(record("no %s", error=error)))
    assert told["traceback"].startswith("Traceback")
    assert told["traceback"].endswith("ValueError: wrong")


def test_a_line_of_text_begins_with_its_time() -> None:
    assert re.match(rf"{STAMP} WARNING bluecut: cannot save", TextLines().format(record("cannot save %s")))


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["json", "text"])
def test_a_server_writes_its_log_as_it_is_told(tmp_path: Path, kind: str) -> None:
    (tmp_path / "scenarios.sqlite3").write_text("no database " * 100)
    command = [str(Path(sys.executable).with_name("bluecut")), "serve", "--host", "0.0.0.0", "--port", "0"]
    file = tmp_path / "log"
    with (
        file.open("w") as log,
        subprocess.Popen(
            [*command, "--data", str(tmp_path), "--log", kind], stdout=subprocess.PIPE, stderr=log, text=True
        ) as process,
    ):
        try:
            assert process.stdout is not None
            address = process.stdout.readline().removeprefix("Bluecut: ").strip()
            with urlopen(f"{address}run/blue-figure?seed=4711") as answer:
                answer.read()
            with pytest.raises(HTTPError) as missing:
                urlopen(f"{address}run/x-0123456789abcdef0123")
            missing.value.close()
        finally:
            process.terminate()
    lines = file.read_text().splitlines()
    assert not any(secret in line for line in lines for secret in ("4711", "127.0.0.1", "blue-figure"))
    if kind == "text":
        assert lines.pop(0).startswith("bluecut: other machines can reach this server")
        lines = [line for line in lines if not re.match("[█▀▄ ]|bluecut: phones join", line)]  # where there are phones
        assert lines.pop(0).startswith("bluecut: large scenarios cannot be shared")
        assert lines
        assert all(re.match(rf"{STAMP} WARNING bluecut: cannot read", line) for line in lines), lines
        return
    asked = [json.loads(line) for line in lines]
    assert all(re.fullmatch(STAMP, one["time"]) for one in asked)
    answers = [(one["route"], one["status"]) for one in asked if one["logger"] == "bluecut.access"]
    assert ("/run/{ref}", 200) in answers
    told = [one["message"] for one in asked if one["logger"] == "bluecut"]
    assert [message[:12] for message in told] == ["other machin", "large scenar", "cannot read "]
