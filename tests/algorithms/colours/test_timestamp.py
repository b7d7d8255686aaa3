"""A backup as of a time: clocks that messages advance, versions, and what a restore brings back."""

from app.core.model.notes import Recorded, Rule
from app.run.explore import explore
from app.run.run import Run, record, summary
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.tiny import TOKEN, notes, run, scenario

CLOCKS = TOKEN + "    algorithm: timestamp\n"


def tokens(run: Run) -> int:
    """Return how many tokens the processes have recorded together, and the channels."""
    (told,) = summary(run)["snapshots"]
    return int(sum(told["processes"].values())) + sum(map(len, told["channels"].values()))


def lines(run: Run, step: int) -> tuple[str, ...]:
    """Return the lines of the rules that a step executes."""
    return tuple(line for note in run.steps[step - 1].notes if isinstance(note, Rule) for line in note.lines)


def test_a_start_chooses_a_time_and_nobody_records_yet() -> None:
    made = run(CLOCKS + "    script: [{start: p}]")
    assert [note for note in made.steps[0].notes if isinstance(note, Recorded)] == []
    assert [note.process for note in notes(made, "recorded") if isinstance(note, Recorded)] == ["p", "q"]
    assert summary(made)["snapshots"][0]["controls"] == summary(made)["snapshots"][0]["markers"] == 0


def test_a_message_from_after_the_time_sets_the_receivers_clock_forward_before_it_is_processed() -> None:
    script = "    script: [{start: p}, {wake: p}, {send: {on: p->q}}, {deliver: p->q}, {wake: q}]"
    made = run(CLOCKS + script)
    assert lines(made, 4) == ("on-message", "clock-forward", "at-time", "keep-version", "note-received", "process")
    assert tokens(made) == 1 and made.verdicts[1].broken == ()
    on_the_wall = run(CLOCKS.replace("timestamp", "wall-clock") + script)
    assert tokens(on_the_wall) == 2 and "consistent" in on_the_wall.verdicts[1].broken


def test_what_was_sent_by_the_time_and_not_received_by_it_was_in_flight() -> None:
    made = run(CLOCKS + "    script: [{start: q}, {send: {on: p->q}}, {wake: q}, {wake: p}, {deliver: p->q}]")
    assert summary(made)["snapshots"][0]["channels"] == {"p->q": ["T"], "q->p": []}
    assert made.verdicts[1].broken == ()


def test_in_no_interleaving_and_no_order_of_delivery_does_a_backup_go_wrong() -> None:
    for order in ("fifo", "any"):
        found = explore(scenario(CLOCKS + f"    discipline: {order}\n    explore: {{moves: 3, starts: [p]}}"))
        assert found.counterexamples == {} and not found.bounded and len(found.outcomes) > 1


RESTORED = """
    topology: {processes: [P, Q], channels: [P->Q, Q->P]}
    program: {kind: bank, accounts: {P: 10, Q: 0}}
    recovery: true
    collect: false
    script:
      - {start: P}
      - {wake: P}
      - {wake: Q}
      - {send: {on: P->Q, message: 2}}
      - {start: P}
      - {send: {on: P->Q, message: 3}}
      - {wake: P}
      - {wake: Q}
      - {crash: Q}
      - {restore: latest}
      - {start: P}
      - {wake: Q}
      - {wake: P}
"""


def test_what_a_restore_puts_back_into_a_channel_is_in_flight_for_the_next_backup() -> None:
    made = record(scenario("algorithm: timestamp\n" + RESTORED.replace("\n    ", "\n")))
    second, third = summary(made)["snapshots"][1:]
    assert second["channels"]["P->Q"] == third["channels"]["P->Q"] == [2, 3]
    assert third["processes"] == {"P": 5, "Q": 0}
    assert [verdict.broken for verdict in made.verdicts.values()] == [(), (), ()]
    assert [seen.records for seen in made.history.recordings.values()] == [{"P": 1, "Q": 1}] * 3
    assert made.system.program.view(made.end.states["Q"]) == 5


def test_a_restore_loses_what_was_paid_after_the_time_as_with_markers() -> None:
    made = LIBRARY.scenario("backup")
    for name in ("timestamp", "chandy-lamport"):
        ended = record(made, RunKey(algorithm=None if name == "timestamp" else name))
        paid = {n: ended.system.program.view(state) for n, state in ended.end.states.items()}
        assert paid == {"A": 46, "B": 31, "C": 23} and ended.missed == 0


def test_what_a_restore_brings_back_from_histories_can_be_ordered_causally() -> None:
    made = record(LIBRARY.scenario("backup"), RunKey(discipline="causal"))
    assert (
        made.end.down == ()
        and not made.end.in_flight()
        and all(made.verdicts[1].checks[c] for c in ("consistent", "channels"))
    )
