"""The table of limits says what the code says."""

import re
from importlib import import_module
from pathlib import Path

from tests.each import each

TABLE = Path(__file__).parents[2] / "docs/limits.md"
ROW = re.compile(r"^\|[^|]+\| ([\d,.]+) \|[^|]*\| `([\w.]+)\.(\w+)` \|$", re.MULTILINE)
ROWS = ROW.findall(TABLE.read_text("utf-8"))


def test_every_row_is_read() -> None:
    lines = [line for line in TABLE.read_text("utf-8").splitlines() if line.startswith("| ")]
    assert len(ROWS) == len(lines) - 1 > 25


@each("row", ROWS)
def test_a_limit_is_what_the_code_says(row: tuple[str, str, str]) -> None:
    number, module, name = row
    assert getattr(import_module(f"app.{module}"), name) == float(number.replace(",", ""))
