"""Tables as CSV that is safe to open in a spreadsheet."""

import csv
import io
from collections.abc import Iterable, Sequence

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""A text that begins so would be computed."""


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV; missing values are empty, and no text is a formula."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    for row in rows:
        table.writerow([_harmless(cell) if isinstance(cell, str) else cell for cell in row])
    return text.getvalue()


def spreadsheet(rows: Iterable[Sequence[object]]) -> str:
    """Return a table as CSV in which a spreadsheet reads the letters of all languages: with a byte order mark."""
    return "\ufeff" + csv_text(rows)


def _harmless(text: str) -> str:
    """Return a text that no spreadsheet computes, or takes for a cell and the beginning of another row."""
    return ("'" if text.startswith(FORMULAS) else "") + text.replace("\r", "\n")
