"""The temporary folder of a command: the next start removes those of killed commands, and no others."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from app.paths import HERE
from app.pipeline.engine.temp_folder import OWNER, PREFIX, clear, owned

PROGRAM = """
import os, signal
from app.pipeline.engine.temp_folder import scratch
folder = scratch()
(folder / "local" / "blocks").mkdir(parents=True)
(folder / "log.txt").write_text("begun")
print(folder, flush=True)
{end}
"""


def process(temporary: Path, end: str) -> "subprocess.Popen[str]":
    """Start a process with a folder, which then runs ``end``."""
    environment = os.environ | {"TMPDIR": str(temporary), "PYTHONPATH": str(HERE.parent)}
    command = [sys.executable, "-c", PROGRAM.format(end=end)]
    return subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def test_what_a_killed_process_left_goes_and_what_a_living_one_has_stays(tmp_path: Path) -> None:
    living = process(tmp_path, "input()")
    assert living.stdout
    its = Path(living.stdout.readline().strip())  # first: it would remove what the other one leaves
    left = Path(process(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)").communicate()[0].strip())
    assert left.is_dir() and (left / "local" / "blocks").is_dir()
    clear(tmp_path)
    assert its.is_dir() and (its / "log.txt").is_file() and not left.exists()
    living.communicate("\n")
    assert list(tmp_path.iterdir()) == []


def test_several_that_start_at_once_take_away_what_is_left_and_keep_their_own(tmp_path: Path) -> None:
    for _ in range(3):
        process(tmp_path, "os.kill(os.getpid(), signal.SIGKILL)").communicate()
    assert len(list(tmp_path.iterdir())) == 1  # each removes what the previous one left
    several = [process(tmp_path, "input(); print(folder.is_dir())") for _ in range(4)]
    folders = [Path(one.stdout.readline().strip()) for one in several if one.stdout]
    assert sorted(tmp_path.iterdir()) == sorted(folders)
    assert [one.communicate("\n")[0] for one in several] == ["True\n"] * 4
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_being_made_or_is_no_folder_of_ours_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    aside = tmp_path / "aside"
    aside.mkdir()
    (aside / OWNER).touch()
    (tmp_path / f"{PREFIX}link").symlink_to(aside)
    (tmp_path / f"{PREFIX}new").mkdir()
    (tmp_path / f"{PREFIX}file").touch()
    other = tmp_path / f"{PREFIX}other"
    other.mkdir()
    (other / OWNER).touch()
    with monkeypatch.context() as patch:
        patch.setattr(os, "getuid", lambda: 4711)
        clear(tmp_path)
    assert len(list(tmp_path.iterdir())) == 5
    clear(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [*(f"{PREFIX}{n}" for n in ("file", "link", "new")), "aside"]
    )


def test_a_folder_has_its_owner_from_the_moment_that_it_can_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder, file = owned()
    clear(tmp_path)
    assert folder.is_dir()
    os.close(file)
    clear(tmp_path)
    assert not folder.exists()
