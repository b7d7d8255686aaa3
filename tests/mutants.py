"""How many planted faults the tests find: ``python -m tests.mutants --sample 40 --seed 1``.

One fault at a time is planted in a copy of the kernel, the algorithms and the oracle, and tests run until one fails.
Other files and tests: ``python -m tests.mutants tests/core/oracle --in app/core/oracle``.
A fault that no test finds is a survivor: either a test is missing, or the fault changes nothing that anybody can see.

The seed determines the sample: what is planted in a file does not depend on other files, and a larger sample contains
the smaller ones. Results are appended to a file, so that a run that was stopped goes on where it was.

References
----------
DeMillo, Lipton, Sayward: Hints on Test Data Selection: Help for the Practicing Programmer, Computer 11(4), 1978.
"""

import argparse
import ast
import hashlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from queue import SimpleQueue

import pytest

ROOT = Path(__file__).parents[1]
CODE = ("app/core", "app/algorithms")
TESTS = (
    "tests/run/test_behaviour.py",
    "tests/core",
    "tests/algorithms",
    "tests/oracles",
    "tests/run",
    "tests/schedules",
    "tests/scenario",
    "tests/analysis",
    "tests/properties",
)
"""The tests that run, in this order: first those that find most."""

LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "__pycache__", ".*_cache", "node_modules")
PYTEST = ("-m", "pytest", "-n0", "-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "-p", "tests.mutants")

SWAPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
UNREACHED = ("annotation", "returns", "decorator_list", "type_params", "bases")
"""Fields of the syntax tree that say what something is, not what happens."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault: the file and a digest of it, the line, the number of the place in the file, and what is done there."""

    file: str
    digest: str
    line: int
    place: int
    kind: str

    def __str__(self) -> str:
        return f"{self.file}:{self.line} {self.kind} (place {self.place})"


def nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what can be executed in a syntax tree, always in the same order."""
    if isinstance(tree, ast.Assign) and "PSEUDOCODE" in map(ast.unparse, tree.targets):
        return  # words and their indentation
    yield tree
    for name, value in ast.iter_fields(tree):
        if name not in UNREACHED:
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST) and not isinstance(child, ast.JoinedStr | ast.ImportFrom | ast.Import):
                    yield from nodes(child)


def kind(node: ast.AST) -> str | None:
    """Return which fault can be planted at a node, if any."""
    match node:
        case ast.Compare(ops=[op]) | ast.BoolOp(op=op) | ast.BinOp(op=op) if type(op) in SWAPS:
            return f"{type(op).__name__} becomes {SWAPS[type(op)].__name__}"
        case ast.If() | ast.IfExp() | ast.While() | ast.comprehension(ifs=[_]):
            return "the condition is negated"
        case ast.Constant(value=bool()):
            return "the truth value is the other one"
        case ast.Constant(value=int()):
            return "one more"
        case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Continue() | ast.Break():
            return "the statement is deleted"
    return None


def plant(node: ast.AST) -> ast.AST:
    """Return what takes the place of a node. The node may be changed itself."""
    match node:
        case ast.Compare():
            node.ops = [SWAPS[type(node.ops[0])]()]  # type: ignore[list-item]
        case ast.BoolOp() | ast.BinOp():
            node.op = SWAPS[type(node.op)]()  # type: ignore[assignment]
        case ast.If() | ast.IfExp() | ast.While():
            node.test = ast.UnaryOp(ast.Not(), node.test)
        case ast.comprehension():
            node.ifs = [ast.UnaryOp(ast.Not(), node.ifs[0])]
        case ast.Constant():
            node.value = not node.value if isinstance(node.value, bool) else int(str(node.value)) + 1
        case _:
            return ast.Pass()
    return node


def faults(folders: Sequence[str] = CODE, root: Path = ROOT) -> list[Fault]:
    """Return all faults that can be planted in folders or files. Raises SystemExit if one of them does not exist."""
    found = []
    for folder in folders:
        chosen = root / folder
        if not chosen.exists():
            raise SystemExit(f"there is no {folder}")
        for path in [chosen] if chosen.is_file() else sorted(chosen.rglob("*.py")):
            source = path.read_text("utf-8")
            digest = hashlib.sha256(source.encode()).hexdigest()[:12]
            for place, node in enumerate(nodes(ast.parse(source))):
                if (what := kind(node)) is not None:
                    line = getattr(node, "lineno", 0) or getattr(getattr(node, "target", None), "lineno", 0)
                    found.append(Fault(path.relative_to(root).as_posix(), digest, line, place, what))
    return found


def faulty(source: str, place: int) -> str:
    """Return a module with the fault at a place."""
    tree = ast.parse(source)
    chosen = next(node for at, node in enumerate(nodes(tree)) if at == place)

    class Planter(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return plant(node) if node is chosen else self.generic_visit(node)

    return ast.unparse(ast.fix_missing_locations(Planter().visit(tree)))


def sampled(everything: Sequence[Fault], size: int, seed: int) -> list[Fault]:
    """Return the faults that come first in an order that the seed determines."""

    def rank(fault: Fault) -> str:
        return hashlib.sha256(f"{seed} {fault.file} {fault.place} {fault.kind}".encode()).hexdigest()

    return sorted(everything, key=rank)[:size]


def parts(tests: Sequence[str], file: str) -> tuple[list[str], ...]:
    """Return which tests run together: the first alone, since most faults need no other; those that mirror the file,
    the nearest first; the others. None may be left in a part."""
    place = Path("tests", file.removeprefix("app/"))
    mirrors = (place.with_name(f"test_{place.name}"), *place.parents)
    near = [each.as_posix() for each in mirrors if (ROOT / each).exists() and any(map(each.is_relative_to, tests[1:]))]
    return list(tests[:1]), near, list(tests[1:])


def copy(folder: Path) -> Path:
    """Copy the project, so that the original stays as it is whatever happens."""
    return Path(shutil.copytree(ROOT, folder / "copy", ignore=LEFT_OUT))


def passes(project: Path, tests: Sequence[str], seconds: int | None = None) -> bool | None:
    """Run tests of a copy until one fails. Return whether all pass; None if that took too long.

    Seconds of processor time, so that a busy machine takes nothing for an endless loop.
    """
    limited = [] if seconds is None else ["sh", "-c", 'ulimit -t "$0" && exec "$@"', str(seconds)]
    command = [*limited, sys.executable, *PYTEST, *tests]
    variables = {**os.environ, "PYTHONPATH": f"{project}{os.pathsep}{ROOT}"}
    done = subprocess.run(command, cwd=project, env=variables, capture_output=True, check=False)
    return None if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL) else done.returncode == 0


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Let tests run in the order of the command, which pytest makes that of the alphabet."""
    given = config.invocation_params.args
    items.sort(key=lambda item: next(at for at, part in enumerate(given) if item.nodeid.startswith(str(part))))


def outcome(project: Path, fault: Fault, tests: Sequence[str], seconds: Sequence[int]) -> str:
    """Plant a fault in a copy, run the tests, and remove it again."""
    file = project / fault.file
    source = file.read_text("utf-8")
    file.write_text(faulty(source, fault.place), "utf-8")
    try:
        for part, limit in zip(parts(tests, fault.file), seconds, strict=True):
            if part and not (passed := passes(project, part, limit)):
                return "timed out" if passed is None else "killed"
        return "survived"
    finally:
        file.write_text(source, "utf-8")


def known(report: Path, tests: Sequence[str]) -> dict[Fault, str]:
    """Return the outcomes of earlier runs of the same tests."""
    lines = map(json.loads, report.read_text("utf-8").splitlines() if report.exists() else [])
    return {Fault(**told["fault"]): told["outcome"] for told in lines if told.get("tests") == list(tests)}


def _spent() -> float:
    """Return the seconds of processor time of all commands that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def tried(sample: Sequence[Fault], tests: Sequence[str], report: Path, jobs: int) -> dict[Fault, str]:
    """Return the outcome of each fault, and append it to the report. Raises SystemExit if the tests fail anyway."""
    with tempfile.TemporaryDirectory() as temporary:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            copies.put(copy(Path(temporary) / str(job)))
        begun, project, spent = _spent(), copies.get(), []
        for part in (tests[:1], tests[1:]):
            if part and not passes(project, part):
                raise SystemExit("without any fault, the tests fail")
            spent.append(_spent() - begun)
        patience = [round(20 + 2 * spent[part]) for part in (0, 1, 1)]
        copies.put(project)

        def attempt(fault: Fault) -> tuple[Fault, str]:
            mine = copies.get()
            try:
                return fault, outcome(mine, fault, tests, patience)
            finally:
                copies.put(mine)

        found = {}
        with ThreadPoolExecutor(jobs) as pool, report.open("a", encoding="utf-8") as file:
            for fault, result in pool.map(attempt, sample):
                found[fault] = result
                told = {"fault": asdict(fault), "tests": list(tests), "outcome": result}
                print(json.dumps(told), file=file, flush=True)
                print(f"{result:9} {fault}", flush=True)
        return found


def main(words: Sequence[str] | None = None) -> int:
    """Plant a sample of faults and count those found. Return 1 if the share found is less than demanded."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Plant faults; count those found.")
    parser.add_argument("tests", nargs="*", default=TESTS, help="tests, first those that find most")
    parser.add_argument(
        "--in", nargs="+", default=CODE, dest="code", metavar="FILE", help="files or folders of the code"
    )
    parser.add_argument("--sample", type=int, default=40, help="how many faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="how many at once, each in a copy of its own")
    parser.add_argument("--least", type=int, default=0, help="the share, in percent, that must be found")
    parser.add_argument("--report", type=Path, default=Path("mutants.jsonl"), help="the file of outcomes, also earlier")
    given = parser.parse_args(words)
    everything = faults(given.code)
    sample = sampled(everything, given.sample, given.seed)
    done = known(given.report, given.tests)
    todo = [fault for fault in sample if fault not in done]
    if todo:
        done |= tried(todo, given.tests, given.report, given.jobs)
    survivors = [fault for fault in sample if done[fault] == "survived"]
    share = 100 * (len(sample) - len(survivors)) / len(sample)
    print(f"{len(sample)} of {len(everything)} faults planted, {share:.0f} % found; survivors:")
    for fault in survivors:
        print(f"  {fault}")
    return int(share < given.least)


if __name__ == "__main__":
    sys.exit(main())
