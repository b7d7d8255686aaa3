import json
import re

import pytest
from fastapi.testclient import TestClient

from app.scenario.library import LIBRARY
from app.scenario.run_key import ENGINE
from app.web.shared import own_scenario
from tests.often import some
from tests.web.conversation import FIVE, LAST, carried, visible

DIGEST = LIBRARY.scenario("blue-figure").digest


@pytest.mark.parametrize("name", some(LIBRARY.names(), 6))
def test_every_scenario_of_the_library_has_its_pages(client: TestClient, name: str) -> None:
    for url in (f"/run/{name}", f"/embed/{name}", f"/run/{name}/step/1.svg"):
        assert client.get(url).status_code == 200, url


@pytest.mark.parametrize("name", some(["marker-doubled", "lossy-network"], 2))
def test_a_snapshot_that_nobody_started_breaks_no_page(client: TestClient, name: str) -> None:
    for url in ("/run/{}", "/run/{}/events", "/run/{}/step/8", "/run/{}/step/12.svg", "/quiz/{}", "/cuts/{}"):
        assert client.get(url.format(name) + "?algorithm=unlabelled").status_code == 200, url


def test_the_player_brings_scene_and_first_frames_along(client: TestClient) -> None:
    html = client.get("/run/blue-figure?step=3").text
    trace = client.get("/run/blue-figure/trace.json").json()
    assert carried(html, "data-scene") == trace["scene"]
    assert carried(html, "data-first") == trace["frames"][:3]


def test_a_page_says_its_step_to_whoever_previews_the_link(client: TestClient) -> None:
    ref = own_scenario.keep(FIVE, client.app.state.store)  # type: ignore[attr-defined]
    html = client.get(f"/run/{ref}?step=2", headers={"accept-language": "en"}).text
    assert '<meta property="og:title" content="Five steps, step 2 of 5">' in html
    assert '<meta property="og:description" content="P2 sends M on P2→P1.">' in html
    assert f'<link rel="canonical" href="http://testserver/run/{ref}?step=2&amp;v={ENGINE}-' in html


def test_without_javascript_the_player_points_to_the_page_of_the_step(client: TestClient) -> None:
    html = client.get("/run/blue-figure?step=2").text
    banner = re.search(r"<noscript><p .*?</noscript>", html, re.DOTALL)
    assert banner and "/run/blue-figure/step/2?" in banner[0]


def test_a_step_past_the_end_shows_the_last_step(client: TestClient) -> None:
    assert carried(client.get("/run/blue-figure?step=999").text, "data-page")["step"] == LAST


def test_a_link_from_another_engine_shows_the_scenario_from_its_beginning(client: TestClient) -> None:
    html = client.get(f"/run/blue-figure?choices=1:0&step=3&v={ENGINE + 1}-{DIGEST}&lang=en").text
    assert "This has changed since the link was made." in visible(html)
    assert carried(html, "data-page")["step"] == 0
    assert carried(html, "data-scene")["run"]["choices"] == ""


def test_a_link_to_a_changed_scenario_says_so_in_chinese_too(client: TestClient) -> None:
    html = client.get(f"/run/blue-figure?step=3&v={ENGINE}-000000000000&lang=zh").text
    assert "自链接生成以来，内容已有变化。" in visible(html)


def test_a_stale_link_to_an_algorithm_that_is_gone_still_shows_the_scenario(client: TestClient) -> None:
    answer = client.get("/run/blue-figure?algorithm=gone&v=0-000000000000")
    assert answer.status_code == 200
    assert carried(answer.text, "data-scene")["run"]["algorithm"] == "chandy-lamport"


def test_a_fresh_link_has_no_banner(client: TestClient) -> None:
    html = client.get(f"/run/blue-figure?v={ENGINE}-{DIGEST}&lang=en").text
    assert "since the link was made" not in visible(html)


def test_the_page_of_a_step_needs_no_script(client: TestClient) -> None:
    ref = own_scenario.keep(FIVE, client.app.state.store)  # type: ignore[attr-defined]
    html = client.get(f"/run/{ref}/step/3?lang=en").text
    assert "P2 records." in html
    assert "<svg" in html
    assert f'href="/run/{ref}/step/4' in html
    assert "<script" not in html


def test_a_step_that_does_not_exist_has_no_page(client: TestClient) -> None:
    answer = client.get(f"/run/blue-figure/step/{LAST + 1}")
    assert answer.status_code == 404
    assert f"step {LAST + 1} does not exist; this run has {LAST} steps" in answer.text


def test_a_picture_of_a_step_is_svg(client: TestClient) -> None:
    answer = client.get("/run/blue-figure/step/3.svg")
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.text.lstrip().startswith(("<svg", "<?xml"))
    assert 'xmlns="http://www.w3.org/2000/svg"' in answer.text


def test_a_trace_is_the_whole_run(client: TestClient) -> None:
    answer = client.get("/run/blue-figure/trace.json")
    trace = answer.json()
    assert 'filename="blue-figure.trace.json"' in answer.headers["content-disposition"]
    assert {"format", "engine", "key", "scene", "frames", "end", "summary"} <= set(trace)
    assert len(trace["frames"]) == trace["scene"]["run"]["steps"] == trace["summary"]["steps"] == LAST
    assert trace["summary"]["snapshots"][0]["channels"] == {"P1->P2": [], "P2->P1": ["M"]}


def test_labels_of_a_visitors_scenario_never_become_markup(client: TestClient) -> None:
    evil = "</script><script>alert(1)</script>\u2028"
    values = {
        "title": {"en": evil, "zh": evil},
        "surprise": {"en": "<img src=x onerror=alert(1)>", "zh": "{{7*7}}"},
        "topology": {"processes": ["A", "B"], "channels": ["A->B"]},
        "program": {"kind": "variables", "values": {"A": {"<b>x</b>": "<svg onload=alert(1)>"}}},
        "script": [{"start": "A"}, {"send": {"on": "A->B", "message": "<script>m</script>"}}],
    }
    ref = own_scenario.keep(values, client.app.state.store)  # type: ignore[attr-defined]
    for url in (f"/run/{ref}?step=2", f"/embed/{ref}", f"/run/{ref}/step/2", f"/run/{ref}/step/2.svg", "/run/%3Cb%3E"):
        html = client.get(url).text
        assert "alert(1)</script>" not in html, url
        assert "<img src=x" not in html, url
        assert "<svg onload" not in html, url
        assert "<b>x" not in html, url
        assert "<script>m" not in html, url
        assert "\u2028" not in json.dumps(html, ensure_ascii=False).partition("application/json")[2], url


def test_a_visitors_scenario_runs_like_any_other(client: TestClient) -> None:
    values = {
        "title": {"en": "Mine", "zh": "我的"},
        "topology": {"ring": 3},
        "program": {"kind": "token", "holders": {"P1": 1}},
        "script": [{"start": "P2"}],
    }
    ref = own_scenario.keep(values, client.app.state.store)  # type: ignore[attr-defined]
    assert "<title>Mine" in client.get(f"/run/{ref}?lang=en").text
    assert client.get(f"/run/{ref}/events").text.startswith("event:scene\n")
    assert 'filename="scenario.trace.json"' in client.get(f"/run/{ref}/trace.json").headers["content-disposition"]


@pytest.mark.parametrize(("lang", "said"), [("en", "The author’s run: "), ("zh", "作者的运行：")])
def test_a_story_about_another_algorithm_says_that_it_is_about_the_author_s_run(
    client: TestClient, lang: str, said: str
) -> None:
    assert said in client.get(f"/run/three-guarantees/step/0?algorithm=aligned&lang={lang}").text
    assert said not in client.get(f"/run/three-guarantees/step/0?lang={lang}").text
