"""Items stream from sources through operators to sinks, and each sink lets them leave in its own way."""

import pytest

from app.core.model.notes import Output
from app.core.model.values import END, Deed, Move, Process, Refused
from app.programs.dataflow import (
    IDEMPOTENT,
    SINK,
    SOURCE,
    TRANSACTIONAL,
    Dataflow,
    Expired,
    Operator,
    Record,
    State,
    Transaction,
    place,
)
from app.run.run import Run
from tests.tiny import notes, run

P = Process("p", ("a->p", "b->p"), ("p->x", "p->y"))
"""An operator with two inputs and two outputs."""
T = Process("t", ("p->t",), ())
"""A sink."""
ONE, TWO = Record("s.1", 5, "k"), Record("s.2", 7, "l")


def flow(operator: Operator, *, back: tuple[str, ...] = ()) -> Dataflow:
    """Return the program in which p, s and t are all of one kind."""
    return Dataflow({"p": operator, "s": operator, "t": operator}, back)


def taken(program: Dataflow, process: Process, *arrivals: tuple[str, object]) -> State:
    """Return the state after arrivals on channels, with nothing passed on yet."""
    state = program.start(process)
    for channel, payload in arrivals:
        state = program.receive(process, state, channel, payload)  # type: ignore[arg-type]
    return state


def going(state: State) -> list[tuple[str | None, object]]:
    """Return what must be passed on: the channel, and the value or the payload."""
    return [(channel, getattr(payload, "value", payload)) for channel, payload in state.pending]


# --- sources ------------------------------------------------------------------------------------------------------


def test_a_source_reads_its_log_from_its_offset_and_passes_each_record_on_to_all_outputs() -> None:
    program = flow(Operator(SOURCE, (ONE, TWO)))
    read = Move("p", None, None, Deed.READ)
    state = program.start(P)
    assert state.offset == 0 and program.moves(P, state) == (read,)
    state = program.act(P, state, read)
    assert state.offset == 1 and going(state) == [("p->x", 5), ("p->y", 5)]
    assert program.moves(P, state) == (Move("p", "p->x", ONE),)  # first things first
    with pytest.raises(Refused, match="nothing of that kind to send now"):
        program.act(P, state, Move("p", "p->y", ONE))


def test_the_same_offset_gives_the_same_record_again() -> None:
    program = flow(Operator(SOURCE, (ONE, TWO)))
    read = Move("p", None, None, Deed.READ)
    first = program.act(P, State(offset=1), read)
    again = program.act(P, State(offset=1), read)
    assert first.pending == again.pending == (("p->x", TWO), ("p->y", TWO))


def test_a_source_that_ends_says_so_once_and_one_that_does_not_says_nothing() -> None:
    read = Move("p", None, None, Deed.READ)
    ends = flow(Operator(SOURCE, (ONE,), ends=True)).act(P, State(offset=1), read)
    assert ends.offset == 2 and going(ends) == [("p->x", END), ("p->y", END)]
    with pytest.raises(Refused, match="p has no further item to read"):
        flow(Operator(SOURCE, (ONE,), ends=True)).act(P, State(offset=2), read)
    with pytest.raises(Refused, match="p has no further item to read"):
        flow(Operator(SOURCE, (ONE,))).act(P, State(offset=1), read)


# --- operators ----------------------------------------------------------------------------------------------------


def test_a_map_multiplies_and_then_adds_and_the_record_stays_the_same_record() -> None:
    state = taken(flow(Operator(times=3, plus=-1)), P, ("a->p", ONE))
    assert state.pending == (("p->x", Record("s.1", 14, "k")), ("p->y", Record("s.1", 14, "k")))


@pytest.mark.parametrize(
    ("operator", "passing"),
    [
        (Operator(above=5), [7]),
        (Operator(below=7), [5]),
        (Operator(above=5, below=7), []),
        (Operator(modulo=(3, 1)), [7]),
        (Operator(times=2, above=10), [14]),
    ],
)
def test_a_filter_looks_at_the_value_that_would_go_on(operator: Operator, passing: list[int]) -> None:
    state = taken(flow(operator), P, ("a->p", ONE), ("b->p", TWO))
    assert [value for channel, value in going(state) if channel == "p->x"] == passing


def test_a_sum_of_all_passes_on_what_it_has_or_the_record() -> None:
    both = (("a->p", ONE), ("b->p", TWO))
    result = taken(flow(Operator(keep="sum", result=True)), P, *both)
    assert result.total == 12 and [v for c, v in going(result) if c == "p->x"] == [5, 12]
    record = taken(flow(Operator(keep="sum")), P, *both)
    assert record.total == 12 and [v for c, v in going(record) if c == "p->x"] == [5, 7]


def test_a_sum_by_key_keeps_keys_apart_and_a_count_counts() -> None:
    arrivals = (("a->p", ONE), ("b->p", TWO), ("a->p", Record("s.3", 2, "k")))
    sums = taken(flow(Operator(keep="sum", keyed=True, result=True)), P, *arrivals)
    assert dict(sums.table) == {"k": 7, "l": 7} and sums.total is None
    assert [v for c, v in going(sums) if c == "p->x"] == [5, 7, 7]
    counts = taken(flow(Operator(keep="count", keyed=True, result=True)), P, *arrivals)
    assert dict(counts.table) == {"k": 2, "l": 1}


def test_a_join_pairs_what_has_the_same_key_each_pair_once_whoever_comes_first() -> None:
    program = flow(Operator(keep="join"))
    left, right, other = Record("a.1", 1, "k"), Record("b.1", 10, "k"), Record("b.2", 20, "l")
    for arrivals in ((("a->p", left), ("b->p", right)), (("b->p", right), ("a->p", left))):
        state = taken(program, P, *arrivals, ("b->p", other))
        assert state.pending == (("p->x", Record("a.1+b.1", 11, "k")), ("p->y", Record("a.1+b.1", 11, "k")))
    twice = taken(program, P, ("a->p", left), ("a->p", Record("a.2", 2, "k")), ("b->p", right))
    assert [payload.id for channel, payload in twice.pending if channel == "p->x"] == ["a.1+b.1", "a.2+b.1"]


def test_a_route_by_key_takes_the_same_output_for_the_same_key_and_the_end_goes_everywhere() -> None:
    program = flow(Operator(route="key"))
    state = taken(program, P, ("a->p", ONE), ("a->p", Record("s.9", 1, "k")), ("a->p", TWO))
    (first, _), (again, _), (other, _) = state.pending
    assert first == again == P.outputs[place("k", 2)] and other == P.outputs[place("l", 2)] and first != other
    ended = taken(program, P, ("a->p", END), ("b->p", END))
    assert going(ended) == [("p->x", END), ("p->y", END)]


def test_the_end_goes_on_after_the_last_input_has_ended() -> None:
    program = flow(Operator())
    assert going(taken(program, P, ("a->p", END))) == []
    assert going(taken(program, P, ("a->p", END), ("b->p", END))) == [("p->x", END), ("p->y", END)]


def test_a_loop_gives_a_record_another_identity_and_never_ends() -> None:
    program = flow(Operator(), back=("b->p", "p->y"))
    state = taken(program, P, ("a->p", ONE))
    assert [(channel, payload.id) for channel, payload in state.pending] == [("p->x", "s.1"), ("p->y", "s.1~1")]
    again = taken(program, P, ("b->p", Record("s.1~1", 5, "k")))
    assert [payload.id for _, payload in again.pending] == ["s.1~1", "s.1~2"]
    assert going(taken(program, P, ("a->p", END))) == []


# --- sinks --------------------------------------------------------------------------------------------------------


def test_a_plain_sink_lets_everything_leave_as_it_comes_also_twice() -> None:
    program = flow(Operator(SINK))
    state = taken(program, T, ("p->t", ONE), ("p->t", ONE))
    assert program.urge(T, state) == Move("t", None, ONE, Deed.OUT)
    outside = program.publish(T, program.publish(T, None, ONE), ONE)
    assert program.visible(outside) == (ONE, ONE)


def test_an_idempotent_sink_has_each_identity_once_in_its_place_with_its_latest_value() -> None:
    program = flow(Operator(SINK, sink=IDEMPOTENT))
    outside = None
    for record in (ONE, TWO, Record("s.1", 50, "k")):
        outside = program.publish(T, outside, record)
    assert program.visible(outside) == (Record("s.1", 50, "k"), TWO)


def test_a_transaction_is_prepared_with_the_state_and_committed_with_what_was_recorded() -> None:
    program = flow(Operator(SINK, sink=TRANSACTIONAL))
    state = taken(program, T, ("p->t", ONE))
    assert state.pending == () and state.open == (ONE,)
    recorded = program.act(T, state, Move("t", None, 0, Deed.SEAL))
    assert recorded.open == () and recorded.sealed == (Transaction("1", (ONE,)),)
    later = program.receive(T, recorded, "p->t", TWO)
    committed = program.act(T, later, Move("t", None, recorded, Deed.COMMIT))
    assert committed.sealed == () and committed.open == (TWO,)
    assert committed.pending == ((None, Transaction("1", (ONE,))),)


def test_an_empty_transaction_is_not_prepared() -> None:
    program = flow(Operator(SINK, sink=TRANSACTIONAL))
    state = program.start(T)
    assert program.seal(T, state, 0) is state


def test_a_commit_takes_along_what_was_prepared_for_a_checkpoint_that_never_completed() -> None:
    program = flow(Operator(SINK, sink=TRANSACTIONAL))
    first = program.seal(T, taken(program, T, ("p->t", ONE)), 0)
    second = program.seal(T, program.receive(T, first, "p->t", TWO), 0)
    committed = program.commit(T, second, second)
    assert [one.number for _, one in committed.pending] == ["1", "2"]


def test_committing_the_same_transaction_again_changes_nothing_outside() -> None:
    program = flow(Operator(SINK, sink=TRANSACTIONAL))
    outside = program.publish(T, None, Transaction("1", (ONE,)))
    assert program.publish(T, outside, Transaction("1", (ONE,))) is outside
    assert program.visible(outside) == (ONE,)


def test_a_transaction_of_another_life_is_another_one_even_with_the_same_records() -> None:
    program = flow(Operator(SINK, sink=TRANSACTIONAL))
    first, again = (program.seal(T, taken(program, T, ("p->t", ONE)), life).sealed[0] for life in (0, 1))
    assert (first.number, again.number) == ("1", "2.1")
    outside = program.publish(T, program.publish(T, None, first), again)
    assert program.visible(outside) == (ONE, ONE)


def test_what_waits_too_long_is_given_up_outside_and_its_commit_comes_to_nothing() -> None:
    program = flow(Operator(SINK, sink=TRANSACTIONAL, timeout=2))
    recorded = program.seal(T, taken(program, T, ("p->t", ONE)), 0)
    state = program.receive(T, recorded, "p->t", TWO)
    assert state.sealed and program.urge(T, state) is None  # one more item: it still waits
    state = program.receive(T, state, "p->t", Record("s.3", 9))
    assert program.urge(T, state) == Move("t", None, Expired(Transaction("1", (ONE,))), Deed.EXPIRE)
    outside = program.publish(T, None, Expired(Transaction("1", (ONE,))))
    assert program.visible(program.publish(T, outside, Transaction("1", (ONE,)))) == ()
    assert program.commit(T, state, recorded) is state


# --- in a run -----------------------------------------------------------------------------------------------------

PIPE = """
    topology: {processes: [JM, s, p, t], channels: [JM->s, s->p, p->t]}
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        s: {source: [1, 2, 3]}
        p: {map: {times: 10}}
        t: {sink: transactional}
    algorithm: aligned
    script:
"""
CHECKPOINT = ("start: JM", "deliver: JM->s", "deliver: s->p", "deliver: p->t", "wake: s", "wake: p", "wake: t")
ALONG = ("read: s", "deliver: s->p", "deliver: p->t")


def pipe(*lines: str, more: str = "", sink: str = "{sink: transactional}") -> Run:
    """Return the run of a source, a map and a sink that does what the lines say."""
    text = PIPE.replace("{sink: transactional}", sink) + "".join(f"      - {{{line}}}\n" for line in lines)
    return run(text + more)


def outside(run: Run) -> list[int]:
    """Return the values that are visible in the end."""
    program = run.system.program
    assert isinstance(program, Dataflow)
    return [one.value for one in program.visible(run.end.durable.outside.get("t"))]


def test_after_a_restore_what_the_checkpoint_had_prepared_is_committed_again_and_visible_once() -> None:
    crashed = pipe(*ALONG, *CHECKPOINT, "crash: p", "restore: 1")
    assert len(notes(crashed, "output")) == 1 and outside(crashed) == [10]
    late = pipe(*ALONG, *CHECKPOINT, "wake: t", "crash: p", "restore: 1")
    assert outside(late) == [10] and len(notes(late, "output")) == 1


def test_what_was_prepared_later_than_the_checkpoint_is_gone_after_a_restore_and_comes_again() -> None:
    second = ("start: JM", "deliver: JM->s", "deliver: s->p", "deliver: p->t")
    crashed = pipe(*ALONG, *CHECKPOINT, "wake: t", *ALONG, *second, "crash: p", "restore: 1", *ALONG, *CHECKPOINT)
    assert [one.number for one in transactions(crashed)] == ["1", "2.2"]
    assert outside(crashed) == [10, 20]


def test_a_transaction_after_going_back_behind_a_commit_does_not_vanish_under_the_old_number() -> None:
    """The first item is out. Rolling back to the beginning reads it again, and it is committed again: the sink cannot
    know that, but the rest is not lost because of it."""
    crashed = pipe(*ALONG, *CHECKPOINT, "wake: t", "crash: p", "restore: 0", *ALONG, *ALONG, *CHECKPOINT)
    assert [one.number for one in transactions(crashed)] == ["1", "2.1"]
    assert outside(crashed) == [10, 10, 20]


def transactions(run: Run) -> list[Transaction]:
    """Return the transactions that became visible."""
    return [note.payload for note in notes(run, "output") if isinstance(note, Output)]


def test_a_transaction_that_is_given_up_before_its_commit_is_lost_though_the_checkpoint_completes() -> None:
    sink = "{sink: transactional, timeout: 2}"
    lost = pipe(*ALONG, *CHECKPOINT[:-1], *ALONG, *ALONG, "wake: t", sink=sink)
    assert lost.end.snapshots[1].waiting == 0 and outside(lost) == []
    back = pipe(*ALONG, *CHECKPOINT[:-1], *ALONG, *ALONG, "wake: t", "crash: p", "restore: 1", sink=sink)
    assert outside(back) == []  # prepared in the restored state, but not visible outside


def test_a_full_output_keeps_the_rest_back_and_goes_on_where_there_is_room() -> None:
    pressed = pipe("read: s", "read: s", "deliver: s->p", "deliver: s->p", more="    capacity: {p->t: 1}\n")
    assert [pressed.world(s.number).states["p"].pending != () for s in pressed.steps][:4] == [False, False, False, True]
    assert [r.value for r in pressed.end.states["t"].open] == [10, 20, 30]


# --- identities ---------------------------------------------------------------------------------------------------

DIAMOND = """
    topology: {processes: [s, a, b, out], channels: [s->a, s->b, a->out, b->out]}
    program:
      kind: dataflow
      operators:
        s: {source: [1, 2]}
        a: {map: {times: 10}}
        b: {map: {times: 100}}
        out: {sink: idempotent}
    algorithm: millwheel
    script: []
"""


def ids(run: Run, sink: str = "out") -> dict[str, int]:
    """Return what is visible at a sink at the end, by identity."""
    program = run.system.program
    assert isinstance(program, Dataflow)
    return {one.id: one.value for one in program.visible(run.end.durable.outside.get(sink))}


def test_two_results_of_one_record_that_come_by_two_paths_are_two() -> None:
    assert ids(run(DIAMOND)) == {"s.1/a": 10, "s.1/b": 100, "s.2/a": 20, "s.2/b": 200}


def test_where_each_record_goes_one_way_only_its_identity_is_that_of_its_source() -> None:
    keyed = run(DIAMOND.replace("[1, 2]}", "[{k: 1}, {l: 2}], route: key}"))
    assert ids(keyed) == {"s.1": 100, "s.2": 20}


def test_a_join_of_both_paths_says_which_side_came_which_way() -> None:
    joined = run(
        DIAMOND.replace("out: {sink: idempotent}", "j: {join: key}\n        out: {sink: plain}")
        .replace("b, out]", "b, j, out]")
        .replace("a->out, b->out]", "a->j, b->j, j->out]")
    )
    assert ids(joined) == {"s.1/a+s.1/b": 110, "s.1/a+s.2/b": 210, "s.2/a+s.1/b": 120, "s.2/a+s.2/b": 220}


def test_in_a_loop_each_turn_of_each_path_is_a_record_of_its_own() -> None:
    looped = run("""
    topology: {processes: [s, a, j, h, out], channels: [s->a, s->j, a->j, j->h, h->j, h->out, j->out]}
    program:
      kind: dataflow
      operators: {s: {source: [1]}, h: {filter: {below: 3}, map: {plus: 1}}, out: {sink: idempotent}}
    algorithm: millwheel
    script: []
    """)
    first = {"s.1/s/j": 1, "s.1/a/j": 1, "s.1/s/h": 2, "s.1/a/h": 2}
    assert ids(looped) == first | {"s.1/s~1/h/j": 2, "s.1/a~1/h/j": 2}


def test_a_record_that_is_joined_with_itself_again_and_again_keeps_a_short_identity() -> None:
    names = [f"{kind}{i}" for i in range(1, 41) for kind in "ab"] + [f"j{i}" for i in range(41)]
    channels = [
        f"{source}->{target}"
        for i in range(1, 41)
        for source, target in ((f"j{i - 1}", f"a{i}"), (f"j{i - 1}", f"b{i}"), (f"a{i}", f"j{i}"), (f"b{i}", f"j{i}"))
    ]
    joins = "".join(f"        j{i}: {{join: key}}\n" for i in range(1, 41))
    deep = run(f"""
    topology: {{processes: {names}, channels: {channels}}}
    program:
      kind: dataflow
      operators:
        j0: {{source: [1]}}
{joins}    algorithm: millwheel
    script: []
    """)
    last = deep.end.states["j40"].sides[0][0]
    assert last.value == 2**39 and len(last.id) < 1_100


@pytest.mark.parametrize("algorithm", ["micro-batch", "lineage", "aligned", "millwheel"])
def test_no_engine_takes_two_results_of_one_record_for_two_records_of_the_source(algorithm: str) -> None:
    text = DIAMOND.replace("processes: [", "processes: [JM, ").replace("channels: [", "channels: [JM->s, ")
    text = text.replace("        s: {source", "        JM: {coordinator: true}\n        s: {source")
    starts = "[]" if algorithm in ("aligned", "millwheel") else "[{start: JM}]"
    made = run(
        text.replace("algorithm: millwheel", f"algorithm: {algorithm}").replace("script: []", f"script: {starts}")
    )
    assert ids(made) == {"s.1/a": 10, "s.1/b": 100, "s.2/a": 20, "s.2/b": 200}
    assert made.end.states["s"].offset == 2
