"""The faults that are planted to try the tests."""

import ast
import random
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
    assert mutants.faulty(right, fault.place) == wrong


def test_docstrings_types_messages_and_pseudocode_stay(tmp_path: Path) -> None:
    (tmp_path / "one.py").write_text(
        '"""1 < 2"""\nPSEUDOCODE = (("a", 1),)\ndef f(a: int | None) -> int | str: f"{1 + 1}"\n'
    )
    assert mutants.faults(["."], tmp_path) == []


def test_faults_are_planted_in_the_chosen_files_alone(tmp_path: Path) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("a < b")
    assert [fault.file for fault in mutants.faults(["two.py"], tmp_path)] == ["two.py"]
    with pytest.raises(SystemExit, match=r"there is no three\.py"):
        mutants.faults(["three.py"], tmp_path)


def test_every_fault_changes_its_module_and_only_there() -> None:
    for fault in random.Random(2).sample(mutants.faults(), 40):
        source = (mutants.ROOT / fault.file).read_text("utf-8")
        before = ast.unparse(ast.parse(source)).splitlines()
        after = mutants.faulty(source, fault.place).splitlines()
        assert len(before) == len(after)
        assert sum(a != b for a, b in zip(before, after, strict=True)) == 1, str(fault)


def test_a_stopped_run_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[mutants.Fault] = []

    def outcome(project: Path, fault: mutants.Fault, *_: object) -> str:
        tried.append(fault)
        return "survived" if len(tried) == 1 else "killed"

    monkeypatch.setattr(mutants, "copy", lambda folder: folder)
    monkeypatch.setattr(mutants, "passes", lambda *_: True)
    monkeypatch.setattr(mutants, "outcome", outcome)
    words = ["--seed", "7", "--report", str(tmp_path / "report")]
    assert mutants.main([*words, "--sample", "3", "--least", "60"]) == 0
    assert mutants.main([*words, "--sample", "3", "--least", "70"]) == 1
    assert len(tried) == 3
    mutants.main([*words, "--sample", "3", "tests/core"])
    assert len(tried) == 6  # other tests may find others


@pytest.mark.parametrize(
    ("test", "seconds", "found"),
    [
        ("def test(): pass", 60, True),
        ("def test(): assert 0", 60, False),
        ("def test():\n    while True: pass", 2, None),
    ],
)
def test_an_endless_loop_is_told_from_a_failure(tmp_path: Path, test: str, seconds: int, found: bool | None) -> None:
    (tmp_path / "test_it.py").write_text(test)
    assert mutants.passes(tmp_path, ["test_it.py"], seconds) is found


def test_the_nearest_tests_run_first() -> None:
    first, *others = mutants.TESTS
    near = ["tests/core/oracle/test_lattice.py", "tests/core/oracle", "tests/core"]
    assert mutants.parts(mutants.TESTS, "app/core/oracle/lattice.py") == ([first], near, others)
    assert mutants.parts(mutants.TESTS, "app/algorithms/broken/no_log.py") == ([first], ["tests/algorithms"], others)
    assert mutants.parts(["tests/run"], "app/core/oracle/lattice.py") == (["tests/run"], [], [])


def test_tests_run_in_the_order_of_the_command(tmp_path: Path) -> None:
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_a.py").write_text("from pathlib import Path\ndef test(): assert Path('b').exists()")
    (tmp_path / "tests" / "test_b.py").write_text("from pathlib import Path\ndef test(): Path('b').touch()")
    assert mutants.passes(tmp_path, ["tests/test_b.py", "tests"]) is True


def test_what_is_planted_in_a_file_does_not_depend_on_other_files() -> None:
    core = mutants.faults(["app/core"])
    few, many = (mutants.sampled(core, size, 13) for size in (20, 40))
    assert few == many[:20]
    assert set(few) >= set(mutants.sampled(mutants.faults(), 20, 13)) & set(core)
