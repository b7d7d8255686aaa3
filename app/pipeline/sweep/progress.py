"""How far the work on a sweep is, for readers of its folder meanwhile.

``DIR/progress.json`` holds one object, replaced as a whole::

    {"stage": "sweeping", "runs": 1200, "done": 512, "batches": 1, "snapshots": 1024, "broken": 87,
     "part": 0, "parts": 0, "mistake": null, "pid": 4711}

``runs`` is how many there will be, ``done`` how many are complete, in how many ``batches``; ``snapshots`` is how many
those have, and ``broken`` how many of them fail a check according to the simulator. While verifying and measuring,
``part`` of ``parts`` are done, 0 if that is not known yet. ``mistake`` is what went wrong, as a template and its fields
(see ``app.core.model.error_json``), ``pid`` the working process. If that process is gone and the stage is not one of
the last three, it was killed.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from app.core.model.error_json import written
from app.core.model.value import Frozen
from app.core.model.values import BluecutError, Json, Phrase
from app.pipeline.rows.atomic_file import formed, keep, read_file

Stage = Literal["starting", "sweeping", "verifying", "measuring", "done", "failed", "cancelled"]


class Progress(Frozen):
    """The progress of the work."""

    stage: Stage = "starting"
    runs: int = 0
    done: int = 0
    batches: int = 0
    snapshots: int = 0
    broken: int = 0
    part: int = 0
    parts: int = 0
    mistake: dict[str, Json] | None = None
    pid: int = msgspec.field(default_factory=os.getpid)


Watch = Callable[[Progress], None]


def unwatched(progress: Progress) -> None:
    """Ignore the progress."""


def write(directory: Path, progress: Progress) -> None:
    """Write the progress."""
    keep(directory / "progress.json", msgspec.to_builtins(progress))


def read(directory: Path) -> Progress | None:
    """Return the progress; None if the work has not begun. Raises BluecutError if the file is damaged."""
    file = directory / "progress.json"
    values = read_file(file)
    return None if values is None else formed(Progress, values, file)


@contextmanager
def followed(directory: Path, watch: Watch = unwatched) -> Iterator[Watch]:
    """Write the progress into the folder meanwhile, and the end: done, failed and why, or cancelled."""
    last = Progress()

    def tell(progress: Progress) -> None:
        nonlocal last
        last = progress
        write(directory, progress)
        watch(progress)

    tell(last)
    try:
        yield tell
    except KeyboardInterrupt:
        tell(replace(last, stage="cancelled"))
        raise
    except BluecutError as error:
        tell(replace(last, stage="failed", mistake=written(error.phrase)))
        raise
    except Exception as error:
        says = Phrase("our mistake: {reason}", reason=f"{type(error).__name__}: {error}"[:500])
        tell(replace(last, stage="failed", mistake=written(says)))
        raise
    tell(replace(last, stage="done"))
