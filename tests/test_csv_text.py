"""Tables that are opened in a spreadsheet."""

import csv
import io

from app.csv_text import csv_text
from app.web.measure.lab.download import Columns
from tests.each import each

FORMULAS = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "-\r=1", '=HYPERLINK("http://evil.example")']


@each("text", FORMULAS)
def test_no_text_is_computed(text: str) -> None:
    kept = "'" + text.replace("\r", "\n")
    assert list(csv.reader(io.StringIO(csv_text([[text, "plain"]]), newline=""))) == [[kept, "plain"]]
    table = Columns((("algorithm", ""),), ((text,),)).as_csv()
    assert list(csv.reader(io.StringIO(table, newline=""))) == [["algorithm"], [kept]]


def test_numbers_stay_numbers_and_what_is_missing_is_empty() -> None:
    assert csv_text([[-1, 2.5, None, True, "a,b"]]) == '-1,2.5,,True,"a,b"\n'
