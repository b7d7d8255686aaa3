"""The folders for Gradescope and Autolab do what the services would do with them."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from app.judge.judge import judge
from app.judge.report import autolab, gradescope
from app.judge.suite import FOLDER, of_level
from tests.cli.command import bluecut

RIGHT, WRONG = FOLDER / "right/markers.py", FOLDER / "bugs/logs_nothing.py"
INSTALLED = os.environ | {"BLUECUT_ENV": sys.prefix}


def submitted(folder: Path, *files: Path, **more: str) -> Any:
    """Let Gradescope's script judge a submission; return its results."""
    for name in ("submission", "results"):
        (folder / name).mkdir(parents=True)
    for at, file in enumerate(files):
        (folder / "submission" / f"it's {at}.py").write_bytes(file.read_bytes())
    if not (folder / "source").exists():
        assert bluecut("judge", "--package", "gradescope", "-o", str(folder / "source"), "--weight", "ring=3").code == 0
    subprocess.run(folder / "source/run_autograder", env=INSTALLED | {"AUTOGRADER": str(folder)} | more, check=True)
    return json.loads((folder / "results/results.json").read_text("utf-8"))


@pytest.mark.slow
def test_gradescope_gets_points_for_what_passes(tmp_path: Path) -> None:
    told = submitted(tmp_path / "right", RIGHT)
    assert told["score"] == len(of_level(2)) + 2 == sum(one["max_score"] for one in told["tests"])
    assert {one["max_score"] for one in told["tests"] if one["name"].startswith("ring (")} == {3}
    told = submitted(tmp_path / "wrong", WRONG)
    assert told["score"] == 1 and "The shortest run that fails" in told["output"]


def test_a_submission_that_is_not_one_file_is_told_so(tmp_path: Path) -> None:
    assert submitted(tmp_path / "none")["score"] == 0
    assert "not 2" in submitted(tmp_path / "two", RIGHT, WRONG)["output"]


def test_a_judge_that_does_not_run_is_told_so(tmp_path: Path) -> None:
    told = submitted(tmp_path, RIGHT, BLUECUT_ENV=str(tmp_path))
    assert told == {"score": 0, "output": "The judge did not run. Please tell your teacher."}


def test_what_is_installed_is_not_installed_again(tmp_path: Path) -> None:
    bluecut("judge", "--package", "gradescope", "-o", str(tmp_path))
    assert subprocess.run(tmp_path / "setup.sh", env=INSTALLED, check=True, timeout=60).returncode == 0
    for script in ("setup.sh", "run_autograder"):
        assert subprocess.run(["bash", "-n", tmp_path / script], check=False).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize(("file", "points"), [(RIGHT, len(of_level(2)) + 1), (WRONG, 2)])
def test_autolab_gets_a_problem_for_each_system_and_the_scores_in_the_last_line(
    tmp_path: Path, file: Path, points: int
) -> None:
    assert bluecut("judge", "--package", "autolab", "-o", str(tmp_path), "--weight", "token-first=2").code == 0
    (folder,) = tmp_path.iterdir()
    made = yaml.safe_load((folder / f"{folder.name}.yml").read_text("utf-8"))
    (folder / made["general"]["handin_filename"]).write_bytes(file.read_bytes())
    recipe = (folder / "autograde-Makefile").read_text("utf-8").splitlines()[1:]
    commands = "\n".join(line.strip().lstrip("@") for line in recipe)
    done = subprocess.run(
        ["bash", "-ec", commands], cwd=folder, env=INSTALLED, check=True, capture_output=True, text=True
    )
    told = json.loads(done.stdout.splitlines()[-1])
    most = {one["name"]: one["max_score"] for one in made["problems"]}
    assert set(told["scores"]) <= set(most) and all(score <= most[name] for name, score in told["scores"].items())
    assert most["token-first (p)"] == 2 and sum(told["scores"].values()) == told["scoreboard"][0]
    assert told["scoreboard"][0] == points if file == RIGHT else told["scoreboard"][0] < points


def test_a_weight_that_is_none_and_a_system_that_is_none_are_told(tmp_path: Path) -> None:
    for weight, says in (("ring", "write SCENARIO=POINTS"), ("ring=-1", "SCENARIO=POINTS"), ("no=1", "no system")):
        done = bluecut("judge", str(RIGHT), "--weight", weight)
        assert done.code == 2 and says in done.err
    done = bluecut("judge", "--package", "autolab", "--system", "ring", "-o", str(tmp_path))
    assert done.code == 2 and "--package" in done.err
    assert bluecut("judge").code == 2


@pytest.mark.slow
def test_where_markers_count_there_is_a_leaderboard(tmp_path: Path) -> None:
    bluecut("judge", "--package", "autolab", "-o", str(tmp_path), "--level", "5")
    told = yaml.safe_load((tmp_path / "snapshot" / "snapshot.yml").read_text("utf-8"))
    columns = json.loads(told["scoreboard"]["colspec"])["scoreboard"]
    right, wrong = (
        judge(file.read_text("utf-8"), file.name, of_level(5)) for file in (FOLDER / "right/walks.py", WRONG)
    )
    assert len(autolab(right)["scoreboard"]) == len(columns) and columns[1]["asc"] == 1
    assert autolab(right)["scoreboard"] == [6, 25] and autolab(wrong)["scoreboard"][1] > 25
    assert gradescope(right, "en")["leaderboard"] == [{"name": "Markers", "value": 25, "order": "asc"}]
    assert "leaderboard" not in gradescope(wrong, "en")
