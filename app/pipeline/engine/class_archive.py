"""The class-data archive: Spark's classes in the JVM's own form, which halves the time that a session takes to start.

The JVM itself checks whether an archive fits (the same JVM, the same jars), and ignores one that does not.
``python -m app.pipeline.engine.class_archive`` makes one, in less than a minute.
"""

import os
import subprocess
import sys
import tempfile
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from app.core.model.values import BluecutError
from app.paths import HERE
from app.pipeline.engine.cache import cache
from app.pipeline.engine.java import Java, java
from app.pipeline.engine.packages import needed

WORK = HERE / "pipeline" / "engine" / "warming.py"
"""The work that loads the classes for the archive."""


def archive(used: Java) -> Path | None:
    """Return the archive for this Java and the installed Spark; None if none has been made."""
    file = place(used)
    return file if file.is_file() else None


def place(used: Java) -> Path:
    """Return where the archive is stored."""
    spark = version("pyspark")
    key = sha256(f"{used.home} {home()} {os.path.getmtime(home())}".encode()).hexdigest()[:16]  # noqa: PTH204
    return cache() / f"spark-{spark}-java-{used.version}-{key}.jsa"


def home() -> Path:
    """Return Spark's folder."""
    spec = find_spec("pyspark")
    return Path(spec.origin).parent if spec and spec.origin else Path()


def prepared(used: Java, work: Path = WORK) -> Path | None:
    """Return the archive, made if it is missing; None if this JVM makes none.

    Raises BluecutError if the cache folder cannot be written.
    """
    file = place(used)
    if file.is_file():
        return file
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=file.parent, ignore_cleanup_errors=True) as folder:
            made = Path(folder) / "made.jsa"
            if _dump(used, work, made) or not made.is_file():
                return None
            made.replace(file)
    except OSError as error:
        raise BluecutError(
            "{file}: cannot be written: {reason}", file=file.parent, reason=str(error.strerror)
        ) from None
    return file


def _dump(used: Java, work: Path, file: Path) -> int:
    """Run a Python file in a JVM that writes all its loaded classes when it exits; return its exit status.

    ``spark-submit`` starts this work and waits for its JVM; a JVM started by Python would outlive it.
    """
    command = [
        str(home() / "bin" / "spark-submit"),
        *("--master", "local[2]", "--conf", "spark.ui.enabled=false"),
        *("--conf", f'spark.driver.defaultJavaOptions="-XX:ArchiveClassesAtExit={file}"'),
        str(work),
    ]
    environment = {
        **os.environ,
        "JAVA_HOME": str(used.home),
        "PYSPARK_PYTHON": sys.executable,
        "PYTHONPATH": str(HERE.parent),
        "SPARK_LOCAL_IP": "127.0.0.1",
    }
    environment.pop("SPARK_REMOTE", None)
    return subprocess.run(command, env=environment, capture_output=True, timeout=600, check=False).returncode


if __name__ == "__main__":
    needed()
    print(prepared(java()) or "this JVM makes no archive")
