"""What an expression can ask a run, and the answers."""

from typing import Any

import pytest

from app.core.model.values import BluecutError
from app.course.expression import Unanswerable, valued
from app.course.run_facts import Facts, names, ran


def asked(text: str, name: str, query: str = "", **more: Any) -> Any:
    """Return the value of an expression in a run of the library."""
    return valued(text, names(Facts(ran(name, query))) | more)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("queue", "snapshot(1).messages('k->j')|map(attribute='payload')|list", [1, 2, 3]),
        ("queue", "live('j')", 66),
        ("queue", "snapshot(1).processes['j']", 0),
        ("queue", "snapshot(1).open(0)", []),
        ("photographs-none", "snapshot(1).total", 0),
        ("photographs-two", "snapshot(1).total", 2),
        ("photographs-two", "total()", 1),
        ("state-that-never-was", "same_as(1)", []),
        ("state-that-never-was", "before(1)", ["q.1"]),
        ("state-that-never-was", "after(1)", ["p.1", "p.2", "q.2"]),
        ("state-that-never-was", "passes(reordered(1), 1)", True),
        ("state-that-never-was", "passes(after(1) + before(1), 1)", False),
        ("state-that-never-was", "passes(['p.1'], 1)", False),
        ("state-that-never-was", "(consistent_cuts(), cuts())", (7, 9)),
        ("token-late", "outcomes()|length", 3),
        ("token-late", "possible({'processes': {'p': 0, 'q': 0}, 'channels': {'q->p': ['T']}})", True),
        ("token-late", "possible({'processes': {'p': 0, 'q': 0}, 'channels': {}})", False),
        ("late-marker", "wrong in lines", True),
        ("three-banks", "under('algorithm=lai-yang').snapshot(1).markers", 0),
        ("three-banks", "run('queue').live('j')", 66),
        ("state-that-never-was", "events()", ["p.1", "q.1", "p.2", "q.2"]),
        ("state-that-never-was", "cut", {"p": 1, "q": 1}),
        ("which-cut", "fates(1)", ["state", "state", "channel", "channel", "future"]),
        ("non-fifo-doubled", "fates(1)", ["state", "orphan"]),
        ("non-fifo-doubled", "fate(sent('P->Q')[1], 1)", "orphan"),
        ("no-token", "(moves(0), sent()|length)", (0, 0)),
        ("token-late", "moves(0)", 1),
        ("node-as-written", "(controls(0), controls(1), controls(3))", (0, 2, 6)),
        ("slow-task", "followed('take-copy')", [21]),
        ("blue-figure", "notes(1)", ["started", "recorded", "sent", "opened"]),
        ("barriers-wait", "(notes(17), notes(18))", (["down"], ["restored"])),
        ("few-keys-change", "(files().full['keys'], files().incremental['keys'])", (12, 6)),
        ("token-late", "outcomes(2)|length", 2),
        ("token-late", "possible({'processes': {'p': 1, 'q': 0}}, 2)", False),
        ("token-late", "possible({'processes': {'p': 0, 'q': 1}}, 2)", True),
        ("token-late", "recordable({'a': {'processes': {'p': 1, 'q': 0}}}, 2)", []),
        ("token-late", "recordable({'a': {'processes': {'p': 1, 'q': 0}}})", ["a"]),
        ("stop-the-world", "cost().stopped", 4),
        ("barriers-wait", "cost().blocked", 4),
        ("commit-after-prepare", "ledger(8).records|map(attribute='times')|list", [0, 0, 0]),
        ("commit-after-prepare", "ledger().records|map(attribute='times')|list", [1, 1, 1]),
        ("loop-waits-for-itself", "snapshot(1).stuck", ["H", "T"]),
        ("loop-logged", "snapshot(1).stuck", []),
        ("blue-figure", "overhead(24, 3, 160) < overhead(4, 3, 160)", True),
        ("three-banks", "next_recorder(snapshot(1).started)", "N1"),
    ],
)
def test_the_run_says_it(name: str, text: str, value: Any) -> None:
    assert asked(text, name, cut={"p": 1, "q": 1}) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("snapshot(1", "'snapshot(1' is not an expression"),
        ("nobody", "'nobody' has no value in this run: nothing is called 'nobody'; known here: after, before"),
        ("totl()", "nothing is called 'totl'; did you mean total?"),
        ("snapshot(1).color", "a snapshot has no color; it has aborted, absent"),
        ("snapshot(1).totl", "a snapshot has no totl; did you mean total? It has aborted, absent"),
        ("under('').stepz", "a run has no stepz; did you mean steps? It has after"),
        ("cost().pausd", "the cost of a run has no pausd; did you mean paused?"),
        ("snapshot(1).processes.x", "a mapping of 3 has no x; it has i, j, k"),
        ("sent()|map(attribute='payloadd')", "a message has no payloadd; did you mean payload? It has id, payload"),
        ("sent('k->j')[9]", "a list of 6 has no item 9, counted from 0"),
        ("total().x", "66 has no x"),
        ("[]|first", "the list it looks into is empty"),
        ("[nobody]", "nothing is called 'nobody'"),
        ("total()|lenght", "is not an expression: nothing is called 'lenght'; did you mean length?"),
        ("steps is evn", "is not an expression: nothing is called 'evn'; did you mean even?"),
        ("live()", "'live()' has no value in this run: write it as live(name, step)"),
        ("live", "'live' has no value in this run: write it as live(name, step)"),
        ("snapshot(1).messages()", "write it as messages(channel)"),
        ("1 + 'a'", "its parts have types that do not go together"),
        ("snapshot(1) + 1", "its parts have types that do not go together"),
        ("1 / 0", "it divides by 0"),
        ("live('j', 99)", "this run has steps 0 to 16, not 99"),
        ("notes(0)", "this run has steps 1 to 16, not 0"),
        ("files()", "this run writes no checkpoint"),
        ("sent('k->q')", "no channel is called 'k->q'; known here: i->j, i->k, k->j"),
        ("queue('k->q')", "no channel is called 'k->q'"),
        ("happened('k->j', 99)", "on k->j 6 messages are received"),
        ("snapshot(7)", "this run has no snapshot 7; it has 1"),
        ("live('z')", "no process is called 'z'; known here: i, j, k"),
        ("ledger()", "only the run of a dataflow has a ledger"),
        ("followed('take-copy')", "the rule has no line 'take-copy'; it has on-start, start-record"),
        ("next_recorder(steps)", "nobody records after step"),
        ("live.__globals__", "has no value in this run: __globals__ cannot be asked"),
        ("snapshot(1)._run", "has no value in this run: _run cannot be asked"),
        ("run('nowhere')", "nowhere"),
        ("under('algorithm=nothing')", "unknown algorithm 'nothing'"),
    ],
)
def test_what_it_cannot_say_is_a_mistake_that_says_why(text: str, says: str) -> None:
    with pytest.raises(BluecutError) as caught:
        asked(text, "queue")
    assert says in str(caught.value)
    assert "app." not in str(caught.value) and " 0x" not in str(caught.value) and "object" not in str(caught.value)


def test_what_is_worked_out_bit_by_bit_is_a_list() -> None:
    assert asked("sent()|map(attribute='payload')", "queue") == [1, 2, 3, 10, 20, 30]
    assert asked("snapshot(1).processes.keys()|sort", "queue") == ["i", "j", "k"]
    assert asked("{'a': 1}.keys()", "queue") == ["a"]


def test_an_expression_changes_nothing() -> None:
    with pytest.raises(Unanswerable):
        asked("given.append(1)", "queue", given=[])
