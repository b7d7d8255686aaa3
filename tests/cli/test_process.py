"""The command as a process of its own: streams, pipes, status."""

import json
import os
import pty
import re
import signal
import socket
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import psutil
import pytest

from app.compiled import COMPILED
from tests.often import some
from tests.until import until

COMMAND = str(Path(sys.executable).parent / "bluecut")
FULL = Path("/dev/full")


def process(*arguments: str, **more: object) -> "subprocess.CompletedProcess[str]":
    """Run the installed command."""
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [COMMAND, *arguments], capture_output=True, encoding="utf-8", timeout=600, check=False, **more
    )


def test_the_installed_command_runs_checks_and_refuses() -> None:
    ran = process("run", "blue-figure", "--json")
    assert (ran.returncode, ran.stderr, json.loads(ran.stdout)["steps"]) == (0, "", 8)
    refused = process("run", "nothing-such")
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    failed = process("run", "token-back", "--algorithm", "no-channels", "--json")
    assert failed.returncode == 1


@pytest.mark.slow
def test_a_reader_that_goes_away_is_no_error() -> None:
    script = f'"{COMMAND}" export random-twelve --to json | head -c 100; echo "${{PIPESTATUS[0]}}"'
    done = subprocess.run(["bash", "-c", script], capture_output=True, encoding="utf-8", timeout=600, check=False)
    assert done.stderr == ""
    assert done.stdout[:10] == '{"format":' and done.stdout.endswith("0\n")


@pytest.mark.parametrize("command", some([(("run", "ring"),), (("--help",),), (("schema",),), (("check", "ring"),)], 4))
def test_a_full_disk_is_told_in_one_line(command: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [COMMAND, *command], stdout=full, stderr=subprocess.PIPE, text=True, timeout=600, check=False
        )
    said = "bluecut: the output cannot be written: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, said)


@pytest.mark.slow
def test_a_mistake_that_cannot_be_told_is_a_status() -> None:
    with FULL.open("w") as full:
        code = subprocess.run([COMMAND, "run", "nothing-such"], stdout=full, stderr=full, check=False).returncode
    assert code == 2


@pytest.mark.parametrize(
    ("closed", "command", "code"),
    some(
        [
            ("<&- >&- 2>&-", "check ring", 0),
            (">&-", "run ring", 0),
            ("<&-", "run -", 2),
            ("2>&-", "run nothing-such", 2),
        ],
        4,
    ),
)
def test_a_command_does_without_the_streams_that_are_closed(closed: str, command: str, code: int) -> None:
    script = f'"{COMMAND}" {command} {closed}; echo $? >&9'
    with Path(os.devnull).open() as nothing:
        read, write = os.pipe()
        subprocess.run(
            ["bash", "-c", f"exec 9>&{write}; {script}"], stdin=nothing, timeout=600, check=True, pass_fds=[write]
        )
        os.close(write)
    with os.fdopen(read) as said:
        assert said.read() == f"{code}\n"


def test_output_is_utf_8_whatever_the_locale() -> None:
    done = process("run", "token-back", "--lang", "zh", env={**os.environ, "LC_ALL": "C", "PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0 and "令牌" in done.stdout


@pytest.mark.slow
def test_the_version_and_help_are_printed() -> None:
    build = "compiled" if COMPILED else "interpreted"
    assert process("--version").stdout == f"bluecut {version('bluecut')} ({build})\n"
    helped = process("--help")
    assert helped.returncode == 0
    for command in ("serve", "run", "check", "explore", "import", "export", "schema"):
        assert f"\n  {command} " in helped.stdout


@pytest.mark.slow
def test_a_port_that_is_taken_is_told_in_one_line() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = process("serve", "--port", str(taken.getsockname()[1]))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "is taken" in done.stderr


@pytest.mark.slow
def test_a_terminal_gets_a_table_and_sees_that_work_goes_on() -> None:
    ours, theirs = pty.openpty()
    done = subprocess.Popen(
        [COMMAND, "run", "token-back"], stdout=theirs, stderr=theirs, env={**os.environ, "TERM": "xterm"}
    )
    os.close(theirs)
    shown = b""
    while chunk := read(ours):
        shown += chunk
    assert done.wait(timeout=600) == 0
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "running token-back" in text
    assert (
        "Snapshot 1, started by p: complete; markers: 2\r\n" in text
        and "Everything is as the scenario expects." in text
    )
    assert b"\x1b[1m" in shown  # the most important words are bold


LOADING = """
import signal, sys
sys.argv = ["/usr/bin/bluecut", "--version"]
import app.cli
loading = signal.getsignal(signal.SIGINT)
import app.cli.main
try:
    app.cli.main.main()
finally:
    print(loading is signal.SIG_DFL, signal.getsignal(signal.SIGINT) is signal.SIG_IGN)
"""


@pytest.mark.slow
def test_ctrl_c_tells_no_stack_while_the_package_is_loaded_as_a_command() -> None:
    asked = "sys.argv[0] = app.__path__[0] + '/__main__.py'; import app.cli, signal"
    code = f"import app, sys; {asked}; print(signal.getsignal(signal.SIGINT) is signal.SIG_DFL)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stdout) == (0, "True\n")


@pytest.mark.slow
def test_ctrl_c_tells_no_stack_while_a_command_is_loaded_nor_when_it_is_over() -> None:
    done = subprocess.run([sys.executable, "-c", LOADING], capture_output=True, text=True, timeout=600, check=False)
    assert (done.returncode, done.stderr, done.stdout.splitlines()[-1]) == (0, "", "True True")
    elsewhere = "import signal, app.cli; print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)"
    done = subprocess.run([sys.executable, "-c", elsewhere], capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == "True\n"


@pytest.mark.slow
def test_ctrl_c_ends_a_command_at_work_without_a_stack() -> None:
    command = [COMMAND, "explore", "random-twelve", "--most", "1000000"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        until(lambda: psutil.Process(started.pid).cpu_times().user > 1.5)  # it has imported everything, and explores
        started.send_signal(signal.SIGINT)
        _, err = started.communicate(timeout=600)
    assert started.returncode in (130, -signal.SIGINT) and err.strip() == ""


def read(terminal: int) -> bytes:
    """Return what a terminal shows next; nothing once the command has exited."""
    try:
        return os.read(terminal, 4096)
    except OSError:
        return b""
