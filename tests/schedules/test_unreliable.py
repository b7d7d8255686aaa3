"""Channels that lose and duplicate messages."""

from random import Random

from app.core.model.notes import Doubled, Lost
from app.core.model.values import Deliver, Drop, Duplicate
from app.run.run import record
from app.schedules.unreliable import RELIABLE, Unreliable
from tests.tiny import notes, scenario

ARRIVAL = Deliver("P->Q", 1)
BANK = """
    topology: {complete: 3}
    program: {kind: bank, everyone: 50}
    schedule: {kind: %s, seed: 4, moves: 200}
    steps: 3000
"""


def drawn(unreliable: Unreliable, times: int = 1_000) -> dict[type, int]:
    rng = Random(1)
    found = [type(unreliable.instead(rng, ARRIVAL)) for _ in range(times)]
    return {kind: found.count(kind) for kind in (Deliver, Drop, Duplicate)}


def test_a_reliable_channel_draws_no_lots() -> None:
    rng = Random(1)
    before = rng.getstate()
    assert RELIABLE.instead(rng, ARRIVAL) is ARRIVAL
    assert rng.getstate() == before


def test_as_many_are_lost_and_doubled_as_the_scenario_says() -> None:
    assert 250 < drawn(Unreliable(loss={"P->Q": 30}))[Drop] < 350
    assert 250 < drawn(Unreliable(duplication={"P->Q": 30}))[Duplicate] < 350
    assert drawn(Unreliable(loss={"Q->P": 90})) == {Deliver: 1_000, Drop: 0, Duplicate: 0}


def test_it_is_the_message_that_would_have_arrived() -> None:
    sure = Unreliable(loss={"P->Q": 100})
    assert sure.instead(Random(1), ARRIVAL) == Drop("P->Q", 1)


def test_a_run_loses_and_doubles_on_the_channels_named_and_on_no_others() -> None:
    for kind in ("seeded", "timed"):
        text = BANK % kind + "    loss: {P1->P2: 50}\n    duplication: {P2->P3: 50}\n"
        made = record(scenario(text))
        assert {note.channel for note in notes(made, "lost") if isinstance(note, Lost)} == {"P1->P2"}
        assert {note.channel for note in notes(made, "doubled") if isinstance(note, Doubled)} == {"P2->P3"}
        assert not made.end.queues


def test_what_the_network_does_is_no_fault_of_a_snapshot() -> None:
    text = BANK % "seeded" + "    loss: 20\n    duplication: 20\n    initiators: [{process: P1, at: 1000}]\n"
    made = record(scenario(text))  # nothing is in flight when the snapshot starts, so nothing of it can be lost
    assert made.history.vanished and made.history.twins
    assert all(not verdict.broken for verdict in made.verdicts.values())
