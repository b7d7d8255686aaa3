"""What the files of a watched query say: intents, sinks, commits, state, and what is there twice."""

from pathlib import Path

from app.web.measure.spark.batch_log import Range, query
from app.web.measure.spark.query_process import does
from tests.web.measure.spark import watched_files as files


def test_a_batch_in_the_offset_log_alone_is_the_tail(tmp_path: Path) -> None:
    files.killed(tmp_path)
    found = query(tmp_path)
    assert [(epoch.number, epoch.committed) for epoch in found.epochs] == [(0, True), (1, False)]
    assert found.tail is not None and found.tail.number == 1
    assert found.tail.ranges == (Range("P", 3, 4), Range("Q", 2, 3))
    assert found.killed == 71 and does(found, False, 71) == "killed"
    assert does(found, False, 72) == "died"  # another one, whom nobody here has killed
    assert does(found, True) == "written"


def test_after_the_second_commit_there_is_no_tail_and_the_plain_sink_has_each_record_of_it_twice(
    tmp_path: Path,
) -> None:
    files.repeated(tmp_path)
    found = query(tmp_path)
    assert found.tail is None
    (again,) = found.repeated
    assert (again.number, again.doubled) == (1, 2)
    assert again.exact is not None
    assert [f"{record.log}{record.n}" for record in again.exact] == ["P4", "Q3"]
    assert [(w.life, [(c.record.n, c.doubled) for c in w.cells]) for w in again.plain] == [
        (1, [(4, False), (3, False)]),
        (2, [(4, True), (3, True)]),
    ]
    assert found.lives == ((1, 71), (2, 72))


def test_the_state_after_a_batch_is_what_lies_below_its_offsets(tmp_path: Path) -> None:
    files.repeated(tmp_path)
    first, second = query(tmp_path).epochs
    assert first.totals == (("a", 2, 15), ("b", 1, 1), ("c", 2, 10))
    assert second.totals == (("a", 2, 15), ("b", 3, 12), ("c", 2, 10))
    assert first.sums == (26, 26)
    assert second.sums == (37, 37)


def test_a_state_that_is_not_what_lies_below_its_offsets_is_seen(tmp_path: Path) -> None:
    files.killed(tmp_path)
    files.sink(tmp_path, 1, 2, [("P4", 3, 9), ("Q3", 4, 16)])  # as if the first life's state had been kept
    assert query(tmp_path).epochs[1].sums == (41, 37)


def test_the_tapes_say_how_far_is_committed_and_how_far_is_intended(tmp_path: Path) -> None:
    files.killed(tmp_path)
    assert [(tape.log, len(tape.records), tape.committed, tape.planned) for tape in query(tmp_path).tapes] == [
        ("P", 4, 3, 4),
        ("Q", 3, 2, 3),
    ]


def test_what_is_not_whole_yet_is_not_there_yet(tmp_path: Path) -> None:
    files.killed(tmp_path)
    (tmp_path / "checkpoint" / "offsets" / "2").write_text('v1\n{"batchWaterm')
    (tmp_path / "exact" / "1" / "rows.json").write_text('{"life": 1, "ro')
    with (tmp_path / "source" / "P.jsonl").open("a") as log:
        log.write('{"n": 5, "ke')
    with (tmp_path / "plain.jsonl").open("a") as plain:
        plain.write('{"batch": 1, "li\n')
    found = query(tmp_path)
    assert [epoch.number for epoch in found.epochs] == [0, 1]
    assert found.epochs[1].exact is None and found.epochs[1].sums is None
    assert len(found.epochs[1].plain[0].cells) == 2
    assert len(found.tapes[0].records) == 4


def test_an_empty_folder_says_nothing(tmp_path: Path) -> None:
    found = query(tmp_path)
    assert found.epochs == () and found.lives == () and found.tail is None
    assert does(found, False) == "nothing"
    assert does(found, True) == "starting"
