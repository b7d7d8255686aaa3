"""The pseudocode of an algorithm that is derived from another."""

from app.algorithms.shared.pseudocode import changed


def test_lines_are_replaced_by_their_names_each_by_any_number_of_others() -> None:
    lines = (("on-start", 0), ("record", 1), ("send", 1))
    found = changed(lines, {"record": (), "send": (("send", 1), ("wait", 2))})
    assert found == (("on-start", 0), ("send", 1), ("wait", 2))
