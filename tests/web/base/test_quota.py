"""So much of something in a stretch of time, by name."""

from app.web.base.quota import Quota


def test_so_much_happens_in_an_hour_which_is_over_when_it_says() -> None:
    now = [60.0]
    quota = Quota(3_600, lambda: now[0])
    assert [quota.spent(2) for _ in range(3)] == [False, False, True]
    now[0] += quota.left - 1
    assert quota.left == 1 and quota.spent(2)
    now[0] += quota.left
    assert not quota.spent(2)


def test_names_are_counted_apart() -> None:
    quota = Quota(3_600, lambda: 0.0)
    assert [quota.spent(1, name) for name in "aba"] == [False, False, True]
