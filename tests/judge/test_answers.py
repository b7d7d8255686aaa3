"""A class that runs elsewhere gets the verdict that it gets here."""

import json
from typing import Any

import pytest

from app.judge.answers import Answers
from app.judge.judge import Trial, tried
from app.judge.mistake import Mistake
from app.judge.sandbox import Sandbox
from app.judge.suite import FOLDER, TrialSystem, of_level
from app.judge.written import Written, checked
from tests.often import some


def elsewhere(source: str, system: TrialSystem) -> tuple[Trial, int]:
    """Return the trial of a class that is asked in rounds, and how many there were."""
    known: dict[str, Any] = {}
    with Sandbox() as sandbox:
        facts = sandbox.ask({"source": source, "file": "mine.py"})
        for rounds in range(1, 100):
            answers = Answers(known)
            trial = tried(system, Written(answers.ask, facts), 20_000)
            if not answers.missing:
                return trial, rounds
            for name, question in answers.missing.items():
                try:
                    known[name] = sandbox.ask(json.loads(question))
                except Mistake as mistake:
                    known[name] = {"mistake": mistake.kind, "about": mistake.about, "line": mistake.line}
    raise AssertionError("it is asked without end")


@pytest.mark.parametrize(
    "file", some(["right/markers", "bugs/logs_too_long", "bugs/records_late", "bugs/one_flag", "start/2"], 2)
)
def test_the_verdict_is_that_of_the_command(file: str) -> None:
    source = (FOLDER / f"{file}.py").read_text("utf-8")
    for system in (of_level(2)[0], of_level(2)[4], of_level(3)[8]):
        with Sandbox() as sandbox:
            facts = sandbox.ask({"source": source, "file": "mine.py"})
            ours = tried(system, Written(lambda question: sandbox.ask(json.loads(question)), facts), 20_000)
        theirs, rounds = elsewhere(source, system)
        assert (theirs.verdict, theirs.states) == (ours.verdict, ours.states)
        assert (theirs.failure is None) == (ours.failure is None)
        if ours.failure and theirs.failure:
            assert theirs.failure.what == ours.failure.what
            assert theirs.failure.replay == ours.failure.replay
        assert 1 < rounds < 30


@pytest.mark.parametrize(
    "wrong",
    [{"state": [["x", ["m", ["m", 0]]]]}, {"verbs": [["log", 1, "", ["m", ["m", 0]], 1]]}, {"answer": ["m", ["m", 0]]}],
)
def test_a_message_by_a_number_that_is_none_is_a_mistake(wrong: dict[str, Any]) -> None:
    answer = checked({"state": [], "verbs": [], "answer": None, "lines": []} | wrong)
    trial = tried(of_level(2)[0], Written(lambda question: answer, {}), 100)
    assert trial.failure and trial.failure.mistake and trial.failure.mistake.kind == "protocol"


@pytest.mark.parametrize(
    "answer",
    [
        *([], "x", {"state": []}, {"mistake": "raised"}),
        {"state": {}, "verbs": [], "lines": [], "answer": None},
        {"state": [["x", [{}]]], "verbs": [], "lines": [], "answer": None},
    ],
)
def test_an_answer_of_another_form_is_a_mistake(answer: Any) -> None:
    answers = Answers({})
    with pytest.raises(Exception, match="missing"):
        answers.ask("{}")
    (name,) = answers.missing
    with pytest.raises(Mistake):
        Answers({name: answer}).ask("{}")
