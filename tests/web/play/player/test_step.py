"""A step as a still page: everything that the player shows, without a script."""

import re

import pytest
from fastapi.testclient import TestClient

from app.run.run import record
from app.scenario.library import LIBRARY
from tests.often import some


def page(client: TestClient, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200, path
    return answer.text


FEW = 5
"""A scenario shows one of so many of its pages, other ones than its neighbours in the library."""


def addresses(name: str) -> list[str]:
    """Return the first steps of a scenario and its last one, in both languages."""
    steps = len(record(LIBRARY.scenario(name)).steps)
    return [
        f"/run/{name}/step/{step}?lang={language}"
        for step in (*range(min(steps, 6)), steps)
        for language in ("en", "zh")
    ]


def is_still(text: str) -> None:
    assert text.count("<svg") >= 3  # the stage, and space and time with its window
    assert "<script" not in text
    assert "style=" not in text


@pytest.mark.parametrize(("place", "name"), some(enumerate(LIBRARY.names()), 9))
def test_steps_of_every_scenario_are_pages(client: TestClient, place: int, name: str) -> None:
    for address in addresses(name)[place % FEW :: FEW]:
        is_still(page(client, address))


@pytest.mark.slow
@pytest.mark.parametrize("name", LIBRARY.names())
def test_every_step_of_every_scenario_is_a_page_in_both_languages(client: TestClient, name: str) -> None:
    for address in addresses(name):
        is_still(page(client, address))


def test_on_a_phone_too_every_message_of_a_full_channel_is_there(client: TestClient) -> None:
    assert not re.search(r">\+\d+</text>", page(client, "/run/queue/step/9?lang=en"))


def test_the_page_says_what_happened_and_shows_the_rule_that_fired(client: TestClient) -> None:
    text = page(client, "/run/blue-figure/step/4?lang=en")
    assert "<strong>P2 records.</strong>" in text
    fired = re.findall(r'<li class="depth-\d fired"><strong>([^<]+)', text)
    assert fired == [
        "on a marker from channel c:",
        "if not recorded yet:",
        "record own state",
        "state of c := empty",
        "send a marker on every output",
    ]


def test_the_table_tells_what_is_recorded_and_what_is_still_open(client: TestClient) -> None:
    text = page(client, "/run/blue-figure/step/6?lang=en")
    rows = re.findall(r'<tr class="(\w+)"><th scope="row">([^<]+)</th><td>([^<]+)</td>', text)
    assert rows == [
        ("recorded", "P1", "X1=1, Y1=2, Z1=3"),
        ("recorded", "P2", "X2=4, Y2=5, Z2=6"),
        ("recorded", "P1 → P2", "∅"),
        ("recording", "P2 → P1", "recording: M so far"),
    ]


def test_a_check_that_fails_says_why_and_links_to_the_step(client: TestClient) -> None:
    text = page(client, "/run/photographs-two/step/5?lang=en")
    assert text.count('<li class="fails">') == 3
    assert "T was sent outside the cut in step 2, but received inside it in step 3." in text
    assert re.search(r'<a href="/run/photographs-two/step/3[^"]*">See step 3</a>', text)


def test_channels_at_which_nobody_looked_are_not_called_recorded(client: TestClient) -> None:
    text = page(client, "/run/photographs-two/step/5?lang=en")
    assert re.findall(r'<tr class="(\w+)"><th scope="row">p → q', text) == ["unwatched"]


def test_one_can_walk_through_the_run_by_links(client: TestClient) -> None:
    first, last = page(client, "/run/blue-figure/step/0"), page(client, "/run/blue-figure/step/8")
    assert 'rel="next"' in first and 'rel="prev"' not in first
    assert 'rel="prev"' in last and 'rel="next"' not in last
    step, path = 0, "/run/blue-figure/step/0"
    while link := re.search(r'href="([^"]+)" rel="next"', page(client, path)):
        path, step = link[1].replace("&amp;", "&"), step + 1
    assert step == 8


def test_what_could_happen_next_is_a_link_to_the_branch(client: TestClient) -> None:
    text = page(client, "/run/blue-figure/step/5?lang=en")
    link = re.search(r'<a href="(/run/blue-figure/branch[^"]+)">P1 receives M from P2→P1</a>', text)
    assert link is not None
    answer = client.get(link[1].replace("&amp;", "&"))
    assert answer.status_code == 303
    assert "waits: a FIFO channel delivers its first message first" in text


def test_the_picture_of_a_step_is_served_as_svg(client: TestClient) -> None:
    answer = client.get("/run/blue-figure/step/4.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.text.startswith("<?xml") and "P2 records." in answer.text


def test_a_snapshot_that_lacks_a_part_is_not_called_complete(client: TestClient) -> None:
    text = page(client, "/run/crash-unusable/step/2?lang=en")
    assert "Unusable: the part of Q is missing." in text and "Complete." not in text
    assert "– left before it recorded" in text


def test_who_takes_no_part_and_its_channels_are_told_alike(client: TestClient) -> None:
    text = page(client, "/run/born-after/step/6?lang=en")
    rows = re.findall(r'<tr class="absent"><th scope="row">([^<]+)</th><td>([^<]+)</td>', text)
    assert rows == [(element, "– takes no part") for element in ("N", "P → N", "N → P")]


def test_the_last_step_has_the_last_word(client: TestClient) -> None:
    right, wrong = page(client, "/run/queue/step/16?lang=en"), page(client, "/run/photographs-two/step/5?lang=en")
    assert 'data-tone="right"' in right and "0 + 0 + 60 + [1 2 3] = 66" in right
    assert 'data-tone="wrong"' in wrong and "1 + 1 = 2 ≠ 1" in wrong
    assert re.search(r'data-move="see" data-step="3">See where', wrong)
    assert "完成，而且正确。" in page(client, "/run/queue/step/16?lang=zh")
    assert "data-tone" not in page(client, "/run/queue/step/15?lang=en")


def test_the_first_page_asks_the_question_of_the_story(client: TestClient) -> None:
    text = page(client, "/run/queue/step/0?lang=en")
    assert '<p class="caption">Which payments will be in it?</p>' in text


def test_a_wrong_algorithm_that_comes_out_right_leads_to_the_run_that_shows_its_mistake(client: TestClient) -> None:
    leads = 'href="/run/counted-twice?lang=en" data-move="shown">Where it fails'
    assert leads in page(client, "/run/barriers-wait?algorithm=at-least-once&lang=en")
    assert leads not in page(client, "/run/barriers-wait?lang=en")
    assert 'data-move="shown"' not in page(client, "/run/counted-twice?algorithm=at-least-once&lang=en")
