"""An answer is slow: after a moment whoever waits for it sees that it is on its way."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Open
from tests.until import until

WAITS = """(element) => {
  const line = getComputedStyle(element, '::after');
  return [line.position, line.opacity, line.backgroundSize.split(' ')[0]];
}"""
"""The line along the top of the window, of an element that waits."""


@pytest.mark.parametrize(("motion", "size"), [("no-preference", "40%"), ("reduce", "100%")])
def test_who_waits_for_an_answer_sees_it_after_a_moment(visit: Open, motion: str, size: str) -> None:
    page = visit("/quiz/blue-figure", reduced_motion=motion)
    held: list[Route] = []
    page.route(re.compile("answer="), lambda route: held.append(route))
    page.locator("[name=answer]").first.check()
    page.locator(".asked-form [type=submit]").click()
    form = page.locator(".asked-form.htmx-request")
    expect(form).to_have_count(1)
    until(lambda: form.evaluate(WAITS) == ["fixed", "1", size])
    expect(page.locator(".asked-form [type=submit]")).to_have_css("opacity", "0.6")
    held[0].continue_()
    expect(page.locator(".htmx-request")).to_have_count(0)


def test_a_button_that_leads_to_another_page_is_busy_until_one_is_back(visit: Open) -> None:
    page = visit("/assign/sheet?q=every&for=me")
    page.route(re.compile("/assign/sheet"), lambda route: route.fulfill(status=204))  # this page stays
    page.locator("[name=name]").fill("Ada")
    button = page.locator("button[type=submit]").last
    button.click(no_wait_after=True)
    expect(button).to_have_attribute("aria-busy", "true")
    until(lambda: button.evaluate(WAITS)[1] == "1")
    page.evaluate("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))")
    expect(button).not_to_have_attribute("aria-busy", "true")


def test_a_run_shows_that_its_steps_are_on_the_way(visit: Open) -> None:
    page = visit("about:blank")
    held: list[Route] = []
    page.route("**/events**", lambda route: held.append(route))
    page.goto("/run/queue")
    lamp = page.locator("#lamp")
    until(lambda: lamp.evaluate(WAITS)[:2] == ["fixed", "1"])
    held[0].continue_()
    expect(lamp).to_have_attribute("data-state", "done")
    assert lamp.evaluate(WAITS)[0] == "static"
