"""The page of claims: common claims, checked, by topic, a page at a time; filters, and counts in words."""

import html
import re
from urllib.parse import urljoin

import pytest
from fastapi.testclient import TestClient

from app.course.claim import NOTES, TOPICS, ClaimForm
from app.web.reference.theory.claims import PER_PAGE

PARTIAL = {"hx-request": "true"}


def rows() -> list[ClaimForm]:
    return [row for note in NOTES.notes() for row in note.form.rows]


def shown(page: str) -> list[str]:
    """Return the ids of the claims on a page, in order."""
    return re.findall(r'<li class="claim" id="([^"]+)"', page)


def all_shown(client: TestClient, query: str = "") -> list[str]:
    """Return the ids of the claims on all pages of a question."""
    found, address = [], f"/claims?{query}"
    while True:
        page = client.get(address).text
        found += shown(page)
        following = re.search(r'rel="next" href="([^"]+)"', page)
        if following is None:
            return found
        address = html.unescape(following[1])


def one(client: TestClient, name: str, lang: str = "en") -> str:
    """Return what the page that has a claim says of it, as text."""
    page = client.get(f"/claims?q={name}&lang={lang}").text
    part = page.split(f'<li class="claim" id="{name}"', 1)[1].split('<li class="claim"', 1)[0].split("</section>")[0]
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", part.split(">", 1)[1])).split())


def count(page: str) -> str:
    """Return what the page says of how many claims there are."""
    found = re.search(r'id="count"[^>]*>(.*?)</p>', page, re.DOTALL)
    assert found
    return found[1].strip()


def test_twenty_claims_are_on_a_page_the_essential_ones_first_and_all_are_on_some_page(client: TestClient) -> None:
    page = client.get("/claims?lang=en").text
    know = [row.id for row in rows() if row.know]
    assert len(shown(page)) == PER_PAGE == 20 and sorted(shown(page)[: len(know)]) == sorted(know)
    found = all_shown(client)
    assert sorted(found) == sorted(row.id for row in rows()) and len(set(found)) == 148
    topic = {row.id: TOPICS.index(row.topic) for row in rows()}
    assert [topic[name] for name in found[len(know) :]] == sorted(topic[name] for name in found[len(know) :])
    assert count(page) == "148 claims, checked: 58 true, 78 partly true, 11 false, 1 not a claim."


def test_each_topic_is_offered_with_the_number_of_its_claims(client: TestClient) -> None:
    page = client.get("/claims?lang=en").text
    offered = re.findall(r'<a href="/claims\?topic=(\w+)">[^<]+<span>(\d+)</span>', page)
    assert [name for name, _ in offered] == list(TOPICS)
    for name, number in offered:
        mine = all_shown(client, f"topic={name}")
        assert len(mine) == int(number) and {row.topic for row in rows() if row.id in mine} == {name}
    wrong = client.get("/claims?topic=rules&holds=wrong&lang=en").text
    assert sorted(shown(wrong)) == ["A20", "E17", "E20"]
    assert 'href="/claims?topic=program&amp;holds=wrong"' in wrong and "topic=stable" not in wrong
    assert 'aria-current="true">The rules' in wrong and '<input type="hidden" name="topic" value="rules">' in wrong


@pytest.mark.parametrize("query", ["", "topic=rules&holds=part"])
def test_without_scripts_every_claim_can_be_reached_from_its_number(client: TestClient, query: str) -> None:
    page = client.get(f"/claims?{query}").text
    ids = re.findall(r'id="([A-E]\d+)"', page)
    assert sorted(ids) == sorted(row.id for row in rows())  # each is an anchor, once
    listed = re.findall(r'<li><a href="([^"]*)#([A-E]\d+)"(?: id="\2")?>\2</a>', page)
    assert [name for _, name in listed] == [row.id for row in rows()]
    there = {address: set(shown(client.get(urljoin("/claims", address)).text)) for address in {a for a, _ in listed}}
    there[""] = set(shown(page))
    assert [name for address, name in listed if name not in there[html.unescape(address)]] == []
    assert 'rel="prev"' not in page


def test_a_claim_says_what_is_said_what_is_right_and_where_to_see_it(client: TestClient) -> None:
    a7 = one(client, "A7")
    assert a7.startswith("A7 Partly true Essential Who may start, when it ends The claim Required: processes and")
    assert "so that messages reach every node. What is right The second half is the condition that matters." in a7
    assert "See it A chain from its middle, step 4 A directed graph, and the snapshot never completes" in a7
    assert 'href="/run/chain-from-b?step=4"' in client.get("/claims?q=A7").text
    assert one(client, "A2").startswith("A2 True What a snapshot is The claim")
    assert "What is right" not in one(client, "A2")
    assert "Also That is how an outside observer sees it." in one(client, "C7")
    assert "Once, at least, at most: a counter after a crash (At most once: no recovery), step 16" in one(client, "C27")
    assert one(client, "B13").endswith("Lesson 4: Four fates of a message")
    assert one(client, "D16").startswith("D16 Not a claim Practice The claim")
    assert "Why not The sidebar of the web page" in one(client, "D16") and "See it" not in one(client, "D16")


def test_claims_are_quoted_whole(client: TestClient) -> None:
    assert "and all have saved their own state and the states of their input channels" in one(client, "A16")
    assert "use a reliable communication protocol, and timeouts" in one(client, "E34")
    assert "都完成保存自身状态和输入通道的状态" in one(client, "A16", "zh")


def test_in_chinese_everything_is_said_in_chinese(client: TestClient) -> None:
    assert one(client, "A7", "zh").startswith("A7 部分正确 要点 谁能发起，何时结束 说法 前提：进程和通道要构成有向图")
    assert "正确的是 后半句才是真正的条件" in one(client, "A7", "zh")
    assert "看这里 从链中间发起，第 4 步" in one(client, "A7", "zh")
    page = client.get("/claims?lang=zh").text
    assert count(page) == "核对了 148 条说法：58 条正确、78 条部分正确、11 条错误、1 条不是说法。"


def test_the_notes_are_named_as_sources_and_nowhere_else(client: TestClient) -> None:
    page = client.get("/claims?lang=en").text
    told, sources = page.split('<section class="claims-sources"')
    assert "five study notes" in sources and "note says" not in page
    assert [each for each in re.findall(r">([^<]*\bnotes?\b[^<]*)<", told) if "Notes" not in each] == [
        "Reading notes on the paper of 1985",
        "Encyclopaedic notes with a Python program",
    ]
    for address in (
        "/costs?lang=en",
        "/theory?lang=en",
        "/recovery?lang=en",
        "/algorithms/node-as-written?lang=en",
    ):
        text = re.sub(r"<script.*?</script>|<[^>]+>", " ", client.get(address).text, flags=re.DOTALL)
        assert not re.search(r"\bnotes?\b", text), address


@pytest.mark.parametrize("holds", ["whole", "part", "wrong", "none"])
def test_claims_are_filtered_by_whether_they_are_true(client: TestClient, holds: str) -> None:
    page = client.get(f"/claims?holds={holds}&lang=en").text
    wanted = [row.id for row in rows() if row.holds == holds]
    assert sorted(all_shown(client, f"holds={holds}")) == sorted(wanted) != []
    assert f'<option value="{holds}" selected>' in page
    assert count(page).startswith(f"{len(wanted)} of 148 claims: {len(wanted)} ")


def test_filters_combine_and_so_do_words(client: TestClient) -> None:
    assert sorted(all_shown(client, "know=1")) == sorted(row.id for row in rows() if row.know)
    assert sorted(shown(client.get("/claims?know=1&note=000").text)) == ["A16", "A20", "A7", "A9"]
    page = client.get("/claims?know=1&note=000&holds=wrong&lang=en").text
    assert shown(page) == ["A20"]
    assert count(page) == "1 of 148 claims: 1 false."
    assert 'name="know" value="1" checked' in page
    assert shown(client.get("/claims?q=TCP").text) == ["A9"]
    assert shown(client.get("/claims?q=e42&holds=wrong").text) == ["E42"]
    assert shown(client.get("/claims?q=令牌&holds=wrong&lang=en").text) == ["C4"]


def test_a_page_beyond_the_last_is_the_last(client: TestClient) -> None:
    last = client.get("/claims?page=8").text
    assert len(shown(last)) == 148 - 7 * PER_PAGE and 'rel="next"' not in last and 'rel="prev"' in last
    assert shown(client.get("/claims?page=99", follow_redirects=True).text) == shown(last)
    beyond = client.get("/claims?topic=rules&page=9&lang=zh")
    assert (beyond.status_code, beyond.headers["location"]) == (303, "/claims?topic=rules&lang=zh&page=2")
    part = client.get("/claims?topic=rules&page=9", headers=PARTIAL, follow_redirects=True)
    assert part.headers["hx-push-url"] == "/claims?topic=rules&page=2" and "<html" not in part.text
    assert client.get("/claims?page=0").status_code == client.get("/claims?page=x").status_code == 400


def test_where_nothing_fits_the_page_says_so_and_leads_back(client: TestClient) -> None:
    page = client.get('/claims?q="><script>x&lang=en').text
    assert shown(page) == [] and "No claim fits." in page and 'class="button" href="/claims"' in page
    assert "<script>x" not in page and count(page) == "0 of 148 claims."


def test_what_cannot_be_asked_is_refused_in_a_sentence(client: TestClient) -> None:
    answer = client.get("/claims?know=perhaps&lang=en")
    assert answer.status_code == 400 and "know: must be true or false" in html.unescape(answer.text)


def test_htmx_gets_what_changes_and_the_address(client: TestClient) -> None:
    answer = client.get("/claims?note=003&holds=wrong&q=&lang=en", headers=PARTIAL)
    assert "<html" not in answer.text and "<form" not in answer.text
    assert shown(answer.text) == ["D4"]
    assert answer.headers["hx-push-url"] == "/claims?note=003&holds=wrong"
    assert count(answer.text).startswith("1 of 148 claims: ") and "hx-swap-oob" in answer.text
    assert client.get("/claims?topic=rules&page=2", headers=PARTIAL).headers["hx-push-url"] == (
        "/claims?topic=rules&page=2"
    )
    whole = client.get("/claims?note=003", headers=PARTIAL | {"hx-history-restore-request": "true"})
    assert "<html" in whole.text and "hx-push-url" not in whole.headers


def test_a_page_about_a_run_does_not_bring_these_words_along(client: TestClient) -> None:
    assert "claims." not in client.get("/run/blue-figure?lang=en").text
