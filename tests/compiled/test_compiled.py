"""The compiled build: the same runs, and never of other sources."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from app import compiled
from app.compiled import FOLDER, MADE_OF, digest, use
from tests.compiled_tree import ROOT, NothingCompiled, compile_into, tree_with

SAME: dict[str, str] = {}
ASKED = {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
NO_COMPILER = {"CC": "/nothing/cc"}


def python(*arguments: str, variables: Mapping[str, str], cwd: Path = ROOT) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, *arguments], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False
    )


def built(config: pytest.Config, *options: str) -> Path:
    """Return a compiled build of the checkout, made once for these sources."""
    assert config.cache
    kept = config.cache.mkdir("compiled")
    folder = kept / "-".join((digest(), *options))
    if not folder.exists():
        for old in kept.glob("-".join(("*", *options))):
            shutil.rmtree(old)
        try:
            compile_into(folder, *options)
        except NothingCompiled as reason:
            pytest.skip(str(reason))
    return folder


def printed(module: str, variables: Mapping[str, str] = SAME) -> object:
    """Return what a program prints as JSON, once it is sure which build runs."""
    run = "import app.core.kernel.step, runpy, sys; print(type(app.core.kernel.step.step).__name__); "
    done = python("-c", f"{run}runpy.run_module({module!r}, run_name='__main__')", variables=variables)
    kind, _, found = done.stdout.partition("\n")
    compiled = "PYTHONSAFEPATH" in variables
    assert (done.stderr, kind) == ("", "builtin_function_or_method" if compiled else "function")
    return json.loads(found)


@pytest.mark.slow
def test_the_compiled_kernel_makes_the_same_runs_frames_and_explorations(
    tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    compiled = tree_with(built(pytestconfig, "--kernel", "--level=0"), tmp_path)
    assert printed("tests.run.fingerprints", compiled) == printed("tests.run.fingerprints")


def test_what_is_compiled_runs_in_place_of_its_source(tmp_path: Path) -> None:
    """A single tiny module stands for the kernel, which takes long to compile."""
    app, build = tmp_path / "app", ("-m", "app.compiled", "--kernel", "--level=0")
    shutil.copytree(ROOT / "app" / "compiled", app / "compiled")
    shutil.copyfile(ROOT / "app" / "__init__.py", app / "__init__.py")
    (app / "core" / "kernel").mkdir(parents=True)
    for folder in (app / "core", app / "core" / "kernel"):
        (folder / "__init__.py").touch()
    (app / "core" / "kernel" / "tiny.py").write_text("def twice(number: int) -> int:\n    return 2 * number\n", "utf-8")
    done = python(*build, variables=SAME, cwd=tmp_path)
    if done.stderr.startswith("nothing is compiled"):
        pytest.skip(done.stderr)
    assert done.returncode == 0, done.stderr
    asks = "from app.core.kernel.tiny import twice; print(type(twice).__name__, twice(21))"
    assert python("-c", asks, variables=SAME, cwd=tmp_path).stdout == "builtin_function_or_method 42\n"


@pytest.mark.slow
def test_all_that_is_compiled_makes_the_same_runs(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    compiled = tree_with(built(pytestconfig), tmp_path)
    assert printed("tests.run.behaviour", compiled) == printed("tests.run.behaviour")
    assert printed("tests.run.fingerprints", compiled) == printed("tests.run.fingerprints")


# --- never of other sources --------------------------------------------------------------------------------------


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one source, and a build that was made of it."""
    monkeypatch.setattr(sys, "meta_path", list(sys.meta_path))
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "kernel.py").write_text("LIMIT = 1\n", "utf-8")
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / MADE_OF).write_text(digest(tmp_path), "ascii")
    return tmp_path


def test_a_build_of_these_sources_is_used(app: Path) -> None:
    before = len(sys.meta_path)
    assert use(app)
    assert len(sys.meta_path) == before + 1


@pytest.mark.parametrize(("file", "text"), [("core/kernel.py", "LIMIT = 2\n"), ("schedules/new.py", "")])
def test_a_build_of_other_sources_is_not_used_and_says_what_helps(app: Path, file: str, text: str) -> None:
    (app / file).parent.mkdir(exist_ok=True)
    (app / file).write_text(text, "utf-8")
    before = list(sys.meta_path)
    with pytest.warns(RuntimeWarning, match=r"other sources .* 'python -m app\.compiled --remove'"):
        assert not use(app)
    assert sys.meta_path == before


def test_a_build_for_another_python_is_not_used(app: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compiled, "EXTENSION_SUFFIXES", [".cpython-399-x86_64-linux-gnu.so"])
    with pytest.warns(RuntimeWarning, match="for another Python"):
        assert not use(app)


def test_without_a_build_the_sources_run(app: Path) -> None:
    shutil.rmtree(app / FOLDER)
    assert not use(app)


# --- the command, and the wheel ----------------------------------------------------------------------------------


def test_without_a_compiler_the_command_says_what_is_missing(tmp_path: Path) -> None:
    done = python("-m", "app.compiled", "--into", str(tmp_path / "made"), variables=NO_COMPILER)
    assert (done.returncode, done.stdout, list(tmp_path.iterdir())) == (1, "", [])
    assert done.stderr == "nothing is compiled: there is no C compiler /nothing/cc (on Debian: apt-get install gcc)\n"


def test_the_build_is_removed(tmp_path: Path) -> None:
    (tmp_path / "made").mkdir()
    tree_with(tmp_path / "made", tmp_path / "tree")
    done = python("-m", "app.compiled", "--remove", variables=SAME, cwd=tmp_path / "tree")
    assert (done.returncode, done.stderr) == (0, "")
    assert not (tmp_path / "tree" / "app" / FOLDER).exists()


def wheel(tmp_path: Path, variables: Mapping[str, str] = SAME) -> Path:
    """Return the wheel of a copy of the checkout, with the step that compiles."""
    (tmp_path / "made").mkdir()
    tree_with(tmp_path / "made", tmp_path / "tree")
    (tmp_path / "tree" / "app" / FOLDER).rmdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copyfile(ROOT / name, tmp_path / "tree" / name)
    build = python("-m", "hatchling", "build", "-t", "wheel", variables={**ASKED, **variables}, cwd=tmp_path / "tree")
    assert build.returncode == 0, build.stderr
    (file,) = (tmp_path / "tree" / "dist").iterdir()
    assert ("not compiled: nothing is compiled: there is no C" in build.stderr) == ("CC" in variables)
    return file


def test_without_a_compiler_the_wheel_is_for_all_machines(tmp_path: Path) -> None:
    file = wheel(tmp_path, NO_COMPILER)
    assert file.name.endswith("-py3-none-any.whl")
    assert not [name for name in zipfile.ZipFile(file).namelist() if FOLDER in name]


@pytest.mark.slow
def test_a_wheel_that_is_asked_to_carries_the_compiled_build(tmp_path: Path, pytestconfig: pytest.Config) -> None:
    built(pytestconfig)  # or skips
    file = wheel(tmp_path)
    assert not file.name.endswith("-any.whl")
    zipfile.ZipFile(file).extractall(tmp_path / "installed")
    asks = "import app, app.core.kernel.step; print(app.__file__, app.COMPILED)"
    done = python("-P", "-c", asks, cwd=tmp_path, variables={"PYTHONPATH": str(tmp_path / "installed")})
    assert (done.stderr, done.stdout) == ("", f"{tmp_path / 'installed' / 'app' / '__init__.py'} True\n")
