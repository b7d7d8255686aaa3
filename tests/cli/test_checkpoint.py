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
