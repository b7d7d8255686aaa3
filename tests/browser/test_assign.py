"""A class does an assignment in browsers: with scripts files are read, and without them everything can be pasted."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser.axe import readable
from tests.browser.conftest import EVERYWHERE, PHONE, Open

pytestmark = pytest.mark.slow

MADE = "/assign?title=Week+3&seed=7&q=entry:three-banks&q=total:ring&lang="


def answered(page: Page, sheet: str, name: str) -> None:
    """Answer the sheet of somebody, as far as the signed text."""
    page.goto(sheet)
    page.locator("input[name=name]").fill(name)
    page.locator(".assign-name button").click()
    expect(page.locator(".assign-question")).to_have_count(2)
    page.locator("input[type=radio]").first.check()
    page.locator(".asked-number").fill("12")
    page.locator("button[name=done]").click()
    expect(page.locator("textarea")).to_have_value(re.compile(r"bluecut-1\."))


def links(page: Page) -> dict[str, str]:
    """Return the links of what was made."""
    found = page.locator(".assign-link h3 a").evaluate_all("(all) => all.map((one) => one.href)")
    return {one.partition("/assign/")[2].partition("?")[0]: one for one in found}


@EVERYWHERE
def test_files_are_read_and_one_table_has_everybody(
    visit: Open, tmp_path: Path, language: str, viewport: ViewportSize
) -> None:
    page = visit(MADE + language, viewport=viewport)
    made, files = links(page), []
    for name in ("Ann", "Bob", "Cy"):
        answered(page, made["sheet"], name)
        with page.expect_download() as saved:
            page.get_by_role("button", name=re.compile("file|文件")).click()
        files.append(tmp_path / f"{name}.txt")
        saved.value.save_as(files[-1])
    files[2].write_text(files[2].read_text()[:-4])
    page.goto(made["read"])
    page.locator("#files").set_input_files([str(one) for one in files])
    expect(page.locator("#text")).to_have_value("\n".join(one.read_text().strip() for one in files))
    page.locator("button[type=submit]").click()
    expect(page.locator("tbody th")).to_have_text(["Ann", "Bob"])
    expect(page.locator(".assign-lost b")).to_have_text(["Cy"])
    with page.expect_download() as table:
        page.locator("button[name=as]").click()
    table.value.save_as(tmp_path / "table.csv")
    assert (tmp_path / "table.csv").read_text("utf-8").count("\n") == 4


def test_what_is_entered_is_there_again_when_the_sheet_is_loaded_again(visit: Open) -> None:
    page = visit(MADE + "en")
    page.goto(links(page)["sheet"])
    page.locator("input[name=name]").fill("Ann")
    page.locator(".assign-name button").click()
    radio, number = page.locator("input[type=radio]").nth(1), page.locator(".asked-number")
    radio.check()
    number.fill("12")
    page.reload()
    expect(radio).to_be_checked()
    expect(number).to_have_value("12")
    page.goto(links(visit(MADE + "en"))["sheet"])
    page.locator("input[name=name]").fill("Bob")
    page.locator(".assign-name button").click()
    expect(number).to_have_value("")


@EVERYWHERE
def test_answers_are_corrected_where_they_were_given(visit: Open, language: str, viewport: ViewportSize) -> None:
    page = visit(MADE + language, viewport=viewport)
    answered(page, links(page)["sheet"], "Ann")
    before = page.locator("textarea").input_value()
    page.get_by_role("button", name=re.compile("Correct|修改")).click()
    expect(page.locator("input[type=radio]").first).to_be_checked()
    expect(page.locator(".asked-number")).to_have_value("12")
    page.locator(".asked-number").fill("13")
    page.locator("button[name=done]").click()
    expect(page.locator("textarea")).not_to_have_value(before)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_without_scripts_answers_are_pasted(visit: Open, language: str) -> None:
    page = visit(MADE + language, viewport=PHONE, java_script_enabled=False)
    made = links(page)
    answered(page, made["sheet"], "王芳")
    string = page.locator("textarea").input_value()
    page.goto(made["read"])
    page.locator("#text").fill(f"> {string}")
    page.locator("button[type=submit]").click()
    expect(page.locator("tbody th")).to_have_text(["王芳"])
    assert page.locator(".assign-table").evaluate("(e) => e.scrollWidth <= e.clientWidth")


def test_six_questions_fit_on_four_pages_of_paper(visit: Open) -> None:
    asked = ("entry:three-banks", "every", "total:ring", "content:queue", "live:three-banks", "lesson:four-fates:live")
    page = visit("/assign/paper?lang=en&title=Week+3&seed=7&key=k&count=2&" + "&".join(f"q={one}" for one in asked))
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 2 * 4


def test_a_sheet_of_paper_is_white_in_the_dark_too(visit: Open) -> None:
    page = visit("/assign/paper?q=every&key=k", color_scheme="dark")
    expect(page.locator(".sheet .asked-picture svg").first).to_be_visible()
    readable(page)
    paper = page.locator(".sheet [data-process] rect").first.evaluate("(e) => getComputedStyle(e).fill")
    assert paper == "rgb(255, 255, 255)"


@pytest.mark.slow
def test_the_focus_is_on_what_was_added_or_on_what_follows_what_was_dropped(visit: Open) -> None:
    page = visit("/assign?lang=en&seed=7&q=every&q=entry:ring")
    page.locator("button[name=add]").nth(2).press("Enter")
    expect(page.locator(".assign-chosen li")).to_have_count(3)
    expect(page.locator(".assign-chosen li").last).to_be_focused()
    expect(page.locator(".assign-chosen li").last).to_be_in_viewport()
    page.locator("button[name=drop]").first.press("Enter")
    expect(page.locator(".assign-chosen li")).to_have_count(2)
    expect(page.locator(".assign-chosen li").first).to_be_focused()
