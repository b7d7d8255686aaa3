"""The log for ShiViz: what its parser reads, and clocks that it accepts."""

import json
import re
from typing import Any

from app.core.model.values import Restore
from app.core.oracle.history import RECEIVE
from app.formats.shiviz import PARSER, log
from app.run.run import Run, Step, record
from app.scenario.library import LIBRARY
from tests.each import each
from tests.tiny import run

Read = list[tuple[str, dict[str, int], str]]


def parsed(text: str) -> Read:
    """The events as ShiViz reads them: the file's first line is the expression, its second the (empty) delimiter."""
    parser, delimiter, rest = text.split("\n", 2)
    assert delimiter == ""
    python = re.compile(parser.replace("(?<", "(?P<"))
    return [(m["host"], json.loads(m["clock"]), m["event"]) for m in python.finditer(rest)]


def logged(name: str) -> tuple[Run, Read]:
    """Return a run of the library, and its log as it is read back."""
    made = record(LIBRARY.scenario(name))
    return made, parsed(log(made))


def test_the_single_token_s_log_is_this_text() -> None:
    made = record(LIBRARY.scenario("token-back"))
    assert log(made).split("\n")[:11] == [
        r"(?<host>\S*) (?<clock>{.*}) (?<program>{.*}) (?<cut>{.*})\n(?<event>.*)",
        "",
        'p {"p": 1} {"p": 1} {}',
        "sends T on p->q; state 0",
        'p {"p": 2} {"p": 2} {"1": 1}',
        "starts a snapshot; records 0 for snapshot 1; sends marker 1 on p->q",
        'q {"p": 1, "q": 1} {"p": 1, "q": 1} {}',
        "receives T from p->q; state 1",
        'q {"p": 1, "q": 2} {"p": 1, "q": 2} {}',
        "sends T on q->p; state 0",
        'q {"p": 2, "q": 3} {"p": 1, "q": 3} {"1": 2}',
    ]


def acting(run: Run, step: Step) -> tuple[str, ...]:
    """Return the acting processes: none if the network acts, all if the system rolls back."""
    if isinstance(step.action, Restore):
        return run.system.topology.names
    actor = run.system.actor(step.action)
    return () if actor is None else (actor,)


@each("name", LIBRARY.names())
def test_every_step_is_one_event_of_the_process_that_acted(name: str) -> None:
    made, events = logged(name)
    assert [host for host, _, _ in events] == [host for step in made.steps for host in acting(made, step)]
    assert all(event for _, _, event in events)


@each("name", LIBRARY.names())
def test_a_process_s_own_entry_counts_its_events_from_1(name: str) -> None:
    _, events = logged(name)
    for host in {host for host, _, _ in events}:
        own = [clock[host] for who, clock, _ in events if who == host]
        assert own == list(range(1, len(own) + 1))


@each("name", LIBRARY.names())
def test_clocks_are_exactly_what_happened_before(name: str) -> None:
    """Compare them with reachability in the graph of "next of the same process" and "sent, then received"."""
    made, events = logged(name)
    past: list[set[int]] = []
    latest: dict[str, int] = {}
    sender: dict[int, int] = {}
    place = -1
    for step in made.steps:
        for note in step.notes:
            if note.key == "doubled":
                sender[note.copy.id] = sender[note.message.id]  # type: ignore[attr-defined]
        for host in acting(made, step):
            place += 1
            assert events[place][0] == host
            before = {latest[host]} if host in latest else set()
            for note in step.notes:
                if note.key == "received":
                    before.add(sender[note.message.id])  # type: ignore[attr-defined]
            past.append({place}.union(*(past[b] for b in before)))
            latest[host] = place
            for note in step.notes:
                if note.key == "sent" and note.process == host:  # type: ignore[attr-defined]
                    sender[note.message.id] = place  # type: ignore[attr-defined]
            known: dict[str, int] = {}
            for other in past[place]:
                known[events[other][0]] = known.get(events[other][0], 0) + 1
            assert events[place][1] == known


def test_a_snapshot_that_nobody_can_judge_has_no_cut() -> None:
    made = record(LIBRARY.scenario("newer-takes-over"))
    assert [verdict.checks["consistent"] for verdict in made.verdicts.values()] == [None, True]
    cuts = re.findall(r'({"[12]": [^}]*})\n', log(made))
    assert cuts == ['{"1": null}', '{"1": null}', '{"2": 1}', '{"2": 3}', '{"2": 1}', '{"2": 5}']


def test_who_takes_no_part_has_a_cut_all_the_same() -> None:
    gone = log(record(LIBRARY.scenario("leave-in-order")))
    assert re.findall(r'^Q .*({"1": .*})$', gone, re.MULTILINE) == ['{"1": 2, "2": 2}']
    newcomer = log(record(LIBRARY.scenario("born-after")))
    assert re.findall(r'^N .*({"1": .*})$', newcomer, re.MULTILINE) == ['{"1": 0}']


def test_a_snapshot_with_a_message_that_was_taken_back_is_left_to_others() -> None:
    made = record(LIBRARY.scenario("token-back"))
    first = next(event for event in made.history.events if event.kind == RECEIVE and event.message)
    assert first.message is not None and "null" not in log(made)
    made.history.undone = {first.message.identity}
    assert "null" in log(made)


def test_words_of_the_scenario_cannot_break_a_line() -> None:
    text = r"""
        topology: {processes: [P, Q], channels: [P->Q]}
        program: {kind: scripted}
        script:
          - send: {on: P->Q, message: "a\nQ {\"Q\": 9}\nb\u2028c"}
    """
    made = run(text)
    events: Any = parsed(log(made))
    assert [host for host, _, _ in events] == ["P", "Q"]
    assert events[0][2].startswith('sends a Q {"Q": 9} b c on P->Q')
    assert log(made).split("\n", 1)[0] == PARSER
