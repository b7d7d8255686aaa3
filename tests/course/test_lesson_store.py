"""Lessons as a server keeps them: a file that has changed is read again, and no other."""

from pathlib import Path

import pytest

from app.course import lesson_list as shelf
from app.course import lesson_store
from app.course.lesson import Lesson, load
from app.course.lesson_store import Kept

KINDS = Path(__file__).parent / "lessons"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for file in KINDS.glob("*.yaml"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    return tmp_path


def test_only_what_has_changed_is_read_again(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def noted(text: str, name: str) -> Lesson:
        read.append(name)
        return load(text, name)

    monkeypatch.setattr(shelf, "load", noted)
    lessons = Kept(own=folder)
    before = lessons.shelf()
    assert [one.name for one in before.lessons] == ["all-kinds", "more-kinds"]
    assert read == ["all-kinds.yaml", "more-kinds.yaml"]
    assert lessons.shelf() is before

    file = folder / "more-kinds.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("place: 91", "place: 9"), encoding="utf-8")
    after = lessons.shelf()
    assert [one.name for one in after.lessons] == ["more-kinds", "all-kinds"] and read[2:] == ["more-kinds.yaml"]
    assert after.lesson("all-kinds") is before.lesson("all-kinds")

    file.unlink()
    assert [one.name for one in lessons.shelf().lessons] == ["all-kinds"] and len(read) == 3


def test_a_lesson_of_a_teacher_replaces_ours_of_the_same_name(
    folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    mine = tmp_path_factory.mktemp("mine")
    text = (folder / "all-kinds.yaml").read_text(encoding="utf-8")
    (mine / "all-kinds.yaml").write_text(text.replace("All kinds of questions", "Mine"), encoding="utf-8")
    found = Kept((mine,), own=folder).shelf().lesson("all-kinds")
    assert found is not None and found.form.title.en == "Mine" and found.own
    assert [one.name for one in Kept((mine,), own=folder).shelf().lessons if one.own] == ["all-kinds"]


@pytest.mark.parametrize(("old", "new"), [("place: 90", "place: x"), ("next_recorder(2)", "next_recorder(8)")])
def test_a_lesson_of_a_teacher_with_a_mistake_does_not_remove_ours(
    folder: Path, tmp_path_factory: pytest.TempPathFactory, old: str, new: str
) -> None:
    mine = tmp_path_factory.mktemp("mine")
    text = (folder / "all-kinds.yaml").read_text(encoding="utf-8")
    (mine / "all-kinds.yaml").write_text(text.replace(old, new), encoding="utf-8")
    lessons = Kept((mine,), own=folder)
    found = lessons.settled().lesson("all-kinds")
    assert found is not None and not found.own
    (told,) = lessons.shelf().mistakes
    assert str(told).startswith("all-kinds.yaml, line ")
    assert str(told).endswith("; the built-in lesson of this name is shown instead")

    (mine / "all-kinds.yaml").write_text(text.replace("All kinds of questions", "Mine"), encoding="utf-8")
    found = lessons.settled().lesson("all-kinds")
    assert found is not None and found.form.title.en == "Mine" and lessons.shelf().mistakes == ()


def test_no_run_is_asked_for_the_list(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(lesson_store, "tried", lambda lesson: asked.append(lesson.name))
    assert all("questions" not in one.__dict__ for one in Kept(own=folder).shelf().lessons)
    assert asked == []
    lessons = Kept((folder,), own=folder.parent)
    assert all("questions" not in one.__dict__ for one in lessons.shelf().lessons)
    lessons.settled()
    assert asked == ["all-kinds", "more-kinds"], "those of teachers are, but nobody waits for it"


def test_answers_are_tried_where_a_teacher_has_written_them(folder: Path) -> None:
    file = folder / "all-kinds.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("next_recorder(2)", "next_recorder(8)"), encoding="utf-8")
    assert Kept(own=folder).shelf().mistakes == ()
    wrong = Kept((folder,)).settled().mistakes
    assert len(wrong) == 1 and "questions[2].answer: nobody records after step 8" in str(wrong[0])


def test_a_folder_that_is_called_like_a_lesson_is_a_mistake_like_others(folder: Path) -> None:
    (folder / "odd.yaml").mkdir()
    shelf = Kept(own=folder).shelf()
    assert len(shelf.lessons) == 2 and "odd.yaml: the file cannot be read" in str(shelf.mistakes[0])
