"""The player in Chromium: first interactive frame and the files for it, frames per second while playing, and the time
of a jump.

    .venv/bin/uv run --frozen --group test python -m tests.benchmarks.player

Headless Chromium draws without a graphics card here, so frames per second are a lower bound. Beside each figure is what
an empty page reaches on the same machine at the same time.
"""

import statistics
import sys

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.benchmarks.busy import busy
from tests.benchmarks.result import Result
from tests.chromium import FLAGS, chromium
from tests.served import served

SECONDS = 5
LOADS = 5
JUMPS = 60
LONG = 10_000
FIRST = {12: 300, 200: 500}
JUMP_GOALS = {12: 8, 200: 16}
"""By number of processes, the milliseconds to reach."""
WIDE = {"width": 1280, "height": 800}

WATCH = """
new MutationObserver(() => {
  if (!document.body?.classList.contains("ready") || window.readyAt) return;
  window.readyAt = performance.now();
  requestAnimationFrame(() => requestAnimationFrame(() => { window.frameAt = performance.now(); }));
}).observe(document, { subtree: true, childList: true, attributes: true });
"""
FILES = "performance.getEntriesByType('resource').filter((each) => each.startTime < window.frameAt).length"
FRAMES = """
(seconds) => new Promise((resolve) => {
  const began = performance.now();
  let frames = 0;
  const tick = (now) => {
    frames += 1;
    if (now - began < seconds * 1000) requestAnimationFrame(tick);
    else resolve(frames / ((now - began) / 1000));
  };
  requestAnimationFrame(tick);
})
"""
JUMP = """
(part) => {
  const timeline = document.querySelector("#timeline");
  timeline.setPointerCapture = () => {};
  const { left, top, width } = timeline.getBoundingClientRect();
  const before = timeline.getAttribute("aria-valuenow");
  const began = performance.now();
  const at = { clientX: left + 10 + part * (width - 20), clientY: top + 9, bubbles: true, pointerId: 1 };
  timeline.dispatchEvent(new PointerEvent("pointerdown", at));
  document.body.getBoundingClientRect();
  const passed = performance.now() - began;
  if (timeline.getAttribute("aria-valuenow") === before) throw new Error("the jump went nowhere");
  return passed;
}
"""


def opened(browser: Browser, url: str) -> Page:
    """Open a page in a context of its own, and wait for the player."""
    page = browser.new_context(viewport=WIDE).new_page()  # type: ignore[arg-type]
    page.add_init_script(WATCH)
    page.goto(url)
    page.locator("body.ready").wait_for()
    return page


def held(page: Page) -> None:
    """Wait until the whole run is there."""
    page.locator("#lamp[data-state=done]").wait_for(state="attached", timeout=60_000)


def first(browser: Browser, url: str) -> tuple[float, int]:
    """Milliseconds from the request to the first frame in which the player can be used, the median of some loads; and
    the files requested until then, the page itself included."""
    times = []
    files = 0
    for _ in range(LOADS):
        page = opened(browser, url)
        page.wait_for_timeout(200)
        times.append(float(page.evaluate("window.frameAt")))
        files = 1 + int(page.evaluate(FILES))
        page.context.close()
    return statistics.median(times), files


def empty(browser: Browser) -> float:
    """Return the frames per second of a page on which nothing happens."""
    page = browser.new_page()
    rate = float(page.evaluate(FRAMES, 2))
    page.close()
    return rate


def playing(browser: Browser, url: str) -> float:
    """Return the frames per second while the run plays."""
    page = opened(browser, url)
    held(page)
    page.locator("#play").click()
    rate = float(page.evaluate(FRAMES, SECONDS))
    page.context.close()
    return rate


def jumps(browser: Browser, url: str) -> tuple[list[float], float]:
    """Milliseconds of jumps to steps all over the run, forwards and backwards, until the picture is there; and what a
    jump costs on average with the diagram and the panels, which follow: script, style and layout each time."""
    page = opened(browser, url)
    held(page)
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    times, before = [], spent(devtools)
    for i in range(JUMPS):
        times.append(float(page.evaluate(JUMP, (i * 37 + 20) % 100 / 100)))
        page.wait_for_timeout(200)
    whole = (spent(devtools) - before) / JUMPS
    page.context.close()
    return sorted(times), whole


def spent(devtools: CDPSession) -> float:
    """Return how long a page has been busy so far, in milliseconds."""
    metrics = {each["name"]: each["value"] for each in devtools.send("Performance.getMetrics")["metrics"]}
    return 1000 * float(sum(metrics[f"{what}Duration"] for what in ("Script", "RecalcStyle", "Layout")))


def main() -> list[Result]:
    """Measure and print."""
    found = []
    wanted = sys.argv[1:] or ["first", "frames", "jumps"]
    with served() as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(chromium()), args=list(FLAGS))
        for processes in (12, 200):
            url = address + busy(processes, 1_000)
            if "first" in wanted:
                time, files = first(browser, url)
                print(f"{processes:>4} processes: first interactive frame {time:6.0f} ms, {files} files", flush=True)
                found.append(
                    Result(f"first interactive frame, {processes} processes", time, "ms", FIRST[processes], "less")
                )
                found.append(Result(f"files until then, {processes} processes", files, "", 12, "less"))
            if "frames" in wanted:
                rate, idle = playing(browser, url), empty(browser)
                print(
                    f"{processes:>4} processes: {rate:5.1f} frames a second playing, {idle:5.1f} empty page", flush=True
                )
                what = f"frames per second, of an empty page's, {processes} processes"
                found.append(Result(f"frames per second, {processes} processes", rate, "", 55))
                found.append(Result(what, rate / idle, "ratio", headline=True))
        for processes, goal in JUMP_GOALS.items():
            if "jumps" in wanted:
                times, whole = jumps(browser, address + busy(processes, LONG))
                middle, most = statistics.median(times), times[-1]
                told = f"median {middle:.1f} ms, 95 % {times[int(len(times) * 0.95)]:.1f} ms, most {most:.1f} ms"
                told += f"; with all that follows {whole:.1f} ms"
                print(f"{processes:>4} processes: a jump in {LONG:,} steps: {told}", flush=True)
                what = f"a jump in {LONG:,} steps, {processes} processes, the picture"
                found.append(Result(what, middle, "ms", goal, "less", headline=True))
                found.append(Result(f"{what}, diagram and panels", whole, "ms"))
        browser.close()
    return found


if __name__ == "__main__":
    main()
