"""Which messages are the algorithm's."""

import pytest

from app.core.model.notes import Sent
from app.core.model.values import APP, CONTROL, MARKER, PART, WORD, Crash, Deed, Deliver, Message, Move, Past, Start


@pytest.mark.parametrize(
    ("message", "control"),
    [
        (Message(1, APP, "m"), False),
        (Message(2, APP, "m", origin=1), True),
        (Message(3, MARKER, None, 1), True),
        (Message(4, CONTROL, "token", 1), True),
        (Message(5, WORD, ("p", "r", "ack"), 1), True),
        (Message(6, PART, "p", 1), False),
    ],
    ids=["program", "sent again", "marker", "token", "told", "part"],
)
def test_control_messages_are_the_algorithms(message: Message, control: bool) -> None:
    assert message.control is control
    assert Sent("p", "p->q", message).control is control


def test_what_is_told_sets_out_once_however_far_it_travels() -> None:
    word = Message(1, WORD, ("p", "r", "ack"), 1)
    assert Sent("p", "p->q", word).control
    assert not Sent("q", "q->r", word).control


def test_what_a_causal_channel_knows_of_a_message_is_no_part_of_it() -> None:
    one, other = Message(1, APP, "m", past=Past(1)), Message(1, APP, "m", past=Past(2))
    assert one == other and repr(one) == repr(other) and "past" not in repr(one)


def test_of_all_actions_only_that_of_a_source_reads() -> None:
    assert Move("s", None, 1, Deed.READ).reads
    assert not any(one.reads for one in (Move("s", None, 1, Deed.COMMIT), Deliver("p->q"), Start("p"), Crash("p")))
