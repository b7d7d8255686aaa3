"""``bluecut judge`` and ``bluecut new``: verdicts for people and for programs."""

import base64
import json
import re
import zlib
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient
from rich.cells import cell_len

from app.judge import known_bugs
from app.judge.sandbox import walls
from app.judge.suite import FOLDER, LEVELS, of_level
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey, read
from app.web.app import Settings, create_app
from tests.cli.command import bluecut

RIGHT, BUGS = FOLDER / "right", FOLDER / "bugs"
WRONG = str(BUGS / "logs_nothing.py")


def test_a_right_class_passes_with_its_number_of_states() -> None:
    done = bluecut("judge", str(RIGHT / "markers.py"))
    assert done.code == 0 and ("not isolated" in done.err) == (not walls())
    lines = done.out.splitlines()
    assert lines[0] == "✓ token-first (p): all 47 states"
    assert lines[-1] == f"{len(of_level(2))} of {len(of_level(2))} systems passed."


def test_a_wrong_class_is_told_its_shortest_failing_run_and_its_mistake() -> None:
    done = bluecut("judge", WRONG)
    assert done.code == 1
    assert "✗ token-first (p): broken promise: the channels hold exactly what crosses the cut" in done.out
    assert "The shortest run that fails: token-first (p)" in done.out
    source = (BUGS / "logs_nothing.py").read_text("utf-8").splitlines()
    numbered = [line for line in done.out.splitlines() if "  line " in line]
    for line in numbered:
        number, _, code = line.rpartition("  line ")[2].partition(": ")
        assert source[int(number) - 1].strip() == code
    assert numbered
    assert "✗ Not recorded: T crosses the cut on q→p." in done.out
    assert known_bugs.bugs()["logs_nothing"].does.en in done.out


def test_the_first_failure_can_be_the_last_system() -> None:
    done = bluecut("judge", WRONG, "--first")
    assert done.code == 1 and "0 of 1 systems passed." in done.out


def test_the_address_is_that_of_the_run_by_hand() -> None:
    (system,) = json.loads(bluecut("judge", WRONG, "--first", "--format", "json").out)["systems"]
    asked = parse_qs(urlsplit(system["run"]).query)
    assert asked["algorithm"] == ["by-hand"] and asked["step"] == [str(system["steps"])]
    key = RunKey(algorithm="by-hand", choices=read(asked["choices"][0]), manual=True)
    run = record(LIBRARY.scenario("token-first"), key)
    assert len(run.steps) == system["steps"] and run.verdicts[1].checks["channels"] is False


def test_it_speaks_chinese() -> None:
    done = bluecut("judge", WRONG, "--first", "--lang", "zh")
    assert "最短的出错运行" in done.out and "在途的消息从来没有记下" not in done.out  # one system is too few to tell
    codes = [line.partition("  第 ")[0] for line in done.out.splitlines() if "  第 " in line]
    assert len(codes) > 3 and {cell_len(code) for code in codes if cell_len(code) <= 67} == {67}
    refused = bluecut("judge", str(BUGS / "one_flag.py"), "--level", "3", "--lang", "zh")
    assert "还没有为快照 2 记录" in refused.out


def test_undecided_is_neither_passed_nor_failed() -> None:
    done = bluecut("judge", str(RIGHT / "markers.py"), "--most", "20")
    assert done.code == 2 and "undecided after 20 states" in done.out


def test_a_file_that_is_no_class_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text("def f(:\n")
    done = bluecut("judge", str(file))
    assert done.code == 1 and f"{file}, line 1: this is not Python" in done.out
    assert bluecut("judge", str(tmp_path / "none.py")).code == 2


def test_json_says_everything() -> None:
    told = json.loads(bluecut("judge", WRONG, "--level", "2", "--format", "json").out)
    assert (told["verdict"], told["score"], told["most"]) == ("failed", 1, len(of_level(2)))
    failed = told["systems"][0]
    assert failed["fails"] == "channels" and failed["steps"] == 15 and failed["run"].startswith("/run/token-first?")
    assert [one["verdict"] for one in told["systems"]].count("passed") == 1


def test_gradescope_gets_a_test_for_each_system() -> None:
    told = json.loads(bluecut("judge", WRONG, "--level", "2", "--format", "gradescope").out)
    assert set(told) == {"score", "output", "stdout_visibility", "tests"}
    assert [(t["score"], t["max_score"], t["status"]) for t in told["tests"]][:2] == [
        (0, 1, "failed"),
        (1, 1, "passed"),
    ]
    assert told["score"] == sum(t["score"] for t in told["tests"]) == 1


def test_autolab_gets_its_last_line() -> None:
    last = json.loads(bluecut("judge", WRONG, "--level", "2", "--format", "autolab").out.splitlines()[-1])
    assert last["scoreboard"] == [1] and sum(last["scores"].values()) == 1 and len(last["scores"]) == len(of_level(2))


def test_junit_counts_failures_and_skips() -> None:
    suite = ElementTree.fromstring(bluecut("judge", WRONG, "--level", "2", "--format", "junit").out)
    assert suite.attrib["tests"] == str(len(of_level(2))) and suite.attrib["failures"] == "6"
    assert len(suite.findall("testcase/failure")) == 6
    told = bluecut("judge", str(RIGHT / "markers.py"), "--most", "20", "--format", "junit")
    assert len(ElementTree.fromstring(told.out).findall("testcase/skipped")) == len(of_level(2))


OWN = (
    "title: {en: t, zh: t}\ntopology: {ring: 2}\nprogram: {kind: bank, everyone: 3}\n"
    "explore: {moves: 2, starts: [P1]}\n"
)


def test_own_systems_take_the_place_of_ours(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(OWN)
    done = bluecut("judge", WRONG, "--system", "token-first", "--system", str(file))
    assert done.code == 1 and "0 of 2 systems passed." in done.out


TELLS = """from bluecut import Node

class Snapshot(Node):
    def start(self, snapshot):
        if self.inputs == ("P2->P1",):
            raise ValueError(self.inputs[0])
"""


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("how", ["text", "json", "gradescope", "autolab", "junit"])
def test_of_a_hidden_system_nothing_but_the_verdict_is_told(tmp_path: Path, how: str, lang: str) -> None:
    file, mine = tmp_path / "hard-to-guess.yaml", tmp_path / "mine.py"
    file.write_text(OWN)
    mine.write_text(TELLS)
    told = bluecut("judge", str(mine), "--system", str(file), "--format", how, "--lang", lang).out
    assert "hard-to-guess" in told, "the same system, if it is not hidden"
    told = bluecut("judge", str(mine), "--hidden", str(file), "--format", how, "--lang", lang).out
    assert {"en": "hidden system 1", "zh": "不公开的系统 1"}[lang] in told if how == "text" else "hidden 1" in told
    assert not [secret for secret in ("P2→P1", "hard-to-guess", "ValueError", "mine.py, line") if secret in told]


@pytest.mark.parametrize("level", [str(level) for level in LEVELS])
def test_a_class_to_begin_with_fails_at_once_in_a_short_run(level: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    done = bluecut("new", str(file), "--level", level)
    assert done.code == 0 and "the run ends and the snapshot is not complete" in done.out
    assert file.read_text("utf-8") == (FOLDER / "start" / f"{level}.py").read_text("utf-8")
    again = bluecut("new", str(file))
    assert again.code == 2 and "is there already" in again.err


def test_a_class_to_begin_with_speaks_chinese(tmp_path: Path) -> None:
    bluecut("new", str(tmp_path / "mine.py"), "--lang", "zh")
    assert "复制自己的状态" in (tmp_path / "mine.py").read_text("utf-8")


def test_a_wrong_class_can_be_begun_with(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    done = bluecut("new", str(file), "--bug", "one_flag")
    assert done.code == 0 and "--level 3" in done.out and "has not recorded for snapshot 2" in done.out
    assert file.read_text("utf-8") == (BUGS / "one_flag.py").read_text("utf-8")


def test_a_class_is_judged_on_the_level_that_it_names(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    bluecut("new", str(file), "--bug", "one_flag", "--lang", "zh")
    assert f" of {len(of_level(3))} systems passed." in bluecut("judge", str(file)).out
    assert bluecut("judge", str(file), "--level", "2").code == 0
    assert bluecut("judge", str(tmp_path), "--class").out.startswith("0 of 1")
    assert json.loads(bluecut("judge", str(file), "--format", "gradescope").out)["score"] == len(of_level(2))
    (tmp_path / "other.py").write_text((FOLDER / "right/markers.py").read_text("utf-8"))
    assert bluecut("judge", str(tmp_path), "--class").out.startswith("1 of 2"), "the other one names no level"
    bluecut("new", str(tmp_path / "third.py"))
    refused = bluecut("judge", str(tmp_path), "--class")
    assert refused.code == 2 and "--level: give one; the classes name 2, 3" in refused.err


def test_filling_the_gaps_of_the_first_level_passes(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    bluecut("new", str(file), "--level", "1")
    gaps = file.read_text("utf-8")
    body = "if channel in channels:\n                self.log(channel, snapshot, message)\n"
    filled = gaps.replace(gaps[gaps.index("pass  # gap 1") : gaps.index("\n", gaps.index("pass  # gap 1")) + 1], body)
    start = filled.index("# gap 2")
    body = "for channel in self.outputs:\n            self.send_marker(channel, snapshot)\n"
    filled = filled.replace(filled[start : filled.index("\n", start) + 1], body)
    file.write_text(filled)
    assert bluecut("judge", str(file), "--level", "1").code == 0


def test_where_no_process_can_be_isolated_it_warns_and_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.judge.sandbox.shutil.which", lambda _: None)
    walls.cache_clear()
    try:
        done = bluecut("judge", WRONG, "--first")
        assert done.code == 1 and "it is not isolated" in done.err
    finally:
        walls.cache_clear()


def test_the_failing_run_of_an_own_system_and_of_ours_is_played_beside_the_code(tmp_path: Path) -> None:
    client = TestClient(create_app(Settings(data=tmp_path)), base_url="http://localhost")
    file = tmp_path / "mine.yaml"
    file.write_text(OWN)
    for options in ((), ("--system", str(file))):
        done = bluecut("judge", str(FOLDER / "start" / "2.py"), *options)
        alone, beside = re.findall(r"http://127\.0\.0\.1:8000(\S+)", done.out)
        assert client.get(alone).status_code == 200
        page, _, letters = beside.partition("#")
        assert client.get(page).status_code == 200
        given = dict(pair.split("=") for pair in letters.split("&"))
        code, run = (inflated(given[name]) for name in ("code", "run"))
        assert code == (FOLDER / "start" / "2.py").read_text("utf-8")
        shown = json.loads(run)
        assert shown["why"].startswith(
            "the run ends and the snapshot is not complete; nobody sent a marker; not recorded: "
        )
        assert [step["lines"] for step in shown["run"]["steps"]] == [[], [22]]
        assert client.get(shown["run"]["embed"]).status_code == client.get(shown["run"]["open"]).status_code == 200


def inflated(letters: str) -> str:
    raw = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    return zlib.decompress(raw, -15).decode()


def test_the_links_lead_to_the_server_of_the_class() -> None:
    mine = "https://bluecut.example.org"
    for form in ("text", "gradescope", "autolab", "junit"):
        done = bluecut("judge", WRONG, "--first", "--server", f"{mine}/", "--format", form)
        assert f"See it played: {mine}/run/" in done.out, form
        assert "127.0.0.1" not in done.out and "bluecut serve" not in done.out, form
    assert "With bluecut serve running, see it played: http://127.0.0.1:8000/run/" in bluecut("judge", WRONG).out
    for bad in ("bluecut.example.org", "https://", "https://a.org?x=1", "ftp://a.org"):
        refused = bluecut("judge", WRONG, "--server", bad)
        assert refused.code == 2 and "--server: write the address, such as http://127.0.0.1:8000" in refused.err
