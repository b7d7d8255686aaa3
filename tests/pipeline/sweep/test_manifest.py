"""Damaged files of a sweep are reported by name."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec import to_builtins

from app.core.model.values import BluecutError
from app.pipeline.sweep.manifest import Batch, Plan, manifest, write_plan
from app.pipeline.sweep.progress import Progress, read, write
from app.words.error_words import error_text
from tests.cli.command import bluecut

WHOLE = Plan({"scenarios": ["ring"]}, "abc", 4, 4)
BATCH = Batch(0, 0, 4, {"run": 4}, 8, 1, "0" * 32)


def changed(file: Path, *, without: str | None = None, **more: Any) -> None:
    """The same file with other fields."""
    values = json.loads(file.read_text("utf-8")) | more
    file.write_text(json.dumps({name: value for name, value in values.items() if name != without}), "utf-8")


def swept(directory: Path) -> Path:
    """Return the folder of a sweep whose files say that it is complete."""
    write_plan(directory, WHOLE)
    write(directory, Progress("done", 4, 4, 1, 8, 1))
    (directory / "rows" / "batch=00000").mkdir(parents=True)
    (directory / "rows" / "batch=00000" / "_batch.json").write_text(json.dumps(to_builtins(BATCH)), "utf-8")
    return directory


def look(directory: Path) -> None:
    """Read all files of a sweep."""
    manifest(directory)
    read(directory)


def test_what_is_whole_is_read(tmp_path: Path) -> None:
    there = manifest(swept(tmp_path))
    assert (there.plan, there.batches, there.complete) == (WHOLE, (BATCH,), True)
    now = read(tmp_path)
    assert now is not None and (now.stage, now.done, now.broken) == ("done", 4, 1)


@pytest.mark.parametrize("name", ["sweep.json", "progress.json", "rows/batch=00000/_batch.json"])
def test_a_text_that_is_no_json_is_told(name: str, tmp_path: Path) -> None:
    (swept(tmp_path) / name).write_text('{"runs": 4', "utf-8")
    with pytest.raises(BluecutError, match=f"{name}: cannot be read: Expecting"):
        look(tmp_path)


@pytest.mark.parametrize(
    ("name", "change", "fields"),
    [
        ("sweep.json", {"without": "batch"}, "batch"),
        ("sweep.json", {"colour": "red", "runs": "many"}, "colour, runs"),
        ("progress.json", {"colour": "red"}, "colour"),
        ("progress.json", {"done": None}, "done"),
        ("rows/batch=00000/_batch.json", {"without": "digest", "first": 0.5}, "digest, first"),
    ],
)
def test_fields_that_are_missing_unknown_or_wrong_are_told(
    name: str, change: dict[str, Any], fields: str, tmp_path: Path
) -> None:
    changed(swept(tmp_path) / name, **change)
    with pytest.raises(BluecutError) as caught:
        look(tmp_path)
    assert str(caught.value) == f"{tmp_path / name}: damaged; missing, unknown or wrong: {fields}"
    assert error_text(caught.value.phrase, "zh").startswith(f"{tmp_path / name}：已损坏；缺少、多余或有误的字段：")


def test_json_that_is_no_object_is_told(tmp_path: Path) -> None:
    (swept(tmp_path) / "progress.json").write_text("[]", "utf-8")
    with pytest.raises(BluecutError, match=r"progress\.json: damaged; missing, unknown or wrong: stage, runs, done"):
        read(tmp_path)


def test_a_command_says_it_in_one_line(tmp_path: Path) -> None:
    changed(swept(tmp_path) / "sweep.json", without="grid")
    done = bluecut("stream", str(tmp_path))
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.endswith("sweep.json: damaged; missing, unknown or wrong: grid\n")
