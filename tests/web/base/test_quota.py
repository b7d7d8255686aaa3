"""So much of something in a stretch of time, by name."""

from app.web.base.quota import Quota
from app.web.teach.rooms.secret import WRONG_PER_SECOND


def test_wrong_codes_are_looked_up_so_often_in_a_second() -> None:
    now = [0.0]
    guesses = Quota(1, lambda: now[0])
    spent = [guesses.spent(WRONG_PER_SECOND) for _ in range(WRONG_PER_SECOND + 1)]
    assert spent == [False] * WRONG_PER_SECOND + [True]
    now[0] = 1.0
    assert not guesses.spent(WRONG_PER_SECOND)


def test_names_are_counted_apart() -> None:
    quota = Quota(3_600, lambda: 0.0)
    assert [quota.spent(1, name) for name in "aba"] == [False, False, True]
