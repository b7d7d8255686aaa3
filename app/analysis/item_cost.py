"""What safety costs per item while nothing fails, measured on a run."""

from app.analysis.checkpoint_sizes import FULL, INCREMENTAL, stores
from app.analysis.recovery_cost import stored
from app.core.model.notes import Stored, only
from app.run.run import Run
from app.scenario import state_text


def _items(run: Run) -> int:
    return sum(step.action.reads for step in run.steps)


def states_per_item(run: Run) -> float:
    """Return how many states of processes were stored per item."""
    return sum(len(stored(run, step)) for step in run.steps) / _items(run)


def keys_in_full(run: Run) -> float:
    """Return how many keys checkpoints wrote per item, where each writes all keys."""
    return _keys(run, FULL)


def keys_as_increments(run: Run) -> float:
    """Return how many keys checkpoints wrote per item, where each writes what has changed."""
    return _keys(run, INCREMENTAL)


def _keys(run: Run, way: str) -> float:
    """Return how many keys checkpoints wrote per item in one ``way``."""
    return sum(file.keys for one in stores(run) or () if one.way == way for file in one.written) / _items(run)


def keys_changed(run: Run) -> float:
    """Return how many keys per item differed, in all states that were stored for single items, from what their process
    had stored before."""
    before: dict[str, state_text.Keyed] = {}
    count = 0
    for note in (note for step in run.steps for note in only(Stored, step.notes)):
        now = state_text.keyed(note.state)
        count += sum(before.get(note.process, {}).get(key) != value for key, value in now.items())
        before[note.process] = now
    return count / _items(run)
