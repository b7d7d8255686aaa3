"""Where phones find the server, and what it says of them when it starts."""

import os
import subprocess
import sys
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from app.web.app import Settings, create_app
from app.web.serve import bind, lan_address

COMMAND = [str(Path(sys.executable).with_name("bluecut")), "serve", "--port", "0"]


@pytest.mark.parametrize("root", ["", "/bluecut"])
def test_phones_are_told_an_address_of_this_machine_in_its_network(root: str) -> None:
    with bind("0.0.0.0", 0) as bound:
        found = lan_address(bound, root)
    if found:
        parts = urlsplit(found)
        assert not ip_address(str(parts.hostname)).is_unspecified
        assert parts.port == bound.getsockname()[1] if bound.fileno() >= 0 else parts.port
        assert parts.path == root


def test_a_code_leads_phones_there_even_from_the_presenters_own_machine(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, exposed=True, lan="http://192.168.7.7:8000", keep=0))
    with TestClient(app, base_url="http://127.0.0.1:8000", follow_redirects=False) as client:
        headers = {"referer": "http://127.0.0.1:8000/run/blue-figure"}
        where = client.post("/rooms", headers=headers).headers["location"]
        assert "http://192.168.7.7:8000/r/" in client.get(where).text
    with TestClient(app, base_url="http://snapshots.example", follow_redirects=False) as client:
        headers = {"referer": "http://snapshots.example/run/blue-figure"}
        where = client.post("/rooms", headers=headers).headers["location"]
        assert "http://snapshots.example/r/" in client.get(where).text


def test_links_to_an_assignment_lead_students_there_too(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, exposed=True, lan="http://192.168.7.7:8000", keep=0))
    with TestClient(app, base_url="http://127.0.0.1:8000") as client:
        html = client.get("/assign?title=Lab&seed=1&q=entry:three-banks").text
    assert "http://192.168.7.7:8000/assign/sheet?" in html and "http://127.0.0.1" not in html


@pytest.mark.slow
def test_a_server_that_others_reach_shows_a_code_for_phones_and_says_how_many_fit(tmp_path: Path) -> None:
    with subprocess.Popen(
        [*COMMAND, "--host", "0.0.0.0", "--data", str(tmp_path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stderr.readline()
        said = process.stderr.readline().decode()
        code = process.stderr.readline().decode()
        process.kill()
    if "phones join" in said:
        assert "/r; " in said and "fit" in said and "█" in code


@pytest.mark.slow
def test_several_servers_are_refused_because_rooms_need_one(tmp_path: Path) -> None:
    several = {**os.environ, "WEB_CONCURRENCY": "2"}
    ended = subprocess.run(
        [*COMMAND, "--data", str(tmp_path)], env=several, capture_output=True, text=True, timeout=120
    )
    assert ended.returncode != 0 and "phones of a room" in ended.stderr and "Traceback" not in ended.stderr
