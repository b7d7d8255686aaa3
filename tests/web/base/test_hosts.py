"""The names under which the server answers."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.core.model.values import BluecutError
from app.web.app import Settings, create_app
from app.web.base.hosts import Hosts, checked_name, name_in
from app.words.catalogues import LANGUAGES, word
from tests.each import each


async def nothing(*_: object) -> None:
    """Stand in for an application."""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> TestClient:
    """Return a client of a server that no other machine reaches, and that has one more name."""
    names = ("bluecut.example.org",)
    return TestClient(create_app(Settings(data=tmp_path_factory.mktemp("data"), hosts=names)), follow_redirects=False)


@each("host", ["localhost", "localhost:8000", "127.0.0.1:8000", "[::1]:80", "127.1.2.3", "BLUECUT.example.org.:80"])
def test_its_own_names_are_answered(client: TestClient, host: str) -> None:
    assert client.get("/glossary", headers={"host": host}).status_code == 200


OTHERS = ["evil.example", "evil.example:8000", "192.168.0.5", "localhost.evil.example", "x.bluecut.example.org", ""]


@each("host", OTHERS)
def test_other_names_are_refused(client: TestClient, host: str) -> None:
    assert client.get("/glossary", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_refusal_is_in_the_visitors_language_and_does_not_take_the_name_for_its_own(
    client: TestClient, language: str
) -> None:
    answer = client.get("/run/ring", headers={"host": "evil.example", "accept-language": language})
    assert word("error.421.title", language) in answer.text and "//evil.example" not in answer.text
    assert "trouble-doors" not in answer.text
    assert answer.headers["content-security-policy"]


def test_a_page_of_another_name_that_points_here_starts_and_ends_nothing(client: TestClient) -> None:
    rebound = {"host": "evil.example", "origin": "http://evil.example", "sec-fetch-site": "same-origin"}
    for path in ("/spark/start", "/spark/end", "/lab/jobs", "/editor/run", "/api/scenarios"):
        assert client.post(path, headers=rebound).status_code == 421, path


def test_where_other_machines_reach_it_addresses_in_digits_are_answered_but_no_other_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Desk")
    hosts = Hosts(nothing, names=("*.example.org",), exposed=True)
    for name in ("192.168.0.5", "fd00::1", "desk", "a.example.org", "a.b.example.org", "localhost"):
        assert hosts.allows(name), name
    for name in ("example.org", "evilexample.org", "evil.example", ""):
        assert not hosts.allows(name), name


def test_a_redirect_names_no_host(tmp_path: Path) -> None:
    client = TestClient(create_app(Settings(data=tmp_path, keep=0)), follow_redirects=False)
    answer = client.get("/scenarios/?q=a", headers={"host": "somewhere.example"})
    assert (answer.status_code, answer.headers["location"]) == (307, "/scenarios?q=a")


@each("host", ["http://a.example", "a.example:80", "a/b", "", "*.*", "a b"])
def test_what_is_no_name_is_refused_at_the_start(host: str) -> None:
    with pytest.raises(BluecutError, match="--allowed-host"):
        checked_name(host)


def test_a_name_is_read_without_its_port() -> None:
    assert [name_in(each) for each in ("A.b:80", "[::1]:80", "[::1]", "a")] == ["a.b", "::1", "::1", "a"]
    assert [checked_name(each) for each in ("A.Example.", "[::1]", "*.a.b", "*")] == ["a.example", "::1", "*.a.b", "*"]
