"""What algorithms promise about the result of a dataflow, and that a weaker promise is weaker for a reason."""

from collections.abc import Iterator
from typing import Any

import pytest

from app.algorithms.registry import ALGORITHMS
from app.analysis.ledger import Ledger, ledger
from app.analysis.promise import AT_LEAST, AT_MOST, COVERED, EXACTLY, GUARANTEES, WRONG, Promise, promise, weakest
from app.core.model.values import BluecutError
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import made

FLOW: dict[str, Any] = {
    "JM": {"coordinator": True},
    "s": {"source": [1, 2]},
    "map": {"map": {"times": 2}},
    "out": {"sink": "plain"},
}
TOTAL = FLOW | {"map": {"sum": "all"}}
SIFTED = FLOW | {"map": {"sum": "all", "filter": {"below": 9}}}


def promised(algorithm: str, sink: str, operators: dict[str, Any] = FLOW, *script: Any, **more: Any) -> Promise:
    """Return what is promised of a source, an operator and a sink."""
    form = {"sink": "transactional", "timeout": 2} if sink == "timeout" else {"sink": sink}
    values = {
        "topology": {"processes": list(operators), "channels": ["JM->s", "s->map", "map->out"]},
        "program": {"kind": "dataflow", "operators": operators | {"out": form}},
        "algorithm": algorithm,
        "script": list(script),
    }
    return promise(record(made(values | more), RunKey()))


@pytest.mark.parametrize(
    ("algorithm", "sink", "state", "output"),
    [
        ("aligned", "plain", EXACTLY, AT_LEAST),
        ("aligned", "idempotent", EXACTLY, EXACTLY),
        ("aligned", "transactional", EXACTLY, EXACTLY),
        ("aligned", "timeout", EXACTLY, AT_MOST),
        ("aligned", "batch", EXACTLY, AT_LEAST),
        ("micro-batch", "plain", EXACTLY, AT_LEAST),
        ("micro-batch", "batch", EXACTLY, EXACTLY),
        ("real-time", "batch", EXACTLY, AT_LEAST),
        ("continuous", "idempotent", EXACTLY, EXACTLY),
        ("at-least-once", "idempotent", AT_LEAST, AT_LEAST),
        ("at-least-once", "timeout", AT_LEAST, None),
        ("at-most-once", "plain", AT_MOST, AT_MOST),
        ("millwheel", "plain", EXACTLY, AT_LEAST),
        ("millwheel", "idempotent", EXACTLY, EXACTLY),
        ("millwheel", "transactional", EXACTLY, AT_MOST),
        ("weak-productions", "idempotent", EXACTLY, EXACTLY),
        ("no-log", "plain", None, None),
        ("late-marker", "idempotent", None, None),
        ("lai-yang", "idempotent", None, None),
    ],
)
def test_the_output_is_promised_no_more_than_state_and_sink_allow(
    algorithm: str, sink: str, state: str | None, output: str | None
) -> None:
    assert promised(algorithm, sink) == Promise(state, output)


def test_weak_productions_promise_values_only_where_no_total_is_passed_on() -> None:
    assert promised("weak-productions", "idempotent", TOTAL) == Promise(WRONG, WRONG)
    assert promised("weak-productions", "plain", TOTAL) == Promise(WRONG, AT_LEAST)
    assert promised("weak-productions", "idempotent", SIFTED) == Promise(None, None)
    silent = FLOW | {"map": {"sum": "all", "emit": "record"}}
    assert promised("weak-productions", "idempotent", silent) == Promise(EXACTLY, EXACTLY)


def test_where_a_filter_looks_at_totals_a_promise_about_how_often_is_none() -> None:
    assert (
        promised("at-least-once", "plain", SIFTED) == promised("at-most-once", "plain", SIFTED) == Promise(None, None)
    )
    assert promised("aligned", "idempotent", SIFTED) == Promise(EXACTLY, AT_LEAST)
    assert promised("aligned", "transactional", SIFTED) == Promise(EXACTLY, EXACTLY)


def test_nothing_is_promised_where_channels_are_not_as_required() -> None:
    read = {"read": "s"}
    assert promised("aligned", "plain", FLOW, discipline="any") == Promise(None, None)
    assert promised("millwheel", "idempotent", FLOW, discipline="any") == Promise(EXACTLY, EXACTLY)
    for harm in ({"drop": "s->map"}, {"duplicate": "s->map"}):
        assert promised("aligned", "plain", FLOW, read, harm) == Promise(None, None)
        assert promised("millwheel", "idempotent", FLOW, read, harm) == Promise(EXACTLY, EXACTLY)
    barrier = promised("aligned", "plain", FLOW, {"start": "JM"}, {"drop": "JM->s"})
    assert barrier == Promise(EXACTLY, AT_LEAST), "a checkpoint that does not complete does no harm"
    assert promised("aligned", "plain", FLOW, recovery=False) == Promise(None, None)


def test_nothing_is_promised_of_a_return_behind_the_latest_checkpoint() -> None:
    along = [{"start": "JM"}, *({"deliver": c} for c in ("JM->s", "s->map", "map->out"))]
    checkpoint = [*along, *({"wake": name} for name in ("s", "map", "out"))]
    fall = {"crash": "map"}
    assert promised("aligned", "plain", FLOW, *checkpoint, fall, {"restore": 1}) == Promise(EXACTLY, AT_LEAST)
    assert promised("aligned", "plain", FLOW, *checkpoint, fall, {"restore": 0}) == Promise(None, None)


def test_the_weakest_of_several_is_what_all_of_them_keep() -> None:
    assert weakest((EXACTLY, EXACTLY)) == EXACTLY and weakest((EXACTLY, WRONG)) == WRONG
    assert weakest((WRONG, AT_LEAST)) == AT_LEAST and weakest((AT_LEAST, AT_MOST)) is None
    assert weakest((EXACTLY, None)) is None


# --- against the library ------------------------------------------------------------------------------------------


def runs() -> Iterator[tuple[str, Run, Ledger]]:
    """Yield every dataflow of the library under every algorithm that runs there, with its ledger."""
    for scenario in LIBRARY.scenarios():
        if scenario.form.program.kind != "dataflow":
            continue
        for name in ALGORITHMS:
            try:
                run = record(scenario, RunKey(algorithm=name))
            except BluecutError:
                continue
            book = ledger(run)
            assert book is not None
            yield f"{scenario.name} {name}", run, book


@pytest.mark.slow
def test_no_run_of_the_library_is_worse_than_its_promise_and_each_weaker_promise_is_seen_to_be_weaker() -> None:
    seen: set[tuple[str, str | None, str | None]] = set()
    for which, _, book in runs():
        for part in ("state", "output"):
            shown, given = getattr(book, part), getattr(book.promise, part)
            assert shown is None or shown in COVERED[given], (which, part)
            seen.add((part, given, shown))
    for word in (WRONG, AT_LEAST, AT_MOST):
        assert ("state", word, word) in seen, word
    for word in (AT_LEAST, AT_MOST):
        assert ("output", word, word) in seen, word
    assert {given for _, given, _ in seen} == set(COVERED)


def test_every_word_that_a_run_can_show_is_covered_by_its_own_promise_and_no_promise_covers_less() -> None:
    for given, covered in COVERED.items():
        assert given is None or (given in covered and EXACTLY in covered)
        assert set(covered) <= set(GUARANTEES)
