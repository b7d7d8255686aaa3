"""The history: in chronological order, in both languages, and errors in files."""

import re

import pytest

from app.course.history import history, load_history
from app.forms.yaml_source import SourceError

RIGHT = """milestones:
  - name: clocks
    year: 1978
    kind: snapshots
    who: L. Lamport
    work: Time
    where: Communications of the ACM
    gives: {en: An order., zh: 一种次序。}
    terms: [happened-before]
    shows: [/run/which-cut]
  - name: rules
    year: 1985
    kind: snapshots
    who: K. M. Chandy, L. Lamport
    work: Snapshots
    where: ACM TOCS
    gives: {en: Two rules., zh: 两条规则。}
    shows: [/run/blue-figure, /algorithms/chandy-lamport]
"""


def test_the_earliest_come_first_and_each_once() -> None:
    years = [one.year for one in history()]
    assert years == sorted(years)
    assert len({one.name for one in history()}) == len(history()) > 20


def test_the_paper_has_the_title_under_which_it_was_published() -> None:
    (paper,) = [one for one in history() if one.name == "chandy-lamport"]
    assert (paper.year, paper.work) == (
        1985,
        "Distributed Snapshots: Determining Global States of Distributed Systems",
    )


def test_what_each_gave_is_told_in_both_languages() -> None:
    for one in history():
        assert re.search("[A-Za-z]", one.gives.en) and not re.search("[\u4e00-\u9fff]", one.gives.en), one.name
        assert re.search("[\u4e00-\u9fff]", one.gives.zh), one.name


def test_a_right_file_is_read() -> None:
    assert [(one.name, one.year) for one in load_history(RIGHT, "history.yaml")] == [("clocks", 1978), ("rules", 1985)]


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("year: 1985", "year: 1977", "history.yaml, line 12: milestones[1].year: must be at least 1978"),
        ("year: 1985", "year: '1985'", "milestones[1].year: must be a whole number, not '1985'"),
        ("name: rules", "name: clocks", "line 11: milestones[1].name: clocks is given twice; keep one"),
        ("kind: snapshots", "kind: snapshot", "must be one of snapshots, recovery, streams, not 'snapshot'"),
        ("[happened-before]", "[happend-before]", "no term is called 'happend-before'; did you mean happened-before?"),
        ("/run/which-cut", "/run/which-cat", "milestones[0].shows[0]: no scenario is called 'which-cat'; did you mean"),
        ("    who: L. Lamport\n", "", "milestones[0].who: missing; it must be given"),
        (RIGHT, "", "history.yaml, line 1: empty; a history is a mapping with milestones"),
    ],
)
def test_a_wrong_file_is_refused_by_name_line_and_field(old: str, new: str, says: str) -> None:
    with pytest.raises(SourceError) as error:
        load_history(RIGHT.replace(old, new, 1) if old else new, "history.yaml")
    assert says in str(error.value)


def test_the_proof_that_a_machine_has_checked_and_what_came_before_barriers_are_there() -> None:
    known = {one.name: one for one in history()}
    assert known["isabelle"].shows == ["/theorem/state-that-never-was"]
    order = [one.name for one in history()]
    assert order.index("clocks") < order.index("fidge") < order.index("mattern")
    assert order.index("naiad") < order.index("abs") < order.index("kafka-transactions") < order.index("changelog")
