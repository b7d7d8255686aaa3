"""Global states in small: all of them is there, within the picture, and nothing lies on anything else."""

import re

from app.course.options import components
from app.course.questions.state import small
from app.course.quiz import KINDS, deck
from app.course.run_facts import ran
from app.pictures.small_state import FONT, WIDTHS, small_states
from app.run.run import Run, final
from app.scenario.library import LIBRARY
from tests.each import each

Box = tuple[float, float, float, float]

LARGE = ("phantom-deadlock", "real-deadlock", "widget-trade")
"""Runs with states that are told in words."""


def of_few_parts() -> list[str]:
    return [name for name in LIBRARY.names() if small(ran(name))]


def drawn(run: Run, step: int, language: str = "en") -> str:
    parts = components(run, final(run.system, run.world(step)))
    return "".join(small_states(run.system, [(parts, "said <here>")], language))


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


@each("name", of_few_parts)
def test_processes_and_messages_are_in_the_picture_and_apart(name: str) -> None:
    run = ran(name)
    for step in range(len(run.steps) + 1):
        svg = drawn(run, step)
        if not svg:
            assert name in LARGE, step
            continue
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


def test_the_states_of_a_question_differ_in_their_pictures_and_nothing_is_shortened() -> None:
    pictures, without = 0, set()
    for name in LIBRARY.names():
        run = ran(name)
        for kind in ("state", "ever"):
            for subject in deck(run).get(kind, ()):
                question = KINDS[kind].ask(run, *subject)
                options = [question.state] if question.state else question.options
                told = [(one.parts, "") for one in options if one.parts is not None]
                for language in ("en", "zh"):
                    every = small_states(run.system, told, language)
                    assert len(every) in (0, len(told)) and len(set(every)) == len(every), name
                    assert not any("…" in one for one in every), name
                    assert len({re.findall(r'width="(\d+)"', one)[0] for one in every}) <= 1, name
                    pictures += len(every)
                    without |= set() if every else {name}
    assert pictures > 300 and without == set(LARGE)


def test_a_state_that_has_no_room_is_not_drawn() -> None:
    system = ran("token-back").system
    parts: dict[str, object] = {"p->q": [], "q->p": []}
    (narrow,) = small_states(system, [({**parts, "p": 1, "q": 0}, "")], "en")
    broad = small_states(system, [({**parts, "p": one, "q": 0}, "") for one in (1, "twelve letters")], "en")
    assert [re.findall(r'width="(\d+)"', one)[0] for one in (narrow, *broad)] == [str(WIDTHS[i]) for i in (0, 1, 1)]
    assert (
        small_states(system, [({**parts, "p": one, "q": 0}, "") for one in (1, "a state of many words and more")], "en")
        == []
    )
    assert small_states(system, [({**parts, "p": dict.fromkeys("abcde", 1), "q": 0}, "")], "en") == []


def test_tokens_are_coins_as_on_the_stage() -> None:
    """A coin has an edge and a rim; the place of one has an edge alone."""
    system = ran("token-back").system
    (one,) = small_states(system, [({"p->q": [], "q->p": [], "p": 1, "q": 0}, "")], "en")
    p, q = (part for part in one.split("data-process=")[1:])
    assert p.count("<circle") == 2 and ">T</text>" in p and "stroke-dasharray" not in p
    assert q.count("<circle") == 1 and ">T</text>" not in q and "stroke-dasharray" in q
