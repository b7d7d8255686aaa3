"""Every algorithm module has the same shape, and says where its rules come from."""

import inspect
from types import ModuleType
from typing import cast

import pytest

from app.algorithms import chandy_lamport
from app.algorithms.registry import ALGORITHMS, algorithm
from app.core.algorithm import Algorithm
from app.core.model import BluecutError

ORDER = ("start", "on_initiate", "on_send", "on_receive", "on_wake", "accepts", "result")
FACTS = ("NAME", "REQUIRES", "LABELLED", "FLOODS", "MARKERS", "PSEUDOCODE", "WRONG")
EACH = pytest.mark.parametrize("module", ALGORITHMS.values(), ids=ALGORITHMS)


def test_the_order_is_that_of_the_protocol() -> None:
    assert tuple(name for name, value in vars(Algorithm).items() if name[0] != "_" and callable(value)) == ORDER
    assert tuple(name for name in Algorithm.__annotations__) == FACTS


@EACH
def test_a_module_has_every_fact_and_every_function_with_the_arguments_of_the_protocol(module: Algorithm) -> None:
    assert [name for name in FACTS if not hasattr(module, name)] == []
    for name in ORDER:
        wanted = list(inspect.signature(getattr(Algorithm, name)).parameters)[1:]
        assert list(inspect.signature(getattr(module, name)).parameters) == wanted, name


@EACH
def test_the_functions_of_a_module_stand_in_the_order_of_the_protocol(module: Algorithm) -> None:
    source = inspect.getsource(cast(ModuleType, module))
    written = [name for name in ORDER if f"\ndef {name}(" in source]
    assert written == sorted(written, key=lambda name: source.index(f"\ndef {name}("))


@EACH
def test_a_module_names_its_notes_and_ends_with_its_references(module: Algorithm) -> None:
    text = cast(ModuleType, module).__doc__ or ""
    assert "\nNotes: " in text
    assert "References\n----------\n" in text
    assert "1985" in text.split("References")[1]


@EACH
def test_what_a_module_requires_is_an_order_that_there_is(module: Algorithm) -> None:
    assert module.REQUIRES in ("fifo", "causal", "any")


def test_the_right_one_comes_first_and_names_no_mistake() -> None:
    assert next(iter(ALGORITHMS.values())) is cast(Algorithm, chandy_lamport)
    assert [name for name, module in ALGORITHMS.items() if module.WRONG is None] == ["chandy-lamport"]
    assert all(name == module.NAME for name, module in ALGORITHMS.items())


def test_a_name_that_there_is_not_is_answered_with_those_that_there_are() -> None:
    with pytest.raises(BluecutError, match="unknown algorithm 'paxos'; one of chandy-lamport, photographs"):
        algorithm("paxos")
