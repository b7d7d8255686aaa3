"""How many planted faults the tests find: ``python -m tests.mutants --sample 40 --seed 1``.

One fault at a time is planted in the kernel, the algorithms and the oracle as they are in memory, and tests run until
one fails, the nearest first. Other files and tests: ``python -m tests.mutants tests/core/oracle --in app/core/oracle``.
A fault that no test finds is a survivor: either a test is missing, or the fault changes nothing that anybody can see.
Commands that a test starts are without the fault.

The seed determines the sample: what is planted in a file does not depend on other files, and a larger sample contains
the smaller ones. Results are appended to a file, so that a run that was stopped goes on where it was.

References
----------
DeMillo, Lipton, Sayward: Hints on Test Data Selection: Help for the Practicing Programmer, Computer 11(4), 1978.
"""

import argparse
import ast
import gc
import hashlib
import importlib.util
import json
import os
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

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

PYTEST = (
    "-n0", "-x", "-q", "-p", "no:cacheprovider", "--no-header", "--tb=no", "--hypothesis-profile=first"
)  # fmt: skip
PATIENCE = 60
"""Seconds of processor time that a single test may take: what takes longer never ends."""

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
INERT = ("strict", "repr")
"""Arguments that change no result: a guard against unequal lengths, and what a debugger prints."""


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
    if isinstance(tree, ast.keyword) and tree.arg in INERT:
        return
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


def faulty(source: str, place: int) -> ast.Module:
    """Return a module with the fault at a place."""
    tree = ast.parse(source)
    chosen = next(node for at, node in enumerate(nodes(tree)) if at == place)

    class Planter(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.copy_location(plant(node), node) if node is chosen else self.generic_visit(node)

    Planter().visit(tree)
    return ast.fix_missing_locations(tree)


def compiled(source: str, path: str, place: int) -> CodeType:
    """Compile a module with the fault at a place."""
    code: CodeType = compile(faulty(source, place), path, "exec", dont_inherit=True)
    return code


def sampled(everything: Sequence[Fault], size: int, seed: int) -> list[Fault]:
    """Return the faults that come first in an order that the seed determines."""

    def rank(fault: Fault) -> str:
        return hashlib.sha256(f"{seed} {fault.file} {fault.place} {fault.kind}".encode()).hexdigest()

    return sorted(everything, key=rank)[:size]


def near(file: str, tests: Sequence[str]) -> list[str]:
    """Return which of the tests mirror a file, the nearest first."""
    place = Path("tests", file.removeprefix("app/"))
    mirrors = (place.with_name(f"test_{place.name}"), *place.parents)
    return [each.as_posix() for each in mirrors if (ROOT / each).exists() and any(map(each.is_relative_to, tests))]


def swapped(fault: Fault) -> bool:
    """Plant a fault in the functions that are there. Return whether it is in one: else it is where a module begins."""
    path = str(ROOT / fault.file)
    codes = [compiled(Path(path).read_text("utf-8"), path, fault.place)]
    for code in codes:
        codes.extend(each for each in code.co_consts if isinstance(each, CodeType))
    names = [(code.co_qualname, code.co_firstlineno) for code in codes]
    new = {name: code for name, code in zip(names, codes, strict=True) if names.count(name) == 1}
    gc.unfreeze()
    there = [one for one in gc.get_objects() if isinstance(one, FunctionType) and one.__code__.co_filename == path]
    found = False
    for one in there:
        code = new.get((one.__code__.co_qualname, one.__code__.co_firstlineno), one.__code__)
        if code != one.__code__ and code.co_freevars == one.__code__.co_freevars:
            one.__code__ = code
            found = True
    return found


class Faulty(SourceFileLoader):
    """Imports a module with a fault, and every other module as it is."""

    def __init__(self, fault: Fault) -> None:
        name = fault.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        super().__init__(name, str(ROOT / fault.file))
        self.fault = fault

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Return how to import the module; None for others."""
        return importlib.util.spec_from_file_location(name, self.path, loader=self) if name == self.name else None

    def get_code(self, fullname: str) -> CodeType:
        """Compile the module with the fault."""
        return compiled(str(self.get_data(self.path), "utf-8"), self.path, self.fault.place)


def limit() -> None:
    """Let the process end if it takes too long from here on: on a busy machine no longer than on another."""
    used, (_, most) = resource.getrusage(resource.RUSAGE_SELF), resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (round(used.ru_utime + used.ru_stime) + PATIENCE, most))


@dataclass(eq=False)  # pytest keeps plugins in sets
class Nearest:
    """A plugin: the nearest tests run first, and none for ever."""

    file: str
    tests: Sequence[str]
    finder: str = ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        """Sort what has been collected."""
        order = [*self.tests[:1], *near(self.file, self.tests), *self.tests[1:]]
        items.sort(key=lambda item: next(at for at, part in enumerate(order) if item.nodeid.startswith(part)))

    def pytest_runtest_logstart(self) -> None:
        """Begin a test."""
        limit()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember the test that failed."""
        if report.failed:
            self.finder = report.nodeid


@dataclass
class Trial:
    """Tries faults against tests, and appends to the report what came out."""

    tests: Sequence[str]
    report: Path

    def tell(self, fault: Fault, outcome: str, finder: str = "") -> None:
        """Append an outcome."""
        told = {"fault": asdict(fault), "tests": list(self.tests), "outcome": outcome, "finder": finder}
        with self.report.open("a", encoding="utf-8") as file:
            print(json.dumps(told), file=file)

    def alone(self, fault: Fault) -> None:
        """Import everything with the fault, and run the tests."""
        sys.meta_path.insert(0, Faulty(fault))
        plugin = Nearest(fault.file, self.tests)
        code = pytest.main([*PYTEST, *self.tests], plugins=[plugin])
        self.tell(fault, "survived" if code == pytest.ExitCode.OK else "killed", plugin.finder)

    def many(self, faults: Sequence[Fault]) -> int:
        """Import everything once, and run the tests for each fault that can still be planted. Return pytest's code."""
        return pytest.main([*PYTEST, *self.tests], plugins=[Forks(self, faults)])


@dataclass(eq=False)
class Forks:
    """A plugin that runs the tests in a process of its own for each fault."""

    trial: Trial
    faults: Sequence[Fault]

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests for all faults."""
        for fault in self.faults:
            if ended(begun(partial(self.run, session, fault))) < 0:
                self.trial.tell(fault, "timed out")
        return True

    def run(self, session: pytest.Session, fault: Fault) -> None:
        """Run the tests with a fault until one fails; only that tells something.

        A fault that survives here may be where nothing runs again: in what classes are made of, or behind a cache.
        """
        if not swapped(fault):
            return
        plugin = Nearest(fault.file, self.trial.tests)
        session.config.pluginmanager.register(plugin)
        plugin.pytest_collection_modifyitems(session.items)
        for item, after in zip(session.items, [*session.items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=after)
            if plugin.finder:
                break
        if plugin.finder:
            self.trial.tell(fault, "killed", plugin.finder)


def begun(work: Callable[[], object]) -> int:
    """Begin some work in a process of its own, which prints nothing. Return its number."""
    if number := os.fork():
        return number
    code = 1
    try:
        limit()
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        code = int(bool(work()))
    finally:
        os._exit(code)


def ended(number: int) -> int:
    """Wait until a process has ended. Return its exit code, which is negative if a signal ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(number, 0)[1])


def known(report: Path, tests: Sequence[str]) -> dict[Fault, dict[str, Any]]:
    """Return the outcomes of earlier runs of the same tests."""
    lines = map(json.loads, report.read_text("utf-8").splitlines() if report.exists() else [])
    return {Fault(**told["fault"]): told for told in lines if told["tests"] == list(tests)}


def tried(sample: Sequence[Fault], tests: Sequence[str], report: Path, jobs: int) -> dict[Fault, dict[str, Any]]:
    """Try each fault that the report does not know yet. Raises SystemExit if tests that found some always fail."""
    trial, before = Trial(tests, report), known(report, tests)
    todo = [fault for fault in sample if fault not in before]
    workers = [begun(partial(trial.many, todo[job::jobs])) for job in range(jobs if todo else 0)]
    codes = [ended(number) for number in workers]
    if any(codes):
        raise SystemExit(f"the tests cannot begin; see why: pytest --collect-only {' '.join(tests)}")
    after = known(report, tests)
    for fault in [fault for fault in todo if fault not in after]:
        if ended(begun(partial(trial.alone, fault))) < 0:
            trial.tell(fault, "timed out")
    done = known(report, tests)
    finders = sorted({done[fault]["finder"] for fault in todo} - {""})
    if finders and ended(begun(partial(pytest.main, [*PYTEST, *finders]))):
        raise SystemExit(f"without any fault, one of these fails: {' '.join(finders)}")
    return done


def main(words: Sequence[str] | None = None) -> int:
    """Plant a sample of faults and count those found. Return 1 if the share found is less than demanded."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutants", description="Plant faults; count those found.")
    parser.add_argument("tests", nargs="*", default=TESTS, help="tests, first those that find most")
    parser.add_argument(
        "--in", nargs="+", default=CODE, dest="code", metavar="FILE", help="files or folders of the code"
    )
    parser.add_argument("--sample", type=int, default=40, help="how many faults")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1, help="how many at once")
    parser.add_argument("--least", type=int, default=0, help="the share, in percent, that must be found")
    parser.add_argument("--report", type=Path, default=Path("mutants.jsonl"), help="the file of outcomes, also earlier")
    given = parser.parse_args(words)
    everything = faults(given.code, ROOT)
    sample = sampled(everything, given.sample, given.seed)
    done = tried(sample, given.tests, given.report, given.jobs)
    survivors = [fault for fault in sample if done[fault]["outcome"] == "survived"]
    share = 100 * (len(sample) - len(survivors)) / len(sample)
    print(f"{len(sample)} of {len(everything)} faults planted, {share:.0f} % found; survivors:")
    for fault in survivors:
        print(f"  {fault}")
    return int(share < given.least)


if __name__ == "__main__":
    sys.exit(main())
