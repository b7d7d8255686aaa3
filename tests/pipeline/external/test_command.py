"""``bluecut verify`` on the traces of other systems, as a process of its own. (``test_json_lines.py`` tests its
JSON.)"""

import os
import pty
import re
import subprocess
from pathlib import Path

import pytest

from tests.cli.test_process import COMMAND, read
from tests.pipeline.external.test_json_lines import CIRCLE, ORPHAN, written

pytestmark = pytest.mark.slow


def command(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """Run the installed command on one core."""
    return subprocess.run(
        [COMMAND, "verify", *arguments, "--master", "local[1]"],
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )


def test_a_trace_that_is_broken_says_why_and_has_status_1(tmp_path: Path) -> None:
    """On a terminal, which shows at once that Spark starts, and at the end how long it took."""
    file = written(tmp_path, ORPHAN)
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [COMMAND, "verify", str(file), "--master", "local[1]", "--lang", "zh"],
        stdout=subprocess.PIPE,
        stderr=theirs,
        encoding="utf-8",
        env={**os.environ, "TERM": "xterm"},
    ) as done:
        os.close(theirs)
        shown = b""
        while chunk := read(ours):
            shown += chunk
        assert done.stdout is not None
        said = done.stdout.read()
    assert done.returncode == 1
    assert "1 次运行，1 次快照，2 项检查：1 项不通过。\n" in said
    assert "✗ 本应成立却不通过：1 项检查。\n" in said
    assert said.endswith(
        "  割集（1 项）：a→b 上的消息 m1 在接收者记录之前收到，却在发送者记录之后才发送（快照 1）\n"
        "    trace.jsonl:3 发送、:4 接收、:2 和 :5 记录\n"
    )
    told = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.decode())
    assert "正在启动 Spark" in told and "其中 Spark 就绪之前用了" in told


def test_a_trace_that_cannot_be_has_status_2(tmp_path: Path) -> None:
    file = str(written(tmp_path, CIRCLE))
    done = command(file)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(
        "bluecut: trace.jsonl, line 3: message: m2 is received before it can have been sent: b"
    )
    done = command(file, "--lang", "zh", "--json")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith(
        "bluecut: trace.jsonl 第 3 行：message：m2 在能够发送之前就已收到：b 在第 7 行才发送它"
    )
