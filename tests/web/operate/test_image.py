"""What the image does, done without an image: the same files and command, and another user where that is possible."""

import os
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.nginx import free_port
from tests.until import until
from tests.web.operate.test_operations import CONTAINER, ROOT, instructions

pytestmark = pytest.mark.slow


@pytest.fixture
def place() -> Iterator[Path]:
    """Yield a folder that every user may enter."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


def may_run_for_others() -> bool:
    """Are we root, and may others enter the folders of this Python?"""
    folders = Path(sys.executable).resolve().parents
    return os.geteuid() == 0 and all(folder.stat().st_mode & stat.S_IXOTH for folder in folders)


def test_it_installs_what_it_copies_and_serves(place: Path) -> None:
    source, installed, data = place / "source", place / "installed", place / "data"
    source.mkdir()
    data.mkdir()
    for each in instructions("COPY"):
        if "--from" not in each:
            *names, to = each.split()
            for name in names:
                if (ROOT / name).is_dir():
                    shutil.copytree(ROOT / name, source / to, ignore=shutil.ignore_patterns("__pycache__"))
                else:
                    shutil.copy(ROOT / name, source)
    (sync,) = (each for each in instructions("RUN") if each.startswith("uv sync"))
    command = [
        str(Path(sys.executable).with_name("uv")),
        *sync.replace("$GROUPS", "").replace("--no-cache", "").split()[1:],
    ]
    environment = {**os.environ, "UV_PROJECT_ENVIRONMENT": str(installed)}
    environment.pop("VIRTUAL_ENV", None)
    subprocess.run(command, cwd=source, env=environment, check=True, capture_output=True)
    shutil.rmtree(source)

    port = str(free_port())
    begins, more = (yaml.safe_load(instructions(name)[-1]) for name in ("ENTRYPOINT", "CMD"))
    begins[begins.index("--data") + 1] = str(data)
    begins[begins.index("--port") + 1] = port
    user = int(instructions("USER")[0])
    who = {"user": user, "group": user, "extra_groups": []} if may_run_for_others() else {}
    if who:
        os.chown(data, user, user)
    mine = {"PATH": f"{installed}/bin:/usr/bin:/bin", "HOME": str(data)}
    check = yaml.safe_load(CONTAINER.partition("HEALTHCHECK")[2].partition("CMD ")[2].partition("\n")[0])
    asked = [str(installed / "bin" / check[0]), *(word.replace(":8000", f":{port}") for word in check[1:])]

    def healthy() -> bool:
        return subprocess.run(asked, capture_output=True, check=False).returncode == 0

    whole = [str(installed / "bin" / begins[0]), *begins[1:], *more]
    with subprocess.Popen(whole, cwd=data, env=mine, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **who) as process:  # type: ignore[call-overload]
        try:
            until(healthy)
            save = "from pathlib import Path; from app.web.base.store import Store; Store(Path('.')).save('text')"
            subprocess.run([installed / "bin/python", "-c", save], cwd=data, env=mine, check=True, **who)  # type: ignore[call-overload]
        finally:
            process.terminate()
        said, told = process.communicate(timeout=30)
    assert said.startswith(b"Bluecut: http://127.0.0.1:")
    assert b'"route": "/healthz", "status": 200' in told
    assert (data / "scenarios.sqlite3").is_file()
