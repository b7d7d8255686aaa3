"""The still pages of runs that crash and recover: they say the same as the player, without JavaScript."""

import re

from fastapi.testclient import TestClient

from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from tests.web.play.player.test_ledger_routes import guarantees


def page(client: TestClient, name: str, step: int, lang: str = "en") -> str:
    """Return a still page."""
    answer = client.get(f"/run/{name}/step/{step}?lang={lang}")
    assert answer.status_code == 200, (name, step)
    return answer.text


def rows(html: str, title: str) -> list[list[str]]:
    """Return the rows of the first table below a heading, as texts."""
    body = re.search(r"<tbody>(.*?)</tbody>", html.split(title)[1], re.S)
    assert body
    return [
        [" ".join(re.sub(r"<[^>]+>", "", cell).split()) for cell in re.findall(r"<t[hd].*?>(.*?)</t[hd]>", row, re.S)]
        for row in re.findall(r"<tr.*?>(.*?)</tr>", body[1], re.S)
    ]


def last(name: str) -> int:
    """Return the last step of a scenario's own run."""
    return len(record(LIBRARY.scenario(name), RunKey()).steps)


def test_a_deadlock_is_told_by_the_checks_at_the_end(client: TestClient) -> None:
    steps = last("loop-waits-for-itself")
    html = page(client, "loop-waits-for-itself", steps)
    checks = html.split("Checks of snapshot 1")[1]
    assert "Deadlock: " in checks and "waits for its own barrier" in checks and "is never read." in checks
    assert "死锁" in page(client, "loop-waits-for-itself", steps, "zh").split('id="checks-1"')[1]
    assert "Deadlock: " not in page(client, "loop-waits-for-itself", 2).split('class="facts"')[1]


def test_the_recovery_line_is_a_table_before_during_and_after_the_crash(client: TestClient) -> None:
    run = record(LIBRARY.scenario("domino"), RunKey())
    (fall,) = run.falls
    assert fall.since is not None and fall.until is not None
    title = 'id="table-alone">Checkpoints and recovery line'
    before = page(client, "domino", fall.crash - 1)
    assert [len(row) for row in rows(before, title)] == [2] * len(run.system.topology.names)
    during = page(client, "domino", fall.since)
    assert {len(row) for row in rows(during, title)} == {4} and "How far is not known yet." in during
    after = page(client, "domino", fall.until)
    found = {row[0]: row for row in rows(after, title)}
    for name in run.system.topology.names:
        assert found[name][4] == str(fall.lost.get(name, 0))
        wanted = fall.line[name]
        assert found[name][2] == ("stays" if wanted is None else f"{name.lower()}{wanted}" if wanted else "start")
    events = sum(fall.lost.values())
    assert f"All are on the line. Further rollbacks: {fall.rollbacks}; events lost: {events}." in after
    useless = [f"{name.lower()}{n}" for name, numbers in fall.useless.items() for n in numbers]
    assert re.findall(r"<s>([^<]+)</s>", after.split(title)[1].split("</table>")[0]) == useless
    assert "✓ All processes rolled back exactly to the recovery line" in after


def test_what_processes_saved_by_themselves_is_a_table_without_snapshots(client: TestClient) -> None:
    html = page(client, "acknowledgement-lost", 7)
    assert rows(html, 'id="table-alone">') == [["src", "nothing saved yet"], ["sum", "11 (no. 2)"]]
    assert "table-alone" not in page(client, "acknowledgement-lost", 1)


def test_the_guarantees_are_a_switch_on_the_still_page_of_a_dataflow(client: TestClient) -> None:
    html = page(client, "three-guarantees", 35)
    found = guarantees(html[: html.index("</nav>", html.index('class="ledger-switch"'))])
    assert set(found) == {"at most once", "at least once", "exactly once"}
    assert all(client.get(url).status_code == 200 for url in found.values())
    assert "ledger-switch" not in page(client, "ring", 1)


def test_what_both_ways_back_have_in_common_is_told_with_the_figures_of_the_run(client: TestClient) -> None:
    def unmasked(address: str) -> str:
        text = client.get(address).text.partition('class="ledger-unmask"')[2].partition("</details>")[0]
        return " ".join(re.sub(r"<[^>]+>", " ", text).split())

    back = unmasked("/run/crash-both-ways/ledger?step=79&lang=en")
    assert "rollbacks of processes: 6;" in back and "disputed" in back and "sent again" not in back
    known = unmasked("/run/crash-both-ways/ledger?algorithm=millwheel&step=141&lang=en")
    assert "sent again: 3; discarded as known: 2." in known and "rollbacks of processes: 1;" in known
    lost = unmasked("/run/acknowledgement-lost/ledger?step=14&lang=en")
    assert "sent again: 1; discarded as known: 1." in lost and "one for each item: 3; of these, 3 count" in lost
    assert not unmasked("/run/acknowledgement-lost/ledger?step=12&lang=en"), "nothing has been repeated yet"


def test_a_step_says_in_which_phases_its_snapshots_are(client: TestClient) -> None:
    html = client.get("/run/three-banks/step/9?lang=en").text
    assert "Phases: initiating, step 3; propagating, steps 4–7; terminating, since step 8." in html
    html = client.get("/run/chain-from-b/step/4?lang=zh").text
    assert "阶段：发起，第 1 步；传播，从第 2 步起，在这次运行中没有结束。" in html


def test_a_step_has_the_membership_log_of_its_snapshot_as_far_as_it_has_come(client: TestClient) -> None:
    assert "Membership log" not in page(client, "born-before", 1)
    html = page(client, "born-before", 6)
    assert "Step 2: N joins. <b>Its part is still expected.</b>" in html
    html = page(client, "born-before", 8)
    assert "Step 2: N joins. <b>In the snapshot.</b>" in html and "its state must not simply be added" in html
    html = page(client, "crash-unusable", 3, "zh")
    assert "第 2 步：Q 崩溃，不再回来。<b>缺失：它带走了自己的一份。</b>" in html and "说不出什么跟着没了" in html


def test_the_first_table_is_of_the_snapshot_in_the_pictures(client: TestClient) -> None:
    html = client.get("/run/random-twelve/step/123?lang=en").text
    assert html.index('id="table-2"') < html.index('id="table-1"')
