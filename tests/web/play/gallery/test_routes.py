"""The gallery: everything in the order of the lessons; words and filters that combine; nothing found is no mistake."""

import re

import pytest
from fastapi.testclient import TestClient

from app.course.lesson_list import shelf
from app.scenario.format import ScenarioForm
from app.scenario.library import LIBRARY
from app.web.play.gallery.routes import START

PARTIAL = {"hx-request": "true"}


def shown(html: str) -> list[str]:
    return re.findall(r'class="covers card-link" href="/run/([^"]+)"', html)


def options(html: str, name: str) -> dict[str, tuple[int, str]]:
    """Return the values of a filter: how many scenarios each would leave, and whether it is selected or disabled."""
    inside = html.split(f'<select id="filter-{name}"', 1)[1].split("</select>", 1)[0]
    found = re.findall(r'<option value="([^"]*)"( selected| disabled|)>[^<]*?[(（](\d+)[)）]</option>', inside)
    return {value: (int(count), state.strip()) for value, state, count in found}


def having(**wanted: object) -> list[str]:
    """Return the names of the scenarios with these values, sorted."""

    def has(form: ScenarioForm, name: str, value: object) -> bool:
        own = getattr(form, name)
        return value in own if isinstance(own, list) else value == own

    return sorted(s.name for s in LIBRARY.scenarios() if all(has(s.form, n, v) for n, v in wanted.items()))


def test_the_gallery_shows_every_scenario_once_with_a_picture_in_the_order_of_the_lessons(client: TestClient) -> None:
    html = client.get("/scenarios?lang=en").text
    names = shown(html)
    assert sorted(names) == sorted(LIBRARY.names())
    assert html.count('class="card-picture"') == len(names) + len(START)
    assert re.findall(r'class="covers start-link" href="/run/([^"]+)"', html) == list(START)
    lessons = [(*LIBRARY.scenario(name).form.lessons, 99)[0] for name in names]
    assert lessons == sorted(lessons)
    titles = re.findall(r'class="shelf-name"[^>]*>(\d+)\.', html)
    assert [int(number) for number in titles] == sorted({lesson for lesson in lessons if lesson < 99})


def test_within_a_lesson_the_order_of_the_library_holds(client: TestClient) -> None:
    names = shown(client.get("/scenarios?assumption=reachable").text)
    assert names.index("chain-from-a") < names.index("ring") < names.index("star") < names.index("complete")


def test_each_card_says_what_will_surprise(client: TestClient) -> None:
    html = client.get("/scenarios?lang=en").text
    for scenario in LIBRARY.scenarios():
        assert scenario.form.surprise is not None, scenario.name
        assert scenario.form.surprise.en.split("<")[0].split("'")[0] in html, scenario.name


def test_a_card_names_only_what_few_scenarios_have(client: TestClient) -> None:
    html = client.get("/scenarios?q=queue").text + client.get("/scenarios?q=chain-from-b").text
    assert 'href="/scenarios?assumption=unreachable"' in html
    assert 'href="/scenarios?assumption=fifo"' not in html
    assert 'href="/scenarios?algorithm=chandy-lamport"' not in html
    assert 'href="/scenarios?algorithm=photographs"' in client.get("/scenarios?lesson=1").text


@pytest.mark.parametrize("words", ["BLUE+figure", "蓝色的图+p2&lang=en", "first+steps"])
def test_search_finds_words_in_both_languages(client: TestClient, words: str) -> None:
    assert "blue-figure" in shown(client.get(f"/scenarios?q={words}").text)
    assert len(shown(client.get(f"/scenarios?q={words}").text)) < len(LIBRARY.names())


def test_search_finds_lessons_algorithms_and_assumptions_by_their_titles(client: TestClient) -> None:
    assert "photographs-two" in shown(client.get("/scenarios?q=消失的令牌").text)
    assert "unlabelled-overlap" in shown(client.get("/scenarios?q=no+number&lang=zh").text)


@pytest.mark.parametrize(
    ("address", "wanted"),
    [
        ("algorithm=photographs", {"algorithm": "photographs"}),
        ("assumption=any-order", {"assumptions": "any-order"}),
        ("lesson=8", {"lessons": 8}),
        ("assumption=fifo&lesson=8", {"assumptions": "fifo", "lessons": 8}),
        (
            "algorithm=chandy-lamport&assumption=any-order&lesson=8",
            {"algorithm": "chandy-lamport", "assumptions": "any-order", "lessons": 8},
        ),
    ],
)
def test_filters_combine(client: TestClient, address: str, wanted: dict[str, object]) -> None:
    names = having(**wanted)
    assert 0 < len(names) < len(LIBRARY.names())
    assert sorted(shown(client.get(f"/scenarios?{address}").text)) == names


def test_words_and_filters_combine(client: TestClient) -> None:
    assert shown(client.get("/scenarios?q=coins&lesson=8&assumption=any-order").text) != []
    assert shown(client.get("/scenarios?q=blue-figure&lesson=8").text) == []


@pytest.mark.slow
@pytest.mark.parametrize("address", ["?assumption=fifo&q=token", "", "?algorithm=photographs&lesson=7", "?lesson=8"])
def test_every_option_says_how_many_scenarios_it_leaves(client: TestClient, address: str) -> None:
    html = client.get(f"/scenarios{address}").text
    for name in ("algorithm", "assumption", "lesson"):
        given = options(html, name)
        assert len(given) > 4
        others = [part for part in address.strip("?").split("&") if part and not part.startswith(name)]
        for value, (count, state) in given.items():
            asked = "&".join([*others, f"{name}={value}"])
            assert count == len(shown(client.get(f"/scenarios?{asked}").text)), (name, value)
            assert (state == "disabled") == (count == 0 and bool(value)), (name, value)


def test_all_lessons_are_offered_so_that_the_course_is_seen(client: TestClient) -> None:
    places = [str(one.form.place) for one in shelf().lessons]
    assert list(options(client.get("/scenarios").text, "lesson")) == ["", *places]


def test_active_filters_are_chips_whose_links_take_them_away(client: TestClient) -> None:
    html = client.get("/scenarios?q=coins&lesson=8&assumption=any-order&lang=en").text
    chips = re.findall(r'class="chip" href="([^"]+)" data-filter="([^"]+)"[^>]*aria-label="([^"]+)"', html)
    assert chips == [
        (
            "/scenarios?q=coins&amp;lesson=8",
            "assumption",
            "Assumption: Messages may overtake each other. Remove this filter",
        ),
        (
            "/scenarios?q=coins&amp;assumption=any-order",
            "lesson",
            "Lesson: 8. Breaking the promises. Remove this filter",
        ),
    ]
    assert 'class="chip"' not in client.get("/scenarios?q=coins").text


@pytest.mark.parametrize("address", ["q=xyzzy", "lesson=99", "lesson=one", "algorithm=none", "assumption=" + "x" * 999])
def test_nothing_found_says_what_to_do_and_leads_back(client: TestClient, address: str) -> None:
    answer = client.get(f"/scenarios?{address}&lang=en")
    assert answer.status_code == 200
    assert shown(answer.text) == []
    assert "Try another word" in answer.text
    assert answer.text.count('class="button" href="/scenarios"') == 1


def test_a_value_that_nobody_knows_stays_in_the_form(client: TestClient) -> None:
    html = client.get('/scenarios?lesson=99&q="><script>x').text
    assert options(html, "lesson")["99"] == (0, "selected")
    assert 'value="&#34;&gt;&lt;script&gt;x"' in html


def test_htmx_gets_the_list_the_count_and_the_filters_and_a_short_address(client: TestClient) -> None:
    answer = client.get("/scenarios?q=&algorithm=&assumption=&lesson=8&lang=en", headers=PARTIAL)
    assert "<html" not in answer.text and "<form" not in answer.text
    assert len(shown(answer.text)) == len(having(lessons=8))
    assert answer.headers["hx-push-url"] == "/scenarios?lesson=8"
    assert answer.text.count("hx-swap-oob=") == 5
    assert options(answer.text, "lesson")["8"] == (len(having(lessons=8)), "selected")


def test_going_back_gets_the_whole_page(client: TestClient) -> None:
    answer = client.get("/scenarios?lesson=8", headers=PARTIAL | {"hx-history-restore-request": "true"})
    assert "<html" in answer.text and "hx-push-url" not in answer.headers


def test_the_pictures_of_the_gallery_are_drawn_once(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    first = client.get("/scenarios").text

    def again(*_: object) -> None:
        raise AssertionError("a picture is drawn again")

    monkeypatch.setattr("app.pictures.render.thumbnails.thumbnail", again)
    assert client.get("/scenarios").text == first
