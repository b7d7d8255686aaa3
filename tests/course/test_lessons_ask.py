"""No answer is hard-coded: every one is computed from a run."""

from collections.abc import Callable
from typing import Any

import pytest
from jinja2 import meta, nodes

from app.course.expression import ENVIRONMENT, valued
from app.course.lesson import Lesson
from app.course.lesson_list import shelf
from app.course.run_facts import Facts, names
from app.course.yaml_forms import QuestionForm
from app.run.run import Run

LESSONS = shelf().lessons
ASKED = [(lesson, i) for lesson in LESSONS for i in range(len(lesson.form.questions))]
NAMES = [f"{lesson.name}-{lesson.form.questions[i].id}" for lesson, i in ASKED]
VALUES = {"lines", "wrong", "steps", "missed"}
"""Facts of a run that are not functions."""


def parsed(text: str) -> nodes.Template:
    return ENVIRONMENT.parse("{{ " + text + " }}")


def asks(text: str, run: Run, **more: Any) -> set[str]:
    """Return the facts that are really used when the expression is evaluated."""
    asked: set[str] = set(meta.find_undeclared_variables(parsed(text)) & VALUES)

    def watched(name: str, fact: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any) -> Any:
            asked.add(name)
            return fact(*args)

        return call

    known = names(Facts(run))
    valued(text, {n: watched(n, fact) if callable(fact) else fact for n, fact in known.items()} | more)
    return asked


def given(form: QuestionForm) -> dict[str, Any]:
    """Return what an expression gets besides the facts."""
    return {"cut": form.cut, "listed": {name: one.model_dump() for name, one in (form.states or {}).items()}}


@pytest.mark.parametrize(("lesson", "number"), ASKED, ids=NAMES)
def test_an_answer_asks_the_run(lesson: Lesson, number: int) -> None:
    form, run = lesson.form.questions[number], lesson.questions[number].run
    assert asks(form.answer, run, **given(form))


@pytest.mark.parametrize(("lesson", "number"), ASKED, ids=NAMES)
def test_the_answer_to_a_choice_could_be_another_one(lesson: Lesson, number: int) -> None:
    form = lesson.form.questions[number]
    if form.options is None:
        return
    said = {node.value for node in parsed(form.answer).find_all(nodes.Const) if node.value in form.options}
    joined = any(True for _ in parsed(form.answer).find_all(nodes.Concat))
    assert joined or len(said) > 1
    branches = list(parsed(form.answer).find_all(nodes.CondExpr))
    assert all(one.expr1 != one.expr2 and meta_names(one.test) for one in branches)


def meta_names(node: nodes.Expr) -> set[str]:
    """Return the names in a part of an expression."""
    return {one.name for one in node.find_all(nodes.Name)} | ({node.name} if isinstance(node, nodes.Name) else set())


@pytest.mark.parametrize(
    "text", ["3", "'lost'", "[]", "3 + 4", "'a' if true else 'b'", "'a' if true or total() else 'b'", "cut|length"]
)
def test_a_constant_is_found_out(text: str) -> None:
    assert not asks(text, LESSONS[0].questions[0].run, cut={"p": 1})


@pytest.mark.parametrize("text", ["steps", "'a' if total() else 'b'", "snapshot(1).total", "wrong"])
def test_a_question_to_the_run_is_seen(text: str) -> None:
    assert asks(text, LESSONS[0].questions[0].run)
