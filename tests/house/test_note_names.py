"""The scripts know the notes by their names: one under another name would be passed over in silence."""

import re
from pathlib import Path

import pytest

from app.core.model.notes import Note

RUN = Path(__file__).parents[2] / "static/js/run"
ADDED = {"line", "stuck", "orphans", "fallen"}
"""What frames tell besides, of the run as a whole."""


@pytest.mark.parametrize(("script", "table"), [("happen", "KINDS"), ("beats", "NOTES")])
def test_a_table_names_only_notes(script: str, table: str) -> None:
    found = re.search(rf"const {table} = {{(.*?)}};", (RUN / f"{script}.js").read_text("utf-8"), re.DOTALL)
    assert found
    named = " ".join(re.findall(r'"([^"]*)"', found[1])).split()
    assert len(named) > 10
    assert {*named} - {*Note.kinds} - ADDED == set()
