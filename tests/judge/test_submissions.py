"""A folder of submissions: a table and a page."""

import csv
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.judge.judge import Judgement
from app.judge.mistake import Mistake
from app.judge.report import junit, lines
from app.judge.submissions import Row, as_csv, as_page, rows
from app.judge.suite import FOLDER, of_level
from tests.cli.command import bluecut


def test_a_folder_is_judged_into_a_table_and_a_page(tmp_path: Path) -> None:
    folder, out = tmp_path / "given", tmp_path / "out"
    folder.mkdir()
    for name, file in (("anna", "right/markers"), ("ben", "bugs/logs_nothing"), ("=carl", "bugs/records_late")):
        (folder / f"{name}.py").write_text((FOLDER / f"{file}.py").read_text("utf-8"))
    (folder / "dora.py").write_text("def f(:\n")
    done = bluecut("judge", str(folder), "--class", "--level", "2", "-o", str(out))
    assert done.code == 0 and done.out.startswith("1 of 4 files passed everything.")
    with (out / "class.csv").open(newline="", encoding="utf-8-sig") as written:
        table = {row["file"]: row for row in csv.DictReader(written)}
    assert list(table) == ["'=carl.py", "anna.py", "ben.py", "dora.py"]
    assert (table["anna.py"]["verdict"], table["anna.py"]["score"]) == ("passed", str(len(of_level(2))))
    assert table["ben.py"]["like"] == "What is in flight is never logged."
    assert table["ben.py"]["run"].startswith("/run/token-first?algorithm=by-hand")
    assert "line 1: this is not Python" in table["dora.py"]["why"]
    text = (out / "class.html").read_text("utf-8")
    assert "1 of 4 files passed everything." in text and "<script" not in text and "http" not in text


@pytest.mark.slow
def test_where_markers_count_the_page_says_how_many_without_names(tmp_path: Path) -> None:
    for name, file in (("anna", "walks"), ("ben", "counts"), ("carl", "counts"), ("dora", "markers")):
        (tmp_path / f"{name}.py").write_text((FOLDER / f"right/{file}.py").read_text("utf-8"))
    assert bluecut("judge", str(tmp_path), "--class", "--level", "5").out.startswith("3 of 4 files")
    with (tmp_path / "class.csv").open(newline="", encoding="utf-8-sig") as written:
        table = {row["file"]: row["markers"] for row in csv.DictReader(written)}
    assert table == {"anna.py": "25", "ben.py": "30", "carl.py": "30", "dora.py": ""}
    text = (tmp_path / "class.html").read_text("utf-8")
    assert "<td>25</td><td>Files: 1</td>" in text and "<td>30</td><td>Files: 2</td>" in text


def test_a_file_that_cannot_be_judged_keeps_no_other_from_it(tmp_path: Path) -> None:
    (tmp_path / "dora.py").write_text("def f(:\n")
    found = {Path(row.file).name: row for row in rows([tmp_path / "gone.py", tmp_path / "dora.py"], 2, "en")}
    assert "line 1: this is not Python" in found["dora.py"].why and found["dora.py"].verdict == "failed"
    assert (found["gone.py"].verdict, found["gone.py"].score) == ("undecided", 0)
    assert found["gone.py"].why == "could not be judged; judge this file alone"
    assert "judge this file alone" in as_page(list(found.values()), 2, "en")


def test_an_empty_folder_is_told(tmp_path: Path) -> None:
    done = bluecut("judge", str(tmp_path), "--class")
    assert done.code == 2 and "a folder without Python files" in done.err


def test_a_name_that_is_no_utf_8_costs_nobody_the_verdicts(tmp_path: Path) -> None:
    chinese = tmp_path / "张三.py".encode("gbk").decode("utf-8", "surrogateescape")
    chinese.write_text((FOLDER / "bugs/logs_nothing.py").read_text("utf-8"))
    assert bluecut("judge", str(tmp_path), "--class").code == 0
    assert r"\udcd5\udcc5" in (tmp_path / "class.csv").read_text("utf-8")
    assert bluecut("judge", str(chinese)).code == 1


def test_a_file_is_no_class(tmp_path: Path) -> None:
    (tmp_path / "anna.py").touch()
    done = bluecut("judge", str(tmp_path / "anna.py"), "--class")
    assert done.code == 2 and "anna.py: a file; give the folder of the class" in done.err


def test_what_a_file_is_called_is_escaped() -> None:
    row = Row("<b>.py", "failed", 0, 7, ("failed",), "<i>", None, "")
    assert "&lt;b&gt;.py" in as_page([row], 2, "zh") and "<i>" not in as_page([row], 2, "zh")
    assert as_csv([Row("@x", "passed", 7, 7, ())], 2).splitlines()[1].startswith("'@x,")


def test_what_a_class_says_rules_no_terminal_and_ends_no_report() -> None:
    judged = Judgement("mine.py", "", mistake=Mistake("raised", "ValueError: \x1b[2K\rpassed\nall of it\0"))
    assert all(line.isprintable() for line in lines(judged, "en"))
    assert "passed all of it" in ElementTree.tostring(ElementTree.fromstring(junit(judged, "en")), "unicode")
