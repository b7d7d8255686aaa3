"""Export: a run as one JSON value for other programs: the frames for the browser, and the output of ``run --json``."""

from app.core.model.values import Json
from app.run.run import Run, summary
from app.scenario.run_key import ENGINE, written
from app.wire.frames import end, frames, scene
from app.wire.note_codec import NOTES

FORMAT = "bluecut-trace-1"
"""The version of this format. It changes when a field changes its meaning."""


def trace(run: Run) -> Json:
    """Return the run: its key, the first scene, one frame per step, the end, the summary.

    ``notes`` says what follows the key of each note in the frames.
    """
    key, scenario = run.key, run.scenario
    return {
        "format": FORMAT,
        "engine": ENGINE,
        "key": {
            "scenario": scenario.name,
            "digest": scenario.digest,
            "algorithm": run.system.algorithm.NAME,
            "seed": scenario.seed(key),
            "discipline": run.system.discipline,
            "choices": written(key.choices),
            "drain": key.drain,
        },
        "notes": {name: list(fields) for name, fields in NOTES.items()},
        "scene": scene(run),
        "frames": list(frames(run)),
        "end": end(run),
        "summary": summary(run),
    }
