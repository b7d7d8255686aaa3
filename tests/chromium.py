"""Where the tests find Chromium. They never skip without it: an untested browser is not known to work.

In this order: ``$CHROMIUM``; the PATH; on Debian as root, ``apt-get install``; otherwise the tests that need it fail,
with the command that helps.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
"""The programs to look for, best first: the headless shell is the same engine without the windows, menus and
extensions around it, and takes a quarter less processor time for a page."""

FONT = "fonts-noto-cjk"
PACKAGES = ("chromium-headless-shell", "chromium")
"""The packages to install one of. Not every Debian has the first one."""

INSTALL = ("apt-get", "install", "-y", "--no-install-recommends")
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--renderer-process-limit=1",
)
"""How it is launched: without what a container lacks, without traffic of its own, and with one process that renders all
pages of a context, since starting one for each page takes as long as the page."""


class NoChromium(Exception):
    """There is no Chromium; the text is the command that installs it."""


@cache
def chromium() -> Path:
    """Return the Chromium to test with, and install a Chinese font. Raises NoChromium if there is none."""
    found = named() or on_path()
    if found is not None and (chinese() or not may_install()):
        return found
    if may_install():
        with alone():
            if on_path() is None or not chinese():
                install()
        found = found or on_path()
    if found is None:
        raise NoChromium(
            "the browser tests need Chromium and found none. On Debian or Ubuntu: "
            f"sudo apt-get update && sudo {' '.join((*INSTALL, 'chromium', FONT))}. "
            "Elsewhere: install Chromium or Chrome and set CHROMIUM to the path of its program."
        )
    return found


def named() -> Path | None:
    """Return the one that the environment names. Raises NoChromium if that is not a program."""
    wish = os.environ.get("CHROMIUM")
    if not wish:
        return None
    path = shutil.which(wish)
    if path is None:
        raise NoChromium(f"CHROMIUM is {wish!r}, which is not a program; set it to the path of Chromium, or unset it")
    return Path(path)


def on_path() -> Path | None:
    """Return the first one on the PATH."""
    return next((Path(path) for name in NAMES if (path := shutil.which(name))), None)


def chinese() -> bool:
    """Is there a font for Chinese? Without one, screenshots show boxes."""
    listing = shutil.which("fc-list")
    return bool(listing and subprocess.run([listing, ":lang=zh"], capture_output=True, check=False).stdout.strip())


def may_install() -> bool:
    """Are we root on a Debian?"""
    return Path("/etc/debian_version").exists() and os.geteuid() == 0 and shutil.which("apt-get") is not None


@contextmanager
def alone() -> Iterator[None]:
    """Let one test process at a time continue; the others wait until it is done."""
    import fcntl  # absent on Windows, where nothing is installed either

    with (Path(tempfile.gettempdir()) / "bluecut-chromium.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def install() -> None:
    """Install Chromium and the font; a missing one is reported where it is needed."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for command in (("apt-get", "update", "-q"), (*INSTALL, FONT), *((*INSTALL, package) for package in PACKAGES)):
        if command[-1] not in PACKAGES or on_path() is None:
            subprocess.run(command, env=quiet, check=False, capture_output=True)
