"""The page of claims: every claim of the notes, filters, and counts in words."""

import html
import re

import pytest
from fastapi.testclient import TestClient

from app.course.claim import NOTES, ClaimForm

PARTIAL = {"hx-request": "true"}


def rows() -> list[ClaimForm]:
    return [row for note in NOTES.notes() for row in note.form.rows]


def shown(page: str) -> list[str]:
    """The ids of the claims on a page, in order."""
    return re.findall(r'<li class="claim" id="([^"]+)"', page)


def one(page: str, name: str) -> str:
    """What the page says of a claim, as text."""
    part = page.split(f'<li class="claim" id="{name}"', 1)[1].split('<li class="claim"', 1)[0].split("</section>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part.split(">", 1)[1])).split())


def count(page: str) -> str:
    """What the page says of how many claims there are."""
    found = re.search(r'id="count"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert found
    return found[1].strip()


def test_every_claim_is_on_the_page_in_order_with_an_anchor(client: TestClient) -> None:
    page = client.get("/claims?lang=en").text
    assert shown(page) == [row.id for row in rows()] and len(shown(page)) == 142
    assert [f"#{name}" for name in shown(page)] == re.findall(r'<h3><a href="(#[^"]+)"', page)
    assert re.findall(r'<a href="#note-(\d+)"', page) == re.findall(r'<section [^>]*id="note-(\d+)"', page)
    assert count(page) == "142 claims. Hold: 57. Hold in part: 68. Wrong: 16. No claim at all: 1."


def test_a_claim_says_what_the_note_says_what_is_right_and_where_to_see_it(client: TestClient) -> None:
    page = client.get("/claims?lang=en").text
    a7 = one(page, "A7")
    assert a7.startswith("A7 Wrong One to know The note says Required: processes and channels form a directed graph")
    assert "Correction Being a directed graph promises nothing" in a7
    assert "See it A chain from its middle, step 4 A directed graph, and the snapshot never completes." in a7
    assert 'href="/run/chain-from-b?step=4"' in page
    assert one(page, "A2").startswith("A2 Holds The note says") and "Correction" not in one(page, "A2")
    assert "To add This is how somebody outside sees it." in one(page, "C7")
    assert "Once, at least, at most: a counter after a crash (At most once: no recovery), step 18" in one(page, "C27")
    assert one(page, "B13").endswith("Lesson 4: Four fates of a message") and 'href="/lessons/four-fates"' in page
    assert one(page, "D16").startswith("D16 No claim The note says")
    assert "Why not The sidebar of the web page" in one(page, "D16") and "See it" not in one(page, "D16")


def test_in_chinese_the_words_are_the_notes_own_and_the_correction(client: TestClient) -> None:
    page = client.get("/claims?lang=zh").text
    assert one(page, "A7").startswith("A7 不成立 必须知道 笔记原文 前提：进程和通道要构成有向图")
    assert "更正 有向图本身什么也保证不了" in one(page, "A7") and "看这里 从链中间发起，第 4 步" in one(page, "A7")
    assert count(page) == "共 142 条。成立 57 条，部分成立 68 条，不成立 16 条，不是说法 1 条。"
    assert shown(page) == [row.id for row in rows()]


@pytest.mark.parametrize("holds", ["whole", "part", "wrong", "none"])
def test_claims_are_filtered_by_whether_they_hold(client: TestClient, holds: str) -> None:
    page = client.get(f"/claims?holds={holds}&lang=en").text
    assert shown(page) == [row.id for row in rows() if row.holds == holds] != []
    assert f'<option value="{holds}" selected>' in page
    assert count(page).startswith(f"{len(shown(page))} of 142 claims.")


def test_filters_combine_and_so_do_words(client: TestClient) -> None:
    assert shown(client.get("/claims?know=1").text) == [row.id for row in rows() if row.know]
    assert shown(client.get("/claims?know=1&note=000").text) == ["A7", "A9", "A16", "A20"]
    page = client.get("/claims?know=1&note=000&holds=wrong&lang=en").text
    assert shown(page) == ["A7", "A16", "A20"]
    assert count(page) == "3 of 142 claims. Hold: 0. Hold in part: 0. Wrong: 3. No claim at all: 0."
    assert re.findall(r'<section [^>]*id="note-(\d+)"', page) == ["000"]
    assert 'name="know" value="1" checked' in page
    assert shown(client.get("/claims?q=TCP").text) == ["A9"]
    assert shown(client.get("/claims?q=e42").text) == ["E42"]
    assert shown(client.get("/claims?q=令牌&holds=wrong&lang=en").text) == ["C4"]


def test_where_nothing_fits_the_page_says_so_and_leads_back(client: TestClient) -> None:
    page = client.get('/claims?q="><script>x&lang=en').text
    assert shown(page) == [] and "No claim fits." in page and 'class="button" href="/claims"' in page
    assert "<script>x" not in page and count(page) == "0 of 142 claims."


def test_what_cannot_be_asked_is_refused_in_a_sentence(client: TestClient) -> None:
    answer = client.get("/claims?know=perhaps&lang=en")
    assert answer.status_code == 400 and "know: must be true or false" in html.unescape(answer.text)


def test_htmx_gets_what_changes_and_the_address(client: TestClient) -> None:
    answer = client.get("/claims?note=003&holds=wrong&q=&lang=en", headers=PARTIAL)
    assert "<html" not in answer.text and "<form" not in answer.text
    assert shown(answer.text) == ["D4"]
    assert answer.headers["hx-push-url"] == "/claims?note=003&holds=wrong"
    assert count(answer.text).startswith("1 of 142 claims.") and "hx-swap-oob" in answer.text
    whole = client.get("/claims?note=003", headers=PARTIAL | {"hx-history-restore-request": "true"})
    assert "<html" in whole.text and "hx-push-url" not in whole.headers


def test_a_page_about_a_run_does_not_bring_these_words_along(client: TestClient) -> None:
    assert "claims." not in client.get("/run/blue-figure?lang=en").text
