"""A page loads few files: its scripts as one, its styles as one."""

import re
from collections.abc import Iterator
from html import unescape
from typing import cast
from urllib.parse import urljoin, urlsplit

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.paths import STATIC
from app.web.base.page_files import PageFiles

MOST = 12
LOADED = re.compile(
    r'<(?:script|img|iframe)\b[^>]*\bsrc="([^"]+)|<link rel="(?:stylesheet|modulepreload)" href="([^"]+)'
)


def kinds(client: TestClient) -> Iterator[tuple[str, str]]:
    """Yield one page of each kind that links lead to, from the front page on: its address and its text."""
    app = cast("FastAPI", client.app)
    patterns = [re.compile(re.sub(r"\{[^}]*\}", "[^/]+", path)) for path in app.openapi()["paths"]]
    seen: set[re.Pattern[str]] = set()
    waiting = ["/scenarios"]
    for path in waiting:
        kind = next((each for each in patterns if each.fullmatch(urlsplit(path).path)), None)
        if kind is None or kind in seen:
            continue
        seen.add(kind)
        answer = client.get(path, follow_redirects=True)
        if answer.headers.get("content-type", "").startswith("text/html"):
            yield path, answer.text
            waiting += [unescape(link) for link in re.findall(r'<a\b[^>]*\bhref="(/[^"#]*)', answer.text)]


@pytest.mark.slow
def test_every_kind_of_page_loads_few_files(client: TestClient) -> None:
    pages = 0
    for path, text in kinds(client):
        pages += 1
        files = {urljoin(path, one or other) for one, other in LOADED.findall(text)}
        assert len(files) + 1 <= MOST, (path, files)
        scripts = [file for file in files if "/joined/" in file and file.endswith(".js")]
        assert len(scripts) <= 1 and len([file for file in files if "/joined/" in file]) <= 2, (path, files)
        for file in scripts:
            about = client.get(f"{file}.map").json()
            assert len(about["sources"]) == len(set(about["sources"])) > 0, path
            assert client.get(file).text.count("(() => { // js/") == len(about["sources"]), path
    assert pages > 30


def test_styles_are_joined_in_the_order_of_the_page(client: TestClient) -> None:
    answer = client.get("/static/000000000000/joined/base+player+base.css")
    text = {name: (STATIC / f"css/{name}.css").read_text("utf-8") for name in ("base", "player")}
    assert answer.text == f"/* css/base.css */\n{text['base']}\n/* css/player.css */\n{text['player']}"
    assert answer.headers["content-type"].startswith("text/css") and answer.headers["cache-control"] == "no-cache"


def test_styles_that_are_joined_name_no_other_file() -> None:
    for path in (STATIC / "css").iterdir():
        assert not re.search(r"@(?:import|charset)\b|url\((?!#)", path.read_text("utf-8")), path


@pytest.mark.parametrize(
    "name", ["main+nothing.js", "main.css", ".js", "main+.js", "main", "%2e%2e/x.js", "main+" * 16 + "main.js"]
)
def test_what_is_not_there_is_not_joined(client: TestClient, name: str) -> None:
    assert client.get(f"/static/000000000000/joined/{name}").status_code == 404


def test_a_page_cannot_need_a_file_too_late() -> None:
    files = PageFiles("/static/x/")
    files.use("css/a.css", "js/one.js", "vendor/l.js")
    files.use("js/deep/two.js", "css/b.css", "css/a.css")
    assert files.tags().splitlines() == [
        '<link rel="stylesheet" href="/static/x/joined/a+b.css">',
        '<script src="/static/x/vendor/l.js" defer></script>',
        '<script type="module" src="/static/x/joined/one+deep/two.js"></script>',
    ]
    with pytest.raises(ValueError, match="late"):
        files.use("late")
