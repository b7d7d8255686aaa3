"""``bluecut check``: compare scenarios with what they expect."""

from pathlib import Path

import pytest

from app.scenario.library import LIBRARY
from tests.cli.command import bluecut

WRONG = """title: {en: t, zh: t}
topology: {processes: [p, q], channels: [p->q, q->p]}
program: {kind: token, holders: {p: 1}}
script: [{start: p}]
expect: {steps: 7}
explore: {moves: 4, starts: [p], states: 65}
"""


@pytest.mark.slow
def test_the_whole_library_is_as_expected() -> None:
    done = bluecut("check")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert [line.split(":")[0] for line in lines[:-1]] == [f"✓ {name}" for name in LIBRARY.names()]
    assert lines[-1] == f"{len(LIBRARY.names())} scenarios, 0 failed"
    assert "✓ token-late: 6 steps, 1 snapshot, 64 states explored" in lines


def test_only_the_scenarios_named_are_checked() -> None:
    assert bluecut("check", "ring").out == "✓ ring: 9 steps, 1 snapshot\n1 scenario, 0 failed\n"


def test_every_difference_is_told_and_gives_1(tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(WRONG, encoding="utf-8")
    done = bluecut("check", "ring", str(file))
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines() == [
        "✓ ring: 9 steps, 1 snapshot",
        f"✗ {file}: 4 steps, 1 snapshot, 64 states explored",
        f"    {file}: steps: expected 7, got 4",
        f"    {file}: explore: states: expected 65, got 64",
        "2 scenarios, 1 failed",
    ]


def test_it_speaks_chinese() -> None:
    assert bluecut("check", "ring", "--lang", "zh").out == "✓ ring：9 步、1 次快照\n1 个场景，0 个失败\n"
