import re

from fastapi.testclient import TestClient

from app.paths import STATIC


def test_a_page_names_the_present_edition_which_may_be_kept(client: TestClient) -> None:
    named = re.search(r'href="(/static/[0-9a-f]{12}/joined/base[\w+-]*\.css)"', client.get("/scenarios").text)
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
    named = re.search(r'src="(/static/[0-9a-f]{12}/vendor/htmx/htmx\.min\.js)"', client.get("/scenarios").text)
    assert named
    for accepted, coding in (("identity", None), ("gzip", "gzip"), ("gzip", "gzip"), ("identity", None)):
        answer = client.get(named[1], headers={"accept-encoding": accepted})
        assert answer.content == (STATIC / "vendor/htmx/htmx.min.js").read_bytes()
        assert answer.headers.get("content-encoding") == coding
        assert answer.headers["content-type"].startswith("text/javascript")
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
