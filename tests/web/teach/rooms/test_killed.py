"""The server, killed with SIGKILL while a class votes: what it has acknowledged is there when it starts again."""

import random
import re
import signal
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from tests.until import until
from tests.web.teach.rooms.people import QUESTION, Person, leave, opened, phone
from tests.web.test_killed import server

VOTERS, MOST = 4, 40
KILLS = 20


def voting(someone: Person, offered: list[str], acknowledged: dict[Person, tuple[int, str]]) -> None:
    """Vote again and again, until the server is gone."""
    turn = acknowledged.get(someone, (0, ""))[0]
    with suppress(httpx2.HTTPError):
        while True:
            turn += 1
            answer = someone.vote(offered[turn % len(offered)], turn=turn)
            assert answer.status_code == 200, answer.text
            acknowledged[someone] = (turn, offered[turn % len(offered)])


@pytest.mark.slow
def test_no_vote_that_was_acknowledged_is_lost_by_kill_9(tmp_path: Path) -> None:
    draw = random.Random(17)
    acknowledged: dict[Person, tuple[int, str]] = {}
    lead: Person | None = None
    people: list[Person] = []
    for _ in range(KILLS):
        with server(tmp_path) as (process, host):
            if lead is None:
                lead = opened(f"http://{host}", QUESTION)
                lead.post("/phase", {"phase": "vote"})
                people = [phone(lead) for _ in range(VOTERS)]
            for each in (lead, *people):
                each.http.base_url = httpx2.URL(f"http://{host}")
            offered = ["P1", "P2", "P3", "P4"]
            before = sum(turn for turn, _ in acknowledged.values())
            enough = before + draw.randint(1, MOST)
            at_once = [threading.Thread(target=voting, args=(each, offered, acknowledged)) for each in people]
            for thread in at_once:
                thread.start()
            until(lambda: sum(turn for turn, _ in acknowledged.values()) >= enough)  # noqa: B023
            time.sleep(draw.uniform(0, 0.05))
            process.send_signal(signal.SIGKILL)
            for thread in at_once:
                thread.join()
    with server(tmp_path) as (_, host):
        for someone, (turn, answer) in acknowledged.items():
            someone.http.base_url = httpx2.URL(f"http://{host}")
            counted = someone.vote(answer, turn=0).json()
            assert counted["turn"] > turn or (counted["turn"], counted["answer"]) == (turn, [answer])
        assert len(acknowledged) == VOTERS
        assert lead is not None
        lead.http.base_url = httpx2.URL(f"http://{host}")
        assert f"Vote 1: {VOTERS}" in lead.get("/tally").text
    print(f"{sum(turn for turn, _ in acknowledged.values()):,} votes acknowledged, none lost")
    leave()


def paying(someone: Person, channel: str, acknowledged: dict[str, int]) -> None:
    """Pay again and again, until the server is gone."""
    with suppress(httpx2.HTTPError):
        while True:
            turn = acknowledged[channel] + 1
            answer = someone.post("/act", {"action": f"send {channel} 1", "turn": turn})
            if answer.status_code == 409:
                return  # there is nothing left to pay
            assert answer.status_code == 200, answer.text
            acknowledged[channel] = turn


@pytest.mark.slow
def test_nothing_that_people_did_is_lost_by_kill_9(tmp_path: Path) -> None:
    draw = random.Random(18)
    channels = ("A->B", "B->C", "C->D", "D->A")
    acknowledged = dict.fromkeys(channels, 0)
    lead: Person | None = None
    people: list[Person] = []
    for _ in range(KILLS // 2):
        with server(tmp_path) as (process, host):
            if lead is None:
                lead = opened(f"http://{host}")
                people = [phone(lead) for _ in channels]
                for each in people:
                    each.post("/seat")
                lead.post("/activity", {"do": "begin", "name": "eighty-coins"})
            for each in (lead, *people):
                each.http.base_url = httpx2.URL(f"http://{host}")
            at_once = [
                threading.Thread(target=paying, args=(each, channel, acknowledged))
                for each, channel in zip(people, channels, strict=True)
            ]
            enough = sum(acknowledged.values()) + draw.randint(1, 6)
            for thread in at_once:
                thread.start()
            # On a fast machine all eighty coins are on their way before the last kill.
            until(lambda: sum(acknowledged.values()) >= enough or not any(one.is_alive() for one in at_once))  # noqa: B023
            time.sleep(draw.uniform(0, 0.02))
            process.send_signal(signal.SIGKILL)
            for thread in at_once:
                thread.join()
    with server(tmp_path) as (_, host):
        assert lead is not None
        lead.http.base_url = httpx2.URL(f"http://{host}")
        page = lead.get("/table?group=0").text
        steps = int(re.findall(r'"steps":(\d+)', page)[0])
        assert steps >= sum(acknowledged.values()) > 0
    print(f"{sum(acknowledged.values()):,} deeds acknowledged, none lost")
    leave()
