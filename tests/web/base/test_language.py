import re
from html import unescape

import pytest
from fastapi.testclient import TestClient


@pytest.mark.parametrize(
    ("accept", "lang"),
    [("zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"), ("en-GB", "en"), ("fr,zh;q=0.5", "zh-CN"), ("fr", "en"), ("", "en")],
)
def test_the_browsers_wish_counts(client: TestClient, accept: str, lang: str) -> None:
    answer = client.get("/scenarios", headers={"accept-language": accept})
    assert f'<html lang="{lang}">' in answer.text
    assert "Accept-Language" in answer.headers["vary"]


def test_the_address_counts_more_and_is_remembered(client: TestClient) -> None:
    assert '<html lang="zh-CN">' in client.get("/scenarios?lang=zh", headers={"accept-language": "en"}).text
    assert '<html lang="zh-CN">' in client.get("/scenarios", headers={"accept-language": "en"}).text
    assert '<html lang="en">' in client.get("/scenarios?lang=en").text
    assert '<html lang="en">' in client.get("/scenarios", headers={"accept-language": "zh"}).text


@pytest.mark.parametrize("site", ["cross-site", "none"])
def test_a_link_from_elsewhere_chooses_for_its_own_page_only(client: TestClient, site: str) -> None:
    english = {"accept-language": "en"}
    assert '<html lang="zh-CN">' in client.get("/scenarios?lang=zh", headers={"sec-fetch-site": site}).text
    assert '<html lang="en">' in client.get("/scenarios", headers=english).text


def test_the_other_language_of_an_address_that_is_none_is_on_this_site(client: TestClient) -> None:
    html = client.get("http://testserver//elsewhere.example/x", headers={"accept-language": "en"}).text
    assert re.search(r'id="switch" href="/elsewhere.example/x\?lang=zh"', html)


def test_a_language_that_there_is_not_is_passed_over(client: TestClient) -> None:
    answer = client.get("/run/blue-figure?lang=tlh", headers={"accept-language": "zh"})
    assert '<html lang="zh-CN">' in answer.text
    assert "set-cookie" not in answer.headers


def test_switching_keeps_everything_else(client: TestClient) -> None:
    html = client.get("/run/blue-figure?seed=3&choices=1:0&step=2&lang=en").text
    switch = re.search(r'id="switch" href="([^"]+)"', html)
    assert switch
    there = client.get(unescape(switch[1]))
    assert '<html lang="zh-CN">' in there.text
    assert [str(there.url.params[k]) for k in ("seed", "choices", "step", "lang")] == ["3", "1:0", "2", "zh"]


def test_the_choice_travels_by_https_alone_where_the_page_does(client: TestClient) -> None:
    plain = client.get("/scenarios?lang=zh").headers["set-cookie"]
    secure = client.get("https://testserver/scenarios?lang=zh").headers["set-cookie"]
    assert "Secure" not in plain and "Secure" in secure
