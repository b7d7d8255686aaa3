"""The faults that are planted to try the tests."""

import ast
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest

from tests import mutants


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("a < b", "a <= b"),
        ("a is None", "a is not None"),
        ("a and b", "a or b"),
        ("a + b", "a - b"),
        ("if a:\n    b = c", "if not a:\n    b = c"),
        ("[a for a in b if c]", "[a for a in b if not c]"),
        ("a = True", "a = False"),
        ("a = b[1]", "a = b[2]"),
        ("a(b)", "pass"),
        ("raise a", "pass"),
    ],
)
def test_a_fault_is_planted(tmp_path: Path, right: str, wrong: str) -> None:
    (tmp_path / "code").mkdir()
    (tmp_path / "code" / "one.py").write_text(right)
    (fault,) = mutants.faults(["code"], tmp_path)
    assert (fault.file, fault.line) == ("code/one.py", 1)
    assert ast.unparse(mutants.faulty(right, fault.place)) == wrong


def test_docstrings_types_messages_guards_and_pseudocode_stay(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        '"""1 < 2"""\nPSEUDOCODE = (("a", 1),)\ndef f(a: int | None) -> int | str: f"{1 + 1}"\n'
        "g = zip(a, b, strict=True)\nh = field(repr=False)\n"
    )
    assert mutants.faults(["."], tmp_path) == []


def test_faults_are_planted_in_the_chosen_files_alone(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("a < b")
    assert [fault.file for fault in mutants.faults(["two.py"], tmp_path)] == ["two.py"]
    with pytest.raises(SystemExit, match=r"there is no three\.py"):
        mutants.faults(["three.py"], tmp_path)


def test_pytest_can_keep_the_plugins_in_sets_as_it_does_for_tests_of_several_folders() -> None:
    nearest = mutants.Nearest("app/cache.py", ["tests/core", "tests/oracles"])
    forks = mutants.Forks(mutants.Trial(["tests/core"], Path("outcomes.jsonl")), [])
    assert len({nearest, forks}) == 2


def test_every_fault_changes_its_module_and_only_there() -> None:
    for fault in random.Random(2).sample(mutants.faults(), 40):
        source = (mutants.ROOT / fault.file).read_text("utf-8")
        before = ast.unparse(ast.parse(source)).splitlines()
        after = ast.unparse(mutants.faulty(source, fault.place)).splitlines()
        assert len(before) == len(after)
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 1, str(fault)


PROJECT = {
    "app/__init__.py": "",
    "app/one.py": """\
LEAST = 1


def enough(number: int) -> bool:
    return number >= LEAST


def rest(tired: object) -> None:
    while tired:
        pass


def unasked() -> None:
    raise ValueError


MOST = 1
""",
    "tests/conftest.py": "from tests.often import register\n\nregister()\n",
    "tests/test_first.py": "from app import one\n\n\ndef test_it(): one.rest(None)\n",
    "tests/test_most.py": "from app import one\n\nWORD = 'ab'[one.MOST]\n\n\ndef test_it(): assert WORD == 'b'\n",
    "tests/test_one.py": "from app import one\n\n\ndef test_it(): assert one.enough(1) and not one.enough(0)\n",
}
"""A project with something to find."""


def outcomes(project: Path, *words: str) -> dict[tuple[int, str], tuple[str, str]]:
    """The outcomes of all faults of the project, with the tests that found them, by line and kind."""
    for name, text in PROJECT.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    code = """
import sys; from pathlib import Path; from tests import mutants
mutants.PATIENCE, mutants.ROOT = 2, Path.cwd()
sys.exit(mutants.main(sys.argv[1:]))
"""
    command = [sys.executable, "-c", code, *words]
    variables = {**os.environ, "PYTHONPATH": str(mutants.ROOT)}
    done = subprocess.run(command, cwd=project, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    told = [json.loads(line) for line in (project / "mutants.jsonl").read_text().splitlines()]
    return {(each["fault"]["line"], each["fault"]["kind"]): (each["outcome"], each["finder"]) for each in told}


@pytest.mark.slow
def test_faults_in_functions_and_beside_them_are_found_by_the_nearest_tests(tmp_path: Path) -> None:
    found = outcomes(tmp_path, "tests/test_first.py", "tests", "--in", "app")
    assert found == {
        (1, "one more"): ("killed", "tests/test_one.py::test_it"),
        (5, "GtE becomes Gt"): ("killed", "tests/test_one.py::test_it"),
        (9, "the condition is negated"): ("timed out", ""),
        (14, "the statement is deleted"): ("survived", ""),
        (17, "one more"): ("killed", ""),  # its tests cannot be collected
    }


def test_the_nearest_tests_come_first() -> None:
    near = ["tests/core/oracle/test_lattice.py", "tests/core/oracle", "tests/core"]
    assert mutants.near("app/core/oracle/lattice.py", mutants.TESTS) == near
    assert mutants.near("app/core/oracle/lattice.py", ["tests/run", "tests/core/oracle"]) == near[:2]
    assert mutants.near("app/algorithms/broken/no_log.py", mutants.TESTS) == ["tests/algorithms"]


def test_what_is_planted_in_a_file_does_not_depend_on_other_files() -> None:
    core = mutants.faults(["app/core"])
    few, many = (mutants.sampled(core, size, 13) for size in (20, 40))
    assert few == many[:20]
    assert set(few) >= set(mutants.sampled(mutants.faults(), 20, 13)) & set(core)
