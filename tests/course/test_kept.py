"""Lessons as a server keeps them: a file that has changed is read again, and no other."""

from pathlib import Path

import pytest

from app.course import kept
from app.course.kept import Kept
from app.course.lesson import Lesson, load

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

    monkeypatch.setattr(kept, "load", noted)
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
    assert found is not None and found.form.title.en == "Mine"


def test_answers_are_tried_at_once_where_a_teacher_has_written_them(folder: Path) -> None:
    file = folder / "all-kinds.yaml"
    file.write_text(file.read_text(encoding="utf-8").replace("next_recorder(2)", "next_recorder(8)"), encoding="utf-8")
    assert Kept(own=folder).shelf().mistakes == ()
    wrong = Kept((folder,)).shelf().mistakes
    assert len(wrong) == 1 and "questions[2].answer: nobody records after step 8" in str(wrong[0])


def test_a_folder_that_is_called_like_a_lesson_is_a_mistake_like_others(folder: Path) -> None:
    (folder / "odd.yaml").mkdir()
    shelf = Kept(own=folder).shelf()
    assert len(shelf.lessons) == 2 and "odd.yaml: the file cannot be read" in str(shelf.mistakes[0])
