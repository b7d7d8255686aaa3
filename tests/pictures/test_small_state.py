"""A global state in small: all of it is there, within the picture, and nothing lies on anything else."""

import re

import pytest

from app.course.options import components
from app.course.questions.state import small
from app.course.run_facts import ran
from app.pictures.small_state import FONT, small_state
from app.run.run import Run, final
from app.scenario.library import LIBRARY

Box = tuple[float, float, float, float]

RUNS = [name for name in LIBRARY.names() if small(ran(name))]


def drawn(run: Run, step: int, language: str = "en") -> str:
    parts = components(run, final(run.system, run.world(step)))
    return small_state(run.system.topology, parts, language, "said <here>")


def boxes(svg: str, kind: str) -> dict[str, Box]:
    """Return the boxes of one kind: left, top, right and bottom."""
    found = re.findall(
        rf'data-{kind}="([^"]*)" transform="translate\(([-0-9.]+) ([-0-9.]+)\)"><rect x="([-0-9.]+)" y="([-0-9.]+)"',
        svg,
    )
    every = {name: tuple(map(float, rest)) for name, *rest in found}
    return {name: (x + dx, y + dy, x - dx, y - dy) for name, (x, y, dx, dy) in every.items()}


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


@pytest.mark.parametrize("name", RUNS)
def test_processes_and_messages_are_in_the_picture_and_apart(name: str) -> None:
    run = ran(name)
    for step in range(len(run.steps) + 1):
        svg = drawn(run, step)
        wide, high = map(float, re.findall(r'viewBox="0 0 (\d+) (\d+)"', svg)[0])
        processes, held = boxes(svg, "process"), boxes(svg, "held")
        assert sorted(processes) == sorted(run.system.topology.names)
        assert {name.replace("&gt;", ">") for name in held} == {
            c
            for c, m in components(run, final(run.system, run.world(step))).items()
            if c in run.system.topology.channels and m
        }
        every = [*processes.values(), *held.values()]
        assert all(x >= 0 and y >= 0 and right <= wide and low <= high for x, y, right, low in every), (step, every)
        for i, one in enumerate(every):
            assert all(apart(one, other) for other in every[i + 1 :]), (step, every)


def test_it_is_said_in_words_and_its_letters_are_large_enough() -> None:
    svg = drawn(ran("three-banks"), 4)
    assert 'aria-label="said &lt;here&gt;"' in svg and FONT >= 11
    assert "<style" not in svg and "font-size" in svg


def test_the_first_to_arrive_is_nearest_to_the_head() -> None:
    """N1 has sent 3 and then 2 to N2, which lies to its right."""
    run = ran("three-banks")
    assert components(run, final(run.system, run.world(4)))["N1->N2"] == [3, 2]
    assert ">2 3</text>" in drawn(run, 4)
