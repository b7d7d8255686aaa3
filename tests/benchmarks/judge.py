"""The judge: its states a second against the explorer on our own module, and how soon a wrong class is told so in a tab
of Chromium in which one was judged before.

The Python for browsers is fetched from the npm registry; where that cannot be reached, the tab is left out.

.venv/bin/uv run --frozen --group test --group bench python -m tests.benchmarks.judge
"""

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import expect, sync_playwright

from app.core.model.values import BluecutError
from app.judge.browser_python import fetch
from app.judge.judge import PASSED, judge
from app.judge.suite import FOLDER, TrialSystem, of_level
from app.run.explore import explore
from tests.benchmarks.result import Result
from tests.chromium import FLAGS, chromium
from tests.served import served

TURNS = 5


def main() -> list[Result]:
    """Measure and print."""
    results = [_against_explorer(), *_in_a_tab()]
    for result in results:
        print(f"{result.what}: {result.value:.3g} {result.unit}", flush=True)
    return results


def _against_explorer() -> Result:
    """Both search the largest systems with several snapshots, in turns. What a class keeps may tell more states apart
    than our module does."""
    source = (FOLDER / "right" / "markers.py").read_text("utf-8")
    systems = of_level(3)[-2:]

    def judged() -> int:
        found = judge(source, "markers.py", systems)
        assert found.verdict == PASSED
        return sum(trial.states for trial in found.trials)

    def explored() -> int:
        return sum(_explored(system) for system in systems)

    mine, theirs = [], []
    for _ in range(TURNS):
        mine.append(_a_second(judged))
        theirs.append(_a_second(explored))
    ratio = statistics.median(mine) / statistics.median(theirs)
    return Result("states a second ÷ the explorer's on our own module", ratio, "ratio", 0.8, headline=True)


def _explored(system: TrialSystem) -> int:
    key = replace(system.key, algorithm="chandy-lamport", manual=False)
    return explore(system.scenario, key, bounds=system.bounds).states


def _a_second(visit: Callable[[], int]) -> float:
    began = time.perf_counter()
    states = visit()
    return states / (time.perf_counter() - began)


WATCH = """
() => new Promise((told) => {
  const list = document.querySelector("#write-systems");
  const began = performance.now();
  new MutationObserver(() => list.childElementCount && told((performance.now() - began) / 1000))
    .observe(list, { childList: true });
  document.querySelector("#write-run").click();
})
"""


def _in_a_tab() -> list[Result]:
    """From the button to the first verdict and to the last, after a right class was judged in the same tab."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        try:
            fetch(Path(folder))
        except BluecutError as error:
            print(f"no Python for browsers: {error}", flush=True)
            return []
        browser = playwright.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        with served(Path(folder)) as address:
            page = browser.new_page()
            page.goto(f"{address}/write")
            sheet, status = page.locator("#write-sheet .cm-content"), page.locator("#write-status")
            first, last = list[float](), list[float]()
            for file in ("right/markers", *["bugs/logs_nothing", "bugs/no_markers"] * TURNS):
                sheet.fill((FOLDER / f"{file}.py").read_text("utf-8"))
                began = time.perf_counter()
                first.append(page.evaluate(WATCH))
                expect(status).to_contain_text("systems passed", timeout=120_000)
                last.append(time.perf_counter() - began)
        browser.close()
    warm, whole = statistics.median(first[1:]), statistics.median(last[1:])
    return [
        Result("from the button to the first verdict on a wrong class, in a warm tab", warm, "s", 3.0, "less", True),
        Result("the same to the last of seven verdicts", whole, "s"),
        Result("the same to the first verdict in a tab that loads Python first", first[0], "s"),
    ]


if __name__ == "__main__":
    main()
