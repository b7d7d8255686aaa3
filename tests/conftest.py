"""What all tests share: how often hypothesis tries, and which worker runs which tests."""

import signal
from collections import Counter

import pytest
from hypothesis import settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from app.web import process
from tests.often import QUICK, register
from tests.scheduler import ByFile, turn
from tests.until import PATIENCE

register()
settings.load_profile(QUICK)

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background processes ignore it by default


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run long tests first."""
    items.sort(key=lambda item: turn(item.nodeid))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let those that end a command wait until it is gone, as long as a busy machine takes."""
    monkeypatch.setattr(process, "GRACE", PATIENCE)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print how long the tests of each folder took, in seconds of all workers together."""
    sums = Counter[str]()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if isinstance(report, pytest.TestReport):
                sums["/".join(report.nodeid.partition("::")[0].split("/")[:-1][:2])] += report.duration
    terminalreporter.section("seconds per folder")
    for folder, seconds in sums.most_common():
        terminalreporter.write_line(f"{seconds:7.0f} {folder}")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Hand out whole files."""
    return ByFile(config, log)
