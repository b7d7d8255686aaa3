"""Missing rows are noticed before anything is judged."""

from pathlib import Path

import pytest

from app.cli.verify import lines
from app.core.model.values import BluecutError
from app.pipeline.rows.atomic_file import keep
from app.pipeline.rows.schema import VERSION
from app.pipeline.rows.tables import batches, replaced
from app.pipeline.verify.completeness import check_complete, wanted
from app.pipeline.verify.verify import Verified
from app.words.error_words import error_text
from tests.pipeline.stored import sound, stored


def swept(directory: Path) -> Path:
    """Write the rows of one run, with their number by kind; return the folder of the batch."""
    rows = sound()
    (batch,) = batches(stored(directory, [rows]))
    keep(batch / "_batch.json", {"batch": 0, "rows": {kind: len(each) for kind, each in rows.items() if each}})
    return batch


def test_rows_that_are_as_many_as_were_written_are_whole(tmp_path: Path) -> None:
    check_complete([swept(tmp_path)])


def test_a_batch_of_no_sweep_is_not_counted(tmp_path: Path) -> None:
    batch = swept(tmp_path)
    (batch / "_batch.json").unlink()
    (batch / "kind=cut" / "part-00000.parquet").unlink()
    check_complete([batch])


@pytest.mark.parametrize(("kind", "count"), [("snapshot", 1), ("cut", 2), ("message", 3), ("run", 1)])
def test_a_file_that_is_gone_is_told_with_its_kind_and_counts(tmp_path: Path, kind: str, count: int) -> None:
    batch = swept(tmp_path)
    (batch / f"kind={kind}" / "part-00000.parquet").unlink()
    with pytest.raises(BluecutError) as mistake:
        check_complete([batch])
    assert str(mistake.value).startswith(
        f"{batch}: there are 0 rows of the kind {kind}, and {count} were written; delete this folder and sweep again"
    )
    assert f"{kind} 类数据行有 0 行" in error_text(mistake.value.phrase, "zh")


def test_rows_that_nobody_counted_are_too_many(tmp_path: Path) -> None:
    batch = swept(tmp_path)
    file = batch / "kind=cut" / "part-00000.parquet"
    (file.parent / "part-00001.parquet").write_bytes(file.read_bytes())
    with pytest.raises(BluecutError, match="there are 4 rows of the kind cut, and 2 were written"):
        check_complete([batch])


def test_a_file_that_is_no_parquet_and_a_count_that_is_none_are_told(tmp_path: Path) -> None:
    batch = swept(tmp_path)
    (batch / "kind=cut" / "part-00000.parquet").write_bytes(b"PAR")
    with pytest.raises(BluecutError, match=r"kind=cut/part-00000\.parquet: cannot be read"):
        check_complete([batch])
    keep(batch / "_batch.json", [1])
    with pytest.raises(BluecutError, match=r"_batch\.json: this does not say how many rows there are"):
        check_complete([batch])


def test_a_sweep_says_how_many_runs_it_is_to_have(tmp_path: Path) -> None:
    assert wanted(tmp_path) is None
    keep(tmp_path / "sweep.json", {"version": VERSION, "runs": 7})
    assert wanted(tmp_path) == 7
    keep(tmp_path / "sweep.json", {"version": VERSION - 1, "runs": 7})
    with pytest.raises(BluecutError, match="made by another version of Bluecut; sweep again into another folder"):
        wanted(tmp_path)


def test_what_is_not_there_yet_is_said() -> None:
    part = Verified(1200, 5, (), 0, 0, (), (), (), planned=2000)
    assert "1,200 of 2,000 runs are done; the sweep is not complete." in list(lines(part, "en"))
    assert any("尚未完成" in line for line in lines(part, "zh"))
    assert not any("not complete" in line for line in lines(Verified(7, 5, (), 0, 0, (), (), (), planned=7), "en"))


def test_a_folder_takes_the_place_of_an_older_one(tmp_path: Path) -> None:
    place, made = tmp_path / "verdicts", tmp_path / "verdicts.part"
    for text in ("first", "second"):
        made.mkdir()
        (made / "file").write_text(text)
        replaced(place, made)
        assert (place / "file").read_text() == text
    assert [path.name for path in tmp_path.iterdir()] == ["verdicts"]
