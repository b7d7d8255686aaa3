"""Playlists: a link is a talk, the form makes it, and what is no run or lesson is refused; a code leads to a step."""

import re
from urllib.parse import quote
from xml.etree import ElementTree

import pytest
from fastapi.testclient import TestClient

from app.web.shared.items import MOST

ITEMS = ["/run/blue-figure?step=3", "/lessons/barriers", "/run/queue"]
LINK = "/playlist?lang=en&" + "&".join(f"item={quote(item)}" for item in ITEMS)


def test_a_link_shows_its_items_one_after_the_other(client: TestClient) -> None:
    first = client.get(LINK).text
    assert 'src="/run/blue-figure?step=3&amp;presenter=1"' in first and "1 of 3" in first
    assert 'rel="prev"' not in first
    (onward,) = re.findall(r'href="([^"]+)" rel="next"', first)
    second = client.get(onward.replace("&amp;", "&")).text
    assert 'src="/lessons/barriers?presenter=1"' in second and 'rel="prev"' in second and 'rel="next"' in second
    last = client.get(LINK + "&at=99").text
    assert 'src="/run/queue?presenter=1"' in last and 'rel="next"' not in last


def test_without_items_there_is_a_form_and_it_keeps_what_is_in_it(client: TestClient) -> None:
    html = client.get("/playlist?lang=en").text
    assert html.count('name="item"') >= 6 and 'value="/lessons/barriers"' in html
    assert 'name="item" value="/run/queue"' in client.get(LINK + "&at=0").text
    empty = client.get("/playlist?item=&item=/run/queue&item=&lang=en").text
    assert "1 of 1" in empty


def test_what_can_be_chosen_is_there_and_one_press_adds_it_to_what_was_typed(client: TestClient) -> None:
    html = client.get("/playlist?lang=en").text
    adds = re.findall(r'<button type="submit" name="add" value="([^"]+)"', html)
    assert {"/lessons/barriers", "/run/queue"} <= set(adds) and len(adds) == len(set(adds)) > 100
    assert html.index("Show it") < html.index('name="add"'), "Enter in a field must show the list"
    more = client.get("/playlist?lang=en&item=/run/queue&item=&add=/lessons/barriers").text
    assert re.findall(r'name="item" value="([^"]+)"', more) == ["/run/queue", "/lessons/barriers"]
    assert client.get("/playlist?add=https://example.org").status_code == 400


def test_the_address_of_another_window_may_be_pasted_whole(client: TestClient) -> None:
    assert (
        'src="/run/queue?step=2&amp;presenter=1"'
        in client.get(f"/playlist?item={quote('http://testserver/run/queue?step=2', safe='')}").text
    )


@pytest.mark.parametrize(
    ("item", "says"),
    [
        ("https://example.org/run/blue-figure", "is not a run or a lesson of this site"),
        ("javascript:alert(1)", "is not a run or a lesson of this site"),
        ("//example.org/run/x", "is not a run or a lesson of this site"),
        ("http://[", "is not a run or a lesson of this site"),
        ("/scenarios", "is not a run or a lesson of this site"),
        ("/run/../api", "is not a run or a lesson of this site"),
        ("/lessons/none", "there is no lesson none"),
        ("/run/no-such-run", "no-such-run"),
        ("/run/" + "x" * 1_001, "is not a run or a lesson of this site"),
    ],
)
def test_what_is_no_run_or_lesson_is_refused(client: TestClient, item: str, says: str) -> None:
    answer = client.get(f"/playlist?lang=en&item={quote(item, safe='')}")
    assert answer.status_code == 400
    assert says in answer.text


def test_a_mistake_keeps_the_list_and_is_told_beside_its_item(client: TestClient) -> None:
    items = "&item=".join(("/run/queue", "/run/domno", "/lessons/barriers"))
    answer = client.get(f"/playlist?lang=zh&item={items}")
    fields = re.findall(r'name="item" value="([^"]+)"', answer.text)
    assert fields == ["/run/queue", "/run/domno", "/lessons/barriers"]
    wrong = answer.text.split('<li class="playlist-wrong">')
    assert len(wrong) == 2 and "domno" in wrong[1] and "是不是 domino" in wrong[1].split("</li>")[0]
    assert 'name="lang" value="zh"' in answer.text


def test_a_playlist_has_an_end(client: TestClient) -> None:
    link = "/playlist?lang=en" + "&item=/run/queue" * MOST
    assert client.get(link).status_code == 200
    answer = client.get(link + "&item=/run/queue")
    assert answer.status_code == 400 and f"at most {MOST} items, this one has {MOST + 1}" in answer.text


def test_a_code_is_a_picture_that_says_an_address_of_this_site(client: TestClient) -> None:
    answer = client.get("/qr.svg", params={"of": "/run/blue-figure?step=3"})
    assert answer.headers["content-type"].startswith("image/svg+xml")
    picture = ElementTree.fromstring(answer.text)
    assert picture.get("width") and list(picture)
    assert answer.content != client.get("/qr.svg", params={"of": "/run/blue-figure?step=4"}).content


@pytest.mark.parametrize("of", ["https://example.org", "//example.org", "/\\example.org", "run", "/run/x\n"])
def test_a_code_never_leads_elsewhere(client: TestClient, of: str) -> None:
    assert client.get("/qr.svg", params={"of": of}).status_code == 400


def test_teachers_find_the_playlist(client: TestClient) -> None:
    assert 'href="/playlist">' in client.get("/teach").text
    assert 'id="share-list"' in client.get("/run/queue").text
