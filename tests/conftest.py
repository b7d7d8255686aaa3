"""What all tests share: hypothesis draws the same examples every time, so that a failed build fails again; and which
worker runs which tests."""

import signal

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from app.web import process
from tests.scheduler import ByFile, turn
from tests.until import PATIENCE

settings.register_profile(
    "same",
    derandomize=True,
    database=None,
    deadline=None,
    print_blob=False,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large),
)
settings.load_profile("same")

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # background processes ignore it by default


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run long tests first."""
    items.sort(key=lambda item: turn(item.nodeid))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let those that end a command wait until it is gone, as long as a busy machine takes."""
    monkeypatch.setattr(process, "GRACE", PATIENCE)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadScopeScheduling:
    """Hand out whole files."""
    return ByFile(config, log)
