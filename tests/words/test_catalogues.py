"""Sentences: which appear, with which values, in both languages."""

from inspect import unwrap

import pytest

from app.programs.machine import Machine
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.wire.frames import sentences_of_step
from app.words import catalogues as tell_module
from app.words.catalogues import languages_of, pieces, plain, readable, tell, word
from app.words.sentence_fields import FIELDS
from app.words.witness_words import witness_sentence
from tests.tiny import TOKEN, run, scenario

BLUE = """
    topology: {processes: [P1, P2], channels: [P1->P2, P2->P1]}
    program: {kind: variables, values: {P1: {X1: 1}, P2: {X2: 4}}}
    script: [{start: P1}, {send: {on: P2->P1, message: M}}, {change: {process: P2, set: {X2: 5}}}]
"""


def keys(run: Run) -> list[str]:
    return [sentence.key for step in run.steps for sentence in sentences_of_step(run, step)]


def english(run: Run, step: int) -> str:
    return plain(tell(sentences_of_step(run, run.steps[step - 1]), "en"))


def test_each_step_of_the_blue_figure_has_its_sentence() -> None:
    assert keys(run(BLUE)) == [
        "start", "send", "change", "marker.first", "receive.recorded", "logged", "marker.close", "complete",
        "part.arrives", "assembled",
    ]  # fmt: skip


def test_a_sentence_names_who_what_and_where() -> None:
    made = run(BLUE)
    assert english(made, 2) == "P2 sends M on P2→P1."
    assert english(made, 3) == "P2 changes its state to X2=5."
    assert "M was in flight when the cut passed, so a copy is recorded in P2→P1 for snapshot 1." in english(made, 5)


def test_a_snapshot_of_a_dataflow_is_called_a_checkpoint_in_every_sentence() -> None:
    made = record(LIBRARY.scenario("end-gives-up"))
    given_up = next(
        step for step in made.steps if "aborted.checkpoint" in [s.key for s in sentences_of_step(made, step)]
    )
    assert plain(tell(sentences_of_step(made, given_up), "en")).endswith("sum aborts checkpoint 1.")
    for name in ("end-gives-up", "micro-batch", "barrier-overtakes"):
        made = record(LIBRARY.scenario(name))
        for step in made.steps:
            assert "snapshot" not in tell(sentences_of_step(made, step), "en").lower()
            assert "快照" not in tell(sentences_of_step(made, step), "zh")


def test_the_end_of_a_stream_is_a_word_in_both_languages() -> None:
    made = record(LIBRARY.scenario("end-gives-up"))
    step = next(step for step in made.steps if "read.end" in [s.key for s in sentences_of_step(made, step)])
    assert plain(tell(sentences_of_step(made, step), "en")).endswith("s2 sends end on s2→sum.")
    assert plain(tell(sentences_of_step(made, step), "zh")).endswith("s2 经 s2→sum 发送结束。")


def test_both_languages_tell_every_step_of_every_variant() -> None:
    for algorithm in ("chandy-lamport", "late-marker", "photographs", "no-channels", "unlabelled"):
        made = record(scenario(BLUE), RunKey(algorithm=algorithm))
        for step in made.steps:
            for language in ("en", "zh"):
                text = tell(sentences_of_step(made, step), language)
                assert text and "{" not in text and text.count("**") % 2 == 0


@pytest.mark.parametrize(
    ("text", "algorithm", "wanted"),
    [
        ("topology: {chain: 2}\nprogram: {kind: token, holders: {}}\nscript: [{start: P2}]", None,
         ["start.alone", "unreachable"]),
        (TOKEN + "    script: [{start: p}]", "late-marker",
         ["start.markers", "marker.first.late", "wake.markers", "marker.empty"]),
        (TOKEN + "    script: [{start: p}]", "photographs", ["photograph"]),
        ("topology: {chain: 2}\nprogram: {kind: token, holders: {}}\nscript: [{start: P1}]", None, ["uncollected"]),
        ("topology: {ring: 3}\nprogram: {kind: token, holders: {}}\nscript: [{start: P1}]", None, ["part.passes"]),
    ],
)  # fmt: skip
def test_what_is_special_is_said(text: str, algorithm: str | None, wanted: list[str]) -> None:
    assert set(wanted) <= set(keys(record(scenario(text), RunKey(algorithm=algorithm))))


def test_every_value_of_a_sentence_has_a_name() -> None:
    made = run(BLUE)
    for step in made.steps:
        for sentence in sentences_of_step(made, step):
            assert list(sentence.fields()) == list(FIELDS[sentence.key])


@pytest.mark.parametrize(
    ("value", "en", "zh"),
    [
        ({"X": 1, "Y": "y"}, "X=1, Y=y", "X=1、Y=y"),
        (["a", "b"], "a, b", "a、b"),
        ([], "∅", "∅"),
        (None, "∅", "∅"),
        (True, "true", "true"),
        (0, "0", "0"),
        ("P1->P2", "P1→P2", "P1→P2"),
    ],
)
def test_values_as_people_read_them(value: object, en: str, zh: str) -> None:
    assert (readable(value, "en"), readable(value, "zh")) == (en, zh)


def test_no_space_stands_between_chinese_words_and_a_value_in_chinese() -> None:
    assert word("say.send", "zh", process="p", message="work", channel="p->q") == "**p 经 p→q 发送一份活。**"
    assert word("say.logged", "zh", message="work", channel="p->q", snapshot=1).startswith("割集经过时一份活在途，")
    assert word("say.send", "zh", process="p", message="m1", channel="p->q") == "**p 经 p→q 发送 m1。**"


def test_a_value_that_looks_like_a_field_is_left_alone() -> None:
    assert "{channel}" in word("say.send", "en", process="p", message="{channel}", channel="p->q")


def test_a_text_that_is_missing_costs_a_reader_the_sentence_and_not_the_page(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(tell_module, "missing", unwrap(tell_module.missing))
    assert word("check.unheard-of.name", "zh", count=3) == "check.unheard-of.name"
    assert [one.getMessage() for one in caplog.records] == ["no text for check.unheard-of.name in zh"]


def test_what_matters_most_is_marked_for_pages() -> None:
    assert pieces("**A** b **c**") == [(True, "A"), (False, " b "), (True, "c")]
    assert plain("**A** b") == "A b"


@pytest.mark.parametrize(
    ("header", "language"),
    [("zh-CN,zh;q=0.9,en;q=0.8", "zh"), ("en-GB", "en"), ("fr,de", "en"), ("", "en"), ("fr, zh;q=0.5", "zh")],
)
def test_the_language_that_a_browser_asks_for(header: str, language: str) -> None:
    assert languages_of(header) == language


def words(scenario_name: str, step: int, key: RunKey | None = None) -> str:
    made = record(LIBRARY.scenario(scenario_name), key or RunKey())
    return english(made, step)


def test_a_crash_says_once_what_it_does_to_a_snapshot() -> None:
    assert words("crash-hangs", 3) == (
        "P3 crashes. Its state, 4, is lost, and so is everything in flight to it. "
        "Snapshot 1 is unusable: P3 crashed before it recorded."
    )


def test_a_crash_after_recording_says_that_the_part_is_lost() -> None:
    text = "topology: {ring: 3}\nprogram: {kind: bank, everyone: 1}\nscript: [{start: P1}, {crash: P1}]"
    assert "P1 had recorded, but its part was not finished and is lost." in english(run(text), 2)


def test_a_snapshot_that_lacks_a_part_is_not_called_complete() -> None:
    assert words("crash-unusable", 2).endswith("Q crashed before it recorded. The rest of it is recorded.")
    assert "complete" not in words("crash-unusable", 2)
    assert "every member has recorded" in words("crash-unusable", 3)


def test_a_snapshot_that_ends_later_without_a_part_says_whose_it_is() -> None:
    text = """
        topology: {complete: 3}
        program: {kind: bank, everyone: 1}
        algorithm: members
        script: [{start: P1}, {crash: P3}]
    """
    made = run(text)
    told = " ".join(english(made, step.number) for step in made.steps)
    assert "What is left of snapshot 1 is recorded, but unusable: the part of P3 is missing." in told
    assert "complete" not in told


@pytest.mark.parametrize("algorithm", ["photographs", "wall-clock"])
def test_where_nobody_looks_at_channels_none_is_called_closed(algorithm: str) -> None:
    made = record(scenario(BLUE), RunKey(algorithm=algorithm))
    last = next(text for step in made.steps if "is complete" in (text := english(made, step.number)))
    assert "channels are not recorded" in last or "and wrong" in last
    assert "closed" not in last


def test_a_timer_that_has_nothing_to_send_says_so() -> None:
    assert "sends again what has not been acknowledged" in words("resent-marker", 5)
    for step in (10, 11):
        assert "nothing is sent" in words("resent-marker", step).lower() and "again" not in words("resent-marker", step)


def test_the_initiator_knows_that_nothing_is_in_flight_before_the_snapshot_is_complete() -> None:
    made = record(LIBRARY.scenario("mattern"))
    told = keys(made)
    assert "assembled" not in told and told.index("assembled.before") < told.index("complete")


def test_a_lost_control_message_is_called_by_its_word() -> None:
    text = """
        topology: {processes: [P, Q], channels: [P->Q, Q->P]}
        program: {kind: bank, everyone: 1}
        algorithm: stop-the-world
        script: [{start: P}, {drop: P->Q}]
    """
    made = run(text)
    assert english(made, 2) == "The network loses pause on P→Q. Nobody notices."
    assert "暂停" in tell(sentences_of_step(made, made.steps[1]), "zh")


def test_every_control_word_has_a_name() -> None:
    beginnings = ("control.", "told.")
    spoken = {key.split(".")[1] for key in FIELDS if key.startswith(beginnings)}
    for language in ("en", "zh"):
        for one in spoken:
            name = readable({"word": one}, language)
            assert name == word(f"spoken.{one}", language) and "=" not in name
    assert readable({"word": "upto"}, "zh") == "确认"
    assert readable({"word": 3}, "en") == "word=3"


def test_states_and_messages_that_are_words_are_in_the_language_of_the_reader() -> None:
    machines = [
        m for name in LIBRARY.names() if isinstance(m := LIBRARY.scenario(name).system(RunKey()).program, Machine)
    ]
    edges = [edge for machine in machines for some in machine.edges.values() for edge in some]
    said = {one for e in edges for one in (e.source, e.target, e.send, e.receive) if one and len(one) > 3}
    assert {"passive", "waits for r", "grant r"} <= said
    assert [one for one in sorted(said) if readable(one, "zh") == one or readable(one, "en") != one] == []


def test_what_an_operator_has_is_told_in_words_of_both_languages() -> None:
    assert readable({"total": 324, "pending": [13]}, "en") == "324; to send: 13"
    assert readable({"sealed": {"1": [1, 2]}, "open": [3]}, "en") == "prepared: 1, 2; held: 3"
    assert readable({"1": "0–2 ✓", "2": "3–4"}, "zh") == "批次 1：0–2 ✓；批次 2：3–4"
    assert readable({"offset": 2, "pending": ["b:2"]}, "zh") == "偏移量：2；待发：b:2"


def test_a_variable_may_be_called_as_what_an_operator_has() -> None:
    assert readable({"total": 3, "open": 1}, "en") == "total=3, open=1"


def test_a_value_that_is_not_given_is_named_with_its_sentence() -> None:
    with pytest.raises(KeyError, match=r"no text for player\.witness\.records \{count\} in en"):
        word("player.witness.records", "en", process="P")


def test_the_sentence_of_a_witness_gives_any_value_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(tell_module.catalogue("en"), "player.witness.slow", "{process} took {steps} steps.")
    assert witness_sentence({"fault": "slow", "steps": 21, "process": "P"}, "en") == "P took 21 steps."
