"""The digest of a scenario changes with everything that matters to a run, and with nothing else."""

import pytest

from app.scenario.scenario import load

TEXT = """\
title: {en: t, zh: t}
topology: {processes: [p, q], channels: [p->q, q->p]}
program: {kind: variables, values: {p: {X: 1, Y: 2}, q: {Z: 3}}}
script: [{start: p}, {change: {process: p, set: {X: 5}}}]
"""


def digest(text: str) -> str:
    return load(text, "t").digest


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("[p, q]", "[q, p]"),
        ("[p->q, q->p]", "[q->p, p->q]"),
        ("{X: 1, Y: 2}", "{Y: 2, X: 1}"),
        ("{X: 1, Y: 2}", "{X: 1, Y: 3}"),
        ("{start: p}", "{start: q}"),
    ],
)
def test_what_matters_changes_the_digest_and_so_does_the_order_of_names(before: str, after: str) -> None:
    assert before in TEXT
    assert digest(TEXT.replace(before, after)) != digest(TEXT)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("en: t,", "en: other,"),
        ("script:", "# a remark\nscript:"),
        ("[p, q]", "[ p ,  q ]"),
        ("{start: p}", "{start: p, say: {en: a caption, zh: 说明}}"),
        ("script:", "collect: true\nscript:"),
        ("script:", "lessons: [3]\nassumptions: [fifo]\nscript:"),
    ],
)
def test_words_white_space_and_defaults_written_out_do_not(before: str, after: str) -> None:
    assert before in TEXT
    assert digest(TEXT.replace(before, after)) == digest(TEXT)


def test_a_challenge_is_words_about_a_run_and_no_part_of_it() -> None:
    words = "{en: a, zh: 甲}"
    challenge = f"challenge: {{goal: break, title: {words}, task: {words}, hint: {words}, total: 2}}\n"
    assert digest(TEXT + challenge) == digest(TEXT)


def test_a_field_that_came_later_and_says_nothing_leaves_addresses_as_they_were() -> None:
    timed = TEXT + "schedule: {kind: timed}\n"
    assert (digest(TEXT), digest(timed)) == ("011d8e80098d", "72d9eba3e736")
    assert digest(TEXT + "schedule: {kind: timed, service: {}, put_off: null}\n") == digest(timed)
    assert digest(TEXT + "schedule: {kind: timed, service: {p: 3}}\n") != digest(timed)
    assert digest(TEXT + "schedule: {kind: timed, put_off: {constant: 0}}\n") != digest(timed)
