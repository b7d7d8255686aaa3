"""What an observer of uncoordinated checkpoints says of a crash, step by step: the recovery line, the orphan messages,
and in the end the cost."""

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
        if fall.since is not None:
            useless = {name: list(numbers) for name, numbers in fall.useless.items()}
            found.setdefault(fall.since, []).append(["line", fall.crash, fall.line, fall.disk, useless])
        if fall.until is not None:
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
