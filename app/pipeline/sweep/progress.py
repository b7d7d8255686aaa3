"""How far the work on a sweep is, for whoever looks into its folder meanwhile.

``DIR/progress.json`` holds one object, replaced as a whole::

    {"stage": "sweeping", "runs": 1200, "done": 512, "batches": 1, "snapshots": 1024, "broken": 87,
     "part": 0, "parts": 0, "mistake": null, "pid": 4711}

``runs`` is how many there are to be, ``done`` how many are complete, in so many ``batches``; ``snapshots`` is how many
those have, and ``broken`` of how many the simulator says that a check fails. Of verifying and measuring, ``part`` of so
many ``parts`` are done, 0 where that is not known yet. ``mistake`` is what went wrong, as a
template and its fields (see ``app.core.phrased``), ``pid`` the process that works. Where that process is gone and the
stage is not one of the last three, it was killed.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from app.core.model import BluecutError, Json, Phrase
from app.core.phrased import written
from app.pipeline.rows.kept import formed, keep, kept

Stage = Literal["starting", "sweeping", "verifying", "measuring", "done", "failed", "cancelled"]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the work is."""

    stage: Stage = "starting"
    runs: int = 0
    done: int = 0
    batches: int = 0
    snapshots: int = 0
    broken: int = 0
    part: int = 0
    parts: int = 0
    mistake: dict[str, Json] | None = None
    pid: int = field(default_factory=os.getpid)


Watch = Callable[[Progress], None]


def unwatched(progress: Progress) -> None:
    """Nobody looks."""


def write(directory: Path, progress: Progress) -> None:
    """Keep how far it is."""
    keep(directory / "progress.json", {name: getattr(progress, name) for name in Progress.__slots__})


def read(directory: Path) -> Progress | None:
    """How far it is; None where nobody has begun. Raises BluecutError where it is damaged."""
    file = directory / "progress.json"
    values = kept(file)
    return None if values is None else formed(Progress, values, file)


@contextmanager
def followed(directory: Path, watch: Watch = unwatched) -> Iterator[Watch]:
    """Keep what is told meanwhile in the folder, and how it ends: done, failed and why, or cancelled."""
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
        says = Phrase("a mistake of ours: {reason}", reason=f"{type(error).__name__}: {error}"[:500])
        tell(replace(last, stage="failed", mistake=written(says)))
        raise
    tell(replace(last, stage="done"))
