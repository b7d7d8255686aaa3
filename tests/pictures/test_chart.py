"""Figures: what the browser draws, and the same numbers as a table."""

import pytest

from app.pictures.chart import Axis, Cell, Figure, Point, Series, Table, four_digits

WAITING = Axis("waiting", "records", "log")
LASTS = Axis("lasts", "ticks")
ROWS = Axis("algorithm", scale="names")


def figure(*series: Series, x: Axis = WAITING, y: Axis = LASTS) -> Figure:
    """Return a figure of these series."""
    return Figure("lasting", "How long it lasts", x, y, series)


ALIGNED = Series("aligned", (Point(1, 12, "/run/a"), Point(10, 55.5, "/run/b"), Point(100, None)))
UNALIGNED = Series("unaligned", (Point(10, 11), Point(1, 10, words="as quick as ever")), "step")


def test_the_browser_gets_labels_with_units_scales_and_points_without_what_is_not_said() -> None:
    assert figure(ALIGNED, UNALIGNED).value("en") == {
        "title": "How long it lasts",
        "x": {"label": "waiting (records)", "scale": "log"},
        "y": {"label": "lasts (ticks)", "scale": "linear"},
        "series": [
            {"name": "aligned", "mark": "line", "points": [[1, 12, "/run/a"], [10, 55.5, "/run/b"], [100, None]]},
            {"name": "unaligned", "mark": "step", "points": [[10, 11], [1, 10, None, "as quick as ever"]]},
        ],
    }


def test_the_unit_stands_in_the_brackets_of_the_language() -> None:
    assert Axis("时长", "拍").label("zh") == "时长（拍）"
    assert Axis("运行数").label("zh") == "运行数"


def test_the_table_has_a_row_for_each_x_and_a_column_for_each_series() -> None:
    table = figure(ALIGNED, UNALIGNED).table("en")
    assert table.head == ("waiting (records)", "aligned", "unaligned")
    assert table.rows == (
        (Cell("1"), Cell("12", "/run/a"), Cell("10")),
        (Cell("10"), Cell("55.5", "/run/b"), Cell("11")),
        (Cell("100"), Cell("—"), Cell("")),
    )


def test_where_a_series_has_two_points_at_the_same_x_each_point_has_a_row() -> None:
    cloud = Series("runs", (Point(5, 3, "/run/a"), Point(5, 4, "/run/b")), "point")
    table = figure(cloud, UNALIGNED).table("en")
    assert table.head == ("series", "waiting (records)", "lasts (ticks)")
    assert table.rows == (
        (Cell("runs"), Cell("5"), Cell("3", "/run/a")),
        (Cell("runs"), Cell("5"), Cell("4", "/run/b")),
        (Cell("unaligned"), Cell("10"), Cell("11")),
        (Cell("unaligned"), Cell("1"), Cell("10")),
    )


def test_names_keep_the_order_in_which_they_come_first() -> None:
    made = figure(
        Series("written", (Point("incremental", 31), Point("aligned", 120)), "bar"),
        Series("in flight", (Point("unaligned", 84), Point("aligned", 0)), "bar"),
        x=Axis("algorithm", scale="names"),
    )
    assert made.value("en")["x"]["names"] == ["incremental", "aligned", "unaligned"]
    assert [row[0].text for row in made.table("en").rows] == ["incremental", "aligned", "unaligned"]


def test_a_bar_over_a_range_says_from_where_to_where() -> None:
    made = figure(Series("runs", (Point(10, 7, to=20), Point(20, 1500, to=30)), "bar"), x=LASTS, y=Axis("runs"))
    assert made.value("en")["series"][0]["points"] == [[10, 7, None, None, 20], [20, 1500, None, None, 30]]
    assert made.table("en").rows == ((Cell("10–20"), Cell("7")), (Cell("20–30"), Cell("1,500")))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (12345, "12,345"),
        (12345.678, "12,346"),
        (3.0, "3"),
        (0.123456, "0.1235"),
        (99.996, "100"),
        (-2.5, "-2.5"),
    ],
)
def test_numbers_have_four_digits_that_count(value: float, text: str) -> None:
    assert four_digits(value) == text


def test_a_figure_without_any_value_is_empty() -> None:
    assert figure(Series("a", (Point(1, None),))).empty
    assert figure().empty
    assert not figure(ALIGNED).empty


@pytest.mark.parametrize(
    ("series", "x", "y", "told"),
    [
        ([ALIGNED] * 7, WAITING, LASTS, "7 series; at most 6"),
        ([Series("a", (Point("b", 1),))], WAITING, LASTS, "'b' does not fit"),
        ([ALIGNED], Axis("x", scale="names"), LASTS, "1 does not fit"),
        ([Series("a", (Point(0, 1),))], WAITING, LASTS, "0 is not on the logarithmic scale of waiting"),
        ([Series("a", (Point(1, 0),))], LASTS, Axis("y", scale="log"), "0 is not on the logarithmic scale of y"),
        ([ALIGNED], WAITING, Axis("y", scale="names"), "12 does not fit the scale of y, names"),
        ([ALIGNED], Axis("x", scale="names"), Axis("y", scale="names"), "both scales have names"),
        ([Series("a", (Point(5, "b", spread=(0, 1, 5, 6, 7)),))], WAITING, ROWS, "0 is not on the logarithmic scale"),
    ],
)
def test_what_cannot_be_drawn_is_refused(series: list[Series], x: Axis, y: Axis, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        figure(*series, x=x, y=y)


def test_where_y_has_names_each_has_a_row_and_numbers_lie_along_x() -> None:
    made = figure(
        Series("half of all", (Point(5, "aligned", spread=(1, 3, 5, 8, 9)),), "box"),
        Series("runs", (Point(4, "millwheel", "/run/a", wrong=True), Point(None, "aligned"))),
        x=Axis("lasts", "ticks", domain=(0, 10)),
        y=ROWS,
    )
    value = made.value("en")
    assert value["x"] == {"label": "lasts (ticks)", "scale": "linear", "domain": [0, 10]}
    assert value["y"] == {"label": "algorithm", "scale": "names", "names": ["aligned", "millwheel"]}
    assert [one["points"] for one in value["series"]] == [
        [[5, "aligned", None, None, None, None, [1, 3, 5, 8, 9]]],
        [[4, "millwheel", "/run/a", None, None, True], [None, "aligned"]],
    ]
    assert made.table("en").rows == (
        (Cell("aligned"), Cell("half of all"), Cell("5")),
        (Cell("millwheel"), Cell("runs"), Cell("4", "/run/a")),
        (Cell("aligned"), Cell("runs"), Cell("—")),
    )
    assert made.opens and not made.empty


def test_a_figure_can_bring_a_table_of_its_own() -> None:
    own = Table(("a", "b"), ((Cell("1"), Cell("2", "/run/x")),), 1)
    made = Figure("own", "Own", WAITING, LASTS, (ALIGNED,), own)
    assert made.table("en") == own
