"""Limits at their values, and one beyond, where no other test tries both."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message

from app.core.model.errors import LONGEST as MOST_QUOTED
from app.core.model.errors import shortened
from app.core.model.values import BluecutError
from app.scenario.format import VISITOR_BYTES
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.base import assets
from app.web.base.assets import Assets
from app.web.base.form_fields import MOST_FIELDS, form_fields
from app.web.base.limits import MOST_BODY
from app.web.base.store import MOST, Store, Unkept, address
from app.web.connections import STALLED, UNASKED, Crowd, protocol
from app.web.measure.lab.sweep_jobs import KEPT, ROOM, Jobs
from app.web.play.compare import routes as compare
from app.web.play.write import search as write
from app.web.shared import run_cache
from app.web.shared.own_scenario import KEPT_BYTES, keep
from app.web.shared.run_cache import Runs
from app.web.shared.search_queue import MOST_STATES, SECONDS, Found, Searches
from app.web.workers.fair_line import Crowded, FairLine
from app.web.workers.kept_answers import LARGEST, MOST_BYTES, ONCE, KeptAnswers
from app.web.workers.pool import DEADLINE, PATIENCE, SHARE, WAITING, Pool
from app.wire.scenario_link import LONGEST, BadRef, canonical, packed, unpacked
from tests.each import each
from tests.web.play.write.test_routes import asked


def test_a_body_of_64_kib_is_read(client: TestClient) -> None:
    assert client.post("/api/scenarios", content=b" " * MOST_BODY).status_code == 422
    assert client.post("/api/scenarios", content=b" " * (MOST_BODY + 1)).status_code == 413


@each("more", [0, 1])
def test_a_form_has_2_000_fields(more: int) -> None:
    async def receive() -> Message:
        return {"type": "http.request", "body": b"&".join([b"a=1"] * (MOST_FIELDS + more))}

    asked = Request({"type": "http", "headers": [], "method": "POST"}, receive)
    if more:
        with pytest.raises(BluecutError, match="more than 2,000 fields"):
            asyncio.run(form_fields(asked))
    else:
        assert len(asyncio.run(form_fields(asked))) == MOST_FIELDS


def test_a_link_has_4_096_characters() -> None:
    for more, says in ((0, "damaged|not"), (1, "longer than 4,096")):
        with pytest.raises(BadRef, match=says):
            unpacked("1." + "A" * (LONGEST - 2 + more))


def of_bytes(size: int, says: str = "x") -> dict[str, Any]:
    """Return a scenario that has so many bytes of JSON."""
    values: dict[str, Any] = {
        "title": {"en": "much", "zh": "多"},
        "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
        "program": {"kind": "bank", "accounts": {"A": 900, "B": 900}},
        "algorithm": "chandy-lamport",
        "script": [{"send": {"on": "A->B", "message": 1}, "say": {"en": "", "zh": ""}} for _ in range(400)],
    }
    left = size - len(canonical(values).encode())
    for step in values["script"]:
        step["say"]["en"] = says * min(left, 150)
        left -= min(left, 150)
    assert len(canonical(values).encode()) == size
    return values


def test_a_scenario_that_is_shared_has_64_kib_and_one_in_a_link_has_16(tmp_path: Path) -> None:
    store = Store(tmp_path)
    assert keep(of_bytes(KEPT_BYTES), store).startswith("x-")
    with pytest.raises(BluecutError, match="65,537 bytes of JSON; at most 65,536"):
        keep(of_bytes(KEPT_BYTES + 1), store)
    small = {**of_bytes(30_000), "script": []}
    small["title"] = {"en": "x" * (VISITOR_BYTES - len(canonical(small).encode()) + 4), "zh": "多"}
    assert len(unpacked(packed(canonical(small))).encode()) == VISITOR_BYTES
    with pytest.raises(BadRef, match="larger than"):
        unpacked(packed(canonical(small | {"title": {"en": small["title"]["en"] + "x", "zh": "多"}})))


def test_a_server_keeps_10_000_scenarios(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.save("first")
    with closing(sqlite3.connect(store.file)) as base, base:
        base.executemany("INSERT INTO scenario VALUES (?, ?)", [(address(f"{n}"), f"{n}") for n in range(MOST - 2)])
    store.save("last")
    assert store.filled().scenarios == MOST
    with pytest.raises(Unkept, match="keeps 10,000 shared scenarios"):
        store.save("one more")


def test_four_columns_stand_side_by_side_and_not_five(client: TestClient) -> None:
    for more, status in ((0, 200), (1, 400)):
        names = "&".join(["with=photographs"] * (compare.MOST + more))
        assert client.get(f"/compare/three-banks?{names}").status_code == status


def test_a_search_sees_as_many_states_as_it_may() -> None:
    def search(states: int) -> Found:
        searches = Searches(most_states=states)
        found = asyncio.run(searches.found(LIBRARY.scenario("token-late"), RunKey(), "any", lambda *_: False))
        assert found is not None
        return found

    all_states = search(MOST_STATES).states
    assert not search(all_states).bounded and search(all_states - 1).bounded
    assert (Searches().most_states, Searches().seconds) == (MOST_STATES, SECONDS) == (20_000, 4)


def judged(client: TestClient) -> str:
    """Return the verdict on a class that has answered all that it is asked."""
    return str(asked(client, "right/markers", 0)["verdict"])


def test_a_class_is_tried_in_as_many_states_and_as_long_as_it_may(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert judged(client) == "passed"
    assert (write.MOST_STATES, write.SECONDS) == (20_000, 4)
    for name, too_few in (("MOST_STATES", 1), ("SECONDS", -1)):
        with monkeypatch.context() as changed:
            changed.setattr(write, name, too_few)
            assert judged(client) == "undecided"


def refused(line: FairLine, clients: Iterator[str]) -> bool:
    """Ask for places until one is refused; return whether the client's own share was full."""

    async def trial() -> bool:
        async def hold(client: str) -> None:
            async with line.place(client):
                await asyncio.sleep(60)

        holding = []
        while True:
            holding.append(asyncio.create_task(hold(next(clients))))
            await asyncio.sleep(0)
            if holding[-1].done():
                for one in holding[:-1]:
                    one.cancel()
                error = holding[-1].exception()
                assert isinstance(error, Crowded)
                return error.mine

    return asyncio.run(trial())


def test_of_one_client_24_requests_wait_and_of_all_64() -> None:
    line, names = Pool(answering(b""), 2).line, list[str]()

    def clients(several: bool) -> Iterator[str]:
        while True:
            names.append(f"{len(names) if several else 0}")
            yield names[-1]

    assert refused(line, clients(False)) and len(names) == 1 + SHARE + 1
    names.clear()
    line = Pool(answering(b""), 2).line
    assert not refused(line, clients(True)) and len(names) == 2 + WAITING + 1


def test_how_long_one_waits_for_a_worker_and_a_worker_has() -> None:
    pool = Pool(answering(b""), 2)
    assert (pool.line.patience, pool.deadline) == (PATIENCE, DEADLINE) == (30, 30)
    made: Any = protocol(Crowd(2, 2))
    assert (made.unasked, made.stalled) == (UNASKED, STALLED) == (10, 60)


def answering(body: bytes) -> Any:
    """Return an application that always answers the same."""
    return Response(body)


LONG = b"x" * 10_000_000


def kept_bytes(bodies: list[bytes], times: int = 1, most: int = MOST_BYTES) -> int:
    """Return how much of these answers is kept if each is asked for so many times."""
    answers = KeptAnswers(lambda *given: Response(bodies.pop())(*given), pool=None, edition=str, most=most)
    client = TestClient(as_asgi(answers))
    for page in range(len(bodies)):
        for _ in range(times):
            client.get(f"/scenarios?page={page}")
    return answers.bytes


def as_asgi(app: Any) -> ASGIApp:
    """Say that it is an application."""
    made: ASGIApp = app
    return made


def test_an_answer_of_32_mb_is_kept_and_all_of_them_have_their_room() -> None:
    besides = kept_bytes([LONG]) - len(LONG)
    assert kept_bytes([b"x" * (LARGEST - besides)]) == LARGEST
    assert kept_bytes([b"x" * (LARGEST - besides + 1)]) == 0
    one = kept_bytes([b"x" * 500])
    assert kept_bytes([b"x" * 500, b"x" * 500], most=2 * one) == 2 * one
    assert kept_bytes([b"x" * 500, b"x" * 501], most=2 * one) in (one, one + 1)
    assert KeptAnswers(answering(b""), pool=None, edition=str).most == MOST_BYTES


@pytest.mark.slow
def test_answers_that_nobody_asks_for_again_have_32_mb() -> None:
    half = ONCE // 2 - (kept_bytes([LONG]) - len(LONG))
    assert kept_bytes([b"x" * half] * 2) == ONCE
    assert kept_bytes([b"x", b"x" * half, b"x" * half]) < ONCE // 2 + 3_000
    assert kept_bytes([b"x" * half] * 6, times=2) == 3 * ONCE  # each is made once


def test_runs_files_and_sweeps_have_the_room_that_the_table_says(tmp_path: Path) -> None:
    """How they keep to it is tested where they are."""
    assert Runs().cache.most == run_cache.MOST_BYTES
    assert Assets()._cache.most == assets.MOST_BYTES
    assert (run_cache.OWN_WORK, compare.MOST_WORK) == (500_000, 500_000)
    assert (Jobs(tmp_path).kept, Jobs(tmp_path).room) == (KEPT, ROOM)


def test_a_sentence_quotes_200_characters() -> None:
    whole = "a" * MOST_QUOTED
    assert shortened(whole) == whole
    assert len(shortened(whole + "a")) == MOST_QUOTED and "…" in shortened(whole + "a")
