"""What an observer of uncoordinated checkpoints says of a crash, step by step: how far the processes have rolled back,
the orphan messages, and as soon as everybody stands on it the recovery line and the cost."""

from app.core.model.algorithm import Kind
from app.core.model.values import Json
from app.core.oracle.history import History
from app.run.run import Run


def fallen(run: Run) -> dict[int, list[list[Json]]]:
    """Return the notes ``line``, ``orphans`` and ``fallen`` by the step after which they hold; see
    ``app.wire.note_codec.NOTES``."""
    found: dict[int, list[list[Json]]] = {}
    if run.system.algorithm.KIND is not Kind.PRIVATE:
        return found
    for step, messages in orphans(run).items():
        found.setdefault(step, []).append(["orphans", messages])
    for fall in run.falls:
        for step, places in fall.reached.items():
            if not fall.over(step):
                found.setdefault(step, []).append(["line", fall.crash, places, fall.disk, {}])
        if fall.until is not None:
            useless = {name: list(numbers) for name, numbers in fall.useless.items()}
            found.setdefault(fall.until, []).append(["line", fall.crash, fall.line, fall.disk, useless])
            found.setdefault(fall.until, []).append(["fallen", fall.crash, fall.rollbacks, fall.lost, fall.exact])
    return found


def orphans(run: Run) -> dict[int, list[int]]:
    """Return the ids of the messages received although their sending was taken back, by the step that changed them."""
    found: dict[int, list[int]] = {}
    if not run.falls:
        return found
    history, before = History(run.system.topology.names), list[int]()
    for step in run.steps:
        history.watch(step.action, step.notes)
        now = [message.id for message in history.orphans(history.counts)] if history.undone else []
        if now != before:
            found[step.number] = before = now
    return found
