"""The glossary, the history and the family tree; terms in captions."""

import json
import re
from html import unescape
from types import ModuleType
from urllib.parse import urlsplit

import pytest
from fastapi.testclient import TestClient

from app.algorithms.broken import late_marker
from app.algorithms.registry import ALGORITHMS, MODULES, with_defaults
from app.core.model.values import BluecutError
from app.course.glossary import GLOSSARY
from app.course.history import history
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.base import glossary_links
from app.web.places.pictures import drawn
from app.web.reference.theory.history import door
from app.web.shared.family_tree import Kin, tree
from app.web.shared.years import PITCH, scale
from app.words.catalogues import LANGUAGES

KNOWN = GLOSSARY.glossary()
PARTIAL = {"hx-request": "true"}


def text(html: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def entries(html: str) -> list[str]:
    return re.findall(r'class="term-entry" id="([^"]+)"', html)


def links(html: str) -> list[tuple[str, str]]:
    return re.findall(r'<a class="term" href="([^"]+)" title="[^"]+">([^<]+)</a>', html)


def everyone() -> list[Kin]:
    return [kin for root in tree() for kin in root.everyone()]


# --- the family in small -----------------------------------------------------------------------------------------


def test_the_sketch_has_a_dot_for_each_algorithm() -> None:
    small = drawn("en")["sketch"]
    assert len(small.dots) == len(ALGORITHMS)
    assert sum(broken for _, _, broken in small.dots) == sum(rules.WRONG is not None for rules in ALGORITHMS.values())
    assert len({(x, y) for x, y, _ in small.dots}) == len(small.dots)


# --- the glossary ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_glossary_tells_every_term_once_in_its_order(client: TestClient, language: str) -> None:
    html = client.get(f"/glossary?lang={language}").text
    assert entries(html) == [term.name for term in KNOWN.terms(language)]
    told = text(html)
    for form in KNOWN.forms.values():
        assert " ".join(getattr(form.means, language).split()) in told
    for name in re.findall(r'href="/glossary#([^"]+)"', html):
        assert f'id="{name}"' in html
    letters = re.findall(r'href="#letter-([A-Z])"', html)
    assert letters == sorted(letters) == re.findall(r'id="letter-([A-Z])"', html)


def test_words_are_looked_for_without_scripts_and_by_htmx(client: TestClient) -> None:
    whole_page = client.get("/glossary?q=backup&lang=en")
    assert entries(whole_page.text)[0] == "backup-log" and "<html" in whole_page.text
    part = client.get("/glossary?q=backup&lang=en", headers=PARTIAL)
    assert entries(part.text) == entries(whole_page.text) and "<html" not in part.text
    assert part.headers["hx-push-url"] == "/glossary?q=backup"
    assert f"of {len(KNOWN.forms)} terms" in text(part.text)
    nothing = client.get('/glossary?q="><script>xyzzy&lang=en').text
    assert entries(nothing) == [] and "No term has all of these words" in nothing and "<script>xyzzy" not in nothing


@pytest.mark.slow
def test_what_shows_a_term_or_a_milestone_is_there_and_at_the_step_that_is_asked_for(client: TestClient) -> None:
    asked = [form.shows for form in KNOWN.forms.values() if form.shows]
    asked += [address for one in history() for address in one.shows]
    for address in dict.fromkeys(asked):
        answer = client.get(address, follow_redirects=True)
        assert answer.status_code == 200, address
        step = re.search(r"[?&]step=(\d+)", address)
        if step:
            place = urlsplit(address).path.split("/")[2]
            assert int(step[1]) <= len(record(LIBRARY.scenario(place), RunKey()).steps), address
            assert f'"step":{step[1]},' in answer.text, address


# --- terms in captions -------------------------------------------------------------------------------------------


def test_a_still_page_links_the_terms_of_its_caption(client: TestClient) -> None:
    english = client.get("/run/blue-figure/step/4?lang=en").text
    assert links(english) == [
        ("/glossary?lang=en#marker", "marker"),
        ("/glossary?lang=en#record", "record"),
        ("/glossary?lang=en#channel", "channel"),
    ]
    client.cookies.clear()
    chinese = client.get("/run/blue-figure/step/4", headers={"accept-language": "zh-CN"}).text
    assert links(chinese) == [("/glossary#marker", "标记"), ("/glossary#record", "记录"), ("/glossary#channel", "通道")]


def test_the_player_gets_the_terms_of_all_that_the_author_says_with_their_meanings(client: TestClient) -> None:
    data = client.get("/run/blue-figure?lang=en").text.split('id="data-page">', 1)[1].split("</script>", 1)[0]
    found = json.loads(data)["terms"]
    scenario = LIBRARY.scenario("blue-figure")
    captions = [words.en for words in (*scenario.captions, scenario.form.ending) if words]
    assert set(found["texts"]) <= {*json.loads(data)["opening"], *captions}
    assert len(found["texts"]) > 4
    names = {name for pieces in found["texts"].values() for _, name in pieces if name}
    assert set(found["means"]) == names >= {"marker", "cut", "channel-state"}
    assert found["means"]["marker"] == KNOWN.forms["marker"].means.en


@pytest.mark.parametrize("path", ["/embed/blue-figure", "/challenge/late-marker"])
def test_a_frame_and_a_challenge_have_no_such_links(client: TestClient, path: str) -> None:
    assert '"terms":null' in client.get(path).text


def test_a_caption_of_somebody_is_text_also_where_it_has_terms() -> None:
    made = glossary_links.terms("<b>a marker</b>", "en", None)
    assert made.startswith("&lt;b&gt;a <a ") and made.endswith("marker</a>&lt;/b&gt;")


def test_where_the_glossary_is_wrong_other_pages_have_no_links_and_are_there(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(_: object) -> None:
        raise BluecutError("a mistake in the file")

    monkeypatch.setattr("app.course.glossary.Read.glossary", wrong)
    assert links(client.get("/run/blue-figure/step/4").text) == []
    assert client.get("/glossary").status_code == 400


# --- the history -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_history_tells_everything_with_named_links(client: TestClient, language: str) -> None:
    html = client.get(f"/history?lang={language}").text
    assert "Zaharia et al. NSDI 2012." in html and ".." not in re.sub("<[^>]*>", "", html)
    told = text(html)
    for one in history():
        assert f'id="{one.name}"' in html and one.work in told
        assert getattr(one.gives, language) in told
        for address in one.shows:
            assert door(address, language) in told


def test_on_the_line_of_years_no_sign_lies_on_another() -> None:
    for width in (320, 1120):
        drawn = scale(history(), width)
        for i, a in enumerate(drawn.signs):
            assert 0 < a.x < width and 0 < a.y < drawn.height
            assert all(abs(a.x - b.x) >= PITCH or abs(a.y - b.y) >= PITCH for b in drawn.signs[:i])


# --- the family tree ---------------------------------------------------------------------------------------------


def test_every_algorithm_stands_in_the_tree_once(client: TestClient) -> None:
    assert sorted(kin.name for kin in everyone()) == sorted(ALGORITHMS)
    html = client.get("/family?lang=en").text
    for name in ALGORITHMS:
        assert html.count(f'data-algorithm="{name}"') == 1
        assert f'href="/algorithms/{name}"' in html
    assert 'href="/algorithms"' in html and 'href="/family"' in client.get("/algorithms").text


def test_who_has_a_base_hangs_below_it_and_a_broken_one_below_what_it_breaks() -> None:
    above = {child.name: (kin.name, child.how) for kin in everyone() for child in kin.children}
    assert above["merged"] == ("chandy-lamport", "base")
    assert above["lai-yang"] == ("chandy-lamport", "cites")
    assert above["colour-blind"] == ("lai-yang", "breaks")
    assert above["photographs"] == ("chandy-lamport", "breaks")
    assert above["real-time"] == ("aligned", "base")
    assert {"chandy-lamport", "millwheel"} <= {root.name for root in tree()}
    for name, module in MODULES.items():
        base = getattr(module, "BASE", None)
        if base is not None and getattr(base, "NAME", None) in MODULES and name not in ("continuous", "lineage"):
            assert above[name][0] == base.NAME


def test_nobody_descends_from_what_came_later_though_its_code_does() -> None:
    above = {child.name: kin.name for kin in everyone() for child in kin.children}
    assert MODULES["continuous"].BASE.NAME == "real-time" and above["continuous"] == "aligned"  # 2018, not 2025
    assert MODULES["lineage"].BASE.NAME == "micro-batch" and "lineage" not in above  # 2012, not 2013


def test_the_source_of_an_algorithm_comes_from_its_references() -> None:
    sources = {kin.name: kin.source for kin in everyone()}
    assert sources["chandy-lamport"] == "Chandy, Lamport 1985"
    assert sources["aligned"] == "Carbone et al. 2015"
    assert sources["late-marker"] == ""


def test_a_new_module_appears_by_itself(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    new = ModuleType("app.algorithms.later_marker", 'Later.\n\nReferences\n----------\nN. Body, "Later", 2031.\n')
    new.NAME, new.BASE = "later-marker", late_marker  # type: ignore[attr-defined]
    monkeypatch.setitem(MODULES, "later-marker", new)
    monkeypatch.setitem(ALGORITHMS, "later-marker", with_defaults(new))
    (kin,) = [kin for kin in everyone() if kin.name == "later-marker"]
    assert kin.source == "Body 2031"
    assert "later-marker" in [child.name for one in everyone() if one.name == "late-marker" for child in one.children]


def test_a_term_has_an_address_and_one_that_is_none_is_guessed(client: TestClient) -> None:
    answer = client.get("/glossary/marker?lang=zh", follow_redirects=False)
    assert answer.headers["location"] == "/glossary?lang=zh#marker"
    none = client.get("/glossary/markr?lang=en")
    assert none.status_code == 404 and "did you mean marker?" in unescape(none.text)
