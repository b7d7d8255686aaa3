"""The stage in a state in which the run never was."""

import re

from app.analysis.global_states import world
from app.core.oracle.lattice import Lattice
from app.pictures import render
from app.pictures.stage_of_state import stage
from app.run.run import record
from app.scenario.library import LIBRARY


def test_the_stage_shows_the_states_and_messages_of_that_state_and_nothing_recorded() -> None:
    run = record(LIBRARY.scenario("state-that-never-was"))
    lattice = Lattice(run.history)
    svg = stage(run, world(run, lattice, (0, 1)), "en", "p in A, q in D")
    assert re.findall(r'data-process="(\w)".*?>([A-D])</text>', svg, re.S) == [("p", "A"), ("q", "D")]
    assert len(re.findall("data-message=", svg)) == 1 and "data-recorded" not in svg
    assert '<desc id="state-desc">p in A, q in D</desc>' in svg


def test_everything_stands_where_the_player_has_it() -> None:
    run = record(LIBRARY.scenario("three-banks"))
    lattice = Lattice(run.history)
    here, there = (
        re.findall(r'data-process="(\w+)" transform="([^"]+)"', svg)
        for svg in (stage(run, world(run, lattice, lattice.top), "en", "."), render.stage(run, 0, "en"))
    )
    assert here == there and len(here) == 3
