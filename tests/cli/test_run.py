"""``bluecut run``: one run, for people or as one JSON object."""

import json
import re
from pathlib import Path
from typing import Any

from app.core.oracle.checks import CHECKS
from app.paths import SCENARIOS
from app.scenario.library import LIBRARY
from app.words.witness_words import witness_sentence
from tests.cli.command import bluecut

FILE = """title: {en: Mine, zh: 我的}
topology: {processes: [A, B], channels: [A->B]}
program: {kind: bank, accounts: {A: 5}}
script:
  - send: {on: A->B, message: 2}
  - start: A
"""


def told(*arguments: str, stdin: bytes = b"") -> Any:
    """Return the one JSON object that a run prints."""
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
    assert snapshot["checks"] == dict.fromkeys(CHECKS, True) | {"conserved": None}


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
    assert lines[0] == "The token: a snapshot while it travels: chandy-lamport, fifo, steps: 8"
    assert "1  p sends T on p→q." in lines
    assert "   » p records without the token and begins to record what comes from q." in lines
    assert "Snapshot 1, started by p: complete; markers: 2" in lines
    assert "  q→p  T" in lines and "  p→q  ∅" in lines
    assert "  ✓ the cut is consistent" in lines
    assert lines[-1] == "Everything is as the scenario expects."
    assert "**" not in done.out and "\x1b" not in done.out


def test_sentences_are_told_in_chinese() -> None:
    lines = bluecut("run", "token-back", "--lang", "zh").out.splitlines()
    assert lines[0].startswith("令牌：在路上时拍快照")
    assert "  ✓ 割集是一致的" in lines and lines[-1] == "一切都如场景所期望。"


def test_a_snapshot_that_never_completes_is_explained() -> None:
    out = bluecut("run", "chain-from-b").out
    assert "  A    not recorded" in out and "  A→B  not closed" in out
    assert "It can never complete: no path leads to A." in out


def test_what_became_of_a_snapshot_is_said_of_it() -> None:
    assert "Snapshot 1, started by P: aborted; markers: 8" in bluecut("run", "cut-and-mended").out
    crashed = bluecut("run", "crash-unusable").out
    assert "Snapshot 1, started by P: unusable, a part is missing; markers: 1" in crashed
    assert "  Q    left before it recorded" in crashed
    chinese = bluecut("run", "crash-unusable", "--lang", "zh").out
    assert "不可用（缺少一份）" in chinese and "没有记录就不在了" in chinese


def test_who_takes_no_part_and_its_channels_are_told_alike() -> None:
    out = bluecut("run", "born-after").out
    assert "  N    takes no part" in out and "  P→N  takes no part" in out and "  N→P  takes no part" in out
    assert "not closed" not in out


def test_a_failing_check_shows_its_witness() -> None:
    out = bluecut("run", "non-fifo-doubled").out
    assert "  ✗ the cut is consistent. Orphan: 2 was sent outside the cut in step " in out
    chinese = bluecut("run", "non-fifo-doubled", "--lang", "zh").out
    assert "  ✗ 割集是一致的。孤儿消息：2 " in chinese and "fault" not in out + chinese


def test_people_read_that_the_snapshot_disturbed_nothing() -> None:
    assert "✓ the snapshot did not disturb the program" in bluecut("run", "token-back").out.splitlines()
    assert "✓ 快照没有干扰程序" in bluecut("run", "token-back", "--lang", "zh").out.splitlines()


def test_the_actions_of_a_step_are_listed_with_the_numbers_of_choices() -> None:
    done = bluecut("run", "token-late", "--actions", "0")
    assert done.code == 0
    assert done.out.splitlines()[:4] == [
        "0:0  p sends T on p→q",
        "0:1  p starts a snapshot",
        "0:2  q starts a snapshot",
        "0:3  Partition p→q",
    ]
    after = bluecut("run", "token-late", "--choices", "0:1", "--actions", "1", "--drain")
    assert re.match(r"1:0 +q receives marker 1 from p→q\n1:1 ", after.out)
    assert bluecut("run", "token-late", "--actions", "0", "--lang", "zh").out.startswith("0:0  p 经 p→q 发送 T\n")
    past = bluecut("run", "token-late", "--actions", "999")
    assert past.code == 2 and "step 999 does not exist; the run has " in past.err


def test_what_several_edges_send_is_told_with_the_state_they_lead_to() -> None:
    machine = b"""title: {en: t, zh: t}
topology: {processes: [p, q], channels: [p->q]}
program:
  kind: machine
  first: {p: A, q: C}
  edges:
    p: [{from: A, to: B, send: m, on: p->q}, {from: A, to: D, send: m, on: p->q}]
    q: [{from: C, to: C, receive: m, on: p->q}]
"""
    lines = bluecut("run", "-", "--actions", "0", stdin=machine).out.splitlines()
    assert lines[:2] == ["0:0  p sends m on p→q, then in state B", "0:1  p sends m on p→q, then in state D"]


def test_every_witness_has_a_sentence_in_both_languages() -> None:
    for name in LIBRARY.names():
        for snapshot in told(name)["snapshots"]:
            for check, witness in snapshot["witnesses"].items():
                for language in ("en", "zh"):
                    if check != "complete":
                        assert witness_sentence(witness, language).endswith((".", "。"))


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


def test_a_manual_run_is_its_choices_and_nothing_else() -> None:
    told = json.loads(bluecut("run", "late-marker", "--choices", "0:2.1", "--manual", "--json").out)
    assert told["steps"] == 2
    assert json.loads(bluecut("run", "late-marker", "--choices", "0:2.1", "--drain", "--json").out)["steps"] > 2


def test_a_dataflow_has_its_ledger_in_words_and_in_json() -> None:
    book = told("plain-sink-twice")["ledger"]
    assert (book["output"], book["doubled"], book["taken"]) == ("at-least-once", 1, {"s": 4, "out": 4})
    assert told("plain-sink-twice")["final"]["outside"] == {"out": [1, 2, 3, 3]}
    text = bluecut("run", "plain-sink-twice").out
    assert "– Output: some items more than once; promised: at least once" in text
    assert "s.3 at out: visible 2× instead of 1×" in text
    assert "ledger" not in told("ring") and "Output:" not in bluecut("run", "ring").out


def test_a_total_that_no_order_gives_is_said_to_be_none_of_those_that_are_possible() -> None:
    book = told("weak-productions")["ledger"]
    assert (book["state"], book["promise"]["state"]) == ("wrong-values", "wrong-values")
    assert book["possible"] == {"report": [21, 12]} and book["orders"] == {"results": 2, "verdict": "all"}
    text = bluecut("run", "weak-productions").out
    assert "– State: each item once, but wrong values; promised: each item once, values not guaranteed" in text
    assert "report: 11 instead of 12 or 21" in text and "2 results are possible" in text
    in_chinese = bluecut("run", "weak-productions", "--lang", "zh").out
    assert "– 状态：每个元素一次，但值不对" in in_chinese and "report：11，应为 12 或 21" in in_chinese


def test_what_a_run_shows_is_told_apart_from_what_is_promised() -> None:
    assert "✓ State: each item once; promised: at least once" in bluecut("run", "nobody-notices").out
    lost = bluecut("run", "rollback-of-seven", "--algorithm", "at-most-once").out
    assert "– Output: each item once, but wrong values; promised: at most once" in lost
    assert "src.10 at out: visible as 27 instead of 55" in lost


def test_checkpoint_files_are_weighed_in_both_ways_for_people_and_in_json() -> None:
    got = told("few-keys-change")["files"]
    assert (got["retain"], got["base"]) == (1, None)
    assert [(got[way]["keys"], got[way]["raw"]) for way in ("full", "incremental")] == [(12, 249), (6, 201)]
    assert got["incremental"]["kept"] == {"count": [1, 2, 3], "s": [3]}
    text = bluecut("run", "few-keys-change").out
    assert "in full: keys 12, files 6, bytes 249" in text and "as increments: keys 6, files 6, bytes 201" in text
    assert "checkpoint 3 reads: in full, files 2, bytes 83; from increments, files 4, bytes 139" in text
    assert "files" not in told("blue-figure")


def test_a_line_says_in_which_steps_each_phase_of_a_snapshot_is() -> None:
    line = "  Phases: initiating, step 3; propagating, steps 4–7; terminating, steps 8–13; collecting, steps 14–15."
    assert line in bluecut("run", "three-banks").out.splitlines()
    assert (
        "  阶段：发起，第 1 步；传播，从第 2 步起，在这次运行中没有结束。"
        in bluecut("run", "chain-from-b", "--lang", "zh").out
    )
    got = json.loads(bluecut("run", "cut-and-mended", "--json").out)
    assert got["snapshots"][0]["phases"] == [
        {"name": "initiating", "first": 3, "last": 3, "end": "ends"},
        {"name": "propagating", "first": 4, "last": 10, "end": "aborted"},
    ]


def test_a_snapshot_of_changing_members_has_a_membership_log_in_json() -> None:
    got = json.loads(bluecut("run", "joiner-merged", "--json").out)
    assert got["snapshots"][0]["membership"] == [{"process": "N", "event": "joined", "step": 2, "stands": "merged"}]
    assert "membership" not in json.loads(bluecut("run", "token-late", "--json").out)["snapshots"][0]
