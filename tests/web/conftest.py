"""A server to ask."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from app.web.app import Settings, create_app


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Yield a client of one server for all tests that leave nothing behind that others would see. It keeps no answers,
    because tests change what pages are made of."""
    with TestClient(
        create_app(Settings(data=tmp_path_factory.mktemp("data"), keep=0)), follow_redirects=False
    ) as client:
        yield client


@pytest.fixture
def client(shared: TestClient) -> TestClient:
    """Return the client of the shared server, without cookies."""
    shared.cookies.clear()
    return shared


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[TestClient]:
    """Yield a client of a server with a store of its own, in ``tmp_path``."""
    with TestClient(create_app(Settings(data=tmp_path)), follow_redirects=False) as client:
        yield client
