"""Importing the course's files: the results, and the errors for bad ones."""

from typing import Any

import pytest

from app.formats.cos418 import imported
from app.forms.yaml_source import SourceError
from app.run.run import record, summary
from tests.tiny import made

TOP = "2\nN1 1\nN2 0\nN1 N2\nN2 N1\n"
EVENTS = "send N1 N2 1\ntick 2\nsnapshot N2\ntick\n"
EVENT = "an event is send SOURCE TARGET TOKENS, snapshot ID or tick [N]"
NAMES = ("a.top", "b.events", "c.delays")


def values(top: str = TOP, events: str = EVENTS, delays: str = "32320") -> Any:
    """Return what the three texts become."""
    return imported(top, events, delays, names=NAMES, title="t")


def told(**texts: str) -> str:
    """Return the error that the texts give."""
    with pytest.raises(SourceError) as error:
        values(**texts)
    return str(error.value)


def test_a_script_has_the_ticks_as_times_and_as_many_delays_as_can_be_drawn() -> None:
    got = values()
    assert got["script"] == [{"at": 0, "send": {"on": "N1->N2", "message": 1}}, {"at": 2, "start": "N2"}]
    assert got["schedule"] == {"kind": "timed", "delay": {"digits": "323"}, "one_per_sender": True}
    assert (got["collect"], got["first_snapshot"]) == (False, 0)
    assert got["program"] == {"kind": "bank", "accounts": {"N1": 1, "N2": 0}}


def test_what_was_imported_runs() -> None:
    got = values()
    del got["title"]
    (snapshot,) = summary(record(made(got)))["snapshots"]
    assert (snapshot["id"], snapshot["processes"], snapshot["channels"]["N1->N2"]) == (0, {"N1": 0, "N2": 0}, [1])


def test_comments_blank_lines_self_links_and_links_given_twice_count_for_nothing() -> None:
    noisy = "# servers\n\n2\nN2 0\n# first\nN1 1\n\nN2 N1\nN1 N1\nN1 N2\nN1 N2\n"
    assert values(top=noisy) == values()
    assert values(events="# script\n" + EVENTS.replace("\n", "\n\n")) == values()


def test_nothing_sent_needs_no_delays() -> None:
    assert values(events="", delays="")["schedule"]["delay"] == {"constant": 0}


def test_delays_may_stand_on_several_lines() -> None:
    assert values(delays="3\n2 3\n")["schedule"]["delay"] == {"digits": "323"}


@pytest.mark.parametrize(
    ("top", "says"),
    [
        ("", "a.top, line 1: empty; the first line is the number of servers"),
        ("two\n", "a.top, line 1: the number of servers must be a whole number, not 'two'"),
        ("-2\n", "a.top, line 1: the number of servers must not be negative; it is '-2'"),
        ("0\n", "a.top, line 1: 0 servers; at least 1 and at most 200"),
        ("201\n", "a.top, line 1: 201 servers; at least 1 and at most 200"),
        ("N1 1\n", "a.top, line 1: the first line is the number of servers, and nothing else"),
        ("3\nN1 1\nN2 0\n", "a.top, line 3: the file ends after 2 of 3 servers"),
        ("2\nN1\nN2 0\n", "a.top, line 2: tokens are missing; a server is a line ID TOKENS, such as N1 1"),
        ("2\nN1 x\nN2 0\n", "a.top, line 2: the tokens of N1 must be a whole number, not 'x'"),
        ("2\nN1 -1\nN2 0\n", "a.top, line 2: the tokens of N1 must not be negative; it is '-1'"),
        ("2\nN1 1.5\nN2 0\n", "a.top, line 2: the tokens of N1 must be a whole number, not '1.5'"),
        ("1\nN1 9999999999999\n", "a.top, line 2: the tokens of N1 is '9999999999999'; at most 1,000,000,000,000"),
        ("2\nN1 1 1\nN2 0\n", "a.top, line 2: a server is a line ID TOKENS, and nothing else"),
        ("2\nN1 1\nN1 0\n", "a.top, line 3: server N1 is given twice"),
        (
            "1\nN/1 1\n",
            "a.top, line 2: a server's name has 1 to 12 letters (A to Z), digits, - and _; 'N/1' does not fit",
        ),
        (TOP + "N1 N3\n", "a.top, line 6: no server 'N3'; known: N1, N2"),
        (TOP + "N1\n", "a.top, line 6: a link is two servers: SOURCE TARGET"),
    ],
)
def test_a_bad_topology_is_told_with_its_line(top: str, says: str) -> None:
    assert told(top=top) == says


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ("send N1 N3 1", "b.events, line 1: no server 'N3'; known: N1, N2"),
        ("tick\nsnapshot N3", "b.events, line 2: no server 'N3'; known: N1, N2"),
        ("send N1 N2 -1", "b.events, line 1: the tokens to send must not be negative; it is '-1'"),
        ("send N1 N2 x", "b.events, line 1: the tokens to send must be a whole number, not 'x'"),
        ("send N1 N1 1", "b.events, line 1: there is no link from N1 to N1"),
        ("send N1 N2", f"b.events, line 1: {EVENT}, not 'send N1 N2'"),
        ("jump", f"b.events, line 1: {EVENT}, not 'jump'"),
        ("tick x", "b.events, line 1: the number of ticks must be a whole number, not 'x'"),
        ("tick 1000001\nsnapshot N1", "b.events, line 2: this happens at tick 1,000,001; at most 1,000,000"),
        ("snapshot N1\n" * 17, "b.events, line 17: the 17th snapshot; at most 16"),
    ],
)
def test_a_bad_script_is_told_with_its_line(events: str, says: str) -> None:
    assert told(events=events) == says


def test_bad_delays_are_told_with_their_line() -> None:
    assert told(delays="32\n3x") == "c.delays, line 2: a delay is one digit, not 'x'"
    assert told(delays="3٣2") == "c.delays, line 1: a delay is one digit, not '٣'"
    assert told(delays="32") == "c.delays, line 1: 2 delays; 3 messages and markers can be sent"
    assert told(delays="") == "c.delays, line 1: 0 delays; 3 messages and markers can be sent"
