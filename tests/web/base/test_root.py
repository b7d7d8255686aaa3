"""The site below a path: no link, redirect, stream or cookie leads outside it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from starlette.types import ASGIApp, Receive, Scope, Send

from app.core.model.values import BluecutError
from app.paths import SCENARIOS
from app.web.app import Settings, create_app
from app.web.base.root import _ROOT, at, readable_root, rooted, within
from tests.web.crawl import addresses, crawled

ROOT = "/bluecut"
BEGIN = [f"{ROOT}/", f"{ROOT}/nowhere/at-all", f"{ROOT}/run/blue-figure?seed=wrong", f"{ROOT}/embed/blue-figure?step=3"]


def behind(app: ASGIApp) -> ASGIApp:
    """Return a proxy that shows an application below a path, removes the path, and knows nothing else."""

    async def proxy(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            if not scope["path"].startswith(f"{ROOT}/"):
                await send({"type": "http.response.start", "status": 404, "headers": [(b"x-proxy", b"outside")]})
                await send({"type": "http.response.body", "body": b""})
                return
            scope = {**scope, "path": scope["path"][len(ROOT) :], "raw_path": scope["raw_path"][len(ROOT) :]}
        await app(scope, receive, send)

    return proxy


@pytest.fixture(scope="module")
def below(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    app = create_app(Settings(data=tmp_path_factory.mktemp("data"), root=ROOT))
    with TestClient(behind(app), follow_redirects=False, base_url="http://campus.example") as client:
        yield client


@pytest.mark.parametrize("most", [20, pytest.param(200, marks=pytest.mark.slow)])
def test_nothing_leads_outside_the_path(below: TestClient, most: int) -> None:
    wrong, read = crawled(below, BEGIN, ROOT, most)
    assert read >= min(most, 150)
    assert wrong == []


@pytest.mark.slow
def test_what_workers_make_has_the_path_too(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(data=tmp_path, root=ROOT, workers=1))) as client:
        found = [there for _, there in addresses(client.get(f"{ROOT}/cuts/blue-figure"))]
    assert len(found) > 20
    assert all(there.startswith((ROOT, "http")) for there in found), found


def test_a_proxy_may_also_leave_the_path_in_place(tmp_path: Path) -> None:
    with TestClient(create_app(Settings(data=tmp_path, root=ROOT)), follow_redirects=False) as client:
        for path in (ROOT, f"{ROOT}/", f"{ROOT}/lessons", "/lessons", f"{ROOT}/healthz"):
            assert client.get(path).status_code == 200
        assert client.get(f"{ROOT}/lessons/").headers["location"] == f"{ROOT}/lessons"
        assert client.get("/bluecuts").status_code == 404


def test_a_choice_of_language_is_remembered_below_the_path_only(below: TestClient) -> None:
    answer = below.get(f"{ROOT}/?lang=zh", headers={"sec-fetch-site": "same-origin"})
    assert f"Path={ROOT};" in answer.headers["set-cookie"]


def test_links_for_other_people_have_the_path(below: TestClient) -> None:
    html = below.get(f"{ROOT}/run/blue-figure?step=3").text
    assert '<link rel="canonical" href="http://campus.example/bluecut/run/blue-figure?step=3' in html
    assert 'value="http://campus.example/bluecut/run/blue-figure?step=3' in html


def test_a_scenario_that_a_program_sends_has_an_address_with_the_path(below: TestClient) -> None:
    text = (SCENARIOS / "blue-figure.yaml").read_text("utf-8")
    answer = below.post(f"{ROOT}/api/scenarios", json={"yaml": text})
    assert answer.status_code == 200, answer.text
    assert answer.json()["url"].startswith(f"{ROOT}/run/")
    assert below.get(answer.json()["url"]).status_code == 200


def test_a_choice_in_a_challenge_is_answered_with_the_path(below: TestClient) -> None:
    address = f"{ROOT}/challenge/late-marker/branch?step=0&action=start P"
    answer = below.get(address, headers={"accept": "application/json"})
    found = addresses(answer)
    assert {place for place, _ in found} >= {".url", ".links.branch"}
    assert all(there.startswith(f"{ROOT}/") for _, there in found)


def test_a_playlist_takes_addresses_with_the_path_and_without(below: TestClient) -> None:
    for item in (
        "/run/blue-figure?step=3",
        f"{ROOT}/run/blue-figure?step=3",
        f"http://campus.example{ROOT}/run/domino",
    ):
        answer = below.get(f"{ROOT}/playlist", params={"item": item})
        assert answer.status_code == 200
        assert f'src="{ROOT}/run/' in answer.text
    assert (
        below.get(f"{ROOT}/qr.svg?of=/run/domino").content == below.get(f"{ROOT}/qr.svg?of={ROOT}/run/domino").content
    )


@pytest.mark.parametrize("sent_from", ["/", "/teach", "/run/blue-figure?step=3"])
def test_a_room_is_opened_from_every_page_with_the_path(below: TestClient, sent_from: str) -> None:
    headers = {"referer": f"http://campus.example{ROOT}{sent_from}"}
    answer = below.post(f"{ROOT}/rooms", data={"at": "/run/blue-figure"}, headers=headers)
    assert answer.status_code == 303, answer.text
    assert answer.headers["location"].startswith(f"{ROOT}/r/")


def test_an_error_outside_every_layer_has_the_path_too(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, root=ROOT))

    @app.get("/breaks")
    def breaks() -> None:
        raise RuntimeError

    with TestClient(app, raise_server_exceptions=False) as client:
        answer = client.get(f"{ROOT}/breaks")
    assert answer.status_code == 500
    assert f'class="button" href="{ROOT}/"' in answer.text


def test_the_path_is_added_once_and_only_to_addresses_of_the_site() -> None:
    before = _ROOT.set(ROOT)
    try:
        assert [
            at(path) for path in ("/", "/run/x", "/bluecut/run/x", "/bluecuts", "//other", "#end", "https://x")
        ] == [*("/bluecut/", "/bluecut/run/x", "/bluecut/run/x", "/bluecut/bluecuts", "//other", "#end", "https://x")]
        assert [within(path) for path in ("/bluecut", "/bluecut/run/x", "/bluecuts", "/run/x")] == [
            *("/", "/run/x", "/bluecuts", "/run/x")
        ]
        written = '<a class="x" href="/run">href="/run"</a><p title="/run">{"text": "a href=\\"/run\\""}</p>'
        assert rooted(written).count("/bluecut/") == 1
    finally:
        _ROOT.reset(before)
    assert at("/run/x") == "/run/x"


@pytest.mark.parametrize("path", ["bluecut", "/a b", "//x", "/..", '/"', "/blue/../cut", "http://x/"])
def test_what_is_no_path_is_refused_in_a_sentence(path: str) -> None:
    with pytest.raises(BluecutError, match="write a path like /bluecut"):
        readable_root(path, frozenset())


def test_a_path_that_begins_like_a_page_of_the_site_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BluecutError, match="/run/x is an address of Bluecut itself"):
        create_app(Settings(data=tmp_path, root="/run/x"))


@pytest.mark.parametrize(("path", "used"), [("", ""), ("/", ""), ("/bluecut/", "/bluecut"), ("/a/b-c.d", "/a/b-c.d")])
def test_a_path_may_end_with_a_slash(path: str, used: str) -> None:
    assert readable_root(path, frozenset({"run"})) == used
