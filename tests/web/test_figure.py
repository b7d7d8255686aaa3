"""A figure in a page: the place for the drawing, its value, and the table."""

import json
import re
from collections.abc import Callable

import pytest
from jinja2 import ChoiceLoader, DictLoader
from starlette.requests import Request

from app.pictures.chart import Axis, Figure, Point, Series
from app.web.base.templates import ENVIRONMENT, page

TEMPLATE = '{% from "_figure.html" import figure_of with context %}{{ figure_of(figure) }}'

Shown = Callable[..., str]


def made(*points: Point, name: str = "aligned") -> Figure:
    """Return a figure of one series."""
    return Figure("lasting", "How long?", Axis("waiting", "records"), Axis("lasts", "ticks"), (Series(name, points),))


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> Shown:
    """Shows a figure as a page does; gives its text."""
    assert ENVIRONMENT.loader
    loader = ChoiceLoader([DictLoader({"figure-alone.html": TEMPLATE}), ENVIRONMENT.loader])
    monkeypatch.setattr(ENVIRONMENT, "loader", loader)

    def show(figure: Figure, language: str = "en") -> str:
        query = f"lang={language}".encode()
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/",
            "query_string": query,
            "headers": [],
            "server": ("h", 80),
        }
        return bytes(page(Request(scope | {"scheme": "http"}), "figure-alone.html", figure=figure).body).decode()

    return show


def test_the_page_carries_the_value_and_every_number_with_its_link(shown: Shown) -> None:
    figure = made(Point(1, 12, "/run/a?x=1&y=2"), Point(2, None))
    html = shown(figure)
    (data,) = re.findall(r'<script type="application/json" class="data-figure">(.*?)</script>', html)
    assert json.loads(data) == figure.value("en")
    assert '<tr><th scope="row">1</th><td><a href="/run/a?x=1&amp;y=2">12</a></td></tr>' in html
    assert '<tr><th scope="row">2</th><td>—</td></tr>' in html
    assert '<th scope="col">waiting (records)</th><th scope="col">aligned</th>' in html


def test_what_a_visitor_named_stays_text(shown: Shown) -> None:
    html = shown(made(Point(1, 2), name="</script><b>x"))
    assert "</script><b>x" not in html
    assert "&lt;/script&gt;&lt;b&gt;x" in html


def test_a_figure_without_values_says_so_and_draws_nothing(shown: Shown) -> None:
    html = shown(made(Point(1, None)))
    assert "nothing could be measured" in html
    assert "data-figure" not in html and "figure-drawing" not in html


def test_in_chinese_it_speaks_chinese(shown: Shown) -> None:
    html = shown(made(Point(1, 2)), "zh")
    assert "waiting（records）" in html
    assert "这张图的全部数值：How long?" in html
