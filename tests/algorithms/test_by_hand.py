"""By hand: every verb is a step, facts cannot be faked, and the oracle judges the moments."""

from collections.abc import Callable

import pytest
from immutables import Map
from msgspec.structs import replace

from app.algorithms.registry import ALGORITHMS, algorithm
from app.algorithms.shared import verbs
from app.algorithms.shared.verbs import STEPS, VERBS
from app.core.kernel.enabled import enabled
from app.core.kernel.step import step
from app.core.model.notes import Opened, Recorded
from app.core.model.values import APP, Action, Deliver, Message, Move, Process, Refused, Start, Todo, Wake
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey

P = Process("p", ("a->p", "b->p"), ("p->a",))


def verb(process: str, name: str, channel: str = "") -> Wake:
    return Wake(process, Todo(STEPS[name], (1,), channel))


def by_hand(*wanted: Action) -> Run:
    """Return the run of ``token-first`` in which just these actions happen."""
    scenario, key = LIBRARY.scenario("token-first"), RunKey(algorithm="by-hand", manual=True)
    system = scenario.system(key)
    world, choices = system.begin(), list[tuple[int, int]]()
    for number, action in enumerate(wanted):
        choices.append((number, enabled(system, world).index(action)))
        world, _ = step(system, world, action)
    return record(scenario, replace(key, choices=tuple(choices)))


SEND = Move("p", "p->q", "T")
RIGHT = (
    SEND,
    Start("p"),
    verb("p", "record"),
    verb("p", "send_marker", "p->q"),
    Deliver("p->q"),
    Deliver("p->q"),
    verb("q", "record"),
    verb("q", "send_marker", "q->p"),
    verb("q", "close", "p->q"),
    verb("q", "done"),
    Deliver("q->p"),
    verb("p", "close", "q->p"),
    verb("p", "done"),
)


def test_it_is_found_by_its_name_and_listed_nowhere() -> None:
    assert algorithm("by-hand").NAME == "by-hand"
    assert "by-hand" not in ALGORITHMS


def test_whoever_follows_the_rule_by_hand_is_right() -> None:
    run = by_hand(*RIGHT)
    assert len(run.steps) == len(RIGHT)
    assert run.history.recordings[1].completed == len(RIGHT)
    assert not run.verdicts[1].broken
    assert run.verdicts[1].checks["consistent"]


def test_a_process_records_because_of_the_marker_that_has_come() -> None:
    recorded = [note for step in by_hand(*RIGHT).steps for note in step.notes if isinstance(note, Recorded)]
    assert {note.process: note.channel for note in recorded} == {"p": None, "q": "p->q"}


def test_a_message_between_recording_and_the_marker_is_an_orphan() -> None:
    run = by_hand(Start("p"), verb("p", "record"), SEND, *RIGHT[3:])
    assert run.verdicts[1].checks["consistent"] is False


def test_what_came_last_can_be_logged_once_for_each_snapshot() -> None:
    run = by_hand(
        Start("q"),
        verb("q", "record"),
        SEND,
        Deliver("p->q"),
        verb("q", "log", "p->q"),
        verb("q", "close", "p->q"),
    )
    world, system = run.end, run.system
    part = system.algorithm.result(system.topology.processes["q"], world.memories["q"], 1)
    assert part and [[m.payload for m in messages] for _, messages in part.channels] == [["T"]]
    assert verb("q", "log", "p->q") not in enabled(system, run.world(5))


def test_nothing_is_offered_without_a_snapshot_nor_after_its_end() -> None:
    run = by_hand(*RIGHT)
    for world in (run.begin, run.end):
        assert not [one for one in enabled(run.system, world) if isinstance(one, Wake)]


def test_a_verb_that_is_not_offered_is_refused() -> None:
    run = by_hand(Start("p"))
    with pytest.raises(Refused):
        step(run.system, run.end, verb("p", "done"))


def test_who_records_opens_the_inputs_that_are_not_closed_already() -> None:
    closed = Map({1: replace(verbs.EMPTY, closed=("b->p",))})
    _, effects = verbs.record(P, closed, 1, "state", None)
    assert effects == (Recorded(1, "p", "state", None), Opened(1, "a->p"))


def test_each_verb_is_refused_where_it_makes_no_sense() -> None:
    message = Message(0, APP, "T")
    ledger, _ = verbs.record(P, Map(), 1, "state", None)
    closed, _ = verbs.close(P, ledger, 1, "a->p")
    whole, _ = verbs.close(P, closed, 1, "b->p")
    finished, _ = verbs.done(P, whole, 1)
    refused: list[Callable[[], object]] = [
        lambda: verbs.record(P, ledger, 1, "state", None),
        lambda: verbs.send_marker(P, ledger, 1, "a->p"),
        lambda: verbs.log(P, closed, 1, "a->p", message),
        lambda: verbs.log(P, ledger, 1, "p->a", message),
        lambda: verbs.close(P, closed, 1, "a->p"),
        lambda: verbs.done(P, Map(), 1),
        lambda: verbs.done(P, closed, 1),
        lambda: verbs.done(P, finished, 1),
    ]
    for each in refused:
        with pytest.raises(Refused):
            each()
    assert len(VERBS) == len(STEPS) == 5


def test_the_order_in_which_inputs_are_closed_does_not_count() -> None:
    ledger, _ = verbs.record(P, Map(), 1, "state", None)
    one, _ = verbs.close(P, verbs.close(P, ledger, 1, "a->p")[0], 1, "b->p")
    other, _ = verbs.close(P, verbs.close(P, ledger, 1, "b->p")[0], 1, "a->p")
    assert one == other


def test_a_part_says_which_channels_are_still_open() -> None:
    ledger, _ = verbs.record(P, Map(), 1, "state", None)
    ledger, _ = verbs.close(P, ledger, 1, "a->p")
    part = verbs.part(P, ledger, 1)
    assert part is not None and part.open == ("b->p",) and not part.done
    ledger, _ = verbs.close(P, ledger, 1, "b->p")
    part = verbs.part(P, ledger, 1)
    assert part is not None and part.open == () and part.done
    assert verbs.part(P, ledger, 2) is None
