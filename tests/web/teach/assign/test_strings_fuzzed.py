"""Signed strings that were changed, cut, put together, blown up, or encoded otherwise: none breaks the server, none is
judged, and the answers of others are."""

import base64
import json
from functools import lru_cache

import pytest
from fastapi.testclient import TestClient
from hypothesis import example, given
from hypothesis import strategies as st

from app.course.assignment.handed_in import LONGEST, PREFIX, strings
from tests.often import often
from tests.web.teach.assign.test_assign import KEY, QUERY, done, judged, right

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
NAMES = ("Ann", "Bob", "李雷")
PLACE = st.integers(0, 10_000)
ODD = st.text(max_size=20) | st.sampled_from(
    ["\0", "\ufeff", "\u202e", "=", "+/", "%2E", "а", "．", "\r\n", "A" * LONGEST]
)
CODECS = ("utf-8", "utf-16", "utf-32", "utf-7", "cp037", "punycode")


@lru_cache(1)
def signed(client: TestClient) -> tuple[str, ...]:
    """Return what three people have handed in."""
    return tuple(done(client, name, right(client, name)) for name in NAMES)


def refuses(client: TestClient, text: str, why: str) -> None:
    """What is not signed as it is, is not judged, and told; what stands beside it is judged."""
    mine = signed(client)
    rows = judged(client, f"{text}\n\n{mine[0]}")
    (ann,) = [row for row in rows if row["right"]]
    assert (ann["name"], ann["right"]) == ("Ann", "6")
    new = [one for one in strings(text) if one not in mine]
    assert len(rows) == 1 + len(new)
    assert all(why in row["remark"] for row in rows if row is not ann)
    page = client.post(f"/assign/read?lang=zh&{QUERY.partition('&for=')[0]}&key={KEY}", data={"text": text})
    assert page.status_code == (200 if strings(text) else 400) and "Traceback" not in page.text


@pytest.mark.slow
@given(at=PLACE, put=st.sampled_from(LETTERS), length=st.integers(0, 3))
@often(60)
def test_one_that_is_changed_is_noticed(shared: TestClient, at: int, put: str, length: int) -> None:
    string = signed(shared)[1]
    at = len(PREFIX) + at % (len(string) - len(PREFIX))
    changed = string[:at] + put + string[at + length :]
    if changed.rstrip(".") != string:
        refuses(shared, changed, "did not sign")


@pytest.mark.slow
@given(at=PLACE, to=PLACE)
@often(60)
def test_one_that_is_cut_or_repeated_is_noticed(shared: TestClient, at: int, to: int) -> None:
    string = signed(shared)[1]
    at, to = len(PREFIX) + at % (len(string) - len(PREFIX)), to % len(string)
    for changed in (string[:at], string[:at] + string[to:], string + string[to:].replace(".", "")):
        if changed.rstrip(".") != string:
            refuses(shared, changed, "did not sign")


@pytest.mark.slow
@given(at=PLACE, to=PLACE)
@often(60)
def test_two_that_are_put_together_are_noticed(shared: TestClient, at: int, to: int) -> None:
    _, bob, li = signed(shared)
    body, _, sign = li.removeprefix(PREFIX).partition(".")
    at = len(PREFIX) + at % (len(bob) - len(PREFIX))
    for changed in (f"{bob.rpartition('.')[0]}.{sign}", f"{PREFIX}{body}.{bob[-22:]}", bob[:at] + li[to % len(li) :]):
        if changed not in (bob, li):
            refuses(shared, changed, "did not sign")


@pytest.mark.slow
@given(at=PLACE, odd=ODD, codec=st.sampled_from(CODECS))
@often(80)
def test_one_with_other_letters_or_in_another_encoding_breaks_nothing(
    shared: TestClient, at: int, odd: str, codec: str
) -> None:
    string = signed(shared)[1]
    at = len(PREFIX) + at % (len(string) - len(PREFIX))
    for changed in (string[:at] + odd + string[at:], string.encode(codec).decode("latin-1")):
        if string not in strings(changed):
            refuses(shared, changed, "did not sign")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=80),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("antokg"), inner, max_size=6),
    max_leaves=12,
)


@pytest.mark.slow
@given(said=VALUES.map(json.dumps) | st.binary(max_size=60), sign=st.text(LETTERS, min_size=22, max_size=22))
@example(said='{"n": "\\ud800"}', sign="A" * 22)
@example(said='{"n": "a\\u202eb\\u0000c"}', sign="A" * 22)
@example(said='{"n": ' + "[" * 9_000, sign="A" * 22)
@example(said='{"n": 1' + "0" * 9_000 + "}", sign="A" * 22)
@often(100)
def test_one_that_somebody_invents_is_refused_whatever_it_says(
    shared: TestClient, said: str | bytes, sign: str
) -> None:
    data = said if isinstance(said, bytes) else said.encode()
    refuses(shared, f"{PREFIX}{base64.urlsafe_b64encode(data).decode().rstrip('=')}.{sign}", "did not sign")


@pytest.mark.slow
@given(text=st.text(st.characters(), max_size=200) | st.binary(max_size=200))
@often(20)
def test_a_form_of_anything_is_told_what_is_wrong(shared: TestClient, text: str | bytes) -> None:
    data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
    form = {"content-type": "application/x-www-form-urlencoded"}
    for body in (data, b"text=" + data, b"string=" + data, b"done=1&name=" + data, b"done=1&name=x&answer-1=" + data):
        for page, query in (("sheet", QUERY), ("read", QUERY.replace("for=", "key="))):
            answer = shared.post(f"/assign/{page}?lang=en&{query}", content=body, headers=form)
            assert answer.status_code in (200, 400) and "Traceback" not in answer.text
