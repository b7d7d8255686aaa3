"""The curve of a cut keeps away from arrows, the same on the server and in the player."""

import json
import re
import shutil
import subprocess
from math import hypot

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.paths import STATIC
from app.pictures.layout.paths import Point
from app.pictures.render import spacetime
from app.pictures.spacetime.cut_curve import EVEN, bent, path
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey

ALONG = ([100.0, 700.0], [100.0, 188.0], [(Point(60, 100), Point(740, 188))])
"""Where a cut meets two lines, the lines, and an arrow that runs along an even curve."""


def middle(bend: tuple[float, float], top: float, bottom: float) -> float:
    """Return the height of a curve half-way."""
    high, low = top + (bottom - top) * bend[0], bottom - (bottom - top) * bend[1]
    return (top + 3 * high + 3 * low + bottom) / 8


def test_a_curve_bends_away_from_an_arrow_that_runs_along_it() -> None:
    (bend,) = bent(*ALONG)
    assert abs(middle(bend, 100, 188) - 144) > 15
    assert bent(ALONG[0], ALONG[1], []) == [EVEN]


def test_a_steep_arrow_leaves_the_curve_even() -> None:
    assert bent([100, 400], [100, 188], [(Point(250, 100), Point(260, 188))]) == [EVEN]


@given(
    st.tuples(st.integers(0, 900), st.integers(0, 900)),
    st.tuples(st.integers(4, 300), st.integers(4, 300)),
    st.sampled_from((-1, 1)),
)
@example((59, 895), (6, 4), 1)
@example((0, 900), (40, 4), 1)
def test_a_message_on_one_side_of_the_cut_never_crosses_it(
    meets: tuple[int, int], away: tuple[int, int], side: int
) -> None:
    """The message goes from one of the two lines to the other, and both of its ends are left or right of the cut."""
    (x, to), (off, further) = meets, away
    a, b = Point(x + side * off, 100.0), Point(to + side * further, 188.0)
    (bend,) = bent([x, to], [100.0, 188.0], [(a, b)])
    high, low = 100 + 88 * bend[0], 188 - 88 * bend[1]
    for t in (part / 200 for part in range(201)):
        s = 1 - t
        y = s**3 * 100 + 3 * s * s * t * high + 3 * s * t * t * low + t**3 * 188
        cut = x + (to - x) * t * t * (3 - 2 * t)
        beside = side * (a.x + (b.x - a.x) * (y - 100) / 88 - cut) * 88 / hypot(b.x - a.x, 88)
        assert beside > -1, "by no more than half of its own line"


def test_a_curve_meets_every_line_where_it_has_to() -> None:
    pieces = path([10, 50, 30], [20, 60, 100], [(0.9, 0.2), EVEN], 120)
    ends = [tuple(float(number) for number in re.findall(r"[\d.]+", piece)[-2:]) for _, piece in pieces[1:-1]]
    assert ends == [(50, 60), (30, 100)]


@pytest.mark.skipif(not shutil.which("node"), reason="needs node")
def test_the_player_bends_a_cut_like_the_server() -> None:
    cases = [ALONG, (ALONG[0], ALONG[1], []), ([200.0, 300.0], [30.0, 300.0], [(Point(200, 30), Point(300, 300))])]
    cases += [([145.0, 75.0], [100.0, 188.0], [(Point(130, 100), Point(70, 188))])]
    asked = [
        [[xs[0], ys[0]], [xs[1], ys[1]], [[[a.x, a.y], [b.x, b.y]] for a, b in arrows]] for xs, ys, arrows in cases
    ]
    script = (
        f"import {{ best }} from {json.dumps((STATIC / 'js/cut_curve.js').as_uri())};"
        f"console.log(JSON.stringify({json.dumps(asked)}.map((each) => best(...each))));"
    )
    told = subprocess.run(["node", "--input-type=module", "-e", script], capture_output=True, text=True, check=True)
    assert [tuple(bend) for bend in json.loads(told.stdout)] == [bent(*case)[0] for case in cases]


def test_a_cut_is_a_double_line_that_no_message_looks_like() -> None:
    run = record(LIBRARY.scenario("blue-figure"), RunKey())
    picture = spacetime(run, len(run.steps), "en")
    (cut,) = re.findall(r'<g data-cut="1">(.*?)</g>', picture)
    widths = [float(width) for width in re.findall(r'stroke-width="([\d.]+)"', cut)][:3]
    assert widths[0] > widths[1] > 2 * widths[2] > 0
    messages = re.findall(r'data-kind="app".*?stroke-width="([\d.]+)"', picture)
    assert messages and all(float(width) < widths[1] / 2 for width in messages)
