"""The ledger of a run on its pages: what it says is what the run shows, and each guarantee leads to its own run."""

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient

from app.algorithms.registry import ALGORITHMS
from app.analysis.ledger import ledger
from app.analysis.promise import EXACTLY
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.play.player.ledger_view import exact
from tests.web.play.compare.test_routes import rows

THREE = "/run/three-guarantees"


def tables(html: str) -> list[list[list[str]]]:
    """Return the rows of each table of a ledger as texts."""
    found = []
    for table in re.findall(r"<tbody>(.*?)</tbody>", html, re.S):
        lines = re.findall(r"<tr.*?>(.*?)</tr>", table, re.S)
        cells = [re.findall(r"<t[hd].*?>(.*?)</t[hd]>", line, re.S) for line in lines]
        found.append([[" ".join(re.sub(r"<[^>]+>", " ", cell).split()) for cell in line] for line in cells])
    return found


def panel(client: TestClient, address: str) -> str:
    """Return the ledger at an address."""
    answer = client.get(address)
    assert answer.status_code == 200, answer.text
    return answer.text


def guarantees(html: str) -> dict[str, str]:
    """Return where each guarantee leads."""
    links = re.findall(r'<a class="button" href="([^"]+)"[^>]*>([^<]+)</a>', html.split("ledger-switch")[1])
    return {name: unescape(url) for url, name in links}


def test_state_output_and_work_stand_against_the_run_without_failures(client: TestClient) -> None:
    html = panel(client, f"{THREE}/ledger?step=35&lang=en")
    states, visible, work = tables(html)
    assert states == [["a", "3", "3"], ["b", "3", "3"], ["count", "7", "6"]]
    assert ["a.3", "3, 5", "2 too often"] in visible and ["b.3", "7 instead of 6", "1"] in visible
    assert ["count", "8", "7", "6"] in work
    assert "some items more than once" in html and html.count("promised: at least once") == 2
    assert html.count('class="wrong"') == 6
    assert "Items read again: 2. Rollbacks of processes: 4." in html


def test_from_the_end_of_a_run_a_guarantee_leads_to_the_end_of_the_other(client: TestClient) -> None:
    assert "&step=" in guarantees(panel(client, f"{THREE}/ledger?step=99&lang=en"))["exactly once"]
    assert "&step=" not in guarantees(panel(client, f"{THREE}/ledger?step=10&lang=en"))["exactly once"]


def test_output_that_waits_for_a_commit_is_called_so_at_the_end(client: TestClient) -> None:
    html = panel(client, "/run/past-the-jam/ledger?step=39&lang=en")
    assert "not visible yet; items that wait for a commit: 6" in html and "not decided" not in html


def test_before_the_end_nothing_is_decided(client: TestClient) -> None:
    html = panel(client, f"{THREE}/ledger?step=24&lang=en")
    assert html.count("not decided") == 2 and 'class="wrong"' not in html
    assert ["b.3", "–", "0 may still come"] in tables(html)[1]


def test_the_still_page_tells_the_ledger_too_and_other_programs_have_none(client: TestClient) -> None:
    page = panel(client, "/run/commit-too-late/step/19?lang=zh")
    assert "账本：故障对结果做了什么" in page and page.count("</b> 丢失") == 2 and "+ledger" in page
    other = panel(client, "/run/ring/step/1?lang=en")
    assert "ledger" not in other
    assert 'data-panel="ledger"' in panel(client, THREE)
    assert 'data-panel="ledger"' not in panel(client, "/run/ring")
    answer = client.get("/run/ring/ledger?lang=zh")
    assert answer.status_code == 404 and "只有数据流才有账本" in answer.text


def test_a_record_that_waits_for_its_commit_is_not_lost(client: TestClient) -> None:
    html = panel(client, "/run/commit-after-complete/ledger?step=9&lang=en")
    assert "waits for a commit" in html and "lost" not in html.replace("ledger", "")


@pytest.mark.parametrize(("name", "word"), [("at most once", "at-most-once"), ("exactly once", "aligned")])
def test_each_guarantee_leads_to_this_run_under_it(client: TestClient, name: str, word: str) -> None:
    url = guarantees(panel(client, f"{THREE}/ledger?step=35&lang=en"))[name]
    assert f"algorithm={word}" in url
    html = panel(client, url.replace("?", "/ledger?step=30&"))
    count = record(LIBRARY.scenario("three-guarantees"), RunKey(algorithm=word)).end.states["count"].total
    assert client.get(url).status_code == 200 and count in (1, 6) and "ledger-switch" in html


def test_what_a_visitor_chose_is_done_again_under_another_guarantee(client: TestClient) -> None:
    html = panel(client, f"{THREE}/ledger?choices=0:0&lang=en")
    assert "choices=" in guarantees(html)["exactly once"]
    assert client.get(guarantees(html)["exactly once"]).status_code == 200


@pytest.mark.parametrize(
    ("now", "loops", "wanted"),
    [
        ("aligned", False, "aligned"),
        ("unaligned", False, "unaligned"),
        ("at-least-once", False, "aligned"),
        ("at-least-once", True, "loops"),
        ("at-most-once", False, "aligned"),
    ],
)
def test_exactly_once_is_the_own_rule_of_a_run_that_keeps_it(now: str, loops: bool, wanted: str) -> None:
    assert exact(now, loops=loops) == wanted and wanted in ALGORITHMS


def test_the_comparison_counts_what_was_lost_doubled_and_done_twice(client: TestClient) -> None:
    address = "/compare/three-guarantees?with=at-most-once&with=at-least-once&with=aligned&lang=en"
    told = rows(panel(client, address))
    weak = ["– some items lost promised: at most once", "– some items more than once promised: at least once"]
    assert told["ledger.state"] == [*weak, "✓ each item once promised: exactly once"]
    assert told["ledger.output"] == [*weak, "✓ each item once promised: at least once"], "the sink is a plain one"
    assert told["ledger.lost"] == ["1", "0", "0"] and told["ledger.doubled"] == ["0", "1", "0"]
    assert told["ledger.work"] == ["6 / 1", "8 / 7", "8 / 6"]
    assert told["ledger.final"] == ["count ✕ 1 (without failures 6)", "count ✕ 7 (without failures 6)", "count 6"]
    assert "ledger.state" not in rows(panel(client, "/compare/ring"))


def test_the_panel_and_the_still_page_tell_that_a_total_is_none_of_those_that_are_possible(client: TestClient) -> None:
    for address in ("/run/weak-productions/ledger?step=22&lang=en", "/run/weak-productions/step/22?lang=en"):
        html = panel(client, address)
        assert "each item once, but wrong values" in html and "exactly once" not in html.split("ledger-verdict")[1]
        assert "Without failures, 2 results are possible, depending on the order of arrival." in html
        assert ["report", "11", "12 or 21"] in tables(html.partition('class="ledger"')[2])[0]
        assert "ledger.output" not in html and "Output, this run" not in html, "nothing leaves"


def test_a_run_that_shows_no_fault_does_not_turn_a_weaker_promise_into_a_stronger_one(client: TestClient) -> None:
    html = panel(client, "/run/nobody-notices/step/18?lang=en")
    (verdict,) = re.findall(r'<p class="ledger-verdict kept">(.*?)</p>', html)
    words = " ".join(re.sub(r"<[^>]+>", " ", verdict).split())
    assert words == "State, this run: ✓ each item once promised: at least once"


def test_an_item_that_is_there_once_with_a_wrong_value_is_marked(client: TestClient) -> None:
    html = panel(client, "/run/rollback-of-seven/ledger?algorithm=at-most-once&step=32&lang=en")
    assert ["src.10", "27 instead of 55", "1"] in tables(html)[1]
    assert "Without failures, no order of arrival gives these values." not in html, "there is but one order"


def test_what_brings_everybody_back_to_a_right_checkpoint_keeps_the_state_exactly_once() -> None:
    for name in ("aligned", "unaligned", "aligned-timeout"):
        book = ledger(record(LIBRARY.scenario("three-guarantees"), RunKey(algorithm=name)))
        assert book is not None and book.state == EXACTLY, name
