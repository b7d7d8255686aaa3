import re

from fastapi.testclient import TestClient

from app.simulator.library import LIBRARY


def shown(html: str) -> list[str]:
    return re.findall(r'class="card-link" href="/run/([^"]+)"', html)


def test_the_gallery_shows_every_scenario_with_a_picture_in_the_order_of_the_library(client: TestClient) -> None:
    html = client.get("/scenarios").text
    assert shown(html) == list(LIBRARY.names())
    assert html.count('class="card-picture"') == html.count("<svg", html.index('id="list"')) == len(LIBRARY.names())


def test_each_card_says_what_will_surprise(client: TestClient) -> None:
    html = client.get("/scenarios?lang=en").text
    for scenario in LIBRARY.scenarios():
        assert scenario.form.surprise is not None, scenario.name
        assert scenario.form.surprise.en.split("<")[0].split("'")[0] in html, scenario.name


def test_search_finds_words_in_both_languages(client: TestClient) -> None:
    assert shown(client.get("/scenarios?q=BLUE+figure").text) == ["blue-figure"]
    assert shown(client.get("/scenarios?q=蓝色的图&lang=en").text) == ["blue-figure"]


def test_a_tag_filters(client: TestClient) -> None:
    tagged = [s.name for s in LIBRARY.scenarios() if "violation" in s.form.tags]
    assert len(tagged) > 1
    assert shown(client.get("/scenarios?tag=violation").text) == tagged


def test_htmx_gets_only_the_list(client: TestClient) -> None:
    html = client.get("/scenarios?q=token", headers={"hx-request": "true"}).text
    assert "<html" not in html
    assert shown(html)


def test_nothing_found_says_what_to_do(client: TestClient) -> None:
    html = client.get("/scenarios?q=xyzzy&lang=en").text
    assert shown(html) == []
    assert "Try another word" in html
    assert 'href="/scenarios"' in html


def test_what_was_searched_for_stays_in_the_form(client: TestClient) -> None:
    html = client.get('/scenarios?q="><script>x&tag=violation').text
    assert 'value="&#34;&gt;&lt;script&gt;x"' in html
    assert 'value="violation" checked' in html
