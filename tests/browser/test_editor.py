"""The editor in a real browser: live checking, the form, running, sharing, drafts; and hostile words."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Dialog, Page, ViewportSize, expect

from tests.browser.conftest import PHONE, WIDE, Open
from tests.browser.outages import text

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "</textarea><svg onload=alert(1)>",
    "\u202eevil",
    "javascript:alert(1)",
    '" onfocus="alert(1)" autofocus="',
)


@pytest.fixture
def bare(browser: Browser, server: str) -> Iterator[Page]:
    """Yield a page where the browser may report refused requests as errors."""
    context = browser.new_context(base_url=server, locale="en-GB")
    yield context.new_page()
    context.close()


def write(page: Page, old: str, new: str) -> None:
    """Replace a part of the text, as by typing."""
    assert old in text(page)
    page.locator("#editor-text").fill(text(page).replace(old, new, 1))


def line_of(page: Page, part: str) -> int:
    """Return the line that contains ``part``."""
    return text(page)[: text(page).index(part)].count("\n") + 1


def test_a_mistake_is_marked_on_its_line_while_it_is_typed(visit: Open) -> None:
    page = visit("/editor")
    expect(page.locator("#editor-verdict")).to_contain_text("No mistakes.")
    write(page, "start: A", "strat: A")
    line = line_of(page, "strat")
    expect(page.locator("#editor-verdict")).to_contain_text(f"Mistake in line {line}")
    expect(page.locator("#editor-verdict code")).to_have_text("script[0].strat")
    expect(page.locator("#editor-gutter")).to_have_attribute("data-wrong", str(line))
    area = page.locator("#editor-text")
    expect(area).to_have_attribute("aria-invalid", "true")
    expect(area).to_have_accessible_description(re.compile(f"Mistake in line {line}"))
    number = page.evaluate(
        """(line) => {
          const { top, height } = document.querySelector(".editor-sign-line").getBoundingClientRect();
          const text = document.querySelector("#editor-text");
          const begin = text.getBoundingClientRect().top - text.scrollTop;
          const { lineHeight, paddingTop } = getComputedStyle(text);
          return (top + height / 2 - begin - parseFloat(paddingTop)) / parseFloat(lineHeight) + 0.5;
        }""",
        line,
    )
    assert number == pytest.approx(line, abs=0.1)
    write(page, "strat: A", "start: A")
    expect(page.locator("#editor-verdict")).to_contain_text("No mistakes.")
    expect(page.locator("#editor-gutter")).to_have_attribute("data-wrong", "")
    expect(area).not_to_have_attribute("aria-invalid", "true")


@pytest.mark.slow
def test_the_mark_stays_at_its_line_when_the_text_is_scrolled(visit: Open) -> None:
    page = visit("/editor?from=blue-figure")
    write(page, "deliver: P1->P2", "deliver: P1->P9")
    expect(page.locator("#editor-verdict")).to_contain_text("no channel P1->P9")
    page.locator("#editor-text").evaluate("area => { area.scrollTop = 200; }")
    page.wait_for_timeout(50)
    line = line_of(page, "deliver: P1->P9")
    top = page.locator(".editor-sign-line").bounding_box()
    sheet = page.locator("#editor-text").bounding_box()
    assert top and sheet
    assert top["y"] - sheet["y"] == pytest.approx(8 + (line - 1) * 21 - 200, abs=2)


@pytest.mark.slow
def test_a_click_on_the_message_moves_the_caret_to_the_line(visit: Open) -> None:
    page = visit("/editor")
    write(page, "start: A", "strat: A")
    page.get_by_role("link", name=re.compile("Mistake in line")).click()
    expect(page.locator("#editor-text")).to_be_focused()
    chosen = page.locator("#editor-text").evaluate("area => area.value.slice(area.selectionStart, area.selectionEnd)")
    assert chosen == "  - strat: A"


@pytest.mark.slow
@pytest.mark.parametrize("viewport", [WIDE, PHONE])
def test_all_fields_are_a_click_away_and_a_field_leads_to_its_part(visit: Open, viewport: ViewportSize) -> None:
    page = visit("/editor", viewport=viewport)
    page.get_by_role("link", name="all fields").click()
    page.locator("#scenario-script").get_by_role("link", name="Line of the script").click()
    expect(page.get_by_role("heading", name="Line of the script")).to_be_in_viewport()
    expect(page.locator("#entry-partition")).to_contain_text("nothing arrives on this channel until it heals")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_preview_follows_the_text(visit: Open) -> None:
    page = visit("/editor")
    write(page, "[A, B]", "[A, B, C]")
    expect(page.locator("#editor-verdict")).to_contain_text("Processes: 3.")
    expect(page.locator("#editor-preview")).to_contain_text("no path leads to C")
    expect(page.locator("#editor-preview svg").first).to_be_visible()
    expect(page.locator("#editor-process-2-name")).to_have_value("C")


def test_a_change_in_the_form_changes_the_text(visit: Open) -> None:
    page = visit("/editor")
    comments = text(page).count("#")
    page.locator("#editor-process-1-first").fill("99")
    page.locator("#editor-process-1-first").press("Enter")
    expect(page.locator("#editor-text")).to_have_value(re.compile(r"B: 99"))
    page.locator("#editor-process-0-name").fill("Ann")
    page.locator("#editor-process-0-name").press("Tab")
    expect(page.locator("#editor-text")).to_have_value(re.compile(r"channels: \[Ann->B, B->Ann\]"))
    expect(page.locator("#editor-text")).to_have_value(re.compile(r"start: Ann"))
    expect(page.locator("#editor-verdict")).to_contain_text("No mistakes.")
    assert text(page).count("#") == comments > 0
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#editor-process-0-name")).to_have_value("A")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#editor-process-1-first")).to_have_value("20")
    expect(page.get_by_role("button", name="Undo")).to_be_hidden()


@pytest.mark.slow
def test_lines_of_the_script_are_added_moved_and_removed_by_keyboard(visit: Open) -> None:
    page = visit("/editor")
    page.get_by_role("button", name="Move line 2 of the script up").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#editor-script-0-what")).to_have_value("5")
    expect(page.locator("#editor-script-down-0")).to_be_focused()
    page.get_by_role("button", name="Add a line").click()
    expect(page.locator("#editor-script-5-kind")).to_be_focused()
    page.locator("#editor-script-5-kind").select_option("send")
    expect(page.locator("#editor-script-5-what")).to_have_value("1")
    page.get_by_role("button", name="Remove line 6 of the script").click()
    expect(page.locator("#editor-script-5")).to_have_count(0)
    expect(page.locator("#editor-script-remove-4")).to_be_focused()
    expect(page.locator("#editor-text")).to_have_value(re.compile(r"script:\n  - send: .*\n  - start: A\n"))


@pytest.mark.slow
def test_processes_and_channels_are_added_and_removed(visit: Open) -> None:
    page = visit("/editor")
    page.get_by_role("button", name="Add a process and two channels").click()
    expect(page.locator("#editor-process-2-name")).to_be_focused()
    expect(page.locator("#editor-verdict")).to_contain_text("Processes: 3. Channels: 4.")
    page.get_by_role("button", name="Add a channel").click()
    expect(page.locator("#editor-verdict")).to_contain_text("Channels: 5.")
    page.get_by_role("button", name="Remove B", exact=True).click()
    expect(page.locator("#editor-verdict")).to_contain_text("Processes: 2. Channels: 1.")


@pytest.mark.slow
def test_what_is_refused_is_told_and_the_form_shows_the_text_again(visit: Open) -> None:
    page = visit("/editor?from=only-what-was-used")
    page.locator("#editor-shape").select_option("chain")
    expect(page.locator(".editor-form .editor-note")).to_contain_text("Nothing was changed")
    expect(page.locator("#editor-shape")).to_have_value("complete")
    assert "complete: 4" in text(page)


def test_the_form_waits_while_the_text_cannot_be_read(visit: Open) -> None:
    page = visit("/editor")
    page.locator("#editor-text").fill("title: [")
    expect(page.locator("#editor-verdict")).to_contain_text("not YAML")
    expect(page.get_by_role("button", name="Add a line")).to_be_disabled()
    assert text(page) == "title: ["


def test_run_leads_to_the_run_and_back_to_what_was_written(visit: Open) -> None:
    page = visit("/editor")
    write(page, "message: 5", "message: 7")
    page.get_by_role("button", name="Run it").click()
    page.wait_for_url(re.compile(r"/run/1\.[A-Za-z0-9_-]+$"))
    page.goto("/editor")
    expect(page.locator("#editor-restored")).to_be_visible()
    assert "message: 7" in text(page)
    page.get_by_role("button", name="Start over").click()
    assert "message: 5" in text(page)
    expect(page.locator("#editor-restored")).to_be_hidden()
    page.reload()
    expect(page.locator("#editor-restored")).to_be_hidden()


@pytest.mark.slow
def test_running_a_mistake_loses_nothing(bare: Page) -> None:
    page = bare
    page.goto("/editor")
    write(page, "message: 5", "message: 500")
    page.get_by_role("button", name="Run it").click()
    expect(page.get_by_role("link", name=re.compile("Mistake in line"))).to_be_focused()
    expect(page).to_have_url(re.compile("/editor$"))
    assert "message: 500" in text(page)
    line = line_of(page, "message: 500")
    expect(page.locator("#editor-gutter")).to_have_attribute("data-wrong", str(line))


@pytest.mark.slow
def test_another_scenario_replaces_a_changed_text_only_when_told_to(visit: Open) -> None:
    page = visit("/editor")
    write(page, "message: 5", "message: 7")
    choice = page.get_by_label("Start from")
    choice.select_option("blue-figure")
    asked = page.get_by_role("group", name="Replace it with the chosen scenario?")
    expect(asked.get_by_role("button", name="Keep my text")).to_be_focused()
    page.keyboard.press("Escape")
    expect(asked).to_be_hidden()
    expect(choice).to_have_value("")
    assert "message: 7" in text(page)
    choice.select_option("blue-figure")
    asked.get_by_role("button", name="Replace").click()
    page.wait_for_url("**/editor?from=blue-figure*")
    assert "message: 7" not in text(page)
    page.get_by_role("link", name="Back to my text").click()
    page.wait_for_url("**/editor")
    expect(page.locator("#editor-text")).to_have_value(re.compile("message: 7"))


@pytest.mark.slow
def test_another_scenario_is_opened_at_once_where_nothing_was_written(visit: Open) -> None:
    page = visit("/editor")
    page.get_by_label("Start from").select_option("blue-figure")
    page.wait_for_url("**/editor?from=blue-figure*")
    expect(page.locator("#editor-left")).to_be_hidden()


def test_share_copies_a_link_that_opens_the_same_scenario(visit: Open) -> None:
    page = visit("/editor")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    write(page, "message: 5", "message: 6")
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#editor-copied")).to_contain_text("Copied.")
    link = page.locator("#editor-link").input_value()
    assert page.evaluate("navigator.clipboard.readText()") == link
    page.goto(link.replace("/run/", "/editor?from="))
    assert "{on: B->A, message: 6}" in text(page)


@pytest.mark.slow
def test_a_link_can_be_copied_by_hand_where_the_clipboard_is_closed(visit: Open) -> None:
    page = visit("/editor")
    page.add_init_script("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.reload()
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#editor-copied")).to_contain_text("Copy this link.")
    expect(page.locator("#editor-link")).to_be_focused()


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_told_and_nothing_is_lost(bare: Page) -> None:
    page = bare
    page.goto("/editor")
    page.context.set_offline(True)
    write(page, "message: 5", "message: 8")
    expect(page.get_by_role("alert")).to_contain_text("The server is not responding. What you entered is kept here.")
    page.context.set_offline(False)
    write(page, "message: 8", "message: 9")
    expect(page.get_by_role("alert")).to_be_hidden()
    page.reload()
    assert "message: 9" in text(page)


@pytest.mark.slow
def test_a_text_that_is_far_too_long_is_told(bare: Page) -> None:
    page = bare
    page.goto("/editor")
    page.locator("#editor-text").fill("#" * 70_000)
    expect(page.get_by_role("alert")).to_contain_text("That is too much at once: This server reads at most 64 KiB")
    page.locator("#editor-text").fill("#" * 20_000)
    expect(page.locator("#editor-verdict")).to_contain_text("20,000 bytes; at most 16,384")


@pytest.mark.slow
def test_the_page_keeps_its_language(visit: Open) -> None:
    page = visit("/editor?lang=zh")
    page.context.clear_cookies()
    write(page, "start: A", "strat: A")
    expect(page.locator("#editor-verdict")).to_contain_text("行有错误")
    write(page, "strat: A", "start: A")
    expect(page.locator("#editor-verdict")).to_contain_text("没有错误")
    page.context.clear_cookies()
    page.get_by_role("button", name="运行").click()
    page.wait_for_url(re.compile(r"/run/1\..*\?lang=zh$"))


@pytest.mark.slow
def test_another_scenario_to_start_from_is_one_choice_away(visit: Open) -> None:
    page = visit("/editor")
    page.get_by_label("Start from").select_option("blue-figure")
    page.wait_for_url("**/editor?from=blue-figure")
    assert "The blue figure" in text(page)


@pytest.mark.slow
def test_hostile_words_are_shown_and_never_run(visit: Open) -> None:
    page = visit("/editor")
    dialogs: list[str] = []

    def seen(dialog: Dialog) -> None:
        dialogs.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", seen)
    for words in HOSTILE:
        quoted = words.replace("'", "''")
        page.locator("#editor-text").fill(
            f"title: {{en: '{quoted}', zh: x}}\ntopology: {{processes: [A, B], channels: [A->B]}}\n"
            f"program: {{kind: variables, values: {{A: {{'{quoted}': '{quoted}'}}}}}}\n"
            f"script:\n  - send: {{on: A->B, message: '{quoted}'}}\n  - start: A\n"
        )
        expect(page.locator(".editor-name")).to_have_text(words)
        value = re.compile(re.escape(words).replace('"', '\\\\*"'))
        expect(page.locator("#editor-script-0-what")).to_have_value(value)
        page.locator("#editor-text").fill(f"'{quoted}': 1")
        expect(page.locator("#editor-verdict code")).to_contain_text(words.removeprefix("\u202e")[:4])
        assert page.locator("#editor img, #editor script, [onfocus], [onload], [onerror]").count() == 0, words
        assert dialogs == [], words


@pytest.mark.slow
def test_everything_works_without_javascript(visit: Open) -> None:
    page = visit("/editor", java_script_enabled=False)
    write(page, "start: A", "strat: A")
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#editor-verdict")).to_contain_text("script[0].strat")
    write(page, "strat: A", "start: A")
    page.get_by_role("button", name="Check").click()
    page.locator("#editor-process-1-first").fill("50")
    page.get_by_role("button", name="Write the form into the text").click()
    assert "B: 50" in text(page)
    page.get_by_role("button", name="Share").click()
    expect(page.locator("#editor-link")).to_have_value(re.compile(r"/run/1\."))
    page.get_by_role("button", name="Run it").click()
    page.wait_for_url("**/run/1.*")


@pytest.mark.slow
def test_on_a_phone_everything_fits_its_width(visit: Open) -> None:
    page = visit("/editor?from=blue-figure", viewport=PHONE)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    expect(page.get_by_role("button", name="Run it")).to_be_in_viewport()
    expect(page.locator("#editor-preview")).to_be_in_viewport()
