"""The README's picture, made by Bluecut itself: ``python -m tests.browser.picture``."""

from pathlib import Path

from playwright.sync_api import expect, sync_playwright

from tests.chromium import FLAGS, chromium
from tests.served import served

PICTURE = Path(__file__).parents[2] / "static" / "picture" / "blue-figure.png"


def main() -> None:
    """Take the picture."""
    PICTURE.parent.mkdir(exist_ok=True)
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce")
        page.goto(f"{address}/run/blue-figure?step=6")
        expect(page.locator("body")).to_contain_text("step 6 of 8")
        page.wait_for_timeout(1_000)
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main()
