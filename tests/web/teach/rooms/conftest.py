"""A server with rooms."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.served import served


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of a server for all tests of rooms."""
    folder: Path = tmp_path_factory.mktemp("rooms")
    with served(folder) as address:
        yield address
