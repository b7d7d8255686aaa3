"""The words beside a cut, and the names of messages beside their arrows."""

import re

from app.pictures.render import spacetime
from app.pictures.spacetime.options import Look
from app.run.run import record
from app.scenario.library import LIBRARY


def test_the_past_has_its_name_above_the_names_of_the_processes() -> None:
    run = record(LIBRARY.scenario("blue-figure"))
    still = spacetime(run, 5, "en", Look(narrow=True))
    after = still.rpartition("</svg>\n<g transform")[2]
    x = float(re.findall(r'<text x="([\d.]+)"[^>]*>PAST<', after)[0])
    assert 0 < x < 44, "before the cut, and not inside the window, which would cut it"
