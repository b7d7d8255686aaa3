"""``bluecut lesson``: a teacher sees what a lesson asks, what is right, and what is wrong with the file."""

import json
from pathlib import Path

import pytest

from app.course.lesson_list import OWN
from app.web.app import Settings
from tests.cli.command import bluecut

KINDS = Path(__file__).parents[1] / "course" / "lessons" / "all-kinds.yaml"


def test_each_question_is_printed_with_what_is_right_and_what_tempts() -> None:
    done = bluecut("lesson", str(KINDS))
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith("✓ 90. All kinds of questions (all-kinds)\n")
    assert "  number (number): How many markers will the snapshot send?\n    right: 2 (shown at step 8)\n" in done.out
    assert "    wrong, M1: 1\n      1 is too small. Count the channels.\n" in done.out
    assert "  set (set): Which messages, in which order?\n    right: 1 on k→j, 2 on k→j, 3 on k→j" in done.out


def test_it_speaks_chinese_too() -> None:
    done = bluecut("lesson", str(KINDS), "--lang", "zh")
    assert (
        "快照会发送多少个标记？\n    正确：2（第 8 步可以看到）\n    错误，M1：1\n"
        "      1 太小了。数一数通道。\n" in done.out
    )


def test_without_a_file_all_that_come_along_are_tried() -> None:
    done = bluecut("lesson")
    assert done.code == 0
    assert done.out.count("✓ ") == len(list(OWN.glob("*.yaml")))


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("snapshot(1).markers", "snapshot(2).markers", "questions[0].answer: this run has no snapshot 2"),
        ("place: 90", "plaice: 90", "line 1: plaice: unknown field; did you mean place?"),
        ("misconception: M1", "misconception: M99", "questions[0].tempting[0].misconception: no such misconception"),
        ('value: "1"', 'value: "2"', "questions[0].tempting[0].value: is the right answer in this run"),
        ("scenario: which-cut", "scenario: which-cat", "no scenario is called 'which-cat'"),
        ("at: 2", "at: 99", "questions[2].at: must be a step of the run, 0 to 8, not 99"),
    ],
)
def test_a_mistake_is_told_with_file_line_and_field(tmp_path: Path, old: str, new: str, says: str) -> None:
    text = KINDS.read_text(encoding="utf-8")
    assert old in text
    file = tmp_path / "mine.yaml"
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    done = bluecut("lesson", str(file))
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith(f"bluecut: {file}, line ") and says in done.err


def test_it_goes_on_after_a_bad_file_and_tells_of_all(tmp_path: Path) -> None:
    text = KINDS.read_text(encoding="utf-8")
    first, last = tmp_path / "first.yaml", tmp_path / "last.yaml"
    first.write_text(text.replace("place: 90", "plaice: 90"), encoding="utf-8")
    last.write_text("", encoding="utf-8")
    done = bluecut("lesson", str(first), str(KINDS), str(tmp_path / "nope.yaml"), str(last))
    assert done.code == 2 and done.out == bluecut("lesson", str(KINDS)).out
    told = done.err.splitlines()
    assert [line.split(": ")[0] for line in told] == ["bluecut"] * 3
    assert "plaice: unknown field; did you mean place?" in told[0] and "nope.yaml: No such file" in told[1]
    assert told[2].endswith("last.yaml, line 1: empty; a lesson has place, title, run, beats, questions, …")


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    done = bluecut("lesson", str(tmp_path / "nope.yaml"))
    assert (done.code, done.out) == (2, "") and "nope.yaml: No such file or directory" in done.err


def test_the_schema_is_that_of_the_form() -> None:
    schema = json.loads(bluecut("lesson", "--schema").out)
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert set(schema["required"]) == {"place", "title", "goal", "run", "beats", "questions", "knobs"}
    assert "tempting" in schema["$defs"]["QuestionForm"]["properties"]


def test_a_server_shows_the_folders_that_a_teacher_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named: list[object] = []

    def noted(settings: Settings, *_: object, **__: object) -> None:
        named.extend(settings.lessons_in)

    monkeypatch.setattr("app.web.serve.serve", noted)
    assert bluecut("serve", "--lessons", str(tmp_path), "--lessons", str(KINDS.parent)).code == 0
    assert named == [tmp_path, KINDS.parent]
    missing = bluecut("serve", "--lessons", str(tmp_path / "nope"))
    assert missing.code == 2 and "does not exist" in missing.err and len(named) == 2
