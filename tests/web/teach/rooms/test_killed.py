"""The server, killed with SIGKILL while a class votes: what it has acknowledged is there when it starts again."""

import random
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
