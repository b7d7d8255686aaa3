import re
from posixpath import dirname, join, normpath

from fastapi.testclient import TestClient

from app.paths import STATIC


def test_a_page_names_the_present_edition_which_may_be_kept(client: TestClient) -> None:
    named = re.search(r'href="(/static/[0-9a-f]{12}/css/base\.css)"', client.get("/scenarios").text)
    assert named
    answer = client.get(named[1])
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_another_edition_is_served_but_not_kept(client: TestClient) -> None:
    answer = client.get("/static/000000000000/css/base.css")
    assert answer.status_code == 200
    assert answer.headers["cache-control"] == "no-cache"


def test_an_unversioned_file_is_asked_for_again(client: TestClient) -> None:
    assert client.get("/static/css/base.css").headers["cache-control"] == "no-cache"


def test_vendored_libraries_name_version_and_licence() -> None:
    for folder in (STATIC / "vendor").iterdir():
        assert (folder / "VERSION").read_text().strip(), folder
        assert (folder / "LICENSE").read_text().strip(), folder


def test_every_file_that_a_page_names_is_there(client: TestClient) -> None:
    for page in ("/run/blue-figure", "/embed/blue-figure", "/run/blue-figure/step/1", "/scenarios", "/editor"):
        for url in re.findall(r'(?:href|src)="(/static/[^"]+)"', client.get(page).text):
            assert client.get(url).status_code == 200, (page, url)


def test_a_file_that_is_kept_is_the_file(client: TestClient) -> None:
    named = re.search(r'href="(/static/[0-9a-f]{12}/js/main\.js)"', client.get("/run/blue-figure").text)
    assert named
    for accepted, coding in (("identity", None), ("gzip", "gzip"), ("gzip", "gzip"), ("identity", None)):
        answer = client.get(named[1], headers={"accept-encoding": accepted})
        assert answer.content == (STATIC / "js/main.js").read_bytes()
        assert answer.headers.get("content-encoding") == coding
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"


def test_a_page_names_every_module_that_it_will_import(client: TestClient) -> None:
    named = re.findall(
        r'<link rel="modulepreload" href="/static/[0-9a-f]{12}/([^"]+)">', client.get("/run/blue-figure").text
    )
    assert named[0] == "js/main.js" and len(named) == len(set(named))
    imported = {
        normpath(join(dirname(path), name))
        for path in named
        for name in re.findall(
            r'^(?:import|\} from|export).*"(\.{1,2}/[\w/.-]+\.js)";$', (STATIC / path).read_text(), re.MULTILINE
        )
    }
    assert imported == set(named) - {"js/main.js"}
