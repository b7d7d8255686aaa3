"""What can go wrong, chosen on the stage: a click on a message, a channel or a process, and an address of its own."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.forms.yaml_source import read
from app.run.run import record
from app.wire.scenario_link import canonical, packed
from tests.browser.axe import axe
from tests.browser.conftest import PHONE, Open, at, whole
from tests.browser.test_stage import LAPTOP, clashes
from tests.often import some
from tests.tiny import scenario

BLUE = "/run/blue-figure"
WILD = """
title: {en: Everything that can go wrong, zh: 一切可能出的错}
topology: {processes: [A, B, C, N], channels: [A->B, B->A, B->C, C->B, A->C, C->A, N->B, B->N]}
newcomers: {N: B}
program: {kind: bank, accounts: {A: 9, B: 9, C: 9}}
script:
  - send: {on: A->B, message: 3}
  - send: {on: A->B, message: 2}
  - send: {on: B->C, message: 4}
  - duplicate: A->B
  - start: A
  - {drop: A->B, position: 1}
  - partition: B->C
  - join: N
  - {overtake: A->B, position: 1}
  - send: {on: B->N, message: 1}
  - leave: C
  - heal: B->C
  - deliver: B->N
  - crash: A
"""
"""Every fault once."""
ROW = """
title: {en: A row, zh: 一排}
topology: {processes: [P, Q], channels: [P->Q, Q->P]}
program: {kind: bank, accounts: {P: 9, Q: 9}}
script:
  - send: {on: P->Q, message: 3}
  - send: {on: P->Q, message: 2}
  - send: {on: Q->P, message: 4}
  - start: P
  - duplicate: P->Q
  - partition: Q->P
  - {drop: P->Q, position: 1}
  - leave: P
  - heal: Q->P
"""


def address(text: str) -> str:
    """Return the address of a visitor's scenario."""
    return f"/run/{packed(canonical(dict(read(text, 'own', limit=16_000).values)))}"


def steps(text: str) -> int:
    """Return the number of its steps."""
    return len(record(scenario(text.split("\n", 2)[2])).steps)


def chosen(page: Page, name: str) -> None:
    """Choose an entry of the menu that is open."""
    page.get_by_role("menuitem", name=name).click()
    expect(page).to_have_url(re.compile("choices="))


@pytest.mark.parametrize(
    ("shape", "entry", "said"),
    some(
        [
            ("a.message.app", "Lose M on P2→P1", "The network loses M on P2→P1."),
            ("a.message.app", "Duplicate M on P2→P1", "The network duplicates M on P2→P1"),
            ("[data-process=P1]", "P1 crashes", "P1 crashes."),
            ("[data-process=P2]", "P2 leaves", "P2 is leaving"),
            (".message.marker", "Let ◆1 overtake on P2→P1", "overtakes what was sent before it"),
        ],
        5,
    ),
)
def test_a_fault_is_one_choice_with_an_address_of_its_own(visit: Open, shape: str, entry: str, said: str) -> None:
    page = whole(visit(f"{BLUE}?step=5", reduced_motion="reduce"))
    page.locator(shape).click()
    chosen(page, entry)
    at(page, 6)
    expect(page.locator("#say")).to_contain_text(said)
    if shape == "a.message.app":
        page.reload()
        at(page, 6)
        expect(page.locator("#say")).to_contain_text(said)


@pytest.mark.slow
def test_a_channel_is_partitioned_and_heals_at_a_click(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=3", reduced_motion="reduce"))
    page.locator("[data-channel='P2->P1']").focus()
    page.keyboard.press("Enter")
    chosen(page, "Partition P2→P1")
    at(page, 4)
    expect(page.locator("[data-channel='P2->P1']")).to_have_class(re.compile(r"\bpartitioned\b"))
    expect(page.locator(".caption-line", has_text="P2 → P1")).to_contain_text("partitioned")
    page.locator("#next").scroll_into_view_if_needed()
    expect(page.locator("#next")).to_contain_text("waits: the channel is partitioned")
    page.locator(".message.app").click()
    expect(page.locator(".menu")).to_contain_text("waits: the channel is partitioned")
    page.keyboard.press("Escape")
    page.locator("[data-channel='P2->P1']").focus()
    page.keyboard.press("Enter")
    chosen(page, "Heal P2→P1")
    at(page, 5)
    expect(page.locator("[data-channel='P2->P1']")).not_to_have_class(re.compile(r"\bpartitioned\b"))
    expect(page.locator(".spacetime .st-fault-word")).to_have_text(["P2→P1 partitioned", "P2→P1 healed"])
    expect(page.locator(".spacetime .st-scissors")).to_have_count(2)


@pytest.mark.slow
def test_a_newcomer_is_a_ghost_that_can_join(visit: Open) -> None:
    page = whole(visit(address(WILD), reduced_motion="reduce"))
    ghost = page.locator("[data-process=N]")
    expect(ghost).to_have_class(re.compile("unborn"))
    expect(ghost).to_have_attribute("aria-label", re.compile("Not a member yet"))
    ghost.click()
    chosen(page, "N joins, brought in by B")
    at(page, 1)
    expect(page.locator("[data-process=N]")).not_to_have_class(re.compile("unborn"))


THERE = """() => {
  const all = (selector, what) => [...document.querySelectorAll(selector)].map(what);
  return [
    ...all(".message[data-message]", (e) => e.dataset.message).sort(),
    ...all(".node", (e) => e.getAttribute("class").split(" ")[1]),
    ...all(".tube.partitioned", (e) => e.dataset.channel),
  ];
}"""


@pytest.mark.slow
def test_rewinding_undoes_every_fault(visit: Open) -> None:
    page = whole(visit(address(WILD), reduced_motion="reduce"))
    last = steps(WILD)
    seen: dict[int, list[str]] = {}
    for step in [*range(last), *range(last, -1, -1)]:
        at(page, step)
        shown = page.evaluate(THERE)
        assert seen.setdefault(step, shown) == shown, step
        if step < last and len(seen) == step + 1:
            page.keyboard.press("ArrowRight")
        else:
            page.keyboard.press("ArrowLeft")


@pytest.mark.slow
def test_the_stage_says_who_crashed_left_or_is_leaving(visit: Open) -> None:
    page = whole(visit(f"{address(WILD)}?step=14", reduced_motion="reduce"))
    expect(page.locator("[data-process=A]")).to_have_class(re.compile("crashed"))
    expect(page.locator("[data-process=A] .sign")).to_have_text("crashed")
    expect(page.locator("[data-process=C] .sign")).to_have_text("leaving")
    expect(page.locator("#table .wrong-note")).to_contain_text("what A had recorded was not finished, and is lost")
    expect(page.locator("#stage-section")).to_have_class(re.compile("useless"))
    expect(page.locator(".spacetime .st-crash")).to_have_count(1)
    expect(page.locator(".spacetime .st-gone .st-cross")).to_be_visible()
    expect(page.locator(".spacetime .st-twin")).to_have_count(1)


@pytest.mark.slow
def test_what_became_of_a_snapshot_is_said_alike_in_the_tray_and_in_the_table(visit: Open) -> None:
    page = whole(visit("/run/cut-and-mended?step=10", reduced_motion="reduce"))
    expect(page.locator("#tray [data-snapshot='1']")).to_contain_text("aborted")
    page = whole(visit("/run/crash-unusable?step=2", reduced_motion="reduce"))
    expect(page.locator("#tray [data-snapshot='1']")).to_contain_text("unusable")
    expect(page.locator("#table tr", has_text="Q").first).to_contain_text("left before it recorded")
    expect(page.locator("#say")).not_to_contain_text("complete")
    page = whole(visit("/run/born-after?step=6", reduced_motion="reduce"))
    for element in ("N", "P → N", "N → P"):
        row = page.locator("#table tr").filter(has=page.get_by_role("rowheader", name=element, exact=True))
        expect(row).to_contain_text("takes no part")


@pytest.mark.slow
def test_a_control_word_has_a_name_on_the_stage(visit: Open) -> None:
    page = whole(visit("/run/cut-and-mended?step=22&lang=zh", reduced_motion="reduce"))
    expect(page.locator("#stage")).not_to_contain_text("upto")
    expect(page.locator(".message.word").first).to_contain_text("确认")


@pytest.mark.slow
def test_the_list_of_what_can_go_wrong_is_folded_and_apart(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=3"))
    page.locator("#next").scroll_into_view_if_needed()
    expect(page.locator("#next a", has_text="P1 receives M")).to_be_visible()
    expect(page.locator("#next a", has_text="Lose M")).not_to_be_visible()
    page.locator("#next summary").click()
    page.locator("#next .faults a", has_text="Lose M on P2→P1").click()
    expect(page).to_have_url(re.compile("choices="))
    expect(page.locator("#say")).to_contain_text("The network loses M")


@pytest.mark.slow
def test_a_menu_opens_by_keyboard_and_by_touch(visit: Open) -> None:
    page = whole(visit(f"{BLUE}?step=4", reduced_motion="reduce"))
    page.wait_for_timeout(200)
    page.locator(".message.marker").focus()
    page.keyboard.press("Enter")
    menu = page.get_by_role("menu")
    expect(menu.get_by_role("group", name="What can go wrong")).to_be_visible()
    page.keyboard.press("End")
    expect(page.get_by_role("menuitem", name="Let ◆1 overtake")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".message.marker")).to_be_focused()
    phone = whole(visit(f"{BLUE}?step=4", viewport=PHONE, has_touch=True, reduced_motion="reduce"))
    phone.locator("a.message.app").tap()
    expect(phone.get_by_role("menuitem", name="Lose M")).to_be_visible()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "size"),
    [
        pytest.param(WILD, LAPTOP, id="wires, laptop"),
        pytest.param(WILD, PHONE, id="wires, phone"),
        pytest.param(ROW, LAPTOP, id="row, laptop"),
        pytest.param(ROW, PHONE, id="row, phone"),
    ],
)
def test_nothing_covers_anything_however_much_goes_wrong(visit: Open, text: str, size: dict[str, int]) -> None:
    page = whole(visit(address(text), viewport=size, reduced_motion="reduce"))
    assert clashes(page, list(range(steps(text) + 1))) == {}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_on_a_stage_with_faults(visit: Open, scheme: str) -> None:
    page = whole(visit(f"{address(WILD)}?step=7", color_scheme=scheme, reduced_motion="reduce"))
    page.locator("#next").scroll_into_view_if_needed()
    page.locator("#next .faults summary").click()
    assert [each["id"] for each in axe(page).violations] == []
    page.locator("[data-process=A]").click()
    expect(page.locator(".menu")).to_be_visible()
    assert [each["id"] for each in axe(page, ".menu").violations] == []
