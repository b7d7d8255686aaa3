"""A run as a film strip: what visitors see while it plays, ten pictures a second, on one sheet.

.venv/bin/python -m tests.film FOLDER SCENARIO[:FIRST-LAST]…

Time stands still for each picture, so that a slow machine takes the same ones.
"""

import re
from argparse import ArgumentParser
from base64 import b64encode
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.chromium import FLAGS, chromium
from tests.served import served

EVERY = 100
"""Milliseconds between two pictures."""
MOST = 60
"""The most pictures of a step."""
WIDE, HIGH, ACROSS = 900, 620, 6
MORNING = datetime(2030, 1, 1, 8, tzinfo=UTC)


def pictures(page: Page, first: int, last: int) -> Iterator[tuple[str, bytes]]:
    """Yield captions and PNG pictures of the player while it goes through the steps ``first`` … ``last``."""
    for step in range(first, last + 1):
        page.keyboard.press("ArrowRight")
        for i in range(MOST):
            page.clock.run_for(EVERY)
            yield f"{step} · {(i + 1) * EVERY / 1000:.1f} s", page.locator("main").screenshot()
            if page.locator("#stage-section[data-moving]").count() == 0:
                break


def film(browser: Browser, server: str, what: str) -> bytes:
    """Return the sheet of a scenario, as a PNG; ``what`` is its name, perhaps with the steps."""
    name, _, steps = what.partition(":")
    page = browser.new_page(viewport={"width": WIDE, "height": HIGH}, locale="en-GB")
    page.clock.install(time=MORNING)
    first, last = (int(each) for each in (steps or "1-999").split("-"))
    page.goto(f"{server}/run/{name}" + (f"?step={first - 1}" if first > 1 else ""))
    expect(page.locator("#lamp[data-state=done]")).to_be_attached()
    page.clock.pause_at(MORNING + timedelta(hours=1))
    count = int(re.sub(r"\D", "", page.locator("#timeline").get_attribute("aria-valuemax") or "0"))
    cells = "".join(
        f'<figure><img src="data:image/png;base64,{b64encode(png).decode()}"><figcaption>{said}</figcaption></figure>'
        for said, png in pictures(page, first, min(last, count))
    )
    page.close()
    sheet = browser.new_page(viewport={"width": 1900, "height": 100})
    grid = f"display: grid; grid-template-columns: repeat({ACROSS}, 1fr); gap: 4px"
    style = f"body {{ {grid}; margin: 0; font: 11px sans-serif }} figure {{ margin: 0 }} img {{ width: 100% }}"
    sheet.set_content(f"<style>{style}</style>{cells}")
    png = sheet.screenshot(full_page=True)
    sheet.close()
    return png


def main() -> None:
    """Make the sheets."""
    asked = ArgumentParser(prog="python -m tests.film", description="Film steps of runs.")
    asked.add_argument("folder", type=Path, help="where the sheets go")
    asked.add_argument("wanted", nargs="+", metavar="SCENARIO[:FIRST-LAST]")
    told = asked.parse_args()
    told.folder.mkdir(parents=True, exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        for what in told.wanted:
            made = told.folder / f"{what.replace(':', '-')}.png"
            made.write_bytes(film(browser, address, what))
            print(made)
        browser.close()


if __name__ == "__main__":
    main()
