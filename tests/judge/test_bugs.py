"""The wrong classes that come with the project fail, in a run by hand that shows it, and are recognised."""

import json
import re
from functools import cache
from importlib import import_module
from io import StringIO
from pkgutil import iter_modules
from tokenize import COMMENT, NAME, TokenInfo, generate_tokens

import pytest

from app.algorithms import broken
from app.algorithms.registry import DESCRIPTIONS, algorithm
from app.algorithms.shared.verbs import SEND_MARKER
from app.core.model.values import World
from app.core.oracle.checks import Verdict
from app.course.misconception import beliefs
from app.judge.judge import CROWD, FAILED, INCOMPLETE, Judgement, judge
from app.judge.known_bugs import beginning, bugs, elsewhere, recognised, sign
from app.judge.suite import FOLDER, LEVELS, TrialSystem, of_level
from app.run.explore import explore
from app.run.run import record
from app.scenario.library import LIBRARY
from tests.often import some

EACH = pytest.mark.parametrize("name", some(bugs(), 3))


@cache
def judged(name: str) -> Judgement:
    source = (FOLDER / "bugs" / f"{name}.py").read_text("utf-8")
    return judge(source, name, of_level(bugs()[name].level))


def test_each_wrong_class_has_its_words() -> None:
    assert {file.stem for file in (FOLDER / "bugs").glob("*.py")} == set(bugs())
    assert all(bug.belief is None or bug.belief in beliefs() for bug in bugs().values())


def test_each_broken_variant_of_the_library_is_a_wrong_class_or_is_said_why_not() -> None:
    written = {bug.variant for bug in bugs().values() if bug.variant}
    there = {import_module(f"{broken.__name__}.{one.name}").NAME for one in iter_modules(broken.__path__)}
    assert written | set(elsewhere()) == there, "scenarios/judge/bugs.yaml names each"
    assert not written & set(elsewhere())
    assert all(DESCRIPTIONS[name].shown_by in LIBRARY.names() for name in elsewhere())


VARIANTS = some([name for name, bug in bugs().items() if bug.variant], 1)


@pytest.mark.parametrize("name", VARIANTS)
def test_a_wrong_class_fails_where_its_variant_of_the_library_does(name: str) -> None:
    rules = algorithm(bugs()[name].variant or "")

    def fails(system: TrialSystem) -> bool:
        def sought(world: World, number: int, verdict: Verdict) -> bool:
            return number not in world.snapshots or bool(verdict.broken)

        found = explore(
            system.scenario, system.key, sought=sought, finishing=True, crowd=CROWD, bounds=system.bounds, rules=rules
        )
        return found.reached is not None or found.stuck is not None

    trials = judged(name).trials
    assert [fails(trial.system) for trial in trials] == [trial.verdict == FAILED for trial in trials]


def tokens(level: int, bug: str | None, language: str) -> list[TokenInfo]:
    return list(generate_tokens(StringIO(beginning(level, bug, language)).readline))


@pytest.mark.parametrize(("level", "bug"), [*((level, None) for level in LEVELS), *((3, name) for name in bugs())])
def test_a_class_to_begin_with_has_its_comments_in_the_language_of_the_reader(level: int, bug: str | None) -> None:
    english, chinese = (tokens(level, bug, language) for language in ("en", "zh"))
    said = [one.string for one in chinese if one.type == COMMENT or one.string.startswith('"""')]
    assert said and not re.search(r"\b(an?|the|of|on|its?|has|have|is|which)\b", "\n".join(said))
    assert [one.string for one in english if one.type == NAME] == [one.string for one in chinese if one.type == NAME]


@EACH
def test_it_fails_as_is_written_down(name: str) -> None:
    assert judged(name).verdict == FAILED
    shows = [sign(trial) for trial in judged(name).trials]
    assert shows == bugs()[name].shows, f"write into bugs.yaml: shows: {json.dumps(shows)}"


@EACH
def test_it_is_recognised(name: str) -> None:
    assert recognised(judged(name)) == bugs()[name]


@EACH
def test_the_run_by_hand_shows_what_is_wrong(name: str) -> None:
    for trial in judged(name).trials:
        if (failure := trial.failure) is None:
            continue
        assert failure.replay is not None
        run = record(trial.system.scenario, failure.replay.key)
        assert len(run.steps) == len(failure.replay.lines)
        if failure.mistake is not None:
            continue
        if failure.what == INCOMPLETE:
            assert any(progress.running for progress in run.end.snapshots.values())
            assert not run.end.queues
        else:
            assert any(verdict.checks[failure.what] is False for verdict in run.verdicts.values())


@pytest.mark.parametrize(("name", "silent"), [("no_markers", False), ("marker_later", True)])
def test_where_nobody_has_sent_a_marker_that_is_said_first(name: str, silent: bool) -> None:
    failure = judged(name).trials[0].failure
    assert failure is not None and failure.replay is not None and failure.what == INCOMPLETE
    assert (next(iter(failure.replay.lacks)) == SEND_MARKER) is silent


def test_a_class_that_nobody_has_written_before_is_not_recognised() -> None:
    source = (FOLDER / "start" / "4.py").read_text("utf-8").replace("self.record(snapshot)", "pass", 1)
    assert recognised(judge(source, "mine.py", of_level(2), first=True)) is None


@EACH
def test_a_line_with_a_verb_is_lit_in_the_step_of_the_verb_alone(name: str) -> None:
    replays = [trial.failure.replay for trial in judged(name).trials if trial.failure and trial.failure.replay]
    source = (FOLDER / "bugs" / f"{name}.py").read_text("utf-8").splitlines()
    for replay in replays:
        lit = [[source[line - 1] for line in lines] for lines in replay.lines]
        assert all(len(lines) == 1 for lines in lit if any("self.record(" in line for line in lines))
