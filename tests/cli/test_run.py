"""``bluecut run``: one run, for people or as one JSON object."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.places import SCENARIOS
from app.simulator.library import LIBRARY
from tests.cli.command import bluecut

FILE = """title: {en: Mine, zh: 我的}
topology: {processes: [A, B], channels: [A->B]}
program: {kind: bank, accounts: {A: 5}}
script:
  - send: {on: A->B, message: 2}
  - start: A
"""


def told(*arguments: str, stdin: bytes = b"") -> Any:
    """The one JSON object that a run prints."""
    done = bluecut("run", *arguments, "--json", stdin=stdin)
    assert done.code in (0, 1)
    return json.loads(done.out)


def test_json_is_one_object_with_these_keys() -> None:
    got = told("blue-figure")
    assert set(got) >= {"scenario", "algorithm", "steps", "final", "snapshots"}
    assert (got["scenario"], got["algorithm"], got["steps"]) == ("blue-figure", "chandy-lamport", 8)
    assert got["final"]["processes"]["P1"] == {"X1": 10, "Y1": 20, "Z1": 3}
    (snapshot,) = got["snapshots"]
    assert set(snapshot) >= {
        *("id", "initiators", "complete", "processes", "channels", "markers", "checks", "witnesses"),
    }
    assert snapshot["channels"] == {"P1->P2": [], "P2->P1": ["M"]}
    expected = {"consistent": True, "channels": True, "conserved": None, "reachable": True, "cost": True}
    assert snapshot["checks"] == expected


def test_snapshots_are_in_id_order() -> None:
    assert [snapshot["id"] for snapshot in told("random-twelve")["snapshots"]] == [1, 2]


def test_a_name_a_file_and_standard_input_give_the_same_run() -> None:
    path = SCENARIOS / "ring.yaml"
    by_name, by_file, by_stdin = told("ring"), told(str(path)), told("-", stdin=path.read_bytes())
    assert (by_name.pop("scenario"), by_file.pop("scenario"), by_stdin.pop("scenario")) == ("ring", str(path), "stdin")
    assert by_name == by_file == by_stdin


def test_people_read_steps_captions_recorded_states_and_checks() -> None:
    done = bluecut("run", "token-back")
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "The token: recorded in a channel: chandy-lamport, fifo, steps: 8"
    assert "1  p sends T on p→q." in lines
    assert "   » p records without the token and begins to record what comes from q." in lines
    assert "Snapshot 1, started by p: complete; markers: 2" in lines
    assert "  q→p  T" in lines and "  p→q  ∅" in lines
    assert "  ✓ the cut is consistent" in lines
    assert lines[-1] == "All is as the scenario expects."
    assert "**" not in done.out and "\x1b" not in done.out


def test_sentences_are_told_in_chinese() -> None:
    lines = bluecut("run", "token-back", "--lang", "zh").out.splitlines()
    assert lines[0].startswith("令牌：记在通道里")
    assert "  ✓ 割集是一致的" in lines and lines[-1] == "一切都如场景所期望。"


def test_a_snapshot_that_never_completes_is_explained() -> None:
    out = bluecut("run", "chain-from-b").out
    assert "  A    not recorded" in out and "  A→B  not closed" in out
    assert "It can never complete: no path leads to A." in out


def test_a_failing_check_shows_its_witness() -> None:
    out = bluecut("run", "non-fifo-doubled").out
    assert "  ✗ the cut is consistent: {fault: orphan, message: {id: 2, payload: 2" in out


def test_an_expectation_that_fails_gives_1_and_says_which(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(FILE + "expect: {snapshots: [{processes: {A: 4}}]}\n", encoding="utf-8")
    done = bluecut("run", str(file))
    assert done.code == 1
    assert done.out.splitlines()[-1] == f"{file}: snapshot 1: processes.A: expected 4, got 3"
    as_json = bluecut("run", str(file), "--json")
    assert as_json.code == 1 and json.loads(as_json.out)["steps"] == 4
    assert as_json.err == f"{file}: snapshot 1: processes.A: expected 4, got 3\n"


def test_another_algorithm_expects_nothing_but_that_checks_hold() -> None:
    assert bluecut("run", "token-back", "--algorithm", "no-channels").code == 1
    assert bluecut("run", "photographs-none", "--algorithm", "chandy-lamport").code == 0
    assert bluecut("run", "no-channels", "--algorithm", "no-channels").code == 0  # its own: the failure is expected
    assert told("token-back", "--algorithm", "no-channels")["algorithm"] == "no-channels"


def test_another_seed_is_another_run_and_the_same_seed_the_same() -> None:
    first, again, own = (told("random-twelve", "--seed", s) for s in ("4", "4", "3"))
    assert first == again != own
    assert own == told("random-twelve")


def test_another_discipline_may_break_a_check() -> None:
    assert bluecut("run", "random-twelve", "--discipline", "fifo").code == 0
    assert bluecut("run", "random-twelve", "--discipline", "any").code == 1


def test_choices_are_those_of_a_url() -> None:
    got = told("token-late", "--choices", "0:1.0", "--drain")
    assert (got["steps"], got["snapshots"][0]["processes"]) == (4, {"p": 1, "q": 0})


def test_a_scenario_cannot_send_control_characters_to_the_terminal() -> None:
    mean = FILE.replace("en: Mine", r'en: "\e[2Jgone\u202e"')
    out = bluecut("run", "-", stdin=mean.encode()).out
    assert out.startswith(r"\x1b[2Jgone\u202e: chandy-lamport")


@pytest.mark.parametrize("name", LIBRARY.names())
@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_scenario_can_be_told_in_both_languages(name: str, language: str) -> None:
    done = bluecut("run", name, "--lang", language)
    assert (done.code, done.err) == (0, "")
