"""``bluecut checkpoint`` on folders that are nearly a checkpoint."""

import json
from pathlib import Path

from tests.cli.command import bluecut
from tests.web.measure.spark import watched_files as files


def test_a_folder_in_which_a_checkpoint_lies_is_as_good_as_the_checkpoint(tmp_path: Path) -> None:
    files.killed(tmp_path)
    (tmp_path / "checkpoint" / "metadata").write_text('{"id":"8a71cfd7"}')
    within = bluecut("checkpoint", str(tmp_path / "checkpoint"), "--last", "0", "--json")
    around = bluecut("checkpoint", str(tmp_path), "--last", "0", "--json")
    assert within.code == around.code == 0 and within.out == around.out
    assert json.loads(around.out)["restart"] == {"does": "rerun", "batch": 1}


def test_a_batch_before_one_that_is_committed_is_done_though_its_commit_is_missing(tmp_path: Path) -> None:
    files.logs(tmp_path)
    for number in range(3):
        files.intend(tmp_path, number, {"P": number})
    files.commit(tmp_path, 1)
    said = bluecut("checkpoint", str(tmp_path), "--last", "0").out
    assert "✓ Batch 0, done, though its file in the commit log is missing: " in said
    assert "✓ Batch 1, done: " in said and "… Batch 2, not committed: " in said
    (tmp_path / "checkpoint" / "offsets" / "2").write_text("v9\n")
    assert "its offsets are missing or cannot be read" in bluecut("checkpoint", str(tmp_path), "--last", "0").out
