"""A presenter and phones, as a server meets them."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx2

RUN = "/run/blue-figure?step=3"
QUESTION = "/lessons/blue-figure?q=next"


PEOPLE: list["Person"] = []
"""Everybody who has come so far."""


class Person:
    """Somebody in a room: a browser with its cookies."""

    def __init__(self, server: str, code: str = "") -> None:
        self.server, self.code = server, code
        reads = {"accept": "text/html", "accept-language": "en"}
        # Nothing is encrypted here, and to read the certificates of the world takes longer than most requests.
        self.http = httpx2.Client(base_url=server, timeout=60, headers=reads, verify=False)
        PEOPLE.append(self)

    def get(self, path: str) -> httpx2.Response:
        """Ask for a page of the room."""
        return self.http.get(f"/r/{self.code}{path}")

    def post(self, path: str, said: Any = None) -> httpx2.Response:
        """Say something in the room, as scripts do."""
        return self.http.post(f"/r/{self.code}{path}", json=said or {}, headers={"accept": "application/json"})

    def vote(self, answer: str, poll: int = 1, part: int = 1, turn: int | None = None) -> httpx2.Response:
        """Vote, as the script of a phone does."""
        fields = {"poll": str(poll), "round": str(part), "answer": answer}
        if turn is not None:
            fields["turn"] = str(turn)
        return self.http.post(f"/r/{self.code}/vote", data=fields, headers={"accept": "application/json"})

    @contextmanager
    def live(self, lead: bool = False) -> Iterator[Iterator[dict[str, Any]]]:
        """Yield the documents that are sent, as they come."""
        with self.http.stream("GET", f"/r/{self.code}/live{'?lead=1' if lead else ''}") as answer:
            assert answer.status_code == 200
            yield (json.loads(line[5:]) for line in answer.iter_lines() if line.startswith("data:{"))


def opened(server: str, sent_from: str = RUN) -> Person:
    """Return the presenter of a new room, opened on a page."""
    lead = Person(server)
    answer = lead.http.post("/rooms", headers={"referer": f"{server}{sent_from}"})
    assert answer.status_code == 303, answer.text
    found = re.fullmatch(r"/r/([2-9A-Z]{6})/present", answer.headers["location"])
    assert found, answer.headers["location"]
    lead.code = found[1]
    return lead


def leave() -> None:
    """Let everybody go."""
    while PEOPLE:
        PEOPLE.pop().http.close()


def phone(lead: Person) -> Person:
    """Return somebody with a phone in the presenter's room."""
    return Person(lead.server, lead.code)
