"""The page on which a class is written: what it asks, what it answers, and what it never gets."""

import asyncio
import json
import re
from functools import partial
from pathlib import Path
from typing import Any, cast

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.responses import PlainTextResponse

from app.judge import browser_python
from app.judge.known_bugs import bugs
from app.judge.mistake import Mistake
from app.judge.sandbox import Sandbox
from app.judge.suite import FOLDER, LEVELS, of_level
from app.web.base import limits
from app.web.play.write.search import Asked, searched
from app.web.workers.fair_line import Crowded
from app.web.workers.pool import Pool

BODY: dict[str, Any] = {"level": 2, "place": 0, "tags": False, "values": False, "answers": {}}


def asked(client: TestClient, file: str, place: int, level: int = 2, lang: str = "en") -> dict[str, Any]:
    """Return the verdict on a class that is asked here, as a browser does it."""
    source = (FOLDER / f"{file}.py").read_text("utf-8")
    answers: dict[str, Any] = {}
    with Sandbox() as sandbox:
        facts = sandbox.ask({"source": source, "file": "snapshot.py"})
        for _ in range(40):
            body = {"level": level, "place": place, **facts, "answers": answers}
            told: dict[str, Any] = client.post(f"/write/judge?lang={lang}", json=body).json()
            if "questions" not in told:
                return told
            for name, question in told["questions"].items():
                try:
                    answers[name] = sandbox.ask(json.loads(question))
                except Mistake as mistake:
                    answers[name] = {"mistake": mistake.kind, "about": mistake.about, "line": mistake.line}
    raise AssertionError("it is asked without end")


@pytest.mark.usefixtures("without_extra")
@pytest.mark.parametrize("level", LEVELS)
def test_the_page_has_a_class_to_begin_with_and_says_what_is_missing(client: TestClient, level: int) -> None:
    text = client.get(f"/write?level={level}").text
    assert "class Snapshot(Node):" in text and "bluecut pyodide" in text and "--extra write" in text
    assert f'value="{level}" selected' in text


def test_the_comments_of_the_class_are_in_the_language_of_the_page(client: TestClient) -> None:
    assert "A snapshot algorithm." in client.get("/write").text
    assert "快照算法。" in client.get("/write?lang=zh").text
    assert "这个类有一处错误。" in client.get("/write?bug=one_flag&lang=zh").text


def test_a_wrong_class_can_be_repaired(client: TestClient) -> None:
    text = client.get("/write?bug=one_flag").text
    assert "has_recorded" in text and 'data-level="3"' in text
    assert 'href="/run/joiner-merged"' in text and "processes that join and leave" in text
    assert "processes that join and leave" not in client.get("/write").text
    assert client.get("/write?bug=none").status_code == 404


def test_an_address_does_not_tell_which_bug_it_is(client: TestClient) -> None:
    named = client.get("/write?bug=one_flag").text
    ((number, shown),) = re.findall(r'value="(\d+)" selected>Find the bug (\d+)<', named)
    assert number == shown and "has_recorded" in client.get(f"/write?bug={number}").text
    assert client.get("/write?bug=0").status_code == client.get("/write?bug=999").status_code == 404


def test_the_language_and_the_next_level_go_on(client: TestClient) -> None:
    text = client.get("/write?level=1&lang=zh").text
    assert text.count('name="lang" value="zh"') >= 2
    assert 'href="/write?level=2&amp;lang=zh"' in text
    assert "write-onward" not in client.get("/write?level=5").text


@pytest.mark.parametrize("level", [0, 6, "x"])
def test_a_level_that_does_not_exist_is_refused(client: TestClient, level: object) -> None:
    assert client.get(f"/write?level={level}").status_code == 400


def test_a_right_class_passes(client: TestClient) -> None:
    told = asked(client, "right/markers", 0)
    assert told == {"verdict": "passed", "says": "token-first (p): all 47 states", "sign": "-"}


def test_markers_are_counted_at_the_last_level(client: TestClient) -> None:
    assert 'data-fewest="25"' in client.get("/write?level=5").text and "data-fewest" not in client.get("/write").text
    told = asked(client, "right/walks", 3, level=5)
    assert told["markers"] == 4 and told["says"].endswith("109 states; at most 4 markers, where 4 can be enough")


def test_a_wrong_class_gets_the_run_that_shows_it_with_its_lines(client: TestClient) -> None:
    told = asked(client, "bugs/logs_nothing", 0)
    assert told["verdict"] == "failed" and told["why"] == "Not recorded: T crosses the cut on q→p."
    run = told["run"]
    assert len(run["steps"]) == 15
    recorded = next(step for step in run["steps"] if step["says"].startswith("p records"))
    source = (FOLDER / "bugs/logs_nothing.py").read_text("utf-8").splitlines()
    assert [source[line - 1].strip() for line in recorded["lines"]] == ["self.record(snapshot)"]
    assert client.get(run["embed"]).status_code == client.get(run["open"]).status_code == 200


def test_it_is_told_in_chinese(client: TestClient) -> None:
    assert asked(client, "start/2", 0, lang="zh")["says"] == "token-first (p)：运行结束了，快照却没有完成"


def test_a_mistake_is_told_in_words(client: TestClient) -> None:
    told = client.post("/write/mistake", json={"mistake": "no-class", "line": None}).json()
    assert told["says"].startswith("there is no class that inherits from Node")
    assert client.post("/write/mistake", json={"mistake": "<b>"}).status_code == 400
    unknown = client.post("/write/mistake", json={"mistake": "no-such-kind", "line": 3}).json()
    assert unknown == client.post("/write/mistake", json={"mistake": "protocol", "line": 3}).json()


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"place": 99}, 404),
        ({"place": -1}, 400),
        ({"level": 6}, 400),
        ({"answers": {"x": {}}}, 400),
        ({"source": "import os"}, 400),
        ({"answers": {"0" * 16: "x"}}, 400),
    ],
)
def test_what_is_no_answer_is_refused(client: TestClient, change: dict[str, Any], status: int) -> None:
    assert client.post("/write/judge", json=BODY | change).status_code == status


@pytest.mark.slow
def test_a_class_answers_more_than_a_form_may_have_up_to_a_limit(client: TestClient) -> None:
    told = asked(client, "right/counts", 5, level=4)
    assert told["verdict"] == "passed"  # which takes more than MOST_BODY
    padded = json.dumps(BODY).ljust(limits.MOST_ANSWERED)
    given = {"content-type": "application/json"}
    assert client.post("/write/judge", content=padded, headers=given).status_code == 200
    assert client.post("/write/judge", content=padded + " ", headers=given).status_code == 413


def test_another_site_cannot_ask(client: TestClient) -> None:
    assert client.post("/write/judge", json=BODY, headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize(("mine", "status"), [(True, 429), (False, 503)])
def test_who_finds_no_place_is_asked_to_come_back(client: TestClient, mine: bool, status: int) -> None:
    class Full:
        async def call(self, client: str, *_: object) -> None:
            assert client == "testclient"
            raise Crowded(mine=mine)

    app = cast(FastAPI, client.app)
    app.state.pool, before = Full(), app.state.pool
    try:
        refused = client.post("/write/judge", json=BODY)
    finally:
        app.state.pool = before
    assert refused.status_code == status and refused.headers["retry-after"] == "5"


@pytest.mark.slow
def test_a_worker_searches_for_one_client_as_this_process_does() -> None:
    pool = Pool(partial(PlainTextResponse, ""), 1, deadline=200.0)
    asked = Asked.model_validate(BODY)
    try:
        there = asyncio.run(pool.call("x", searched, asked, "zh"))
    finally:
        pool.close()
    assert there == searched(asked, "zh") and cast(dict[str, Any], there)["questions"]


@pytest.mark.slow
def test_what_was_perhaps_thought_is_told_at_the_end(client: TestClient) -> None:
    signs = [asked(client, "bugs/one_flag", place, level=3)["sign"] for place in range(len(of_level(3)))]
    told = client.post("/write/like", json={"level": 3, "signs": signs}).json()["says"]
    assert told[0].startswith("Other classes that fail in this way: What belongs to one snapshot")
    assert told[1].startswith("Perhaps you thought: “Two processes must not start at the same time")
    assert client.post("/write/like", json={"level": 3, "signs": ["-"] * 11}).json() == {"says": []}
    assert client.post("/write/like", json={"level": 3, "signs": ["x"]}).status_code == 400


def test_only_the_script_that_runs_python_may_compile(client: TestClient) -> None:
    answer = client.get("/write/worker.js")
    assert "'wasm-unsafe-eval'" in answer.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-cache"
    assert "'wasm-unsafe-eval'" not in client.get("/write").headers["content-security-policy"]


@pytest.mark.usefixtures("without_extra")
def test_the_files_of_python_are_there_once_they_are_fetched(alone: TestClient, tmp_path: Path) -> None:
    source = alone.get("/write/python/worker.py")
    assert "class Node" in source.text
    assert source.headers["cache-control"] == "no-cache", "an older one would give answers of another form"
    assert alone.get("/write/python/pyodide.mjs").status_code == 404
    folder = browser_python.folder(tmp_path)
    folder.mkdir()
    for name in browser_python.FILES:
        (folder / name).write_text("x")
    assert alone.get("/write/python/pyodide.asm.wasm").headers["content-type"] == "application/wasm"
    assert "bluecut pyodide" not in alone.get("/write").text
    (folder / "other.txt").write_text("x")
    assert alone.get("/write/python/other.txt").status_code == 404


def test_bugs_keep_their_numbers() -> None:
    """Links have them: a new bug comes last."""
    first = ["no_markers", "first_output_only", "logs_nothing", "logs_too_long", "opens_the_first"]
    assert list(bugs())[:9] == [*first, "records_late", "marker_later", "one_flag", "colour_blind"]
