"""Each process records by its own clock: when that goes wrong, no process notices."""

from app.core.model.notes import Deferred, Recorded
from app.core.model.values import Todo
from app.run.explore import explore
from app.run.run import Run, summary
from tests.tiny import TOKEN, notes, run, scenario

CLOCK = TOKEN + "    algorithm: wall-clock\n"


def tokens(run: Run) -> int:
    """Return how many tokens the processes have recorded together."""
    (told,) = summary(run)["snapshots"]
    return int(sum(told["processes"].values()))


def test_a_start_sets_an_alarm_for_everybody_and_records_nothing() -> None:
    made = run(CLOCK + "    script: [{start: p}]")
    assert notes(made, "deferred") == [Deferred("p", Todo("alarm", (1,))), Deferred("q", Todo("alarm", (1,)))]
    assert [note for note in made.steps[0].notes if isinstance(note, Recorded)] == []
    assert summary(made)["snapshots"][0]["controls"] == 0


def test_each_records_at_its_own_alarm() -> None:
    made = run(CLOCK + "    script: [{start: p}, {wake: q}, {wake: p}]")
    assert [note.process for note in notes(made, "recorded") if isinstance(note, Recorded)] == ["q", "p"]
    assert made.history.recordings[1].completed == 3


def test_at_a_quiet_time_it_is_right_by_luck() -> None:
    made = run(CLOCK + "    script: [{start: p}, {wake: q}, {wake: p}, {send: {on: p->q}}]")
    assert (tokens(made), made.verdicts[1].broken) == (1, ())


def test_a_token_that_travels_between_the_alarms_is_in_no_record_or_in_two() -> None:
    neither = run(CLOCK + "    script: [{start: p}, {wake: q}, {send: {on: p->q}}, {wake: p}]")
    both = run(CLOCK + "    script: [{start: p}, {wake: p}, {send: {on: p->q}}, {deliver: p->q}, {wake: q}]")
    assert (tokens(neither), tokens(both)) == (0, 2)
    assert neither.verdicts[1].checks["consistent"] is True and both.verdicts[1].checks["consistent"] is False


def test_even_clocks_that_agree_to_the_tick_miss_what_is_in_a_channel() -> None:
    made = run(CLOCK + "    script: [{send: {on: p->q}}, {start: p}, {wake: p}, {wake: q}]")
    assert tokens(made) == 0 and made.verdicts[1].witnesses["channels"]["fault"] == "missing"


def test_two_alarms_are_two_snapshots() -> None:
    made = run(CLOCK + "    script: [{start: p}, {start: q}]")
    assert [seen.initiators for seen in made.history.recordings.values()] == [["p"], ["q"]]
    assert [verdict.broken for verdict in made.verdicts.values()] == [(), ()]


def test_the_search_finds_every_kind_of_harm() -> None:
    found = explore(scenario(CLOCK + "    explore: {moves: 2, starts: [p]}"))
    assert set(found.counterexamples) == {"consistent", "channels", "conserved", "reachable"}
