"""What a comparison says about a crash."""

from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.play.compare.routes import setbacks


def test_the_same_crash_takes_back_everything_or_what_came_after_the_snapshot() -> None:
    domino = LIBRARY.scenario("domino")
    runs = [record(domino), record(domino, RunKey(algorithm="chandy-lamport")), None]
    rows = {row.key: [cell and cell[0].text for cell in row.cells] for row in setbacks(runs, "en")}
    assert rows["setback.returns"] == ["5", "0", None]
    assert rows["setback.useless"] == ["4 of 4: p1, p2, q1, q2", "–", None]
    alone, together = (int(text or 0) for text in rows["setback.lost"][:2])
    assert alone == 10 > together


def test_nothing_is_told_where_nobody_crashes() -> None:
    assert setbacks([record(LIBRARY.scenario("blue-figure"))], "en") == ()
