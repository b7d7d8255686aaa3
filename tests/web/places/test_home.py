"""The home page, the pages of the places, the header on every page, and the choice of a run."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.web.base.site import SITE
from app.web.base.templates import ENVIRONMENT
from app.web.places.pictures import drawn
from app.web.shared.run_head import TOOLS
from app.words.catalogues import LANGUAGES, word
from tests.often import pairs, some

PAGES = [
    *("/", "/search", "/nowhere", "/lessons/blue-figure", "/editor", "/run/blue-figure", "/run/blue-figure/step/2"),
    *("/challenge/late-marker", "/algorithms/lai-yang", "/lab/jobs"),
    *(f"/{tool}/three-banks" for tool in TOOLS),
    *(place.address for place in SITE),
    *(address for place in SITE for address in place.pages.values()),
]


def header(html: str) -> str:
    return str(re.findall(r'<div class="top-row">(.*?)</details>\s*</div>', html, re.DOTALL)[0])


@pytest.mark.parametrize("language", some(LANGUAGES, 2))
def test_the_header_is_the_same_on_every_page(client: TestClient, language: str) -> None:
    seen = set()
    for path in PAGES:
        html = client.get(f"{path}?lang={language}", follow_redirects=True).text
        top = re.sub(r' aria-current="\w+"| href="[^"]*lang=[^"]*"|/static/\w+/', "", header(html))
        seen.add(top)
        assert [place.address for place in SITE] == re.findall(r'href="(/[a-z]+)"', top)[: len(SITE)], path
    assert len(seen) == 1


@pytest.mark.slow
def test_every_page_says_in_which_place_it_is(client: TestClient) -> None:
    for place in SITE:
        for name, path in {place.name: place.address, **place.pages}.items():
            html = client.get(path, follow_redirects=True).text
            current = re.findall(r'href="(/[a-z]+)" aria-current="\w+"', header(html).split("</nav>", 1)[0])
            assert current == [place.address], name
    for where, path in (("learn", "/challenge/late-marker"), ("play", "/run/queue/find")):
        assert f'href="/{where}" aria-current="true"' in header(client.get(path).text)


def test_the_place_to_play_shows_every_tool_of_a_run(client: TestClient) -> None:
    html = client.get("/play").text
    assert set(re.findall(r'data-card="([^"]+)"', html)) >= set(TOOLS) - {"run"}


@pytest.mark.parametrize(("path", "language"), pairs([place.address for place in SITE], LANGUAGES, 2))
def test_a_place_lists_what_is_in_it_and_every_link_works(client: TestClient, path: str, language: str) -> None:
    html = client.get(f"{path}?lang={language}").text
    main = unescape(html.split("<main", 1)[1].split("</main>", 1)[0])
    assert main.count("<h1") == 1
    cards = re.findall(r'data-card="([^"]+)".*?</div>', main, re.DOTALL)
    assert len(re.findall(r'<div class="theory-picture[^>]*>\s*<(?:svg|span)', main)) == len(cards) > 0
    addresses = set(re.findall(r'href="(/[^"]*)"', main))
    assert len(addresses) >= len(cards)
    for address in addresses:
        assert client.get(address, follow_redirects=True).status_code == 200, address
    if path != "/teach":
        known = next(each for each in SITE if each.address == path)
        assert {address.split("?")[0] for address in addresses} >= set(known.pages.values())


def test_a_page_without_a_picture_of_its_own_has_a_sheet_on_its_card() -> None:
    cards = ENVIRONMENT.get_template("_card_picture.html").make_module({"t": str})
    assert "<rect" in vars(cards)["card_picture"]("new", drawn("en"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_home_page_says_what_this_is_and_has_three_doors(client: TestClient, language: str) -> None:
    html = unescape(client.get(f"/?lang={language}").text)
    assert f"<h1>{word('home.title', language)}</h1>" in html
    doors = html.split('class="home-doors"', 1)[1].split("</ul>", 1)[0]
    assert re.findall(r'<h2><a class="covers" href="([^"]+)">', doors) == ["/learn", "/play", "/teach"]
    still = html.split('class="home-still drawn"', 1)[1].split("</div>", 1)[0]
    assert "<svg" in still and word("home.still", language) in html
    for address in re.findall(r'href="(/[^"]*)"', doors):
        assert client.get(address, follow_redirects=True).status_code == 200, address


def test_the_old_address_of_the_theory_leads_to_what_became_of_it(client: TestClient) -> None:
    answer = client.get("/theory?lang=zh")
    assert (answer.status_code, answer.headers["location"]) == (302, "/reference?lang=zh")


def test_a_run_is_chosen_without_scripts(client: TestClient) -> None:
    html = client.get("/cuts/queue").text
    form = html.split('class="run-others"', 1)[1].split("</form>", 1)[0]
    assert 'name="tool" value="cuts"' in form and '<option value="queue" selected>' in form
    answer = client.get("/pick?ref=ring&tool=cuts&lang=en")
    assert (answer.status_code, answer.headers["location"]) == (303, "/cuts/ring?lang=en")
    assert client.get("/pick?ref=ring&tool=lab").status_code == 400
    assert client.get("/pick?ref=../etc&tool=cuts").status_code == 404
