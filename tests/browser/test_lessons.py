"""Lessons in a browser: each of them by keyboard alone, with wrong and right answers, in both languages; pictures that
answer; what the browser keeps; and the keys of a lecture hall."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from app.course.lesson_list import OWN
from app.course.lesson_store import Kept
from app.course.question import NONE, Answer, Question
from tests.answering import wrong
from tests.browser.axe import axe
from tests.browser.conftest import PHONE, SCREEN, WIDE, Open
from tests.browser.drawer import Drawer
from tests.served import served
from tests.until import until

KINDS = Path(__file__).parents[1] / "course" / "lessons"
LESSONS = Kept((KINDS,))
NAMES = [file.stem for file in sorted(OWN.glob("*.yaml"))]


@pytest.fixture(scope="module")
def lessons() -> Iterator[str]:
    """Yield the address of an application that also has the tests' lessons."""
    with served(lessons_in=(KINDS,)) as address:
        yield address


@pytest.fixture(scope="module")
def drawer(browser: Browser, lessons: str) -> Drawer:
    """Return contexts that forget what they stored about this application."""
    return Drawer(browser, lessons, viewport=WIDE, locale="en-GB")


def questions(lesson: str) -> dict[str, Question]:
    found = LESSONS.shelf().lesson(lesson)
    assert found is not None
    return {one.id: one for one in found.questions}


def option(page: Page, value: str) -> Locator:
    return page.locator(f'#asked input[name=answer][value="{value}"]')


def press(page: Page, where: Locator, key: str) -> None:
    where.focus()
    page.keyboard.press(key)


def give(page: Page, question: Question, answer: Answer) -> None:
    """Answer by keyboard."""
    if question.kind == "number":
        field = page.get_by_role("textbox")
        field.fill("")
        field.press_sequentially(str(answer))
        page.keyboard.press("Enter")
        return
    if isinstance(answer, str):
        press(page, option(page, answer), "Space")
        page.keyboard.press("Enter")
        return
    if question.kind == "order":
        for place, value in enumerate(answer):
            row = page.locator(f'.asked-place[data-value="{value}"]')
            while page.locator(".asked-place").nth(place).get_attribute("data-value") != value:
                press(page, row.get_by_role("button").first, "Enter")
    else:
        for box in page.locator("#asked input[type=checkbox]:checked").all():
            press(page, box, "Space")
        for value in answer or [NONE] * question.ticked:
            press(page, option(page, value), "Space")
    press(page, page.locator("#asked button[type=submit]"), "Enter")


def judged(page: Page, right: bool) -> None:
    expect(page.locator(f'#asked[data-right="{int(right)}"]')).to_be_visible()
    expect(page.locator("#graded")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("lesson", [*NAMES, "all-kinds", "more-kinds"])
def test_a_lesson_is_taken_by_keyboard_in_both_languages(visit: Open, lesson: str) -> None:
    """Answer each question wrongly in one language and, after the link to the same place in the other one, rightly."""
    page = visit(f"/lessons/{lesson}?lang=en")
    for _ in LESSONS.shelf().lesson(lesson).form.beats:  # type: ignore[union-attr]
        press(page, page.locator("#beats-end a"), "Enter")
    asked = questions(lesson)
    for name, question in asked.items():
        expect(page.locator(f'#asked[data-question="{name}"]')).to_be_visible()
        assert page.locator("#graded").count() == 0
        give(page, question, wrong(question))
        judged(page, False)
        before = page.locator("html").get_attribute("lang")
        press(page, page.locator("#switch"), "Enter")
        expect(page.locator("html")).to_have_attribute("lang", "zh-CN" if before == "en" else "en")
        expect(page.locator(f'#asked[data-question="{name}"][data-right="0"]')).to_be_visible()
        give(page, question, question.answer)
        judged(page, True)
        press(page, page.locator(".asked-onward"), "Enter")
    expect(page.locator("#knobs, #hand")).to_be_visible()
    if page.locator("#hand").count():
        press(page, page.locator("#lesson-next"), "Enter")
    expect(page.locator("#knobs")).to_be_visible()
    expect(page.locator(".lesson-pages .mark-right")).to_have_count(len(asked))
    kept = json.loads(page.evaluate("localStorage.getItem('bluecut.lessons')"))["answers"]
    assert {key: (one["first"], one["right"]) for key, one in kept.items()} == {
        f"{lesson}/{name}": (False, True) for name in asked
    }


@pytest.mark.slow
def test_the_words_of_the_next_part_of_a_set_up_are_announced(visit: Open) -> None:
    page = visit("/lessons/vanishing-token")
    said = page.locator("#beats-end [role=status]")
    expect(said).to_have_text("")
    for place in (2, 1):
        page.locator("#beats-end").get_by_text("Next" if place == 2 else "Back", exact=True).press("Enter")
        words = page.locator(".beat-words:visible").inner_text()
        expect(said).to_have_text(f"{page.locator('.beat-place').inner_text()} {words}")
        assert page.locator(".beat-place").inner_text().startswith(str(place))


@pytest.mark.slow
def test_a_set_up_is_told_one_part_at_a_time_and_the_end_takes_it_up(visit: Open) -> None:
    page = visit("/lessons?track=class")
    expect(page.locator("#strip")).to_contain_text("0 of 25 right")
    press(page, page.locator("#strip a"), "Enter")
    expect(page.locator(".beat:visible")).to_have_count(1)
    expect(page.locator(".beat-place")).to_have_text("1 of 3")
    picture = page.locator(".beat:visible .asked-picture").bounding_box()
    assert picture is not None and picture["height"] > 350
    forward = page.locator("#beats-end button").last.bounding_box()
    assert forward is not None and page.viewport_size
    assert forward["y"] + forward["height"] <= page.viewport_size["height"], "the fold cuts nothing"
    page.keyboard.press("ArrowRight")
    expect(page.locator(".beat-words:visible")).to_contain_text("We want a picture of this system.")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".beat-place")).to_have_text("1 of 3")
    page.goto("/lessons/vanishing-token?q=none&track=class")
    give(page, questions("vanishing-token")["none"], "1")
    judged(page, False)
    page.goto("/lessons/vanishing-token?end=1&track=class")
    expect(page.locator(".lesson-predictions li").first).to_contain_text("You said 1")
    expect(page.locator(".lesson-predictions li").first).not_to_contain_text("the answer")
    expect(page.locator("#again li")).to_have_count(2)
    assert not axe(page).violations
    page.goto("/lessons/vanishing-token?q=none&track=class")
    give(page, questions("vanishing-token")["none"], "0")
    judged(page, True)
    page.goto("/lessons/vanishing-token?end=1&track=class")
    row = page.locator(".lesson-predictions li").first
    expect(row.locator(".mark-right")).to_have_attribute("title", "right at a later try")
    expect(row).to_contain_text("You said 1 · the answer: 0 · right at a later try")
    page.goto("/lessons?track=class")
    expect(page.locator("#strip a")).to_have_text("Go on with lesson 1, question 2")


def test_the_rules_are_carried_out_by_keyboard_and_the_stage_refuses_what_breaks_them(visit: Open) -> None:
    page = visit("/lessons/blue-figure/by-hand")

    def do(move: str) -> None:
        press(page, page.locator(f'button[value="{move}"]'), "Enter")

    first = page.locator(".hand-moves button >> nth=0")
    before = first.bounding_box()
    do("record:P2")
    expect(page.get_by_role("alert")).to_contain_text("no marker has reached P2 yet")
    assert first.bounding_box() == before, "the buttons stay under the pointer"
    expect(page.locator('button[value="record:P2"]')).to_be_focused()
    do("record:P1")
    expect(page.locator(".hand-count")).to_have_text("1 of 2 processes recorded, 0 of 2 channels closed")
    expect(page.locator(".hand-refused")).to_have_count(0)
    expect(page.locator(".hand-report")).to_have_count(0)
    for move in ("mark:P1->P2", "take:P1->P2", "record:P2", "close:P1->P2", "mark:P2->P1", "take:P2->P1"):
        do(move)
        expect(page.locator(f'input[type=hidden][value="{move}"]').first).to_be_attached()
    expect(page.locator(".hand-report")).to_contain_text("The blue sheet is P2’s report")
    assert first.bounding_box() == before, "its explanation moves nothing"
    page.locator('.drawn-screen [data-channel="P2->P1"]').dispatch_event("click")  # the picture answers, too
    expect(page.locator('.hand-moves input[value="take:P2->P1"]')).to_have_count(2)
    do("close:P2->P1")
    expect(page.locator("#graded")).to_contain_text("✓ consistent cut")
    expect(page.locator("#graded")).to_be_focused()
    page.go_back()
    expect(page.locator(".hand-moves fieldset")).to_have_count(2)
    assert not axe(page).violations


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
@pytest.mark.parametrize("move", ["record:P2", "close:P1->P2"])
def test_on_a_phone_a_move_leaves_the_picture_and_its_button_in_sight(
    visit: Open, width: int, height: int, move: str
) -> None:
    page = visit("/lessons/blue-figure/by-hand", viewport={"width": width, "height": height})
    button = page.locator(f'button[value="{move}"]')
    button.focus()
    page.keyboard.press("Enter")
    refused = page.get_by_role("alert")
    expect(refused).to_be_in_viewport(ratio=1)
    expect(page.locator(".hand .asked-picture")).to_be_in_viewport(ratio=0.6)
    expect(page.locator(".hand-count")).to_be_in_viewport(ratio=1)
    expect(button).to_be_focused()
    button.click(trial=True, timeout=2000)  # nothing is over it


def test_the_part_of_the_set_up_is_the_same_after_a_reload_and_on_the_way_back(visit: Open) -> None:
    page = visit("/lessons/blue-figure")
    onward, place = page.locator("#beats-end a"), page.locator(".beat-place")
    for here in ("2 of 4", "3 of 4"):
        onward.click()
        expect(place).to_have_text(here)
    page.reload()
    expect(place).to_have_text("3 of 4")
    page.goto("/lessons/blue-figure?q=next")
    page.go_back()
    expect(place).to_have_text("3 of 4")
    page.goto("/lessons/four-fates")
    expect(place).to_have_text("1 of 3")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height", "least"), [(844, 390, 11), (640, 400, 8)])
def test_in_landscape_and_enlarged_the_picture_is_beside_its_words(
    visit: Open, width: int, height: int, least: float
) -> None:
    page = visit("/lessons/barriers", viewport={"width": width, "height": height})
    picture, words = page.locator(".beat:visible .asked-picture"), page.locator(".beat:visible .beat-words")
    drawn, told = picture.bounding_box(), words.bounding_box()
    assert drawn and told and drawn["x"] + drawn["width"] <= told["x"] and abs(drawn["y"] - told["y"]) < 20
    assert min(page.evaluate(LETTERS)) >= least


@pytest.mark.slow
def test_a_marker_is_dragged_out_of_its_process_into_a_channel_with_a_mouse_or_a_finger(visit: Open) -> None:
    page = visit("/lessons/blue-figure/by-hand", has_touch=True)

    def middle(selector: str, kind: str = "screen") -> tuple[float, float]:
        box = page.locator(f".drawn-{kind} {selector}").bounding_box()
        assert box is not None
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def drag(process: str, channel: str) -> None:
        page.mouse.move(*middle(f'[data-process="{process}"]'))
        page.mouse.down()
        page.mouse.move(*middle(f'[data-channel="{channel}"] [data-line]'), steps=4)
        expect(page.locator(".hand-dragged")).to_be_visible()
        expect(page.locator(".drawn-screen .over")).to_have_attribute("data-channel", channel)
        page.mouse.up()
        expect(page.locator(".hand-dragged")).to_have_count(0)

    kept = page.locator(".hand-moves input[name=m]")
    drag("P1", "P1->P2")
    expect(page.get_by_role("alert")).to_contain_text("P1 has not recorded. A marker says that its sender has")
    expect(kept).to_have_count(0)
    page.mouse.click(*middle('[data-process="P1"]'))  # a click still records
    expect(kept).to_have_count(1)
    drag("P1", "P2->P1")
    expect(page.get_by_role("alert")).to_have_text("Refused: P1 does not send on P2→P1.")
    drag("P1", "P1->P2")
    expect(page.locator('.hand-moves input[value="mark:P1->P2"]')).to_have_count(1)
    for move in ("take:P1->P2", "record:P2"):
        page.locator(f'button[value="{move}"]').click()
        expect(page.locator(f'.hand-moves input[value="{move}"]')).to_have_count(1)

    page.set_viewport_size(PHONE)
    page.evaluate("scrollTo(0, 0)")
    finger = page.context.new_cdp_session(page)
    start, end = middle('[data-process="P2"]', "phone"), middle('[data-channel="P2->P1"] [data-line]', "phone")
    between = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    for kind, at in (("touchStart", start), ("touchMove", between), ("touchMove", end), ("touchEnd", None)):
        points = [{"x": at[0], "y": at[1]}] if at else []
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator('.hand-moves input[value="mark:P2->P1"]')).to_have_count(1)


def test_the_recovery_line_is_drawn_by_keyboard_on_a_phone_until_it_is_right(visit: Open) -> None:
    page = visit("/lessons/after-the-crash/by-hand")
    page.set_viewport_size({"width": 390, "height": 844})

    def do(move: str) -> None:
        press(page, page.locator(f'button[value="{move}"]'), "Enter")

    for move in ("back:P.2", "stay:Q", "stay:R"):
        do(move)
        expect(page.locator(f'button[value="{move}"]')).to_have_attribute("aria-pressed", "true")
        expect(page.locator(f'button[value="{move}"]')).to_be_focused()
    expect(page.get_by_role("alert")).to_contain_text("m4 would be an orphan")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert not axe(page).violations
    do("back:Q.2")
    expect(page.locator("#graded")).to_contain_text("This is the recovery line")
    expect(page.locator("#graded")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("large", ["", "&presenter=1"])
def test_whoever_clicks_in_the_picture_has_chosen_in_the_list(visit: Open, large: str) -> None:
    page = visit(f"/lessons/all-kinds?q=process{large}")
    page.locator('.drawn-screen [data-process="P2"] .pick-area').click()
    expect(option(page, "P2")).to_be_checked()
    expect(page.locator('.drawn-screen [data-process="P2"]')).to_have_class(re.compile("picked"))
    option(page, "P1").check()
    expect(page.locator('.drawn-screen [data-process="P2"]')).not_to_have_class(re.compile("picked"))

    page.goto(f"/lessons/all-kinds?q=channel{large}")
    page.locator('.drawn-screen [data-channel="P2->P1"] .pick-area').dispatch_event("click")
    expect(option(page, "P2->P1")).to_be_checked()

    page.goto("/lessons/all-kinds?q=event")
    page.locator("g:has(> [data-event='R:2']) > .pick-area").click()
    expect(option(page, "R.2")).to_be_checked()

    page.goto("/lessons/all-kinds?q=verdict")
    page.locator('[data-identity="0"] .pick-area').dispatch_event("click")
    expect(option(page, "0")).to_be_checked()
    page.keyboard.press("Enter")
    judged(page, True)
    expect(page.locator("[data-fate=orphan]").first).to_be_visible()  # drawn when it is known
    expect(page.locator(".pickable.picked")).to_have_count(1)

    page.goto("/lessons/more-kinds?q=messages")
    for value in ("1", "2"):
        page.locator(f'.drawn-screen [data-message="{value}"] .pick-area').click()
        expect(option(page, value)).to_be_checked()
    page.locator('.drawn-screen [data-message="2"] .pick-area').click()
    expect(option(page, "2")).not_to_be_checked()

    page.goto("/lessons/more-kinds?q=bug")
    line = questions("more-kinds")["bug"].answer
    page.locator(f'.asked-option:has([value="{line}"])').click()
    expect(option(page, str(line))).to_be_checked()

    page.goto("/lessons/more-kinds?q=possible")
    page.locator('.asked-option:has([value="under-way"]) svg').click()
    expect(option(page, "under-way")).to_be_checked()


@pytest.mark.slow
def test_what_is_chosen_stays_in_the_other_language(visit: Open) -> None:
    page = visit("/lessons/all-kinds?q=set&lang=en")
    page.get_by_text("3 on k→j").click()
    page.get_by_text("1 on k→j").click()
    page.locator("#switch").click()
    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    rows = page.locator(".asked-place.chosen")
    assert [row.get_attribute("data-value") for row in rows.all()] == ["2", "0"]
    page.goto("/lessons/all-kinds?q=number&lang=en")
    field = page.get_by_role("textbox")
    field.fill("many")
    page.locator("#switch").click()
    expect(field).to_have_value("many")
    press(page, field, "Enter")
    assert field.evaluate("field => field.validationMessage") == "请写一个整数。"
    give(page, questions("all-kinds")["number"], "2")
    judged(page, True)


@pytest.mark.slow
def test_rows_are_dragged_into_order_and_a_press_still_chooses(visit: Open) -> None:
    page = visit("/lessons/all-kinds?q=order")
    rows = page.locator(".asked-place")
    first = rows.nth(0).get_attribute("data-value")
    box, goal = rows.nth(0).bounding_box(), rows.nth(2).bounding_box()
    assert box and goal
    page.mouse.move(box["x"] + 40, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(goal["x"] + 40, goal["y"] + 24, steps=6)
    page.mouse.up()
    expect(rows.nth(2)).to_have_attribute("data-value", str(first))
    expect(rows.nth(2).locator(".asked-badge")).to_have_text("3")

    page.goto("/lessons/all-kinds?q=set")
    page.get_by_text("3 on k→j").click()
    page.get_by_text("1 on k→j").click()
    expect(rows.nth(0)).to_contain_text("3 on k→j")
    press(page, page.get_by_role("button", name="Move 1 on k→j up"), "Enter")
    expect(rows.nth(0)).to_contain_text("1 on k→j")
    expect(page.get_by_role("button", name="Move 1 on k→j down")).to_be_focused()


@pytest.mark.slow
def test_the_answer_plays_in_the_place_of_the_stage_and_the_prediction_stays(visit: Open) -> None:
    page = visit("/lessons/vanishing-token?q=none")
    give(page, questions("vanishing-token")["none"], "1")
    judged(page, False)
    expect(page.locator(".pin, .reveal-frame, .circled")).to_have_count(0)  # another try is open: nothing plays
    page.get_by_role("link", name="Show the answer").click()
    pictures = page.locator("#asked-pictures")
    expect(pictures).to_have_class(re.compile("playing"))
    expect(page.locator(".asked-picture")).to_be_hidden()
    expect(page.locator(".pin-said")).to_have_text("You said 1")
    inside = page.frame_locator(".reveal-frame")
    assert inside.locator(".circled").count() == 0
    expect(page.locator(".pin-run")).to_have_css("opacity", "0")
    expect(pictures).to_have_class(re.compile("shown"), timeout=20_000)
    expect(page.locator(".pin-run")).to_have_text("counted 0")
    expect(page.locator(".pin-run")).to_have_css("opacity", "1")
    expect(inside.locator("#say")).to_contain_text("p is photographed.")
    expect(inside.locator(".circled")).to_have_count(2)
    stage, room = inside.locator("#stage").bounding_box(), page.locator(".reveal-frame").bounding_box()
    assert stage is not None and room is not None and room["height"] > 0.6 * 800 and stage["height"] > 280
    assert not axe(page).violations
    # The page that is loaded again shows the step at once, and plays it when asked.
    page.reload()
    expect(page.locator(".asked-picture .circled")).to_have_count(2)
    page.get_by_role("button", name="Play it again").click()
    expect(pictures).to_have_class(re.compile("playing"))


@pytest.mark.slow
def test_what_a_wrong_answer_names_is_circled_where_it_is(visit: Open) -> None:
    page = visit("/lessons/blue-figure?q=next")
    asked = questions("blue-figure")["next"]
    before = page.locator("#asked-pictures .asked-caption").inner_text()
    give(page, asked, "P3")
    judged(page, False)
    ring, box = page.locator(".asked-picture .circled"), page.locator(".asked-picture [data-process=P3]:visible")
    expect(ring).to_have_count(1)
    expect(ring).to_have_css("border-top-color", "rgb(213, 94, 0)")

    def around() -> bool:
        ringed, wrongly = ring.bounding_box(), box.first.bounding_box()
        return bool(ringed and wrongly and abs(ringed["x"] + 7 - wrongly["x"]) < 3)

    until(around)
    assert page.locator("#asked-pictures .asked-caption").inner_text() == before, "the picture stays at the question"
    give(page, asked, asked.answer)
    expect(page.locator("#asked-pictures.playing .reveal-frame")).to_be_visible()


@pytest.mark.slow
def test_an_answer_jumps_where_motion_is_not_wanted_and_circles_an_orphan(visit: Open) -> None:
    page = visit("/lessons/after-the-crash?q=domino", reduced_motion="reduce")
    give(page, questions("after-the-crash")["domino"], "q2")
    page.get_by_role("link", name="Show the answer").click()
    expect(page.locator("#asked-pictures.shown.playing")).to_be_visible()
    inside = page.frame_locator(".reveal-frame")
    expect(inside.locator("#timeline")).to_have_attribute("aria-valuenow", "22")
    expect(inside.locator("#spacetime svg.spacetime")).to_be_visible()
    page.goto("/lessons/which-cut?q=orphan")
    give(page, questions("which-cut")["orphan"], "consistent")
    judged(page, False)
    expect(page.locator("[data-fate=orphan], .circled")).to_have_count(0)
    page.get_by_role("link", name="Show the answer").click()
    expect(page.locator("[data-fate=orphan]").first).to_be_visible()
    ring = page.locator(".asked-picture .circled")
    expect(ring).to_have_count(1)
    assert page.locator(".reveal-frame").count() == 0
    around, arrow = ring.bounding_box(), page.locator("[data-fate=orphan] > [stroke-dasharray]").bounding_box()
    assert around and arrow and around["width"] < arrow["width"] + 50 and around["height"] < arrow["height"] + 50


@pytest.mark.slow
def test_the_orphan_that_is_chosen_is_lit_where_it_is(visit: Open) -> None:
    page = visit("/lessons/which-cut?q=orphan")
    asked = questions("which-cut")["orphan"]
    give(page, asked, asked.answer)
    orphan = page.locator("[data-fate=orphan]")
    lit, arrow = (orphan.locator(each).bounding_box() for each in (".pick-line", "[stroke-dasharray]"))
    assert lit and arrow and abs(lit["x"] - arrow["x"]) < 10 and abs(lit["y"] - arrow["y"]) < 10


@pytest.mark.slow
def test_a_ring_around_a_channel_is_around_its_tube(visit: Open) -> None:
    page = visit("/lessons/which-cut?q=clocks", reduced_motion="reduce")
    give(page, questions("which-cut")["clocks"], "nothing")
    page.get_by_role("link", name="Show the answer").click()
    inside = page.frame_locator(".reveal-frame")
    ring = inside.locator(".circled")
    expect(ring).to_have_count(1)

    def around() -> bool:
        box = ring.bounding_box()
        tube = inside.locator('.tube[data-channel="A->B"] .edge').evaluate(
            "each => each.getAttribute('stroke-width') * each.getScreenCTM().a"
        )
        return box is not None and box["height"] >= tube

    until(around)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["blue-figure", "which-cut"])
def test_the_buttons_do_not_cover_what_is_said_below_a_picture(visit: Open, name: str) -> None:
    page = visit(f"/lessons/{name}", viewport=SCREEN)
    said, buttons = (page.locator(each).bounding_box() for each in (".beat .asked-caption:visible", "#beats-end"))
    assert said and buttons and said["x"] + said["width"] <= buttons["x"]
    assert said["y"] + said["height"] <= SCREEN["height"]


@pytest.mark.slow
def test_without_motion_the_rings_are_where_the_picture_is(visit: Open) -> None:
    page = visit("/lessons/vanishing-token?q=none", reduced_motion="reduce")
    give(page, questions("vanishing-token")["none"], "0")
    inside = page.frame_locator(".reveal-frame")
    rings, copies = inside.locator(".circled"), inside.locator("#stage .card[data-recorded]")
    expect(rings).to_have_count(2)

    def around() -> bool:
        pairs = zip(rings.all(), copies.all(), strict=True)
        boxes = [(ring.bounding_box(), copy.bounding_box()) for ring, copy in pairs]
        return all(a and b and abs(a["x"] + 7 - b["x"]) < 3 and abs(a["y"] + 7 - b["y"]) < 3 for a, b in boxes)

    until(around)


@pytest.mark.slow
def test_a_wrong_answer_can_be_tried_again_or_shown(visit: Open) -> None:
    page = visit("/lessons/all-kinds?q=number")
    give(page, questions("all-kinds")["number"], "1")
    judged(page, False)
    expect(page.locator(".graded-belief")).to_have_attribute("data-belief", "M1")
    expect(page.locator(".asked-retry")).to_have_class(re.compile("button-first"))

    press(page, page.get_by_role("link", name="Show the answer"), "Enter")
    expect(page.locator('#asked[data-shown="1"]')).to_be_visible()
    expect(page.locator(".graded-why")).to_have_text("One on each channel.")
    expect(page.locator(".lesson-pages .mark-wrong")).to_have_count(1)
    page.go_back()
    expect(page.locator(".graded-why")).to_have_count(0)
    expect(page.locator("#switch")).to_have_attribute("href", re.compile(r"/number\?answer=1&lang=zh"))


@pytest.mark.slow
def test_progress_is_saved_as_a_file_forgotten_and_loaded_again(visit: Open, tmp_path: Path) -> None:
    page = visit("/lessons/all-kinds?q=number")
    give(page, questions("all-kinds")["number"], "2")
    judged(page, True)
    page.goto("/lessons")
    count = page.locator("#progress-count")
    expect(count).to_contain_text("1 of ")
    expect(page.locator('[data-lesson="all-kinds"] .mark-right')).to_have_count(1)
    with page.expect_download() as saving:
        page.get_by_role("button", name="Save as a file").click()
    file = tmp_path / "progress.json"
    saving.value.save_as(file)
    assert json.loads(file.read_text())["answers"] == {
        "all-kinds/number": {"predicted": "2", "first": True, "right": True}
    }

    page.get_by_role("button", name="Clear progress").click()
    expect(count).to_contain_text("1 of ")  # not yet: it asks first
    page.get_by_role("button", name="Clear all progress?").click()
    expect(count).to_have_text("Your progress is cleared.")
    expect(page.locator('[data-lesson="all-kinds"] .mark-right')).to_have_count(0)

    page.locator("#progress-file").set_input_files(file)
    expect(count).to_contain_text("1 answer loaded. 1 of ")
    expect(page.locator('[data-lesson="all-kinds"] .mark-right')).to_have_count(1)
    file.write_text('{"bluecut": "lessons", "version": 1, "answers": 7}')
    page.locator("#progress-file").set_input_files(file)
    expect(count).to_contain_text("holds no progress")
    assert not axe(page).violations


@pytest.mark.slow
def test_a_lecture_hall_has_keys(visit: Open) -> None:
    page = visit("/lessons/all-kinds?presenter=1", viewport={"width": 1920, "height": 1080})
    for _ in LESSONS.shelf().lesson("all-kinds").form.beats:  # type: ignore[union-attr]
        page.keyboard.press("ArrowRight")
    expect(page.locator('#asked[data-question="number"]')).to_be_visible()
    picture, asked = (page.locator(each).bounding_box() for each in ("#asked-pictures", "#asked"))
    assert picture and asked and asked["x"] > picture["x"] + picture["width"] and asked["y"] == picture["y"]
    assert page.locator("#graded").count() == 0
    page.keyboard.press("b")
    expect(page.locator("#blank")).to_be_visible()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("b")
    expect(page.locator("#blank")).to_be_hidden()
    page.keyboard.press("b")
    page.keyboard.press("Escape")
    expect(page.locator("#blank")).to_be_hidden()
    page.keyboard.press("r")
    expect(page.locator(".graded-why")).to_have_text("One on each channel.")
    expect(page.locator(".graded-answer")).to_contain_text("The run says: 2")
    expect(page.locator(".asked-number")).to_be_hidden()
    page.keyboard.press("ArrowRight")
    expect(page.locator('#asked[data-question="choice"]')).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator('#asked[data-question="number"]')).to_be_visible()
    assert page.locator("#graded").count() == 0
    assert page.evaluate("localStorage.getItem('bluecut.lessons')") is None

    page.keyboard.press("PageDown")
    option(page, "kept").focus()
    page.keyboard.press("ArrowDown")  # chooses, and turns no page
    expect(page.locator('#asked[data-question="choice"] input:checked')).to_have_count(1)
    page.keyboard.press("b")
    expect(page.locator("#blank")).to_be_visible()
    page.keyboard.press("b")
    page.keyboard.press("r")
    expect(page.locator('#asked[data-question="choice"][data-shown="1"]')).to_be_visible()
    expect(page.locator("#switch")).to_be_visible()
    page.keyboard.press("PageUp")
    expect(page.locator('#asked[data-question="number"]')).to_be_visible()


@pytest.mark.slow
def test_the_answer_puts_the_rows_in_order_and_they_stay_so(visit: Open) -> None:
    page = visit("/lessons/state-that-never-was?q=order&presenter=1", viewport=SCREEN)
    page.keyboard.press("r")
    expect(page.locator("#graded-title")).to_have_text("One such order")
    rows = page.locator(".asked-place")
    right = questions("state-that-never-was")["order"].answer
    assert tuple(row.get_attribute("data-value") for row in rows.all()) == right
    expect(page.locator(".asked-moves:visible")).to_have_count(0)
    rows.nth(0).drag_to(rows.nth(2))
    assert tuple(row.get_attribute("data-value") for row in rows.all()) == right


@pytest.mark.slow
def test_without_scripts_the_same_address_shows_the_result(visit: Open) -> None:
    page = visit("/lessons/all-kinds?q=set", java_script_enabled=False)
    page.get_by_label("Place of 1 on k→j").select_option("1")
    page.get_by_label("Place of 2 on k→j").select_option("2")
    page.get_by_role("button", name="Commit my answer").click()
    expect(page.locator("#graded-title")).to_contain_text("Not yet.")
    expect(page.locator("#graded")).to_contain_text("Missing: 1.")
    page.get_by_label("Place of 3 on k→j").select_option("3")
    page.get_by_role("button", name="Commit my answer").click()
    expect(page.locator("#graded-title")).to_contain_text("Right.")


@pytest.mark.slow
def test_in_a_lecture_the_last_page_fits_and_leads_to_the_next_lesson(visit: Open) -> None:
    page = visit("/lessons/barriers?end=1&presenter=1&track=streams", viewport=SCREEN)
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    for each in (".lesson-remember", ".lesson-knobs >> nth=-1", ".lesson-onward-card", "#lesson-next"):
        expect(page.locator(each)).to_be_in_viewport(ratio=1)
    assert not axe(page).violations
    page.keyboard.press("PageDown")
    page.wait_for_url("**/lessons/loops?track=streams&presenter=1")
    page.goto("/lessons/paying?end=1&presenter=1&track=streams")
    page.keyboard.press("PageDown")
    expect(page.locator("#lesson-next")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "address", ["state-that-never-was?", "state-that-never-was?q=past&", "vanishing-token?q=none&"]
)
def test_in_a_lecture_the_picture_takes_the_height_that_is_left(visit: Open, address: str) -> None:
    page = visit(f"/lessons/{address}presenter=1", viewport=SCREEN)
    picture, below = (page.locator(each).bounding_box() for each in (".asked-picture:visible", ".lesson-foot"))
    assert picture and below and picture["height"] > 480 and below["y"] - picture["y"] - picture["height"] < 90
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("address", "least"),
    [
        ("any-graph", 26),
        ("paying", 19),
        ("four-fates", 23),
        ("barriers", 22),
        ("state-that-never-was", 22),
        ("blue-figure", 21),
        ("any-graph?q=markers", 18),
        ("barriers/by-hand", 18),
        ("state-that-never-was?q=when", 13),
        ("bug-hunt?q=channel", 11),
    ],
)
def test_in_a_lecture_the_picture_has_large_letters(visit: Open, address: str, least: float) -> None:
    presenting = f"/lessons/{address}{'&' if '?' in address else '?'}presenter=1"
    page = visit(presenting, viewport={"width": 1280, "height": 800})
    letters = page.locator(".asked-stage svg text").evaluate_all(LETTERS)
    assert len(letters) >= 4 and min(letters) >= least
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.slow
def test_on_a_phone_the_verdict_is_in_sight_once_the_run_has_shown_the_answer(visit: Open) -> None:
    page = visit("/lessons/barriers?q=aligned", viewport=PHONE)
    page.locator(".asked-number").fill("１６")
    page.get_by_role("button", name="Commit my answer").click()
    page.wait_for_selector("#asked-pictures.shown")
    expect(page.locator("#graded-title")).to_be_in_viewport(ratio=1)
    expect(page.locator("#graded-title")).to_contain_text("Not yet.")


@pytest.mark.slow
def test_on_paper_a_page_of_a_lesson_has_all_its_parts_and_nothing_to_press(visit: Open) -> None:
    for address, parts in (("blue-figure", 4), ("blue-figure?q=caught", 0), ("blue-figure/by-hand", 0)):
        page = visit(f"/lessons/{address}")
        page.emulate_media(media="print")
        expect(page.locator(".beat:visible")).to_have_count(parts)
        pressed = ".top, .button:visible, nav:visible, summary:visible, .lesson-foot:visible, .lesson-pages:visible"
        assert page.locator(pressed).locator("visible=true").count() == 0, address


@pytest.mark.slow
def test_nothing_overflows_on_a_phone(visit: Open) -> None:
    for address in (
        "/lessons",
        "/lessons/all-kinds?q=verdict",
        "/lessons/more-kinds/possible?answer=-",
        "/lessons/all-kinds?end=1",
    ):
        page = visit(address, viewport=PHONE)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, address
        small = "els => els.filter(e => e.offsetParent && e.getBoundingClientRect().height < 44).map(e => e.outerHTML)"
        assert page.locator(".asked-option, .asked-doors .button, .lesson-pages a").evaluate_all(small) == []


LETTERS = """() => [...document.querySelectorAll('.asked-stage svg text')].filter(one => one.getClientRects().length)
  .map(one => parseFloat(one.getAttribute('font-size')) * Math.hypot(one.getScreenCTM().a, one.getScreenCTM().b))"""


@pytest.mark.slow
def test_the_stage_takes_most_of_the_height_and_its_letters_can_be_read_on_a_phone(visit: Open) -> None:
    for address in ("/lessons/vanishing-token", "/lessons/blue-figure?q=caught", "/lessons/any-graph?q=markers"):
        page = visit(address, viewport={"width": 1280, "height": 800})
        box = page.locator(".asked-stage").first.bounding_box()
        assert box is not None and 0.6 <= box["height"] / 800 <= 0.68, address
        page.set_viewport_size(PHONE)
        assert min(page.evaluate(LETTERS)) >= 11, address


@pytest.mark.slow
@pytest.mark.parametrize("lesson", ["any-graph", "paying"])
def test_a_phone_reads_the_words_first_and_then_the_picture(visit: Open, lesson: str) -> None:
    page = visit(f"/lessons/{lesson}", viewport=PHONE)
    words, picture = (
        page.locator(f".beat:visible {each}").bounding_box() for each in (".beat-words", ".asked-picture")
    )
    assert words and picture and words["y"] + words["height"] <= picture["y"]
    expect(page.locator(".beat-words:visible")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_without_scripts_the_way_on_covers_no_words(visit: Open) -> None:
    page = visit("/lessons/two-cameras", java_script_enabled=False, viewport=PHONE)
    last, onward = page.locator(".beat >> nth=-1").bounding_box(), page.locator("#beats-end").bounding_box()
    assert last and onward and last["y"] + last["height"] <= onward["y"]


CUT_OFF = """() => {
  const right = (e) => e.getBoundingClientRect().right;
  const edge = right(document.querySelector('.asked-picture svg'));
  return [...document.querySelectorAll('.asked-picture text')].filter((e) => right(e) > edge).map((e) => e.textContent);
}"""


@pytest.mark.slow
def test_the_edge_of_a_drawing_cuts_no_word_beside_the_cut(visit: Open) -> None:
    page = visit("/lessons/after-the-crash/by-hand")
    page.locator('button[value="stay:R"]').click()
    expect(page.locator('button[value="stay:R"]')).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.slow
def test_the_next_question_and_another_try_begin_at_the_question(visit: Open) -> None:
    page = visit("/lessons/vanishing-token?q=none")
    assert page.evaluate("document.activeElement === document.body"), "nobody comes from a question"
    begins = page.locator(".asked-scene, .asked-asks h2").first
    give(page, questions("vanishing-token")["none"], "1")
    judged(page, False)
    press(page, page.locator(".asked-retry"), "Enter")
    page.wait_for_url("**?q=none")
    expect(begins).to_be_focused()
    give(page, questions("vanishing-token")["none"], "1")
    judged(page, False)
    press(page, page.locator(".asked-onward"), "Enter")
    page.wait_for_url(lambda url: "q=none" not in url and "/none" not in url)
    expect(begins).to_be_focused()
    expect(page.get_by_role("heading", level=2).first).to_have_text(page.locator(".asked-asks").inner_text())
    page.reload()
    assert page.evaluate("document.activeElement === document.body")
