"""Many classes judged at once, on all cores: a table for the teacher, and a page of who failed where, and why."""

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

from app.core.model.value import Frozen
from app.csv_text import spreadsheet
from app.judge.judge import FAILED, MOST_SOURCE, PASSED, UNDECIDED, judge
from app.judge.known_bugs import recognised
from app.judge.report import address, reason_of
from app.judge.suite import of_level
from app.pictures.render import ENVIRONMENT
from app.words.catalogues import word


class Row(Frozen):
    """How a file did: its verdict, its score out of ``most``, the verdict of each system (or none), why it failed first
    and where that is played, and the mistake that it looks like; and how many markers it takes, where they count."""

    file: str
    verdict: str
    score: int
    most: int
    systems: tuple[str, ...]
    why: str = ""
    run: str | None = None
    like: str = ""
    markers: int | None = None


def rows(files: Sequence[Path], level: int, language: str) -> Iterator[Row]:
    """Yield the row of each file as soon as it is judged. What goes wrong with one of them is no judgement of it, and
    keeps no other from being judged."""
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        asked = {pool.submit(_row, str(file), level, language): str(file) for file in files}
        for done in as_completed(asked):
            if done.exception():
                yield Row(asked[done], UNDECIDED, 0, len(of_level(level)), (), word("judged.unjudged", language))
            else:
                yield done.result()


def _row(file: str, level: int, language: str) -> Row:
    """Judge one file, in a process of its own."""
    with Path(file).open(encoding="utf-8", errors="replace") as opened:
        source = opened.read(MOST_SOURCE + 1)
    judged = judge(source, file, of_level(level))
    passed, whole = judged.score
    like = recognised(judged)
    return Row(
        file,
        judged.verdict,
        passed,
        whole or len(of_level(level)),
        tuple(trial.verdict for trial in judged.trials),
        reason_of(judged, language),
        address(judged.failed) if judged.failed else None,
        getattr(like.does, language) if like else "",
        judged.markers,
    )


def as_csv(found: Sequence[Row], level: int) -> str:
    """Return a table with a line for each file, safe to open in a spreadsheet."""
    names = [system.name for system in of_level(level)]
    table: list[Sequence[object]] = [["file", "verdict", "score", "most", *names, "why", "like", "run", "markers"]]
    for row in found:
        systems = [*row.systems, *[""] * (len(names) - len(row.systems))]
        markers = "" if row.markers is None else row.markers
        table.append([row.file, row.verdict, row.score, row.most, *systems, row.why, row.like, row.run or "", markers])
    return spreadsheet(table)


def as_page(found: Sequence[Row], level: int, language: str) -> str:
    """Return the page: how many passed, which mistakes are how frequent, and a line for each file."""
    names = [system.name for system in of_level(level)]
    failed = [sum(row.systems[at : at + 1] == (FAILED,) for row in found) for at in range(len(names))]
    mistakes = Counter(row.like for row in found if row.like).most_common()
    return ENVIRONMENT.get_template("judged.html").render(
        rows=found,
        names=names,
        failed=failed,
        mistakes=mistakes,
        markers=sorted(Counter(row.markers for row in found if row.markers is not None).items()),
        fewest=sum(system.fewest for system in of_level(level)),
        language=language,
        passed=sum(row.verdict == PASSED for row in found),
        t=lambda key, **fields: word(key, language, **fields),
    )
