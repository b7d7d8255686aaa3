"""The ribbon of phases below the space-time diagram, as the server draws it."""

import re
from itertools import pairwise

from app.pictures.render import spacetime
from app.pictures.spacetime.options import Look
from app.run.run import Run, record
from app.scenario.library import LIBRARY


def bands(run: Run, step: int, language: str = "en") -> list[tuple[str, str, float, float]]:
    """Return the bands of the picture: phase, what is said of it, left edge and width."""
    found = re.findall(
        r'<g data-phase="(\w+)"><title>(.*?)</title><rect x="([\d.-]+)" y="[\d.]+" width="([\d.]+)"',
        spacetime(run, step, language),
    )
    return [(phase, said, float(x), float(wide)) for phase, said, x, wide in found]


def test_the_ribbon_shows_what_has_begun_and_ends_at_now() -> None:
    run = record(LIBRARY.scenario("three-banks"))
    assert bands(run, 2) == []
    assert [phase for phase, *_ in bands(run, 9)] == ["initiating", "propagating", "terminating"]
    assert [phase for phase, *_ in bands(run, 15)] == ["initiating", "propagating", "terminating", "collecting"]
    told = {phase: said for phase, said, *_ in bands(run, 9)}
    assert told["propagating"].startswith("Phase: propagating, steps 4–7. ")
    assert told["terminating"].startswith("Phase: terminating, since step 8. ")


def test_the_bands_touch_each_other_and_are_as_wide_as_their_steps() -> None:
    run = record(LIBRARY.scenario("three-banks"))
    found = bands(run, 15)
    for (_, _, left, wide), (_, _, right, _) in pairwise(found):
        assert abs(left + wide + 1 - right) < 0.2
    step = found[0][3] + 1
    assert [round((wide + 1) / step) for *_, wide in found] == [1, 4, 6, 2]


def test_a_phase_that_does_not_end_is_torn_once_the_run_is_there() -> None:
    run = record(LIBRARY.scenario("chain-from-b"))
    last = run.steps[-1].number
    assert "does not end in this run" in bands(run, last)[-1][1] and "stroke-dasharray" in ribbon(run, last)
    assert "since step 2" in bands(run, last - 1)[-1][1] and "stroke-dasharray" not in ribbon(run, last - 1)


def ribbon(run: Run, step: int) -> str:
    """Return the marks of the bands."""
    return "".join(re.findall(r"<g data-phase=.*?</g>", spacetime(run, step, "en")))


def test_a_diagram_on_a_card_has_no_ribbon_and_keeps_its_height() -> None:
    run = record(LIBRARY.scenario("three-banks"))
    plain = spacetime(run, 15, "en", Look(now=False))
    (small,) = re.findall(r'viewBox="0 0 [\d.]+ ([\d.]+)"', plain)
    (large,) = re.findall(r'viewBox="0 0 [\d.]+ ([\d.]+)"', spacetime(run, 15, "en"))
    assert "data-phase" not in plain and float(large) == float(small) + 12
