"""Sweeps from the Lab, really made by Spark: from the form to the figures; cancelled; and across a server restart."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from app.web.measure.lab.sweep_form import SEEDS, Wish, spec
from app.web.shared import subprocesses
from tests.browser.axe import axe, readable
from tests.browser.conftest import EVERYWHERE, Open
from tests.served import served
from tests.until import lives, until

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("patient")]

SLOWLY = 400_000
"""Milliseconds that a small sweep may take on a busy machine."""


def filled(page: Page, seeds: int = 2) -> None:
    """Request a tiny sweep: a ring of three, a correct and a broken algorithm, two seeds."""
    form = page.locator(".jobs-form")
    form.get_by_label("complete graph").uncheck()
    form.get_by_label("Processes").fill("3")
    form.get_by_label("Seeds").fill(str(seeds))


def test_a_sweep_goes_on_while_the_server_is_started_again_and_ends_as_figures(visit: Open, tmp_path: Path) -> None:
    with served(tmp_path) as address:
        page = visit(f"{address}/lab/jobs?lang=en")
        filled(page)
        page.get_by_role("button", name="Start the sweep").click()
        job = page.locator(".job")
        expect(job).to_have_attribute("data-state", re.compile("starting|sweeping"))
        expect(job.locator("progress")).to_be_visible()
        expect(job).to_contain_text("ring · 3 processes · FIFO channels · seeds: 2")
        expect(page.locator(".jobs-form").get_by_label("Processes")).to_have_value("3")
        name = (job.get_attribute("id") or "").removeprefix("job-")
        pid = subprocesses.pid(tmp_path / "lab" / name)
        page.close()
    assert pid is not None and lives(pid)

    with served(tmp_path) as address:
        page = visit(f"{address}/lab/jobs?lang=en")
        job = page.locator(f"#job-{name}")
        expect(job).to_have_attribute("data-state", re.compile("starting|sweeping|verifying|measuring|done"))
        expect(job).to_have_attribute("data-state", "done", timeout=SLOWLY)
        expect(job).to_contain_text("4 of 4 runs.")
        expect(job).to_contain_text(re.compile(r"Snapshots: 8; with a check that fails: \d+\."))
        job.get_by_role("link", name="Open report").click()
        expect(page).to_have_url(re.compile(rf"/lab\?job={name}&lang=en$"))
        expect(page.locator(".figure svg").first).to_be_visible()
        expect(page.locator(f"#lab-jobs #job-{name}")).to_have_attribute("data-state", "done")
        assert axe(page).violations == []
        page.close()


def test_a_sweep_that_is_cancelled_really_ends(visit: Open, tmp_path: Path) -> None:
    with served(tmp_path) as address:
        page = visit(f"{address}/lab/jobs?lang=en")
        filled(page, seeds=SEEDS)  # too many to finish before it is cancelled
        page.get_by_role("button", name="Start the sweep").click()
        job = page.locator(".job")
        name = (job.get_attribute("id") or "").removeprefix("job-")
        leader = subprocesses.pid(tmp_path / "lab" / name)
        assert leader is not None and os.getsid(leader) == leader
        filled(page)
        page.get_by_role("button", name="Start the sweep").click()
        expect(page.get_by_role("alert")).to_contain_text("another sweep is running on this server")
        page.get_by_role("button", name="Cancel").click()
        expect(job).to_have_attribute("data-state", "cancelled", timeout=SLOWLY)
        until(lambda: not subprocesses.session(leader) and not subprocesses.running(tmp_path / "lab" / name))
        expect(page.get_by_role("button", name="Resume")).to_be_visible()
        page.close()


def test_the_list_finds_what_others_start_and_then_follows_it_closely(visit: Open, tmp_path: Path) -> None:
    with served(tmp_path) as address:
        page = visit("about:blank")
        page.clock.install()
        page.goto(f"{address}/lab/jobs?lang=en")
        expect(page.locator(".jobs-list")).to_contain_text("No sweep has been started here yet.")
        folder = tmp_path / "lab" / "20260101-000000-aaaaaa"
        code = "import time; print('a last line', flush=True); time.sleep(600)"
        subprocesses.start(folder, ["-c", code], facts=spec(Wish()))
        until(lambda: subprocesses.last_lines(folder))
        page.clock.run_for(15_000)
        job = page.locator(".job")
        expect(job).to_have_attribute("data-state", "starting")
        subprocesses.write(folder / "progress.json", {"stage": "sweeping", "runs": 9, "done": 4})
        page.clock.run_for(1_000)
        expect(job).to_contain_text("4 of 9 runs.")
        subprocesses.kill(folder)
        page.clock.run_for(1_000)
        expect(job).to_have_attribute("data-state", "stopped")
        expect(page.locator("#jobs-every-15s")).to_have_count(1)
        expect(page.locator("#jobs-every-1s")).to_have_count(0)
        job.get_by_text("End of its log").click()
        with page.expect_response(re.compile("/lab/jobs/list")):
            page.clock.run_for(15_000)
        page.clock.run_for(100)
        expect(job.locator(".jobs-log")).to_have_text("a last line")  # still open
        expect(job.locator(".jobs-log")).to_be_visible()
        page.close()


def test_a_mistake_is_told_beside_the_form_and_nothing_is_lost(visit: Open) -> None:
    page = visit("/lab/jobs?lang=en")
    filled(page)
    page.locator(".jobs-form").get_by_label("Processes").fill("3, 99")
    page.get_by_role("button", name="Start the sweep").click()
    says = "Processes: must be a whole number from 2 to 12, not '99'"
    expect(page.get_by_role("alert")).to_contain_text(says)
    field = page.locator(".jobs-form").get_by_label("Processes")
    expect(field).to_have_value("3, 99")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_have_accessible_description(re.compile(re.escape(says)))
    expect(field).to_be_focused()
    expect(page.locator(".job")).to_have_count(0)
    assert axe(page).violations == []
    field.fill("3, 9")
    expect(page.locator("#wrong-sizes")).to_have_count(0)
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_what_is_chosen_and_how_many_runs_that_is_is_told_while_the_form_is_filled_in(visit: Open) -> None:
    page = visit("/lab/jobs?lang=en")
    plan, chips = page.locator("#jobs-plan"), page.locator(".jobs-chip")
    expect(chips).to_have_text(["Chandy–Lamport", "Broken: markers too late"])
    expect(plan).to_contain_text("160 runs.")
    page.locator(".jobs-form").get_by_label("Broken: markers too late").uncheck()
    expect(chips).to_have_text(["Chandy–Lamport"])
    expect(plan).to_contain_text("80 runs.")
    seeds = page.locator(".jobs-form").get_by_label("Seeds")
    seeds.press("End")
    seeds.press_sequentially("0")  # 200, typed as people type
    expect(plan).to_contain_text("800 runs.")
    expect(seeds).to_be_focused()
    expect(seeds).to_have_value("200")
    page.locator(".jobs-form").get_by_label("Processes").fill("3, 5, 7, 9")
    page.locator(".jobs-form").get_by_label("star", exact=True).check()
    expect(plan).to_contain_text("2,400 runs. That is over this server’s limit of 2,000")


def test_without_scripts_the_lab_leads_to_sweeps_that_are_counted_started_followed_and_cancelled(
    visit: Open, tmp_path: Path
) -> None:
    with served(tmp_path) as address:
        page = visit(f"{address}/lab?lang=en", java_script_enabled=False)
        page.get_by_role("link", name="Start your own sweep").click()
        filled(page, seeds=SEEDS)
        page.get_by_role("button", name="Count the runs").click()
        expect(page.locator("#jobs-plan")).to_contain_text("400 runs.")
        expect(page.locator(".jobs-form").get_by_label("Processes")).to_have_value("3")
        page.get_by_role("button", name="Start the sweep").click()
        expect(page).to_have_url(re.compile(r"/lab/jobs\?lang=en$"))
        job = page.locator(".job")
        expect(job).to_have_attribute("data-state", re.compile("starting|sweeping"))
        name = (job.get_attribute("id") or "").removeprefix("job-")
        subprocesses.write(tmp_path / "lab" / name / "progress.json", {"stage": "sweeping", "runs": 400, "done": 7})
        expect(job).to_contain_text(re.compile(r"\d+ of 400 runs\."))  # the page reloads by itself
        # The answer comes when the sweep is gone; it may just be starting Java, which it first ends in order.
        page.get_by_role("button", name="Cancel").click(timeout=SLOWLY)
        expect(job).to_have_attribute("data-state", "cancelled", timeout=SLOWLY)
        until(lambda: not subprocesses.running(tmp_path / "lab" / name))
        page.close()


@EVERYWHERE
def test_the_panel_fits_and_can_be_read_by_everybody(visit: Open, language: str, viewport: dict[str, int]) -> None:
    readable(visit(f"/lab/jobs?lang={language}", viewport=viewport))
