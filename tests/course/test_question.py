"""Answers and their grades."""

import pytest

from app.core.model.values import BluecutError
from app.course.question import NONE, Grade, Option, Question, answered, grade, letter, sent
from app.course.run_facts import ran
from app.scenario.format import Words
from app.wire.run_url import Address

RUN = ran("queue")
ADDRESS = Address("queue", RUN.scenario, RUN.key)
ASKS = Words(en="?", zh="?")


def question(kind: str, answer: str | tuple[str, ...], **more: object) -> Question:
    """Return a question with the options a, b, c."""
    options = tuple(Option(name, Words(en=name, zh=name)) for name in "abc")
    return Question("one", kind, RUN, ADDRESS, ASKS, answer, options, **more)  # type: ignore[arg-type]


def test_a_right_answer_is_right_and_a_tempting_one_names_what_it_shows() -> None:
    one = question("choice", "a", tempting={"b": "M4"})
    assert grade(one, "a") == Grade("a", True)
    assert grade(one, "b") == Grade("b", False, "M4")
    assert grade(one, "c") == Grade("c", False)


def test_options_have_letters_by_their_places_unless_they_are_put_in_order() -> None:
    assert question("choice", "a").letters(("c", "a")) == ["A", "C"]
    assert question("set", ("a", "b")).letters(("b",)) == ["B"]
    assert question("order", ("a", "b", "c")).letters(("a",)) == []
    assert [letter(place) for place in (0, 25, 26, 51, 52)] == ["A", "Z", "AA", "AZ", "BA"]


def test_an_empty_answer_is_called_as_its_option_is() -> None:
    assert question("set", ()).saying((), "en") == "None of these"
    assert question("set", (), ordered=True).saying((), "en") == "none (∅)", "of a channel: nothing is in it"


def test_a_set_has_no_order_unless_it_counts() -> None:
    assert grade(question("set", ("a", "b")), ("b", "a")).right
    assert not grade(question("set", ("a", "b"), ordered=True), ("b", "a")).right
    assert not grade(question("order", ("a", "b", "c")), ("b", "a", "c")).right


def test_of_a_wrong_set_it_is_said_what_is_missing_and_what_is_too_much() -> None:
    one = question("set", ("a", "b"), tempting={("c", "b"): "M8"})
    assert grade(one, ("b", "c")) == Grade(("b", "c"), False, "M8", ("a",), ("c",))
    assert grade(one, ()) == Grade((), False, None, ("a", "b"), ())


def test_an_order_may_be_as_right_as_the_one_that_is_known() -> None:
    one = question("order", ("a", "b", "c"), accepts=lambda given: given[0] == "a")
    assert grade(one, ("a", "c", "b")).right and not grade(one, ("c", "a", "b")).right


def test_boxes_that_nobody_has_ticked_are_no_answer_and_that_nothing_applies_is_one() -> None:
    for kind in ("set", "possible"):
        asked = question(kind, ("a", "b"))
        assert sent(asked, [NONE]) == () and sent(asked, ["a"]) == ("a",)
        for values in ([], [NONE, "a"], ["b", NONE]):
            with pytest.raises(BluecutError, match="tick what applies, or that nothing does"):
                sent(asked, values)
    assert sent(question("choice", "b"), ["b"]) == "b"


@pytest.mark.parametrize(
    ("kind", "values", "found"),
    [
        ("number", [" 12 "], "12"),
        ("number", ["−3"], "-3"),
        ("number", ["007"], "7"),
        ("number", ["－１３"], "-13"),
        ("choice", ["b"], "b"),
        ("set", [], ()),
        ("possible", ["c", "a"], ("c", "a")),
        ("order", ["c", "a", "b"], ("c", "a", "b")),
    ],
)
def test_what_a_form_sends_is_read(kind: str, values: list[str], found: object) -> None:
    assert answered(question(kind, "a"), values) == found


@pytest.mark.parametrize(
    ("kind", "values", "says"),
    [
        ("number", ["three"], "answer: write a whole number, such as 3"),
        ("number", ["3²"], "answer: write a whole number, such as 3"),
        ("number", [], "answer: write a whole number, such as 3"),
        ("number", ["9" * 13], "answer: write a whole number, such as 3"),
        ("choice", [], "answer: choose one"),
        ("choice", ["a", "b"], "answer: choose one"),
        ("choice", ["z"], "answer: 'z' was not offered"),
        ("set", ["a", "a"], "answer: each part only once"),
        ("order", ["a", "b"], "answer: put all 3 in order"),
    ],
)
def test_what_is_no_answer_is_refused(kind: str, values: list[str], says: str) -> None:
    with pytest.raises(BluecutError) as caught:
        answered(question(kind, "a"), values)
    assert str(caught.value) == says
