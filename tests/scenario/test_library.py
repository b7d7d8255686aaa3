import logging
import os
from pathlib import Path

import pytest

from app.scenario.library import FIRST, LIBRARY, ORDER, Library, Unknown

GOOD = """
title: {en: One token, zh: 一个令牌}
topology: {ring: 3}
program: {kind: token, holders: {P1: 1}}
"""


def test_the_blue_figure_comes_first() -> None:
    assert LIBRARY.names()[0] == FIRST == "blue-figure"


def test_everything_in_the_order_is_there() -> None:
    assert set(ORDER) <= set(LIBRARY.names())


def test_every_file_of_the_library_is_right() -> None:
    assert [scenario.name for scenario in LIBRARY.scenarios()] == list(LIBRARY.names())


def test_what_the_order_does_not_name_follows_by_name(tmp_path: Path) -> None:
    for name in ("zebra", "queue", "ant", "blue-figure"):
        (tmp_path / f"{name}.yaml").write_text(GOOD)
    assert Library(tmp_path).names() == ("blue-figure", "queue", "ant", "zebra")


def test_a_file_is_read_once_and_again_when_it_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "one.yaml"
    path.write_text(GOOD)
    library = Library(tmp_path)
    first = library.scenario("one")
    assert library.scenario("one") is first
    path.write_text(GOOD.replace("ring: 3", "ring: 4"))
    os.utime(path, ns=(1, 1))
    assert library.scenario("one").digest != first.digest


@pytest.mark.parametrize("name", ["two", "../one", "", "one.yaml", "/etc/passwd", "one\x00"])
def test_a_name_is_only_looked_up_and_never_part_of_a_path(tmp_path: Path, name: str) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "one.yaml").write_text(GOOD)
    with pytest.raises(Unknown, match="no scenario is called"):
        Library(tmp_path / "inner").scenario(name)


def test_a_name_with_a_typo_is_told_with_the_one_that_may_be_meant() -> None:
    with pytest.raises(Unknown, match=r"no scenario is called 'blue-figur'; did you mean blue-figure\?"):
        LIBRARY.scenario("blue-figur")


def test_a_wrong_file_is_left_out_and_the_log_says_why(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "good.yaml").write_text(GOOD)
    (tmp_path / "wrong.yaml").write_text("topology: {ring: none}")
    with caplog.at_level(logging.WARNING, "bluecut"):
        assert [scenario.name for scenario in Library(tmp_path).scenarios()] == ["good"]
    assert "wrong, line 1" in caplog.text
