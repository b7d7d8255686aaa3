"""The document of a room, and its secrets: what the presenter does, phase by phase."""

import pytest
from msgspec.structs import replace

from app.core.model.values import BluecutError
from app.web.teach.rooms import room, secret
from app.web.teach.rooms.room import KEPT, NEXT, Room

RUN, QUESTION = "/run/blue-figure", "/lessons/blue-figure?q=next"


def test_a_question_is_thought_about_alone_voted_on_discussed_and_voted_on_again() -> None:
    now = room.shown(Room(RUN), QUESTION, 0, "a", question=True)
    assert now.phase == "think" and now.poll and now.poll.number == 1 and not now.round
    seen = []
    for phase in ("vote", "discuss", "again", "reveal"):
        now = room.turned(now, phase)
        seen.append(now.round)
    assert seen == [1, 0, 2, 0]
    assert room.turned(now, "follow").poll is None


@pytest.mark.parametrize("phase", NEXT)
def test_only_what_comes_next_comes_next(phase: str) -> None:
    now = Room(QUESTION, phase=phase)  # type: ignore[arg-type]
    for other in NEXT:
        if other in NEXT[now.phase] or other == "follow":
            assert room.turned(now, other).phase == other  # type: ignore[arg-type]
        else:
            with pytest.raises(BluecutError, match="phase"):
                room.turned(now, other)  # type: ignore[arg-type]


@pytest.mark.parametrize("phases", [("vote",), ("vote", "discuss"), ("vote", "discuss", "again")])
def test_a_question_that_is_voted_on_stays_in_sight(phases: tuple[room.Phase, ...]) -> None:
    now = room.shown(Room(RUN), QUESTION, 0, "", question=True)
    for phase in phases:
        now = room.turned(now, phase)
    for at, step, question in ((RUN, 5, False), ("/lessons/blue-figure?q=caught", 0, True)):
        with pytest.raises(BluecutError, match="voting"):
            room.shown(now, at, step, "", question)
    again = room.shown(now, QUESTION, 0, "b", question=True)
    assert again == replace(now, by="b")


def test_an_open_floor_stays_at_its_step() -> None:
    now = room.asked(Room(RUN, 3), RUN, 3, ("a", "b"))
    with pytest.raises(BluecutError, match="voting"):
        room.shown(now, RUN, 4, "", question=False)
    assert room.shown(now, RUN, 3, "", question=False).phase == "vote"


def test_what_was_voted_on_stays_on_the_phones_until_something_else_is_shown() -> None:
    asked = room.shown(Room(RUN), QUESTION, 0, "", question=True)
    assert room.turned(asked, "follow").last is None, "nobody has voted: everybody may try"
    voted = room.turned(asked, "vote")
    for now, phase in ((voted, "discuss"), (room.turned(voted, "reveal"), "reveal")):
        over = room.turned(now, "follow")
        assert over.last == room.Before(phase, asked.poll)  # type: ignore[arg-type]
        assert room.shown(over, RUN, 0, "", question=False).last is None
    assert room.turned(room.asked(Room(RUN), RUN, 3, ("a",)), "follow").last is None


def test_whoever_goes_on_from_an_answer_leaves_its_question() -> None:
    now = room.turned(room.shown(Room(RUN), QUESTION, 0, "", question=True), "reveal")
    assert room.shown(now, QUESTION, 0, "", question=True).phase == "reveal"
    onward = room.shown(now, "/lessons/blue-figure?q=caught", 0, "", question=True)
    assert onward.phase == "think" and onward.poll and onward.poll.number == 2 and not onward.before
    assert room.shown(now, RUN, 5, "", question=False).poll is None


def test_the_same_question_is_not_asked_twice_by_looking_at_it_twice() -> None:
    now = room.shown(Room(RUN), QUESTION, 0, "", question=True)
    assert room.shown(now, QUESTION, 0, "", question=True).polls == now.polls
    left = room.shown(now, RUN, 0, "", question=False)
    assert left.phase == "follow" and left.poll is None
    assert room.shown(left, QUESTION, 0, "", question=True).poll.number == 2  # type: ignore[union-attr]


def test_an_open_floor_takes_proposals_and_then_votes_on_them() -> None:
    now = room.asked(Room(RUN), RUN, 3, ("a", "b", "c"))
    assert now.phase == "vote" and now.poll and now.poll.floor
    again = room.proposals(room.turned(room.turned(now, "discuss"), "again"), {"b": 1, "c": 2})
    assert again.poll and again.poll.offered == ("b", "c") and again.polls[-1] == again.poll
    assert room.winner(again.poll, {"b": 2, "c": 2}) == "b"
    assert room.winner(again.poll, {"c": 1}) == "c"
    assert room.proposals(now, {}).poll == now.poll


def test_every_phase_can_be_undone_once_and_a_repeated_request_undoes_no_more() -> None:
    now = room.shown(Room(RUN), QUESTION, 0, "", question=True)
    seen = [now]
    for phase in ("vote", "discuss", "again", "reveal", "follow"):
        seen.append(room.turned(seen[-1], phase))
    now = seen.pop()
    while seen:
        back = room.undone(now, now.phase)
        assert back == seen.pop() and room.undone(back, now.phase) == back
        now = back
    assert now.phase == "think" and room.undone(now, "think") == now


def test_undone_is_an_open_floor_with_all_that_it_offered_and_what_was_left_behind_cannot_be_undone() -> None:
    floor = room.asked(Room(RUN), RUN, 3, ("a", "b", "c"))
    again = room.proposals(room.turned(room.turned(floor, "discuss"), "again"), {"b": 1})
    back = room.undone(again, "again")
    assert back.poll and back.poll.offered == ("a", "b", "c") and back.polls == floor.polls
    closed = room.undone(floor, "vote")
    assert closed.phase == "follow" and closed.poll is None
    assert room.asked(closed, RUN, 3, ("a",)).poll.number == 2, "the votes of the first are no votes of the second"  # type: ignore[union-attr]
    left = room.shown(room.turned(floor, "follow"), "/run/queue", 0, "", question=False)
    assert room.undone(left, "follow") == left


def test_a_room_asks_as_many_questions_as_it_remembers() -> None:
    now = Room(RUN)
    for _ in range(KEPT):
        now = room.asked(now, QUESTION)
    with pytest.raises(BluecutError, match="at most"):
        room.asked(now, QUESTION)


def test_a_code_can_be_read_aloud_and_typed_as_one_likes() -> None:
    codes = {secret.new_code() for _ in range(200)}
    assert len(codes) == 200 and all(secret.CODE.fullmatch(code) for code in codes)
    assert len(set(secret.ALPHABET)) == 30 and not set("01ILOU") & set(secret.ALPHABET)
    assert secret.typed(" ab-c 2De ") == "ABC2DE"
