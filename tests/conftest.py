"""What all tests share: how often hypothesis tries, and which worker runs which tests."""

import gc
import os
import signal
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import wraps

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from app.judge import browser_python
from app.web.shared import subprocesses
from app.words import catalogues
from tests.often import QUICK, register
from tests.scheduler import ByFile, turn
from tests.until import PATIENCE

# Whatever the environment says: without compiled files, every worker and every command under test compiles thousands of
# modules, which doubles the time that both take to start.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# Nothing of what is imported and collected becomes garbage; looking for some takes a fifth of the time.
gc.disable()

register()
settings.load_profile(QUICK)


@wraps(catalogues.missing)
def missing(key: str, language: str) -> str:
    """A text that is missing fails the test, though no page."""
    raise KeyError(f"no text for {key} in {language}")


catalogues.missing = missing

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background processes ignore it by default


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let one test be tried more often."""
    parser.addoption("--kills", type=int, default=10, help="how often the server is killed while clients save")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run long tests first."""
    items.sort(key=lambda item: turn(item.nodeid))


def pytest_collection_finish() -> None:
    """Collect garbage from here on, but only what the tests make."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let those that end a command wait until it is gone, as long as a busy machine takes."""
    monkeypatch.setattr(subprocesses, "GRACE", PATIENCE)


@pytest.fixture
def without_extra(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the Python for browsers be missing, also where the extra that has it is installed."""
    monkeypatch.setattr(browser_python, "EXTRA", ("no_such_package", ""))
    browser_python._installed.cache_clear()
    yield
    browser_python._installed.cache_clear()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how long the tests of each folder took, in seconds of all workers together, and which failed once."""
    sums: defaultdict[str, float] = defaultdict(float)
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                sums["/".join(report.nodeid.partition("::")[0].split("/")[:-1][:2])] += report.duration
    terminalreporter.section("seconds per folder")
    for folder, seconds in sorted(sums.items(), key=lambda item: -item[1]):
        terminalreporter.write_line(f"{seconds:7.0f} {folder}")
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.write_line(f"failed once: {report.nodeid}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Hand out whole files."""
    return ByFile(config, log)
