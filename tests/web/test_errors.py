import json

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from app.narration.tell import LANGUAGES, word
from app.web import errors
from app.web.headers import Headers

WRONG = [
    ("/run/nope", 404, "no scenario is called"),
    ("/run/..%2f..%2fetc%2fpasswd", 404, ""),
    ("/run/x-0123", 404, "no scenario"),
    ("/run/1.!!!", 400, "damaged"),
    ("/run/blue-figure?algorithm=nope", 400, "unknown algorithm"),
    ("/run/blue-figure?discipline=lifo", 400, "unknown discipline"),
    ("/run/blue-figure?choices=nonsense", 400, "STEP:INDEX"),
    ("/run/blue-figure?choices=0:99", 400, "0:99 does not exist"),
    ("/run/blue-figure?choices=400:0", 400, "past the end"),
    ("/run/blue-figure?seed=-1", 400, "seed"),
    ("/run/blue-figure?seed=1.5", 400, "seed"),
    ("/run/blue-figure?step=x", 400, "step"),
    ("/run/blue-figure/step/abc", 400, ""),
    ("/run/blue-figure/branch", 400, "action"),
    ("/nowhere", 404, ""),
    ("/static/nothing.css", 404, ""),
    ("/static/..%2fpyproject.toml", 404, ""),
    ("/static/000000000000/..%2f..%2fpyproject.toml", 404, ""),
]


@pytest.mark.parametrize(("url", "status", "says"), WRONG)
def test_what_is_wrong_is_told_in_a_page(client: TestClient, url: str, status: int, says: str) -> None:
    for language in LANGUAGES:
        answer = client.get(url, headers={"accept-language": language})
        assert answer.status_code == status
        assert word(f"error.{status}.title", language) in answer.text
        assert says in answer.text.replace("&#39;", "'")
        assert 'href="/scenarios"' in answer.text
        assert "Traceback" not in answer.text


@pytest.mark.parametrize(("url", "status", "says"), WRONG)
def test_programs_get_json(client: TestClient, url: str, status: int, says: str) -> None:
    answer = client.get(url, headers={"accept": "application/json"})
    told = json.loads(answer.text)
    assert told["status"] == answer.status_code == status
    assert says in told["error"]


def test_htmx_gets_a_piece_of_a_page(client: TestClient) -> None:
    html = client.get("/run/nope", headers={"hx-request": "true"}).text
    assert "<html" not in html
    assert "404" in html


def test_what_can_only_be_read_says_so(client: TestClient) -> None:
    answer = client.post("/scenarios")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "GET"


def test_every_told_status_has_words_in_both_languages() -> None:
    for status in errors.TOLD:
        for language in LANGUAGES:
            assert word(f"error.{status}.title", language) != word(f"error.{status}.text", language)


def test_a_mistake_of_ours_shows_a_page_and_no_traceback() -> None:
    app = FastAPI()
    app.add_middleware(Headers)
    errors.install(app)

    @app.get("/broken")
    def broken() -> None:
        raise RuntimeError("secret detail")

    answer = TestClient(app, raise_server_exceptions=False).get("/broken", headers={"accept-language": "en"})
    assert answer.status_code == 500
    assert "We made a mistake" in answer.text
    assert "secret" not in answer.text
    assert "Traceback" not in answer.text
    assert "content-security-policy" in answer.headers
