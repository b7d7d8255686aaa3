"""The page of a query that visitors kill: what it shows of the files, and who may do what to it. (The query itself is
tested in ``tests/pipeline/inside/test_query.py``, the page with it in ``tests/browser/test_inside.py``.)"""

import re
import sys
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.core.mistake import Phrase
from app.core.phrased import written
from app.web import inside, process
from app.web.app import create_app
from tests.web import watched_files as files

SLEEPS = ("-c", "import time; time.sleep(60)")


def text(html: str) -> str:
    """What a page says."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def batch(html: str, number: int) -> str:
    """The part about a batch."""
    begins = html.index(f'id="batch-{number}"')
    return html[begins : html.index("\n      </li>", begins)]


def test_before_anybody_starts_it_there_is_a_button_and_nothing_has_been_written(
    client: TestClient, tmp_path: Path
) -> None:
    html = client.get("/spark?lang=en").text
    assert "No query is running." in html
    assert re.search(r'<form method="post" action="/spark/start\?lang=en"', html)
    assert "/spark/kill" not in html
    assert not (tmp_path / "spark").exists()


def test_after_the_kill_the_page_says_what_the_logs_have_and_what_a_restart_will_do(
    client: TestClient, tmp_path: Path
) -> None:
    files.killed(tmp_path / "spark")
    html = client.get("/spark/live?lang=en").text
    assert "Killed. The offset log has batch 1, the commit log does not." in html
    assert "A restart will run batch 1 again, with the same offsets. Both sinks have written it already" in html
    assert "no entry 1" in batch(html, 1) and "P 4" in batch(html, 1) and "Q 3" in batch(html, 1)
    assert "no entry" not in batch(html, 0)
    assert 'action="/spark/restart?lang=en"' in html and "/spark/kill" not in html
    assert html.index('id="batch-1"') < html.index('id="batch-0"')


def test_after_the_restart_the_page_says_which_sink_has_what_twice(client: TestClient, tmp_path: Path) -> None:
    files.repeated(tmp_path / "spark")
    html = client.get("/spark?lang=en").text
    said = text(html)
    assert "Batch 1 ran 2 times" in said
    assert "Each time with the offsets that the log has: P 4 · Q 3" in said
    assert "The sink by number has each of its 2 records once. The plain sink has 2 records too many." in said
    exact, *plain = re.findall(r'data-sink="(\w+)".*?</ol>', batch(html, 1))
    assert (exact, plain) == ("exact", ["plain", "plain"])
    assert batch(html, 1).count('class="chip doubled"') == 2
    assert batch(html, 0).count('class="chip doubled"') == 0


def test_the_page_speaks_chinese(client: TestClient, tmp_path: Path) -> None:
    files.repeated(tmp_path / "spark")
    said = text(client.get("/spark?lang=zh").text)
    assert "第 1 批运行了 2 次" in said and "普通的汇里多出 2 条记录。" in said


def test_the_same_crash_in_the_simulator_is_shown_at_its_step(client: TestClient) -> None:
    html = client.get("/spark?lang=en").text
    pictures = re.findall(r'<img src="(/run/(micro-batch(?:-plain)?)/step/(\d+)\.svg[^"]*)"', html)
    assert [name for _, name, _ in pictures] == ["micro-batch", "micro-batch-plain"]
    for picture, name, step in pictures:
        assert client.get(picture.replace("&amp;", "&")).headers["content-type"] == "image/svg+xml"
        assert f'href="/run/{name}?step={step}' in html
        assert "crashes" in client.get(f"/run/{name}/step/{step}?lang=en").text


def test_what_a_failed_query_has_said_is_told_in_the_visitors_language(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    folder.mkdir()
    mistake = written(Phrase("{java} is Java {version}", java="/opt/java", version="11.0.2"))
    process.written(folder / "now.json", {"stage": "failed", "batch": None, "life": 1, "pid": 7, "mistake": mistake})
    assert "/opt/java is Java 11.0.2" in client.get("/spark/live?lang=en").text
    assert "/opt/java 是 Java 11.0.2" in client.get("/spark/live?lang=zh").text


@pytest.mark.parametrize("act", ["start", "restart", "kill", "aim", "end"])
def test_another_sites_page_cannot_do_anything_to_it(client: TestClient, tmp_path: Path, act: str) -> None:
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}):
        assert client.post(f"/spark/{act}", headers=headers).status_code == 403
    assert not (tmp_path / "spark").exists()


def test_without_spark_the_page_says_what_to_type_and_starts_nothing(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    html = client.get("/spark?lang=en").text
    assert "the Python packages pyspark are missing" in html
    assert "<code>uv run --group spark bluecut serve</code>" in html
    assert "<button" not in html[html.index('id="inside"') :]
    assert client.post("/spark/start").status_code == 303
    assert not (tmp_path / "spark").exists()
    assert client.get("/run/blue-figure").status_code == 200


def test_a_kill_really_ends_the_process_and_who_comes_too_late_sees_what_there_is(
    client: TestClient, tmp_path: Path
) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    pid = process.start(folder, SLEEPS)
    html = client.get("/spark/live?lang=en").text
    assert 'data-does="written"' in html and f"Process {pid}, life 1" in html
    answer = client.post("/spark/kill?lang=en", headers={"hx-request": "true"})
    assert 'data-does="killed"' in answer.text and f"Process {pid} is gone" in answer.text
    assert not process.lives(pid)
    assert client.post("/spark/kill?lang=en").headers["location"] == "/spark?lang=en"


def test_a_kill_that_waits_for_its_moment_does_not_kill_before_it(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    files.commit(folder, 1)
    pid = process.start(folder, SLEEPS)
    html = client.post("/spark/aim?lang=en", headers={"hx-request": "true"}).text
    assert "It will be killed as soon as the sinks have a batch that the commit log does not." in html
    time.sleep(0.6)
    assert process.lives(pid)  # the sinks have batch 1, and so has the commit log
    (folder / "checkpoint" / "commits" / "1").unlink()
    late = time.monotonic() + 20
    while process.lives(pid):
        assert time.monotonic() < late
        time.sleep(0.05)
    assert 'data-does="killed"' in client.get("/spark/live").text


def test_a_query_that_runs_is_not_started_a_second_time(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    pid = process.start(folder, SLEEPS)
    client.post("/spark/start")
    client.post("/spark/restart")
    assert process.pid(folder) == pid and process.lives(pid)
    client.post("/spark/end")
    assert not process.lives(pid) and not folder.exists()


def test_a_server_that_stops_ends_what_it_started_and_leaves_what_it_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "waits.py").write_text("import time; time.sleep(60)")
    monkeypatch.setattr("app.web.watched.MODULE", "waits")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    folder = tmp_path / "spark"
    with TestClient(create_app(data=tmp_path)) as first:
        first.post("/spark/start")
        pid = process.pid(folder)
        assert pid is not None and process.lives(pid)
        with TestClient(create_app(data=tmp_path)) as second:
            assert f"Process {pid}" in second.get("/spark/live?lang=en").text
        assert process.lives(pid)
    assert not process.lives(pid) and not folder.exists()


def test_a_folder_that_cannot_be_written_is_told(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "spark").write_text("a file")
    assert client.get("/spark").status_code == 200
    for language, says in (("en", "this server cannot start a query now"), ("zh", "这台服务器现在无法启动查询")):
        answer = client.post(f"/spark/start?lang={language}")
        assert answer.status_code == 400 and says in answer.text


def test_the_query_is_told_when_to_end_by_itself() -> None:
    assert inside.LIMITS == ("--batches", "24", "--minutes", "10")
