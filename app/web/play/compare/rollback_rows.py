"""What a crash undoes, in each column of a comparison: rows of its table if the programs do not redo it by
themselves."""

from collections.abc import Callable, Sequence

from app.core.model.algorithm import Kind
from app.run.recovery_line import Fall
from app.run.run import Run
from app.web.shared.run_table import Piece, Row
from app.words.catalogues import JOIN, word
from app.words.checkpoint_names import called


def setbacks(runs: Sequence[Run | None], language: str) -> tuple[Row, ...]:
    """Return how many events were lost, how many rollbacks that took, and how useful the checkpoints on disk were; none
    if no process has recovered, or what was lost is read again."""
    if not any(run and run.falls and not run.system.eager for run in runs):
        return ()

    def row(key: str, made: Callable[[Run], str]) -> Row:
        return Row(f"setback.{key}", "recovery", tuple(None if run is None else (Piece(made(run)),) for run in runs))

    return (
        row("lost", lambda run: str(sum(sum(fall.lost.values()) for fall in run.falls))),
        row("returns", lambda run: str(sum(fall.rollbacks for fall in run.falls))),
        row("useless", lambda run: JOIN[language].join(_unused(run, fall, language) for fall in run.falls) or "–"),
    )


def _unused(run: Run, fall: Fall, language: str) -> str:
    """Return the checkpoints that no line could use; if the whole system rolls back together, there are none of that
    kind."""
    if run.system.algorithm.KIND is not Kind.PRIVATE:
        return "–"
    names = [called(name, number) for name, numbers in fall.useless.items() for number in numbers]
    count = sum(fall.disk.values())
    return word("compare.useless", language, useless=len(names), count=count, checkpoints=names)
