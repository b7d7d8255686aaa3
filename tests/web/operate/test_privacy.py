"""Visitors read what is kept of them, and who runs the server."""

from pathlib import Path

from fastapi.testclient import TestClient

from app.web.app import Settings, create_app
from app.web.base.templates import YEAR
from app.web.teach.rooms.rooms import LASTS


def test_visitors_read_what_is_kept_and_whom_to_ask(tmp_path: Path) -> None:
    app = create_app(Settings(data=tmp_path, contact="Anna <anna@campus.example>"))
    with TestClient(app) as client:
        html = client.get("/privacy?lang=en").text
        assert "Anna &lt;anna@campus.example&gt;" in html and "Ask the person" not in html
        assert ("for a year" in html, YEAR) == (True, 365 * 24 * 3_600)
        assert ("for four hours" in html, LASTS) == (True, 4 * 3_600)
        for page in ("/", "/r", "/assign/sheet?q=every&for=x"):
            assert 'href="/privacy"' in client.get(page).text, page


def test_where_nobody_says_who_runs_it_the_page_says_whom_to_ask(client: TestClient) -> None:
    assert "Ask the person who gave you the link." in client.get("/privacy?lang=en").text
    assert "请询问发给你链接的人。" in client.get("/privacy?lang=zh").text
