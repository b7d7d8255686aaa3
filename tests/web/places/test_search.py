"""The search: what is found, in which order, in both languages, as a page and for htmx."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.course.claim import NOTES
from app.course.glossary import GLOSSARY
from app.course.history import history
from app.scenario.library import LIBRARY
from app.web.base.site import SITE
from app.web.places.index import KINDS, entries, folded, search
from app.words.catalogues import word

PARTIAL = {"hx-request": "true"}


def kinds(words: str) -> list[str]:
    return [group.kind for group in search(words)]


def first(words: str) -> str:
    return search(words)[0].found[0].address


def test_everything_is_in_the_index_once() -> None:
    known = entries()
    addresses = [one.address for one in known]
    assert len(addresses) == len(set(addresses))
    counts = {kind: sum(one.kind == kind for one in known) for kind in KINDS}
    assert counts["scenario"] == len(LIBRARY.names()) and counts["algorithm"] == len(ALGORITHMS)
    assert counts["term"] == len(GLOSSARY.glossary().forms)
    assert counts["claim"] == sum(len(note.form.rows) for note in NOTES.notes())
    assert counts["milestone"] == len(history())


def test_what_is_in_the_title_comes_before_what_is_in_the_text() -> None:
    (terms,) = [group for group in search("marker") if group.kind == "term"]
    assert terms.found[0].address == "/glossary#marker"
    titled = ["marker" in " ".join(one.title) for one in terms.found]
    assert titled == sorted(titled, reverse=True) and True in titled and False in titled


@pytest.mark.parametrize(
    ("words", "algorithm", "run"),
    [
        ("Flink", "unaligned", "barriers-wait"),
        ("flink checkpoint", "aligned-timeout", "barriers-wait"),
        ("spark streaming", "micro-batch", "micro-batch"),
        ("MillWheel", "millwheel", "low-watermark"),
    ],
)
def test_algorithms_and_runs_are_found_by_the_system_that_they_are_from(words: str, algorithm: str, run: str) -> None:
    found = {one.address for group in search(words) for one in group.found}
    assert {f"/algorithms/{algorithm}", f"/run/{run}"} <= found


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("the blue figure", "/run/blue-figure"),
        ("Lai-Yang", "/algorithms/lai-yang"),
        ("lai yang", "/algorithms/lai-yang"),
        ("标记", "/glossary#marker"),
        ("割集", "/glossary#cut"),
        ("glossary", "/glossary"),
        ("实验室", "/lab"),
        ("A1", "/claims#A1"),
        ("room", "/r"),
        ("assignment", "/assign"),
        ("作业", "/assign"),
        ("worksheet", "/blank"),
        ("playlist", "/playlist"),
        ("JobManager", "/glossary#coordinator"),
        ("logical clock", "/glossary#logical-clock"),
        ("Kafka", "/history#kafka-transactions"),
        ("buffer debloating", "/history#debloating"),
        ("projector", "/run/blue-figure?presenter=1"),
        ("editor", "/editor"),
        ("tradeoffs", "/costs"),
        ("compare", "/compare/two-regions?with=merged&with=chandy-lamport&with=spezialetti-kearns"),
        ("embed", "/teach#card-embed"),
        ("start a room", "/teach#lecture-follow"),
        ("QR", "/teach#lecture-follow"),
        ("poll", "/teach#lecture-vote"),
        ("投票", "/teach#lecture-vote"),
        ("slides", "/run/blue-figure?presenter=1"),
        ("handout", "/blank"),
        ("happens before", "/glossary#happened-before"),
        ("causality", "/glossary#happened-before"),
        ("termination detection", "/glossary#termination"),
    ],
)
def test_the_best_is_first_in_both_languages(words: str, address: str) -> None:
    assert first(words) == address


def test_words_that_only_ask_are_not_looked_for() -> None:
    found = {one.address for group in search("FIFO") for one in group.found}
    assert {one.address for group in search("Why FIFO") for one in group.found} == found
    assert {one.address for group in search("为什么 FIFO") for one in group.found} == found
    assert search("the") and first("what is a marker") == "/glossary#marker"


def test_all_words_must_be_there_and_no_word_finds_nothing() -> None:
    assert search("") == search("  ") == search("xyzzy") == search("marker xyzzy") == []
    assert {one.address for group in search("marker barrier") for one in group.found} <= {
        one.address for group in search("barrier") for one in group.found
    }
    assert folded("  Chandy–Lamport_É ") == "chandy lamport e"


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_can_be_found(client: TestClient, kind: str) -> None:
    words = {"page": "costs", "lesson": "vanishing", "scenario": "three banks"}.get(kind, "marker")
    html = client.get(f"/search?q={words}&lang=en").text
    found = html.split(f'id="found-{kind}"', 1)[1].split("</section>", 1)[0]
    address = unescape(re.findall(r'<li><a href="([^"]+)"', found)[0])
    assert client.get(address, follow_redirects=True).status_code == 200


def test_it_works_without_scripts_and_by_htmx(client: TestClient) -> None:
    whole = client.get("/search?q=token&lang=zh").text
    assert "<html" in whole and 'value="token"' in whole and 'role="status"' in whole
    part = client.get("/search?q=token&lang=zh", headers=PARTIAL).text
    assert "<html" not in part and "found-all" in part
    assert len(re.findall("<li>", part)) < len(re.findall("<li>", whole.split("<main", 1)[1]))
    assert 'href="/search?q=token"' in part
    assert word("search.meant", "en") not in client.get("/search?q=quorum&lang=en").text
    none = client.get('/search?q="><script>xyzzy&lang=en').text
    assert "Nothing matches" in none and "<script>xyzzy" not in none


def test_the_page_lists_all_pages_until_a_word_is_asked_for(client: TestClient) -> None:
    main = client.get("/search?lang=en").text.split("<main", 1)[1]
    assert {place for site in SITE for place in (site.address, *site.pages.values())} == set(
        re.findall(r'<li><a href="([^"]+)"', main)
    )
    assert 'id="found-page"' in main and "found-count" not in main
    assert not client.get("/search?lang=en", headers=PARTIAL).text.strip()


def test_the_title_in_the_other_language_is_shown_where_only_that_has_the_word(client: TestClient) -> None:
    html = client.get("/search?q=标记&lang=en").text
    assert '<b>marker</b> <span lang="zh-CN">标记</span>' in html


@pytest.mark.parametrize(
    ("typed", "meant"),
    [("chandi lamport", "chandy lamport"), ("algoritm", "algorithm"), ("vanishing tokn", "vanishing token")],
)
def test_a_misspelt_word_is_asked_back(client: TestClient, typed: str, meant: str) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        text = client.get("/search", params={"q": typed}, headers=headers).text
        assert f">{meant}</a>" in text
    assert "是不是要找" in client.get("/search", params={"q": typed, "lang": "zh"}).text


@pytest.mark.parametrize("typed", ["qqqqxxxx", "令牌牌牌", "a" * 100, "lamport"])
def test_nothing_is_asked_back_where_nothing_is_near_or_something_was_found(client: TestClient, typed: str) -> None:
    assert "Did you mean" not in client.get("/search", params={"q": typed}).text
