"""Every algorithm module has the same shape, and says where its rules come from."""

import inspect
import re
from types import ModuleType

import pytest

from app.algorithms.registry import ALGORITHMS, DERIVED, FACTS, HANDLERS, MODULES, algorithm
from app.algorithms.shared import defaults
from app.core.model.algorithm import Algorithm
from app.core.model.notes import Rule
from app.core.model.system import DISCIPLINES
from app.core.model.values import BluecutError
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.each import each

EACH = pytest.mark.parametrize("module", MODULES.values(), ids=MODULES)


def test_the_order_is_that_of_the_protocol() -> None:
    assert tuple(name for name, value in vars(Algorithm).items() if name[0] != "_" and callable(value)) == HANDLERS
    assert tuple(Algorithm.__annotations__) == (*FACTS, *DERIVED)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_has_every_function_with_the_arguments_of_the_protocol(name: str) -> None:
    for handler in HANDLERS:
        wanted = list(inspect.signature(getattr(Algorithm, handler)).parameters)[1:]
        assert list(inspect.signature(getattr(algorithm(name), handler)).parameters) == wanted, handler


@EACH
def test_a_module_gives_only_what_it_does_otherwise_than_its_base(module: ModuleType) -> None:
    base = getattr(module, "BASE", defaults)
    for name in FACTS:
        if name in vars(module) and hasattr(base, name):
            assert getattr(module, name) != getattr(base, name), name
    for name in HANDLERS:
        mine = vars(module).get(name)
        if mine is not None:
            assert mine is not getattr(base, name, None), name
            assert mine.__module__ == module.__name__ or mine is getattr(defaults, name), name


@EACH
def test_the_functions_of_a_module_stand_in_the_order_of_the_protocol(module: ModuleType) -> None:
    source = inspect.getsource(module)
    written = [name for name in HANDLERS if f"\ndef {name}(" in source]
    assert written == sorted(written, key=lambda name: source.index(f"\ndef {name}("))


@EACH
def test_a_module_names_its_notes_and_ends_with_its_references(module: ModuleType) -> None:
    text = module.__doc__ or ""
    assert "\nNotes: " in text
    assert "References\n----------\n" in text
    assert re.search(r"\b(19|20)\d\d\b", text.split("References")[1])


@pytest.mark.parametrize("name", ALGORITHMS)
def test_what_an_algorithm_requires_is_something_that_there_is(name: str) -> None:
    module = algorithm(name)
    assert module.REQUIRES in DISCIPLINES
    assert module.GRAPH in ("any", "strong", "both-ways", "complete", "rooted")
    assert module.COST
    lines = [line for line, _ in module.PSEUDOCODE]
    assert len(lines) == len(set(lines))
    assert module.WRONG is None or module.WRONG in lines


@each("name", LIBRARY.names())
def test_every_line_that_a_run_of_the_library_executes_is_in_the_pseudocode(name: str) -> None:
    run = record(LIBRARY.scenario(name))
    known = {line for line, _ in run.system.algorithm.PSEUDOCODE}
    said = [note for step in run.steps for note in step.notes if isinstance(note, Rule)]
    assert {line for note in said for line in note.lines} <= known


def test_the_right_one_comes_first() -> None:
    assert next(iter(ALGORITHMS)) == "chandy-lamport"
    assert ALGORITHMS["chandy-lamport"].WRONG is None
    assert all(name == module.NAME for name, module in ALGORITHMS.items())


def test_a_name_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(BluecutError, match="unknown algorithm 'paxos'; one of chandy-lamport, "):
        algorithm("paxos")


@EACH
def test_no_correct_algorithm_builds_on_a_broken_one(module: ModuleType) -> None:
    if algorithm(module.NAME).WRONG is not None:
        return
    broken = {one.__name__ for name, one in MODULES.items() if algorithm(name).WRONG is not None}
    for value in vars(module).values():
        assert getattr(value, "__module__", getattr(value, "__name__", "")) not in broken
