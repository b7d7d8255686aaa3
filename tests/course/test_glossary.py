"""The glossary: the field's words in both languages, their occurrences in a text, and errors in files."""

import re
from urllib.parse import urlsplit

import pytest

from app.course.claim import LinkForm
from app.course.glossary import GLOSSARY, Glossary, load_glossary
from app.forms.yaml_source import SourceError
from app.run.run import record, snapshot
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.words.catalogues import LANGUAGES

KNOWN = GLOSSARY.glossary()

FIXED = {
    "marker": "标记",
    "channel": "通道",
    "process": "进程",
    "consistent-cut": "一致割集",
    "snapshot": "快照",
    "barrier": "屏障",
    "alignment": "对齐",
    "back-edge": "回边",
    "recovery-line": "恢复线",
    "domino-effect": "多米诺效应",
    "stable-property": "稳定性质",
}

RIGHT = """terms:
  channel:
    term: {en: channel, zh: 通道}
    pinyin: tongdao
    means: {en: A way., zh: 一条路。}
  channel-state:
    term: {en: channel state, zh: 通道状态}
    pinyin: tongdao zhuangtai
    also: {en: [state of a channel], zh: []}
    means: {en: What is on it., zh: 路上有什么。}
    see: [channel]
    mark: recording
    shows: /run/queue
  cut:
    term: {en: cut, zh: 割集}
    pinyin: geji
    also: {en: [the cut], zh: []}
    common: [en]
    means: {en: A line., zh: 一条线。}
  source:
    term: {en: source, zh: 源}
    pinyin: yuan
    means: {en: Where it comes from., zh: 从这里来。}
"""
FOUR = load_glossary(RIGHT, "glossary.yaml")


def refused(text: str) -> str:
    """Return the error message for a wrong file."""
    with pytest.raises(SourceError) as error:
        load_glossary(text, "glossary.yaml")
    return str(error.value)


def links(text: str, language: str, glossary: Glossary = FOUR) -> list[tuple[str, str | None]]:
    """Return the words in a text that are terms."""
    return [piece for piece in glossary.pieces(text, language) if piece[1]]


def test_a_term_is_found_where_it_first_occurs_whatever_its_case_and_number() -> None:
    assert FOUR.pieces("Channels, and a channel.", "en") == (("Channels", "channel"), (", and a channel.", None))


def test_the_longest_form_counts() -> None:
    assert links("The state of a channel, on a channel", "en") == [
        ("state of a channel", "channel-state"),
        ("channel", "channel"),
    ]
    assert links("通道状态，通道", "zh") == [("通道状态", "channel-state"), ("通道", "channel")]


def test_in_english_a_term_is_a_word_of_its_own() -> None:
    assert links("channelled, sub-channel, resource", "en") == []


def test_a_common_word_is_only_found_in_its_other_forms_and_without_their_small_words() -> None:
    assert links("The channel is cut.", "en") == [("channel", "channel")]
    assert FOUR.pieces("It crosses the cut.", "en") == (("It crosses the ", None), ("cut", "cut"), (".", None))
    assert links("All processes, and its cut", "en", KNOWN) == [("processes", "process"), ("cut", "cut")]


def test_a_letter_that_only_looks_like_one_of_a_term_makes_no_term() -> None:
    text = "the ınıtıator, the İNİTİATOR"
    assert "".join(part for part, _ in KNOWN.pieces(text, "en")) == text
    assert links("initiator, ınıtıator", "en", KNOWN) == [("initiator", "initiator")]


def test_a_single_chinese_sign_is_not_looked_for_inside_other_words() -> None:
    assert links("来源不明", "zh") == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_pieces_of_every_caption_make_up_the_caption(language: str) -> None:
    seen = 0
    for scenario in LIBRARY.scenarios():
        for words in filter(None, scenario.captions):
            text = getattr(words, language)
            pieces = KNOWN.pieces(text, language)
            assert "".join(part for part, _ in pieces) == text
            names = [name for _, name in pieces if name]
            assert len(names) == len(set(names))
            seen += len(names)
    assert seen > 800


def test_terms_stand_in_the_order_of_the_alphabet_and_of_pinyin() -> None:
    assert [term.word for term in FOUR.terms("en")] == ["channel", "channel state", "cut", "source"]
    assert [term.word for term in FOUR.terms("zh")] == ["割集", "通道", "通道状态", "源"]
    assert [term.letter for term in FOUR.terms("zh")] == ["G", "T", "T", "Y"]


def test_chinese_terms_stand_in_the_order_of_their_syllables() -> None:
    there = [term.word for term in KNOWN.terms("zh")]
    assert there.index("记录") < there.index("检查点") and there.index("全局状态") < there.index("确认")
    assert KNOWN.search("quanju", "zh")[0].word == "全局状态", "whoever types does not divide syllables"


def test_words_are_looked_for_in_both_languages_and_names_come_first() -> None:
    assert [term.name for term in FOUR.search("路上", "en")] == ["channel-state"]
    assert [term.name for term in FOUR.search("line", "zh")] == ["cut"]
    assert KNOWN.search("marker", "en")[0].name == "marker"
    assert FOUR.search("channel xyzzy", "en") == ()


def test_the_fixed_words_of_the_course_are_used() -> None:
    assert {name: KNOWN.forms[name].term.zh for name in FIXED} == FIXED


def test_every_term_is_told_in_both_languages() -> None:
    for name, form in KNOWN.forms.items():
        assert re.search("[A-Za-z]", form.means.en) and not re.search("[\u4e00-\u9fff]", form.means.en), name
        assert re.search("[\u4e00-\u9fff]", form.means.zh), name
        assert not re.search("[\u4e00-\u9fff][,;:!?]", form.means.zh), name
        assert form.shows or form.source, name


def test_the_oracle_is_seen_at_a_step_at_which_a_check_fails() -> None:
    link = LinkForm(to=KNOWN.forms["oracle"].shows or "")
    assert (link.place, link.of, urlsplit(link.to).fragment) == ("run", "non-fifo-doubled", "checks-1")
    run = record(LIBRARY.scenario(link.of))
    completed = run.history.recordings[1].completed
    assert completed is not None and int(link.query["step"]) >= completed
    assert False in snapshot(run, 1)["checks"].values()


def test_no_two_terms_claim_the_same_words() -> None:
    for language in LANGUAGES:
        forms = [
            (each.casefold(), name)
            for name, form in KNOWN.forms.items()
            for each in (getattr(form.term, language), *getattr(form.also, language))
        ]
        words = [each for each, _ in forms]
        assert sorted({each for each in words if words.count(each) > 1}) == [], language


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("see: [channel]", "see: [chanel]", "glossary.yaml, line 11: terms.channel-state.see[0]: no term is called"),
        ("see: [channel]", "see: [chanel]", "did you mean channel?"),
        ("see: [channel]", "see: [channel-state]", "channel-state is the term itself; name another one"),
        ("mark: recording", "mark: blue", "line 12: terms.channel-state.mark: must be one of process, channel"),
        ("shows: /run/queue", "shows: /run/queu", "line 13: terms.channel-state.shows: no scenario is called 'queu'"),
        ("shows: /run/queue", "shows: /nowhere", "no page is called 'nowhere'"),
        ("pinyin: geji", "pinying: geji", "line 16: terms.cut.pinying: unknown field; did you mean pinyin?"),
        ("    pinyin: geji\n", "", "terms.cut.pinyin: missing; it must be given"),
        ("means: {en: A line., zh: 一条线。}", "means: A line.", "terms.cut.means: must be a text in each language"),
        ("common: [en]", "common: [fr]", "terms.cut.common[0]: must be one of en, zh"),
        (RIGHT, "# nothing\n", "glossary.yaml, line 1: empty; a glossary is a mapping with terms"),
        (RIGHT, "- a\n", "glossary.yaml, line 1: a glossary is a mapping with terms"),
    ],
)
def test_a_wrong_file_is_refused_by_name_line_and_field(old: str, new: str, says: str) -> None:
    assert old in RIGHT
    assert says in refused(RIGHT.replace(old, new, 1))


STEPS = {
    "aborted": "abort",
    "acked": "incremental-snapshot",
    "asked": "acknowledgement",
    "blocked": "alignment blocking",
    "changed": "process",
    "closed": "channel-state merged",
    "completed": (
        "asynchronous-snapshot checkpoint commit-log complete conservation cut deadlock oracle recorded-state "
        "snapshot termination"
    ),
    "deferred": "speculation",
    "discarded": "duplicate-removal",
    "down": "crash",
    "joined": "newcomer",
    "logged": "backup-log unaligned",
    "output": "commit idempotent real-time-mode sink two-phase-commit",
    "paused": "stop-the-world",
    "received": "at-least-once causal-delivery exactly-once operator recovery-line straggler",
    "recorded": (
        "barrier continuous local-state logical-clock marker offset orphan photograph pre-commit record wall-clock "
        "white-red"
    ),
    "region": "border-set region",
    "restored": "restore rollback",
    "returned": "at-most-once domino-effect zigzag",
    "sent": (
        "back-edge broadcast channel dataflow event fifo in-flight item lineage message piggyback productions "
        "replayable-source retransmission source token"
    ),
    "started": "back-pressure coordinator epoch initiator micro-batch offset-log phase",
    "stored": "low-watermark uncoordinated watermark",
}
"""By the key of a note: the terms that its step shows."""

SEEN = {term: note for note, terms in STEPS.items() for term in terms.split()}


def test_a_run_that_shows_a_term_opens_at_the_step_in_which_that_happens() -> None:
    links = {name: LinkForm(to=form.shows) for name, form in KNOWN.forms.items() if form.shows}
    of_runs = {name: link for name, link in links.items() if link.place == "run"}
    assert of_runs.keys() == SEEN.keys()
    for name, link in of_runs.items():
        run = record(LIBRARY.scenario(link.of), RunKey(algorithm=link.query.get("algorithm")))
        step = int(link.query.get("step", 0))
        assert step, f"{name}: at the beginning nothing is seen"
        assert SEEN[name] in [note.key for note in run.steps[step - 1].notes], name


def test_what_is_prepared_can_be_thrown_away_or_come_too_late_as_the_glossary_says() -> None:
    means = KNOWN.forms["pre-commit"].means.en
    assert "if its checkpoint becomes complete" in means and "before the transaction times out" in means
    thrown = record(LIBRARY.scenario("commit-after-prepare"))
    assert thrown.history.recordings[1].aborted and not thrown.history.recordings[1].completed
    late = record(LIBRARY.scenario("commit-too-late"))
    outside = [note for done in late.steps for note in done.notes if note.key == "output"]
    assert late.history.recordings[1].completed and len(outside) == 1
