"""A data folder that is gone, or cannot be written, while a class votes and plays: what was acknowledged is there when
the server starts again, and what cannot be kept is refused in a sentence, and done once when it can."""

import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.served import Host
from tests.web.teach.rooms.people import QUESTION, Person, leave, opened, phone

SAID = "rooms need a data folder ($BLUECUT_DATA) that can be written; this one cannot now"
PAYS = {"action": "send A->B 3", "turn": 1}


@pytest.fixture
def host(tmp_path: Path) -> Iterator[Host]:
    """Yield a server with a data folder of its own."""
    made = Host(tmp_path / "data")
    yield made
    leave()
    made.stop()


def steps(lead: Person) -> int:
    """Return how many steps the first group has made."""
    return int(re.findall(r'"steps":(\d+)', lead.get("/table?group=0").text)[0])


def class_of(host: Host, count: int, sent_from: str) -> tuple[Person, list[Person]]:
    """Return a presenter, and people with seats."""
    lead = opened(host.address, sent_from)
    people = [phone(lead) for _ in range(count)]
    for each in people:
        assert each.post("/seat").status_code == 200
    return lead, people


def again(host: Host) -> None:
    """Let the server end and start."""
    host.stop()
    host.start()


def test_votes_outlive_a_data_folder_that_is_deleted_while_the_class_votes(host: Host, tmp_path: Path) -> None:
    lead, people = class_of(host, 4, QUESTION)
    assert lead.post("/phase", {"phase": "vote"}).status_code == 200
    for each in people[:2]:
        assert each.vote("P1", turn=1).status_code == 200
    shutil.rmtree(tmp_path / "data")
    assert people[2].vote("P2", turn=1).status_code == 200
    again(host)
    assert people[3].vote("P2", turn=1).status_code == 200
    assert [each.vote("P3", turn=0).json()["answer"] for each in people] == [["P1"], ["P1"], ["P2"], ["P2"]]
    assert "Vote 1: 4" in lead.get("/tally").text


def test_deeds_roles_and_turns_outlive_a_data_folder_that_is_deleted(host: Host, tmp_path: Path) -> None:
    lead, people = class_of(host, 4, "/run/blue-figure")
    lead.post("/activity", {"do": "begin", "name": "eighty-coins"})
    assert people[0].post("/act", PAYS).status_code == 200
    shutil.rmtree(tmp_path / "data")
    assert people[1].post("/act", {"action": "send B->C 2", "turn": 1}).status_code == 200
    again(host)
    assert steps(lead) == 2
    assert people[0].post("/act", PAYS).status_code == 200, "it was done before"
    assert steps(lead) == 2
    assert people[2].post("/act", {"action": "send C->D 1", "turn": 1}).status_code == 200, (
        "everybody has the same role"
    )


def test_while_nothing_can_be_written_nothing_is_acknowledged_and_then_it_is_done_once(
    host: Host, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    lead, people = class_of(host, 4, "/run/blue-figure")
    lead.post("/activity", {"do": "begin", "name": "eighty-coins"})
    assert people[0].post("/act", PAYS).status_code == 200
    shutil.rmtree(tmp_path / "data")
    (tmp_path / "data").write_text("in the way")
    late = phone(lead)
    pays = {"action": "send B->C 2", "turn": 1}
    freezes = {"do": "freeze"}
    asked: list[tuple[Person, str, Any]] = [*[(people[1], "/act", pays)] * 3, *[(lead, "/activity", freezes)] * 2]
    for who, path, said in (*asked, (late, "/seat", None)):
        refused = who.post(path, said)
        assert (refused.status_code, refused.json()["error"]) == (503, SAID), path
        assert int(refused.headers["retry-after"]) > 0
    (tmp_path / "data").unlink()
    assert people[1].post("/act", pays).status_code == 200
    assert late.post("/seat").json()["seat"] == 5
    again(host)
    assert steps(lead) == 2
    assert people[0].post("/act", PAYS).status_code == people[1].post("/act", pays).status_code == 200
    assert steps(lead) == 2
    logged = [each.getMessage() for each in caplog.records if each.name == "bluecut"]
    assert [each.split(" ")[0] for each in logged] == ["cannot", "can"]
    assert not any(each.exc_info for each in caplog.records)


def test_a_state_of_the_room_that_was_refused_is_written_when_it_is_asked_for_again(host: Host, tmp_path: Path) -> None:
    lead, _ = class_of(host, 1, QUESTION)
    shutil.rmtree(tmp_path / "data")
    (tmp_path / "data").write_text("in the way")
    shows = {"at": "/run/blue-figure", "step": 4}
    assert lead.post("/show", shows).status_code == 503
    (tmp_path / "data").unlink()
    assert lead.post("/show", shows).status_code == 200
    again(host)
    assert '"step":4' in lead.get("").text.replace(" ", "")


def test_an_activity_whose_end_was_refused_is_ended_when_that_is_asked_for_again(host: Host, tmp_path: Path) -> None:
    lead, _ = class_of(host, 2, "/run/blue-figure")
    lead.post("/activity", {"do": "begin", "name": "eighty-coins"})
    shutil.rmtree(tmp_path / "data")
    (tmp_path / "data").write_text("in the way")
    assert lead.post("/activity", {"do": "stop"}).status_code == 503
    (tmp_path / "data").unlink()
    for _ in range(2):
        assert lead.post("/activity", {"do": "stop"}).json()["playing"] is None
    again(host)
    assert lead.get("/table?group=0").status_code == 404


def test_a_room_that_cannot_be_read_any_more_keeps_nobody_out_of_the_others(host: Host, tmp_path: Path) -> None:
    lead, (someone,) = class_of(host, 1, QUESTION)
    lost, _ = class_of(host, 1, QUESTION)
    host.stop()
    with closing(sqlite3.connect(tmp_path / "data" / "rooms.sqlite3")) as base:
        base.execute("UPDATE room SET document = '{}' WHERE code = ?", (lost.code,))
        base.execute("INSERT INTO vote VALUES (?, 1, 1, 1, 1, '{}')", (lead.code,))
        base.commit()
    host.start()
    assert lost.get("").status_code == 404
    assert lead.get("/present").status_code == someone.get("").status_code == 200
    assert opened(host.address).code
