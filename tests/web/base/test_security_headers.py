import pytest
from fastapi.testclient import TestClient

PAGES = ("/run/blue-figure", "/scenarios", "/editor", "/run/nope", "/static/css/base.css", "/run/blue-figure/events")


@pytest.mark.parametrize("url", PAGES)
def test_every_answer_carries_the_policy(client: TestClient, url: str) -> None:
    headers = client.get(url).headers
    policy = headers["content-security-policy"]
    assert policy.startswith("default-src 'none'; script-src 'self'; style-src 'self';")
    assert "unsafe" not in policy
    assert policy.endswith("frame-ancestors 'self'")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cross-origin-opener-policy"] == "same-origin"


def test_only_an_embedded_run_may_stand_in_other_peoples_frames(client: TestClient) -> None:
    policy = client.get("/embed/blue-figure").headers["content-security-policy"]
    assert "frame-ancestors" not in policy


@pytest.mark.parametrize("url", [p for p in PAGES if not p.startswith("/static")])
def test_no_page_has_inline_script_or_style(client: TestClient, url: str) -> None:
    html = client.get(url).text
    assert "<style" not in html
    assert " style=" not in html
    assert " onclick=" not in html
    assert "<script>" not in html


def test_nothing_is_fetched_from_outside(client: TestClient) -> None:
    for url in ("/run/blue-figure", "/scenarios", "/editor"):
        html = client.get(url).text
        for attribute in (' src="http', ' src="//', 'stylesheet" href="http', 'stylesheet" href="//'):
            assert attribute not in html
