"""Questions about any run on the server: asked, judged, answered only afterwards, in both languages."""

import re
from collections.abc import Iterator
from html import unescape
from itertools import product

import pytest
from fastapi.testclient import TestClient

from app.compact_json import compact
from app.course.question import NONE, Question, grade
from app.course.quiz import KINDS, deck, quiz
from app.course.run_facts import ran
from app.web.app import Settings, create_app
from app.web.learn.lessons.quiz import MANY_KINDS
from app.wire.run_url import Address
from app.wire.scenario_link import packed
from app.words.catalogues import word
from tests.answering import wrongs
from tests.often import some


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with TestClient(create_app(Settings(data=tmp_path_factory.mktemp("data")))) as client:
        yield client


def asked(name: str, number: int, query: str = "") -> Question:
    run = ran(name, query)
    found = quiz(run, Address(name, run.scenario, run.key), number - 1)
    assert found is not None
    return found


def page(server: TestClient, url: str, status: int = 200, **headers: str) -> str:
    server.cookies.clear()  # a page in one language makes it the visitor's
    answer = server.get(url, headers=headers)
    assert answer.status_code == status, answer.text
    return re.sub(r'<a class="term"[^>]*>([^<]*)</a>', r"\1", unescape(answer.text))


def answer(question: Question) -> str:
    parts = [question.answer] if isinstance(question.answer, str) else question.answer
    return "".join(f"&answer={part.replace('>', '%3E')}" for part in parts or [NONE] * question.ticked)


@pytest.mark.parametrize(("name", "lang"), some(product(["queue", "barriers-wait", "which-cut"], ["zh", "en"]), 6))
def test_questions_are_asked_and_judged_in_both_languages(server: TestClient, name: str, lang: str) -> None:
    for number in range(1, 13):
        one = asked(name, number)
        fresh = page(server, f"/quiz/{name}?n={number}&lang={lang}")
        assert getattr(one.asks, lang) in fresh and "<svg" in fresh
        assert one.scene is None or getattr(one.scene, lang) in fresh
        assert "data-right" not in fresh and one.why is not None and getattr(one.why, lang) not in fresh
        right = page(server, f"/quiz/{name}/answer?n={number}&lang={lang}{answer(one)}")
        assert 'data-right="1"' in right and getattr(one.why, lang) in right
        assert re.search(rf'href="/quiz/{name}\?n={number + 1}&[^"]*lang={lang}', right), "the next one"
        for wrong in one.tempting:
            parts = [wrong] if isinstance(wrong, str) else wrong
            given = "".join(f"&answer={part.replace('>', '%3E')}" for part in parts or [NONE] * one.ticked)
            judged = page(server, f"/quiz/{name}/answer?n={number}&lang={lang}{given}")
            assert 'data-right="0"' in judged and "graded-belief" in judged
            assert getattr(one.why, lang) not in judged
            shown = page(server, f"/quiz/{name}/answer?n={number}&lang={lang}{given}&show=1")
            assert getattr(one.why, lang) in shown


def test_a_form_that_nobody_has_touched_is_no_answer_and_none_of_these_is_one(server: TestClient) -> None:
    number = next(at for at in range(1, 13) if asked("queue", at).ticked)
    fresh = page(server, f"/quiz/queue?n={number}&lang=en")
    assert word("asked.none", "en") in fresh and 'value="-" checked' not in fresh
    untouched = page(server, f"/quiz/queue/answer?n={number}&lang=en", 400)
    assert "tick what applies, or that nothing does" in untouched and "data-right" not in untouched
    option = asked("queue", number).options[0].value
    both = page(server, f"/quiz/queue/answer?n={number}&lang=en&answer={option}&answer=-", 400)
    assert both.split("</fieldset>")[0].split("<fieldset")[-1].count(" checked>") == 2, "what was ticked stays ticked"
    nothing = page(server, f"/quiz/queue/answer?n={number}&lang=en&answer=-")
    assert "data-right" in nothing and 'value="-" checked' in nothing
    shown = page(server, f"/quiz/queue/answer?n={number}&lang=en&answer=-&show=1")
    mark = "right" if asked("queue", number).answer == () else "wrong"
    assert f'class="asked-none"><label class="asked-option depth-0 asked-{mark}"' in shown


def test_where_it_is_seen_opens_the_run_at_that_step(server: TestClient) -> None:
    one = asked("queue", 2)
    told = page(server, f"/quiz/queue/answer?n=2{answer(one)}")
    assert f'href="/run/queue?step={one.shows}&v=' in told
    assert re.search(rf'data-frame="/embed/queue\?[^"]*&to={one.shows}["&]', told)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_states_to_choose_from_are_pictures_that_are_said_in_words(server: TestClient, lang: str) -> None:
    run = ran("three-banks")
    one = quiz(run, Address("three-banks", run.scenario, run.key), 0, ["state"])
    told = page(server, f"/quiz/three-banks?kinds=state&lang={lang}").split('class="asked-field"')[1]
    assert one is not None and len(one.options) == 4
    assert re.findall(r'<svg [^>]*aria-label="([^"]*)"', told) == [getattr(each.text, lang) for each in one.options]


def test_each_kind_is_practised_where_it_has_the_most_questions(server: TestClient) -> None:
    kinds = re.findall(r'"/quiz/([a-z-]+)\?kinds=([a-z]+)"', page(server, "/quiz"))
    assert {kind for _, kind in kinds} == set(KINDS)
    for ref, kind in kinds:
        most = max(len(deck(ran(name)).get(kind, ())) for name in MANY_KINDS)
        assert len(deck(ran(ref))[kind]) == most


def test_the_state_that_a_question_is_about_is_a_picture(server: TestClient) -> None:
    told = page(server, "/quiz/state-that-never-was?kinds=ever")
    assert re.search(r'<p class="asked-state drawn"><svg [^>]*aria-label="p: [^"]*; in flight: ', told)


def test_states_too_large_for_pictures_are_told_in_words(server: TestClient) -> None:
    run = ran("phantom-deadlock")
    one = quiz(run, Address("phantom-deadlock", run.scenario, run.key), 0, ["state"])
    told = unescape(page(server, "/quiz/phantom-deadlock?kinds=state")).split('class="asked-field"')[1]
    assert one is not None and re.findall(r'"asked-text">([^<]*)<', told) == [each.text.en for each in one.options]
    assert "asked-states" not in told
    about = unescape(page(server, "/quiz/phantom-deadlock?kinds=ever"))
    assert re.search(r'<p class="asked-state drawn">P: [^<]*waits for [^<]*</p>', about)


@pytest.mark.parametrize(
    ("name", "word", "other"), [("barriers-wait", "barrier", "marker"), ("queue", "marker", "barrier")]
)
def test_a_marker_is_called_what_the_run_calls_it(name: str, word: str, other: str) -> None:
    run = ran(name)
    asked_of = [KINDS[kind].ask(run, *one) for kind, one in both(name)]
    texts = [one.asks.en for one in asked_of]
    for one in asked_of:
        reasons = (grade(one, wrong).reason for wrong in wrongs(one))
        texts += [reason.en for reason in reasons if reason is not None]
    assert any(word in text for text in texts) and not [text for text in texts if other in text]


def both(name: str) -> list[tuple[str, tuple[object, ...]]]:
    """What is asked about a run of what a snapshot costs."""
    found = deck(ran(name))
    return [(kind, one) for kind in ("check", "markers", "recorder") for one in found.get(kind, ())]


def test_htmx_gets_the_question_alone_and_the_address_of_the_page(server: TestClient) -> None:
    one = asked("queue", 2)
    got = server.get(f"/quiz/queue/answer?n=2{answer(one)}", headers={"hx-request": "true"})
    assert "<html" not in got.text and 'id="asked"' in got.text
    assert got.headers["hx-push-url"].startswith("/quiz/queue/answer?n=2&v=")


def test_a_run_under_another_key_is_asked_about_and_stays_in_the_links(server: TestClient) -> None:
    query = "algorithm=lai-yang&seed=5"
    one = asked("random-twelve", 3, query)
    told = page(server, f"/quiz/random-twelve?{query}&n=3")
    assert one.asks.en in told
    assert '<input type="hidden" name="algorithm" value="lai-yang">' in told
    assert 'href="/quiz/random-twelve?algorithm=lai-yang&seed=5&n=4' in told
    assert 'href="/run/random-twelve?algorithm=lai-yang&seed=5' in told


def test_only_the_kinds_that_are_ticked_are_asked(server: TestClient) -> None:
    for number in (1, 2, 3, 40):
        told = page(server, f"/quiz/queue?n={number}&kinds=causal&kinds=nothing")
        assert f'data-question="causal-{number - 1}"' in told
        assert '<input type="hidden" name="kinds" value="causal">' in told
    assert told.count('name="kinds" value="causal" checked') == 1
    assert told.count('type="checkbox" name="kinds"') == len(deck(ran("queue")))
    assert 'data-question="arrival-0"' in page(server, "/quiz/queue?kinds=nothing"), "none of these means all"


def test_where_nothing_can_be_asked_it_says_so(server: TestClient) -> None:
    told = page(server, "/quiz/alone?manual=1")
    assert "Nothing can be asked about this run" in told and 'href="/quiz"' in told
    assert "Nothing can be asked" in page(server, "/quiz/alone/answer?manual=1&answer=1")


def test_what_is_no_answer_is_refused_in_a_sentence(server: TestClient) -> None:
    assert "choose one" in page(server, "/quiz/queue/answer?n=1&kinds=recorder", 400)
    assert "was not offered" in page(server, "/quiz/queue/answer?n=1&kinds=recorder&answer=zz", 400)
    for wrong in ("n=0", "n=-1", "n=x", "n=1000001", "kinds=" + "x" * 41):
        page(server, f"/quiz/queue?{wrong}", 400)
    page(server, "/quiz/nowhere", 404)


def test_an_answer_to_a_link_that_is_stale_is_not_judged(server: TestClient) -> None:
    told = page(server, "/quiz/queue/answer?n=1&answer=1&v=0-old")
    assert "This has changed since the link was made." in told and "data-right" not in told


@pytest.mark.parametrize(("lang", "words"), [("en", "Quiz"), ("zh", "测验")])
def test_the_quiz_is_entered_from_the_run_its_steps_and_the_lessons(server: TestClient, lang: str, words: str) -> None:
    for url in ("/run/queue?seed=1", "/run/queue/step/3"):
        told = page(server, f"{url}{'&' if '?' in url else '?'}lang={lang}")
        assert re.search(rf'<a [^>]*href="/quiz/queue\?[^"]*lang={lang}[^"]*"[^>]*>{words}</a>', told), url
    assert 'href="/quiz"' in page(server, f"/lessons?lang={lang}")
    every = page(server, f"/quiz?lang={lang}")
    assert f'href="/quiz/queue?lang={lang}"' in every and words in every


def test_practice_is_found_by_kind_by_lesson_and_by_run(server: TestClient) -> None:
    every = page(server, "/quiz?lang=en")
    asked = dict(re.findall(r'href="(/quiz/[a-z-]+\?kinds=([a-z]+)[^"]*)"', every))
    assert sorted(asked.values()) == sorted(KINDS)
    for url in list(asked)[::6]:
        assert 'id="asked"' in page(server, url)
    assert '<a class="button" href="/quiz?lesson=3&lang=en#by-run">Lesson 3: The blue figure</a>' in every
    assert every.index("Lesson 3: ") < every.index("Lesson 12: ")
    assert "<h1>Quiz</h1>" in every and re.search(r'<a href="/quiz" aria-current="page">Quiz</a>', every)
    mine = page(server, "/quiz?lesson=3&lang=en")
    assert "/quiz/blue-figure?" in mine and "/quiz/wall-clock-lucky?" not in mine
    assert "/quiz/three-banks?lang" in page(server, "/quiz?q=THREE+BANKS&lang=en")
    assert "No run has this in its title." in page(server, "/quiz?q=xyzzy&lang=en")


def test_a_visitors_own_scenario_is_asked_about(server: TestClient) -> None:
    values = {
        "title": {"en": "Two", "zh": "两个"},
        "topology": {"processes": ["A", "B"], "channels": ["A->B", "B->A"]},
        "program": {"kind": "bank", "accounts": {"A": 10, "B": 20}},
        "script": [{"start": "A"}, {"send": {"on": "B->A", "message": 5}}],
    }
    ref = packed(compact(values))
    told = page(server, f"/quiz/{ref}?n=2&lang=en")
    assert 'id="asked"' in told and f'action="/quiz/{ref}/answer"' in told


@pytest.mark.parametrize("kind", ["markers", "missing", "check"])
def test_after_a_round_of_one_kind_another_run_asks_that_kind(server: TestClient, kind: str) -> None:
    seen = set()
    url = f"/quiz/three-guarantees?kinds={kind}&lang=en"
    for _ in range(3):
        name = url.partition("?")[0].removeprefix("/quiz/")
        subjects = deck(ran(name))[kind]
        assert name not in seen
        seen.add(name)
        last = page(server, f"{url}&n={min(10, len(subjects))}")
        url = re.findall(r'<a class="button" href="([^"]*)">Practise on another run', last)[-1]
        assert f"kinds={kind}" in url and "lang=en" in url
    whole = page(server, "/quiz/three-banks?n=10&lang=en")
    assert '<a class="button" href="/quiz?lang=en">Practise on another run' in whole
