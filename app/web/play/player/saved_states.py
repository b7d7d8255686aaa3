"""The text of a page without JavaScript about uncoordinated checkpoints: what each process has saved, and after a crash
the recovery line. The player's are ``static/js/panels/table.js`` and ``line.js``."""

from app.core.model.algorithm import Kind
from app.core.model.value import Frozen
from app.core.model.values import Json, Saved
from app.run.recovery_line import Fall
from app.run.run import Run
from app.words.catalogues import word
from app.words.checkpoint_names import called


class Row(Frozen):
    """A process. ``number`` counts its checkpoints and ``state`` is the last of them, ``disk`` names those that existed
    at the crash, each with whether no line could use it; ``line`` is how far it must roll back, ``now`` where it is,
    ``lost`` how many of its events are lost. None if unknown or not asked for."""

    process: str
    number: int
    state: Json
    disk: tuple[tuple[str, bool], ...] = ()
    line: str | None = None
    stays: bool = False
    now: str | None = None
    lost: int | None = None


class Alone(Frozen):
    """``private``: there are no snapshots, but uncoordinated checkpoints, and after a crash a recovery line.
    ``columns`` are those of the line's table, ``said`` is the text below it, ``verdict`` whether all processes have
    rolled back exactly to the line: ``open``, ``holds`` or ``fails``."""

    private: bool
    rows: tuple[Row, ...]
    columns: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    verdict: str = "open"


def alone(run: Run, step: int, language: str) -> Alone | None:
    """Return what has been saved by ``step``; None if processes do not save independently, or none has saved."""
    system, world = run.system, run.world(step)
    saved = {name: world.durable.saved.get(name, ()) for name in system.topology.names}
    if system.algorithm.KIND is not Kind.PRIVATE:
        if system.algorithm.KIND is not Kind.ITEMS or not any(saved.values()):
            return None
        return Alone(False, tuple(Row(name, len(own), _latest(run, own)) for name, own in saved.items()))
    fall = next((fall for fall in reversed(run.falls) if fall.since is not None and fall.since <= step), None)
    if fall is None:
        rows = tuple(Row(n, len(own), _latest(run, own), _disk(n, len(own), ())) for n, own in saved.items())
        return Alone(True, rows, ("process", "disk"), (word("player.line.none", language),))
    over = fall.until is not None and fall.until <= step
    rows = tuple(_fallen(run, step, fall, name, len(own), over=over, language=language) for name, own in saved.items())
    columns = ("process", "disk", "line", "now", "lost") if over else ("process", "disk", "far", "now")
    how = ("holds" if fall.exact else "fails") if over else "open"
    return Alone(True, rows, columns, _cost_of(fall, over=over, language=language), how)


def _latest(run: Run, saved: tuple[Saved, ...]) -> Json:
    """Return the last saved state."""
    return run.system.program.view(saved[-1].state) if saved else None


def _disk(name: str, count: int, useless: tuple[int, ...]) -> tuple[tuple[str, bool], ...]:
    """Return the checkpoints of a process by their names, each with whether no line could use it."""
    return tuple((called(name, number), number in useless) for number in range(1, count + 1))


def _fallen(run: Run, step: int, fall: Fall, name: str, number: int, *, over: bool, language: str) -> Row:
    """Return the row of a process after a crash."""
    to = fall.seen(step).get(name)
    start = word("player.line.beginning", language)
    if name in run.world(step).down:
        now = word("player.line.down", language)
    elif number:
        now = word("player.line.after", language, checkpoint=called(name, number))
    else:
        now = "–" if to is None else start
    unknown = word("player.line.stays", language) if over else "?"
    line = unknown if to is None else called(name, to) if to else start
    lost = fall.lost.get(name, 0) if over else None
    before = _disk(name, fall.disk[name], fall.useless.get(name, ()) if over else ())
    return Row(name, number, None, before, line, to is None, now, lost)


def _cost_of(fall: Fall, *, over: bool, language: str) -> tuple[str, ...]:
    """Return the cost of the crash, and how useful the checkpoints were: known as soon as it is over."""
    if not over:
        return (word("player.line.falling", language),)
    useless, count = sum(map(len, fall.useless.values())), sum(fall.disk.values())
    cost = {"rollbacks": fall.rollbacks, "events": sum(fall.lost.values())}
    first = word("player.line.cost", language, **cost)
    return first, word("player.line.useless", language, useless=useless, count=count)
