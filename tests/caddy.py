"""The application behind Caddy: the lines that operators are given, with other ports and without TLS.

Caddy is taken from the PATH; on Debian as root it is installed; otherwise the tests that need it are skipped, and say
what helps.
"""

import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

from tests.chromium import INSTALL, alone, may_install
from tests.nginx import free_port, listens
from tests.until import until

LINES = Path(__file__).parents[1] / "docs/deploy/Caddyfile"


@cache
def caddy() -> str:
    """Return the path of Caddy. Skips the test if there is none."""
    if shutil.which("caddy") is None and may_install():
        with alone():
            quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
            for command in (("apt-get", "update", "-q"), (*INSTALL, "caddy")):
                subprocess.run(command, env=quiet, check=False, capture_output=True)
    found = shutil.which("caddy")
    if found is None:
        pytest.skip("there is no caddy here; on Debian or Ubuntu: sudo apt-get install caddy")
    return found


@contextmanager
def proxied(folder: Path, application: str) -> Iterator[str]:
    """Yield the address of Caddy before an application at an address, both without a slash at the end."""
    address = f"http://127.0.0.1:{free_port()}"
    site = LINES.read_text("utf-8").replace("campus.example", address)
    file = folder / "Caddyfile"
    file.write_text("{\n\tadmin off\n}\n" + site.replace("127.0.0.1:8000", application.removeprefix("http://")))
    command = [caddy(), "run", "--adapter", "caddyfile", "--config", str(file)]
    with subprocess.Popen(command, env={**os.environ, "HOME": str(folder)}, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: listens(address))
            yield address
        finally:
            process.terminate()
