"""Mistakes are reported in the reader's language, with the same values."""

import pytest

from app.core.model.values import BluecutError, Phrase
from app.forms.yaml_source import SourceError
from app.run.run import record
from app.scenario.format import VISITOR_BYTES
from app.scenario.scenario import load
from app.words.error_words import error_text

GOOD = """\
title: {en: t, zh: t}
topology: {processes: [P, Q], channels: [P->Q]}
program: {kind: bank, accounts: {P: 3}}
"""


def mistake(text: str) -> SourceError:
    """Return what is wrong with a scenario."""
    with pytest.raises(SourceError) as raised:
        record(load(text, "t", limit=VISITOR_BYTES))
    return raised.value


@pytest.mark.parametrize(
    ("text", "en", "zh"),
    [
        (GOOD + "script: [{start: R}]", "no process R; known: P, Q", "没有名为 R 的进程；已有：P、Q"),
        (GOOD + "script: [{deliver: Q->P}]", "no channel Q->P; known: P->Q", "没有通道 Q->P；已有：P->Q"),
        (GOOD + "steps: many", "must be a whole number, not 'many'", "必须是整数，而不是 'many'"),
        (GOOD + "steps: [1]", "must be a whole number, not a list of 1", "必须是整数，而不是 1 项的列表"),
        (GOOD + "steps: 90000", "must be at most 20,000, not 90000", "必须是不大于 20,000 的数，而不是 90000"),
        (
            GOOD + "script: [{send: {on: P->Q, message: 5}}]",
            "P has 3 and cannot send 5",
            "P 只有 3，不能发送 5",
        ),
        (
            GOOD.replace("P: 3", "P: three"),
            "must be a whole number or a mapping, not 'three'",
            "必须是整数或映射（键: 值），而不是 'three'",
        ),
        (
            GOOD + "script: [{deliver: P->Q}]",
            "nothing is in flight on P->Q at this point; send something first, or remove the line",
            "到这一步，P->Q 上没有在途的消息；请先发送，或删去这一行",
        ),
        (GOOD + "steps: [", "not YAML: did not find expected node content", "不符合 YAML 格式：这里缺少内容"),
        (GOOD + "steps: {a", "not YAML: did not find expected ',' or '}'", "不符合 YAML 格式：缺少“,”或“}”"),
    ],
)
def test_a_mistake_in_a_scenario_is_told_in_both_languages(text: str, en: str, zh: str) -> None:
    says = mistake(text).says
    assert (str(says), error_text(says, "en"), error_text(says, "zh")) == (en, en, zh)


def test_the_place_of_a_mistake_is_told_too() -> None:
    error = mistake(GOOD + "script: [{start: R}]")
    assert str(error) == "t, line 4: script[0].start: no process R; known: P, Q"
    assert error_text(error.phrase, "zh") == "t 第 4 行：script[0].start：没有名为 R 的进程；已有：P、Q"


def test_phrases_and_lists_inside_a_phrase_are_told_in_its_language() -> None:
    inner = Phrase("send {message} on {channel}", message="m", channel="P->Q")
    error = BluecutError("{process} in state {state} cannot {what}", process="P", state="s", what=inner)
    assert str(error) == "P in state s cannot send m on P->Q"
    assert error_text(error.phrase, "zh") == "P 处于状态 s，不能经 P->Q 发送 m"
    nothing = BluecutError("{process} has no variable {name}; it has {known}", process="P", name="x", known=())
    assert str(nothing) == "P has no variable x; it has none"
    assert error_text(nothing.phrase, "zh") == "P 没有变量 x；它的变量：无"


def test_a_value_is_never_read_as_a_template() -> None:
    error = BluecutError("no scenario is called {name!r}", name="{known} {0} {name.__class__}")
    assert str(error) == "no scenario is called '{known} {0} {name.__class__}'"
    assert error_text(error.phrase, "zh") == "没有名为 '{known} {0} {name.__class__}' 的场景"


def test_an_algorithm_has_the_name_that_the_pages_give_it() -> None:
    phrase = Phrase("{algorithm} cannot run here: {reason}", algorithm="venkatesan", reason=Phrase("none"))
    assert error_text(phrase, "en").startswith("Venkatesan, incremental cannot run here")
    assert error_text(phrase, "zh").startswith("Venkatesan 增量快照")
