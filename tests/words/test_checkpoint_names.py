"""The sentences about independent checkpoints."""

import pytest

from app.run.run import record
from app.scenario.library import LIBRARY
from app.wire.frames import sentences_of_step
from app.words.catalogues import plain, tell
from app.words.checkpoint_names import called

DOMINO, STOPPED = (record(LIBRARY.scenario(name)) for name in ("domino", "domino-stopped"))


@pytest.mark.parametrize(
    ("process", "number", "name"), [("P", 2, "p2"), ("s1", 2, "s1.2"), ("sum", 10, "sum10"), ("P1", 1, "p1.1")]
)
def test_a_checkpoint_is_called_by_its_process_and_number(process: str, number: int, name: str) -> None:
    assert called(process, number) == name


@pytest.mark.parametrize(
    ("step", "text"),
    [
        (3, "P takes a checkpoint of its own, p1: work=1. It asks nobody."),
        (16, "P rolls back to p2: work=3. P tells Q which messages it takes back."),
        (
            17,
            "Q has received a message that P takes back, so Q must roll back, too. Q rolls back to q2: work=4. "
            "q2 contains that message, too, so this is not far enough. Q must roll back again.",
        ),
        (22, "Q hears that P has rolled back. It has received nothing that P takes back, so it stays."),
    ],
)
def test_the_domino_tells_who_falls_where_and_why(step: int, text: str) -> None:
    assert plain(tell(sentences_of_step(DOMINO, DOMINO.steps[step - 1]), "en")) == text


def test_what_comes_again_is_told_in_both_languages() -> None:
    sentences = sentences_of_step(STOPPED, STOPPED.steps[20])
    assert [sentence.key for sentence in sentences] == ["back.nothing", "back.again"]
    assert "R sends w again on R→Q" in plain(tell(sentences, "en"))
    assert "R 在 R→Q 上重发 w" in plain(tell(sentences, "zh"))


def test_the_beginning_is_no_checkpoint() -> None:
    assert [sentence.key for sentence in sentences_of_step(DOMINO, DOMINO.steps[20])] == [
        "back.orphan",
        "returned.own.beginning",
        "back.told",
    ]
