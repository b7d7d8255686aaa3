"""The table below a comparison: the cost of each run and the verdicts on it, row by row, as words."""

from collections.abc import Callable, Iterable, Sequence

from app.analysis.cost import Cost, Taken
from app.analysis.ledger import Ledger
from app.analysis.promise import OTHER, holds
from app.analysis.recovery_cost import RecoveryCost
from app.core.model.value import Frozen
from app.core.oracle.checks import CHECKS
from app.words.catalogues import JOIN, readable, word
from app.words.guarantee_words import either, promised, result

SIGNS = {"holds": "✓", "fails": "✕", "open": "…", "none": "–"}


class Piece(Frozen):
    """A part of a cell. ``verdict`` is one of SIGNS, or empty for a figure; ``of`` names the snapshots that it is
    about, empty if it is about all."""

    text: str
    verdict: str = ""
    of: str = ""

    @property
    def sign(self) -> str:
        """The verdict as a sign."""
        return SIGNS.get(self.verdict, "")


class Row(Frozen):
    """One thing counted or judged, in every column; None marks an impossible run. A new ``group`` begins a new part of
    the table."""

    key: str
    group: str
    cells: tuple[tuple[Piece, ...] | None, ...]

    @property
    def name(self) -> str:
        """The key of its name."""
        return f"check.{self.key}.title" if self.group == "checks" else f"compare.row.{self.key}"

    @property
    def differs(self) -> bool:
        """Do the columns differ?"""
        return len({cell for cell in self.cells if cell is not None}) > 1


def table(costs: Sequence[Cost | None], language: str) -> tuple[Row, ...]:
    """Return the rows, in the order of the page."""

    def row(key: str, group: str, made: Callable[[Cost], tuple[Piece, ...]]) -> Row:
        return Row(key, group, tuple(None if cost is None else made(cost) for cost in costs))

    def each(told: Callable[[Taken], str]) -> Callable[[Cost], tuple[Piece, ...]]:
        return lambda cost: _snapshots(cost, told, language)

    def judged(check: str) -> Callable[[Cost], tuple[Piece, ...]]:
        return lambda cost: _verdicts(cost, check, language)

    rows = [
        row("snapshots", "cost", lambda cost: (Piece(_completed(cost, language)),)),
        row("controls", "cost", lambda cost: (Piece(str(cost.controls)),)),
        row("each", "cost", each(lambda taken: f"{taken.markers} + {taken.others}")),
        row("apart", "cost", lambda cost: (Piece(str(cost.apart)),)),
        row("collected", "cost", lambda cost: (Piece(str(cost.collected)),)),
        row("together", "cost", lambda cost: (Piece(str(cost.together)),)),
        row("messages", "cost", each(lambda taken: str(taken.messages))),
        row("size", "cost", each(lambda taken: str(taken.size))),
        row("shipped", "cost", each(lambda taken: str(taken.shipped))),
        row("steps", "time", each(lambda taken: _duration(taken, language))),
        row("paused", "time", lambda cost: (Piece(str(cost.paused)),)),
        row("stopped", "time", lambda cost: (Piece(str(cost.stopped)),)),
        row(
            "blocked",
            "time",
            lambda cost: (Piece(word("compare.blocked", language, steps=cost.blocked, records=cost.held)),),
        ),
        row("missed", "time", lambda cost: (Piece(str(cost.missed)),)),
        *(row(check, "checks", judged(check)) for check in CHECKS),
        row("undisturbed", "checks", lambda cost: (_verdict(cost.undisturbed, language, cost.until),)),
    ]
    seldom = {
        "apart": any(cost and cost.apart for cost in costs),
        "collected": any(cost and cost.collected for cost in costs),
        "together": any(cost and cost.collected for cost in costs),
        "blocked": any(cost and cost.blocked for cost in costs),
    }
    return tuple(row for row in rows if seldom.get(row.key, True))


def recovered(paid: Sequence[RecoveryCost | None], language: str) -> tuple[Row, ...]:
    """Return the cost of safety and of recovery: separate rows for a dataflow."""
    if not any(paid):
        return ()

    def row(key: str, made: Callable[[RecoveryCost], str]) -> Row:
        return Row(key, "recovery", tuple(None if one is None else (Piece(made(one)),) for one in paid))

    return (
        row("writes", lambda one: str(one.writes)),
        row("written", lambda one: str(one.size)),
        row("words", lambda one: str(one.words)),
        row("ids", lambda one: word("compare.ids", language, most=one.ids, kept=one.kept, collected=one.collected)),
        row("restarts", lambda one: _went_back(one, language)),
        row("replayed", lambda one: str(one.replayed)),
        row("redone", lambda one: str(one.redone)),
        row("resent", lambda one: str(one.resent)),
        row("dropped", lambda one: str(one.dropped)),
        row("whole", lambda one: JOIN[language].join(until(steps, language) for steps in one.whole) or "–"),
    )


def result_rows(books: Sequence[Ledger | None], language: str) -> tuple[Row, ...]:
    """Return the effects on the result, compared with the run without failures: separate rows for a dataflow."""
    if not any(books):
        return ()

    def row(key: str, made: Callable[[Ledger], tuple[Piece, ...]]) -> Row:
        return Row(f"ledger.{key}", "ledger", tuple(None if one is None else made(one) for one in books))

    def work(book: Ledger) -> tuple[Piece, ...]:
        return (Piece(word("compare.ledger.work", language, taken=book.taken, counted=book.counted)),)

    return (
        row("state", lambda book: _guaranteed(book.state, book.promise.state, book.settled, language)),
        row("final", lambda book: tuple(_final(book, language)) or (Piece("–"),)),
        row("output", lambda book: _guaranteed(book.output, book.promise.output, book.settled, language)),
        row("lost", lambda book: (Piece(str(book.lost)),)),
        row("doubled", lambda book: (Piece(str(book.doubled)),)),
        row("waiting", lambda book: (Piece(str(book.waiting)),)),
        row("work", work),
        row("reread", lambda book: (Piece(str(book.reread)),)),
    )


def _guaranteed(name: str | None, promise: str | None, settled: bool, language: str) -> tuple[Piece, ...]:
    """Return what a run shows, as a verdict, and what is promised."""
    if name is None and settled:
        return (Piece("–"),)
    sign = {True: "holds", False: "fails", None: "open" if name in (None, OTHER) else "none"}[holds(name, promise)]
    return Piece(result(name, language), sign), Piece(promised(promise, language))


def _final(book: Ledger, language: str) -> Iterable[Piece]:
    """Yield the final states of the stateful operators, and what they should be."""
    keeping = {one.process for one in book.work if one.keeps}
    for one in (one for one in book.kept if one.process in keeping):
        now = word("ledger.down", language) if one.now is None else readable(one.now, language)
        if one.equal:
            yield Piece(now, of=one.process)
        else:
            wanted = either(one.possible, language)
            yield Piece(word("compare.ledger.final", language, now=now, wanted=wanted), "fails", one.process)


def _went_back(paid: RecoveryCost, language: str) -> str:
    """Return how often processes rolled back, and which ones did."""
    if not paid.returned:
        return str(paid.restarts)
    return word("compare.restarts", language, count=paid.restarts, processes=list(paid.returned))


def until(steps: int | None, language: str) -> str:
    """Return how many steps passed until the result was whole again."""
    return word("compare.never-whole", language) if steps is None else str(steps)


def _completed(cost: Cost, language: str) -> str:
    """Return how many snapshots there were, and how many were completed."""
    done = sum(taken.steps is not None for taken in cost.snapshots)
    return word("compare.completed", language, count=len(cost.snapshots), complete=done)


def _duration(taken: Taken, language: str) -> str:
    """Return the steps from start to completion; a word if there is no completion."""
    if taken.steps is not None:
        return str(taken.steps)
    return word("compare.aborted" if taken.aborted else "compare.never", language)


def _snapshots(cost: Cost, told: Callable[[Taken], str], language: str) -> tuple[Piece, ...]:
    """Return one figure per snapshot, or one for all if they are equal."""
    return _grouped(((told(taken), "", taken) for taken in cost.snapshots), language)


def _verdicts(cost: Cost, check: str, language: str) -> tuple[Piece, ...]:
    """Return what the oracle says of each snapshot in one respect."""

    def said(taken: Taken) -> str:
        holds = taken.checks[check]
        if holds is None:
            return "open" if taken.steps is None else "none"
        return "holds" if holds else "fails"

    return _grouped(((word(f"player.verdict.{said(t)}", language), said(t), t) for t in cost.snapshots), language)


def _verdict(holds: bool, language: str, until: int | None = None) -> Piece:
    """Return a verdict on the whole run, or on the run up to a step."""
    name = "holds" if holds else "fails"
    text = word(f"player.verdict.{name}", language)
    return Piece(text if until is None else word("compare.until", language, verdict=text, step=until), name)


def _grouped(found: Iterable[tuple[str, str, Taken]], language: str) -> tuple[Piece, ...]:
    """Return the pieces of a cell, with equal ones combined."""
    alike: dict[tuple[str, str], list[str]] = {}
    for text, name, taken in found:
        alike.setdefault((text, name), []).append(f"#{taken.number}")
    if not alike:
        return (Piece("–"),)
    alone = len(alike) == 1
    return tuple(Piece(t, n, "" if alone else JOIN[language].join(of)) for (t, n), of in alike.items())
