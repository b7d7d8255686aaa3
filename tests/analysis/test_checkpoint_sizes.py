"""Checkpoint files: what is written, what exists, what a restore reads, and that it restores what was recorded."""

from dataclasses import replace

import pytest

from app.analysis.checkpoint_sizes import BASE, DELTA, FULL, INCREMENTAL, Store, Unequal, store, stores
from app.analysis.expectations import mismatches
from app.core.model.commit_log import Logs
from app.core.model.values import END, BluecutError, Message
from app.programs.dataflow import Batch, Expired, Record, State, Transaction
from app.run.run import Run, record
from app.scenario import state_text
from app.scenario.library import LIBRARY
from app.scenario.scenario import load
from tests.tiny import run, scenario

COUNT = """
    topology: {processes: [JM, s, count], channels: [JM->s, s->count]}
    program:
      kind: dataflow
      operators: {JM: {coordinator: true}, s: {source: [{a: 1}, {b: 1}, {a: 1}, {b: 1}]}, count: {count: key}}
    algorithm: aligned
"""
ONE = "[{read: s}, {deliver: s->count}]"
TAKE = "{start: JM}, {deliver: JM->s}, {deliver: s->count}, {wake: s}, {wake: count}"


def library(name: str) -> Run:
    """Return the run of a scenario of the library."""
    return record(LIBRARY.scenario(name))


def both(made: Run, step: int | None = None) -> tuple[Store, Store]:
    """In full, and as increments."""
    found = stores(made, step)
    assert found is not None
    full, increments = found
    assert (full.way, increments.way) == (FULL, INCREMENTAL)
    return full, increments


def counted(store: Store) -> list[tuple[int, str, int]]:
    """Return the files of the counting operator: checkpoint, kind, keys."""
    files = [held.file for held in store.held if held.file.of == "count"]
    return [(file.checkpoint, file.kind, file.keys) for file in files]


def living(store: Store) -> dict[tuple[int, str], tuple[int, ...]]:
    """Return the existing files, and the checkpoints that need them."""
    return {held.file.place: held.needed for held in store.living}


def test_twelve_keys_in_full_are_six_as_increments() -> None:
    full, increments = both(library("few-keys-change"))
    assert counted(full) == [(1, BASE, 4), (2, BASE, 4), (3, BASE, 4)]
    assert counted(increments) == [(1, BASE, 4), (2, DELTA, 1), (3, DELTA, 1)]


def test_what_the_files_say_is_just_what_has_changed() -> None:
    _, increments = both(library("few-keys-change"))
    told = [held.file.data.decode() for held in increments.held if held.file.of == "count"]
    assert told == [
        '{"keys":[["a",1],["b",1],["c",1],["d",1]],"rest":{}}',
        '{"keys":[["a",2]],"rest":{}}',
        '{"keys":[["b",2]],"rest":{}}',
    ]


def test_a_restore_reads_more_files_where_there_are_increments() -> None:
    full, increments = both(library("few-keys-change"))
    assert [(number, files) for number, files, _ in full.reads] == [(1, 2), (2, 2), (3, 2)]
    assert [(number, files) for number, files, _ in increments.reads] == [(1, 2), (2, 3), (3, 4)]


def test_an_old_file_lives_while_a_later_checkpoint_is_made_upon_it() -> None:
    made = library("old-file-needed")
    full, increments = both(made, 32)
    assert living(full) == {(4, "s"): (4,), (4, "count"): (4,)}
    assert living(increments) == {(1, "count"): (4,), (2, "count"): (4,), (4, "s"): (4,), (4, "count"): (4,)}


def test_after_a_new_base_the_old_files_go_in_the_same_step() -> None:
    _, increments = both(library("old-file-needed"))
    gone = {held.file.place: held.deleted for held in increments.held if held.file.of == "count"}
    assert gone == {(1, "count"): 41, (2, "count"): 41, (3, "count"): 25, (4, "count"): 41, (5, "count"): None}
    assert counted(increments)[-1] == (5, BASE, 3)


def test_a_file_of_a_checkpoint_under_way_stays_for_it_alone_until_that_is_given_up() -> None:
    made = library("old-file-needed")
    _, before = both(made, 24)
    assert living(before)[3, "count"] == (3,)
    _, after = both(made, 25)
    assert (3, "count") not in living(after)
    assert [file.place for file in after.wasted] == [(3, "count")]


def test_who_has_recorded_and_not_stored_has_a_copy_and_no_file() -> None:
    _, increments = both(library("old-file-needed"), 23)
    assert increments.weights[-1].copied == ("s", "count")
    assert increments.weights[-1].own == ()


def test_a_checkpoint_in_which_nothing_has_changed_writes_no_file_of_who_keeps_keys() -> None:
    made = run(COUNT + f"    script: [{ONE[1:-1]}, {TAKE}, {TAKE}]\n")
    full, increments = both(made)
    assert counted(full) == [(1, BASE, 1), (2, BASE, 1)]
    assert counted(increments) == [(1, BASE, 1)]
    assert living(increments) == {(1, "count"): (2,), (2, "s"): (2,)}


def test_two_retained_checkpoints_share_their_base() -> None:
    made = run(COUNT + f"    files: {{retain: 2}}\n    script: [{ONE[1:-1]}, {TAKE}, {ONE[1:-1]}, {TAKE}]\n")
    _, increments = both(made)
    assert living(increments)[1, "count"] == (1, 2)


BACK = f"""
    script: [{ONE[1:-1]}, {TAKE}, {ONE[1:-1]}, {TAKE}, {{crash: count}}, {{restore: 1}}, {ONE[1:-1]}, {TAKE}]
"""


def test_after_going_back_to_an_older_checkpoint_deltas_are_made_upon_that_one() -> None:
    _, increments = both(run(COUNT + "    files: {retain: 2}\n" + BACK))
    assert [(held.file.place, held.file.upon) for held in increments.held if held.file.of == "count"] == [
        ((1, "count"), None),
        ((2, "count"), 1),
        ((3, "count"), 1),
    ]
    assert living(increments)[1, "count"] == (1, 3)
    assert not increments.lapsed


def test_going_back_to_a_checkpoint_whose_files_are_gone_is_said_and_begins_a_base() -> None:
    full, increments = both(run(COUNT + BACK))
    assert (full.lapsed, increments.lapsed) == ([1], [1])
    assert counted(increments)[-1] == (3, BASE, 2)


def test_what_is_in_flight_is_written_whole_in_a_file_of_its_channel() -> None:
    full, increments = both(library("barrier-overtakes"))
    flights = {held.file.of: held.file.data.decode() for held in increments.living if "->" in held.file.of}
    assert flights == {
        "s1->sum": '[[{"Record":["s1.1",1,null]},null],[{"Record":["s1.2",2,null]},null]]',
        "s2->sum": '[[{"Record":["s2.1",10,null]},null]]',
    }
    assert living(full) == living(increments)


def test_a_delta_says_what_has_changed_since_the_last_complete_checkpoint_not_the_last() -> None:
    _, increments = both(library("old-file-needed"))
    assert counted(increments)[2:4] == [(3, DELTA, 1), (4, DELTA, 2)]


def test_a_file_that_says_something_else_is_an_error() -> None:
    made = library("few-keys-change")
    found = store(made, INCREMENTAL, 39)
    found.compare(3, made.world(39))
    place = (2, "count")
    found.files[place] = replace(found.files[place], data=found.files[place].data.replace(b"2", b"3"))
    with pytest.raises(Unequal, match="the files of checkpoint 3 do not give what was recorded of count"):
        found.compare(3, made.world(39))


def test_a_file_that_is_missing_is_an_error() -> None:
    made = library("few-keys-change")
    found = store(made, INCREMENTAL, 39)
    found.deleted[1, "count"] = 39
    with pytest.raises(Unequal, match="checkpoint 3 needs a file of count that was deleted"):
        found.compare(3, made.world(39))


def test_only_a_dataflow_that_goes_back_to_checkpoints_has_files() -> None:
    assert stores(library("blue-figure")) is None
    assert stores(library("acknowledgement-lost")) is None


@pytest.mark.parametrize(
    "state",
    [
        State(),
        State(offset=3, ended=("a->b",)),
        State(table=(("b", 1), ("a", -2))),
        State(sides=((Record("s.1", 1, "k"), Record("s.2", 2)), (Record("r.1", 7, "k"),))),
        State(open=(Record("s.1", 1),), sealed=(Transaction("2.1", (Record("s.2", 5),)),), transactions=3),
        State(pending=(("a->b", END), (None, Batch("1", (Record("s.1", 1),))), (None, Expired(Transaction("1", ()))))),
        State(logs=Logs((("s", 4),), 2, ((("s", 0, 2),),), 1)),
    ],
)
def test_what_is_written_of_a_state_can_be_read_back(state: State) -> None:
    data = state_text.written(state_text.keyed(state), state_text.rest(state))
    assert state_text.state(*state_text.read(data)) == state


def test_messages_in_flight_can_be_read_back_without_the_observers_ids() -> None:
    messages = (Message(7, "app", Record("s.1", 1), tag=("x", 2)), Message(9, "app", END))
    assert state_text.read_flight(state_text.written_flight(messages)) == ((Record("s.1", 1), ("x", 2)), (END, None))


def test_what_a_scenario_expects_of_its_files_is_compared() -> None:
    text = COUNT + f"    script: [{ONE[1:-1]}, {TAKE}]\n"
    text += "    expect: {files: {full: {keys: 2, kept: {s: [2]}}, incremental: {reads: [2], wasted: 0, lapsed: []}}}\n"
    assert mismatches(record(scenario(text))) == [
        "tiny: files: full.keys: expected 2, got 1",
        "tiny: files: full.kept: expected {s: [2]}, got {s: [1], count: [1]}",
    ]


@pytest.mark.parametrize("field", ["files: {retain: 2}", "expect: {files: {full: {keys: 1}}}"])
def test_files_of_what_is_no_dataflow_are_a_mistake(field: str) -> None:
    with pytest.raises(BluecutError, match="only a dataflow has checkpoint files; leave it out"):
        scenario("topology: {processes: [p], channels: []}\nprogram: {kind: token, holders: {p: 1}}\n" + field)


@pytest.mark.parametrize("name", ["nobody", "s->nobody"])
def test_files_of_what_is_not_there_are_a_mistake(name: str) -> None:
    with pytest.raises(BluecutError, match="nobody"):
        scenario(COUNT + f"    expect: {{files: {{full: {{kept: {{{name}: [1]}}}}}}}}\n")


def test_how_many_checkpoints_are_retained_changes_no_address() -> None:
    text = "title: {en: t, zh: t}\n" + "\n".join(line[4:] for line in COUNT.splitlines())
    assert load(text, "t").digest == load(text + "\nfiles: {retain: 3, base: 2}\n", "t").digest
