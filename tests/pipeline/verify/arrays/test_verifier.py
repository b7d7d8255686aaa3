"""The file-local verifier, without Spark: it reads files and judges them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow as pa
import pytest

from app.core.model.values import BluecutError
from app.core.oracle.checks import ROW_CHECKS
from app.pipeline.rows.from_run import Origin, Rows, trace
from app.pipeline.rows.tables import batches, shares, store
from app.pipeline.verify.arrays import columns, verifier
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.pipeline.drawn import drawn
from tests.pipeline.faults import FAULTS, compact, planted
from tests.pipeline.plain import verdicts
from tests.pipeline.stored import Key, filed, numbered, sound, stored


def expected(rows: Rows) -> dict[Key, bool | None]:
    """Return what the plain verifier says."""
    (run,) = rows["run"]
    lives = {row["snapshot"]: row["life"] for row in rows["snapshot"]}
    return {
        (run["run"], lives[number], number, check): holds
        for number, said in verdicts(rows).items()
        for check, holds in said.items()
    }


def checks(directory: Path) -> dict[Key, bool | None]:
    """Return what the file-local verifier says of snapshots."""
    return {key: holds for key, (holds, _) in filed(directory).items() if key[3] != "rows"}


def test_a_sound_run_passes_every_check(tmp_path: Path) -> None:
    found = filed(stored(tmp_path, [sound()]))
    keys = [(0, 0, None, "rows"), *((0, 0, 1, check) for check in ROW_CHECKS)]
    assert found == dict.fromkeys(keys, (True, None))


def test_each_planted_fault_is_found_with_its_witness(tmp_path: Path) -> None:
    runs = [numbered(planted(fault), run) for run, fault in enumerate(FAULTS)]
    found = filed(stored(tmp_path, runs))
    for run, (check, witness) in enumerate(FAULTS.values()):
        assert found[run, 0, None if check == "rows" else 1, check] == (False, compact(witness)), check


def test_all_scenarios_are_judged_as_the_plain_verifier_judges_them(tmp_path: Path) -> None:
    names = LIBRARY.names()
    runs = [trace(record(LIBRARY.scenario(name)), Origin(n, f"/run/{name}")) for n, name in enumerate(names)]
    directory = stored(tmp_path, runs)
    assert checks(directory) == {key: holds for rows in runs for key, holds in expected(rows).items()}
    assert all(holds for key, (holds, _) in filed(directory).items() if key[3] == "rows")


def test_drawn_rows_with_faults_are_judged_as_the_plain_verifier_judges_them(tmp_path: Path) -> None:
    runs = [drawn(seed) for seed in range(300)]
    want = {key: holds for rows in runs for key, holds in expected(rows).items()}
    assert checks(stored(tmp_path, runs)) == want
    broken = {check: sum(holds is False for key, holds in want.items() if key[3] == check) for check in ROW_CHECKS}
    assert all(count > 15 for count in broken.values()), broken
    assert sum(holds is True for holds in want.values()) > 100


def judged(directory: Path, rows: Rows, check: str) -> bool | None:
    """Return what the file-local verifier says of the only snapshot."""
    return checks(stored(directory, [rows]))[0, 0, 1, check]


def test_a_copy_of_the_first_step_stands_behind_what_was_sent_later(tmp_path: Path) -> None:
    rows = sound()
    rows["message"].append(
        {"run": 0, "life": 0, "message": 3, "channel": 0, "sent": 1, "received": None, "lost": False, "copied": 0}
    )
    for place, message in enumerate((1, 3)):
        queued = {"run": 0, "life": 0, "snapshot": 1, "channel": 0, "place": place, "message": message}
        rows["recorded"][place:] = [queued]
    assert judged(tmp_path / "copy", rows, "channels") is True
    for row, message in zip(rows["recorded"], (3, 1), strict=True):
        row["message"] = message
    assert judged(tmp_path / "other", rows, "channels") is False


def test_of_a_channel_to_a_newcomer_nothing_is_asked(tmp_path: Path) -> None:
    rows = sound()
    rows["recorded"].clear()
    assert judged(tmp_path / "member", rows, "channels") is False
    rows["cut"][1].update(absent=False, part=False)
    assert judged(tmp_path / "newcomer", rows, "channels") is True


def test_what_a_process_has_that_does_not_exist_counts_for_nothing(tmp_path: Path) -> None:
    rows = sound()
    rows["stock"].append({"run": 0, "life": 0, "process": 2, "quantity": "", "amount": 5, "last": 0})
    twice = [rows, numbered(sound(), 1)]
    found = checks(stored(tmp_path, twice))
    assert found[0, 0, 1, "conserved"] is found[1, 0, 1, "conserved"] is True


def test_messages_that_come_in_many_pieces_are_judged_as_in_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    directory = stored(tmp_path, [drawn(seed) for seed in range(20)])
    whole = filed(directory)
    monkeypatch.setattr(columns, "PIECE", 7)
    assert filed(directory) == whole


def here(count: int) -> SimpleNamespace:
    """Take the place of Spark: return so many tasks, which run here one after another."""

    def run(judge: Callable[[list[pa.RecordBatch]], Iterator[pa.RecordBatch]], _: str) -> pa.Table:
        return pa.Table.from_batches(judge([pa.record_batch({"id": list(range(count))})]))

    return SimpleNamespace(mapInArrow=run)


def test_a_channel_that_does_not_exist_is_not_the_first_of_the_next_run(tmp_path: Path) -> None:
    rows = sound()
    beyond = {"run": 0, "life": 0, "snapshot": 1, "channel": len(rows["channel"])}
    rows["marker"].append({**beyond, "count": 5})
    rows["recorded"].append({**beyond, "place": 0, "message": 0})
    found = checks(stored(tmp_path, [rows, numbered(sound(), 1)]))
    assert {check: found[1, 0, 1, check] for check in ROW_CHECKS} == dict.fromkeys(ROW_CHECKS, True)


@pytest.mark.parametrize(("more", "asked"), [({}, True), ({"rows": True}, True), ({"rows": False}, False)])
def test_tasks_ask_whether_rows_match_unless_told_otherwise(tmp_path: Path, more: dict[str, bool], asked: bool) -> None:
    store(tmp_path, [numbered(planted(fault), run) for run, fault in enumerate(FAULTS)])
    found: Any = verifier.judged(SimpleNamespace(range=here), shares(batches(tmp_path)), **more)  # type: ignore[arg-type]
    broken = {
        check
        for check, holds in zip(*(found[name].to_pylist() for name in ("check", "holds")), strict=True)
        if holds is False
    }
    assert broken == {*ROW_CHECKS} | ({"rows"} if asked else set())


def test_files_of_one_task_are_read_together(tmp_path: Path) -> None:
    store(tmp_path, [sound()])
    (batch,) = batches(tmp_path)
    (share,) = shares([batch])
    assert [Path(file).parent.name for file in share["cut"]] == ["kind=cut"]
    assert "nothing" not in share


def test_a_folder_without_rows_says_so(tmp_path: Path) -> None:
    with pytest.raises(BluecutError, match="there are no rows of runs in it"):
        batches(tmp_path)


def test_numbers_that_lie_too_far_apart_are_refused_and_not_confused(tmp_path: Path) -> None:
    far = [numbered(sound(), run) for run in (0, 1 << 61)]
    with pytest.raises(BluecutError, match="too far apart"):
        filed(stored(tmp_path, far))
