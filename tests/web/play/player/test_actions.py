"""What can happen after a step, as the player's panel and menus say it: all that the kernel allows, each where it
belongs, and nothing else."""

import json
import re
from collections.abc import Iterator
from html import unescape
from random import Random

import pytest
from fastapi.testclient import TestClient
from msgspec.structs import replace

from app.algorithms.registry import ALGORITHMS
from app.core.kernel.enabled import abandons, enabled, options
from app.core.kernel.step import step
from app.core.model.system import DISCIPLINES, System
from app.core.model.values import Collect, Crash, Deliver, Leave
from app.run.run import Run, record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.web.base.templates import Context
from app.web.play.player.actions import everything, folded, of_channel, of_message, of_process
from app.web.shared.step_view import Option
from app.wire.action_text import text
from app.words.catalogues import catalogue
from tests import recovering
from tests.tiny import run, scenario

BLUE = "/run/blue-figure"


def possible(found: Context) -> list[str]:
    """Return the actions that can be chosen."""
    return [option.action for option in (*found["options"], *found["faults"]) if option.reason is None]


def reasons(found: Context) -> dict[str, str]:
    """Return the actions that cannot be chosen, each with the reason."""
    return {option.action: option.reason for option in (*found["options"], *found["faults"]) if option.reason}


def menus(made: Run, number: int) -> Iterator[Context]:
    """Yield the menus of all processes, channels and messages after a step."""
    topology = made.system.topology
    yield from (of_process(made, number, name, True) for name in topology.names)
    yield from (of_channel(made, number, name, True) for name in topology.channels)
    for channel, queue in made.world(number).queues.items():
        yield from (of_message(made, number, channel, message.id, True) for message in queue)


def check(made: Run, number: int) -> None:
    """The panel and the menus offer exactly what the kernel allows after a step."""
    system, world = made.system, made.world(number)
    show = system.program.show
    allowed = enabled(system, world)
    whole = everything(made, number, True)
    assert sorted(possible(whole)) == sorted(text(action, show) for action in allowed), number
    assert reasons(whole) == {text(a, show): why for a, why in options(system, world) if why}, number
    # What travels beside a channel has no menu: a click makes it arrive.
    listed = {text(action, show) for action in allowed if not isinstance(action, Collect)}
    offered = list(menus(made, number))
    assert {action for found in offered for action in possible(found)} == listed, number
    for verb in (verb for found in offered for verb in found.get("verbs", ())):
        assert verb.action in listed if verb.reason is None else verb.action not in listed, (number, verb)
        assert verb.reason is None or f"reason.{verb.reason}" in catalogue("en"), (number, verb)
    for channel, queue in world.queues.items():
        for position, message in enumerate(queue):
            found = of_message(made, number, channel, message.id, True)
            action = text(Deliver(channel, position), show)
            assert (action in possible(found)) is (action in listed), (number, action)
            assert reasons(found).get(action) == reasons(whole).get(action)


def test_the_panel_and_the_menus_offer_what_the_kernel_allows() -> None:
    for name in LIBRARY.names():
        made = record(LIBRARY.scenario(name), most=60)
        for number in range(0, len(made.steps) + 1, 7):
            check(made, number)


WILD = """
    topology: {processes: [A, B, C, N], channels: [A->B, B->A, B->C, C->B, A->C, C->A, N->B, B->N]}
    newcomers: {N: B}
    program:
      kind: machine
      first: {A: a, B: a, C: a, N: a}
      edges:
        A: [{from: a, to: b, send: m, on: A->B}, {from: b, to: a, send: n, on: A->B}]
        B:
          - {from: a, to: b, receive: m, on: A->B}
          - {from: b, to: a, receive: n, on: A->B}
          - {from: a, to: a, send: k, on: B->C}
          - {from: b, to: b, send: k, on: B->A}
        C: [{from: a, to: a, receive: k, on: B->C}, {from: a, to: a, send: m, on: C->B}]
"""
"""B receives m and n from A in turn, so that some messages are refused; N may join through B."""

FLOW = """
    topology:
      processes: [JM, s1, s2, m, sum, out]
      channels: [JM->s1, JM->s2, s1->m, s1->sum, s2->sum, m->sum, sum->out]
    program:
      kind: dataflow
      operators:
        JM: {coordinator: true}
        s1: {source: [1, 2, 3, 4, 5, 6, 7, 8]}
        s2: {source: [10, 20, 30, 40, 50], ends: true}
        m: {map: {times: 2}}
        sum: {sum: all, emit: result}
        out: {sink: transactional}
    capacity: 2
"""
"""Channels are short, so that what is read has to wait; a transaction is prepared, and committed."""

FREE = FLOW.replace("[JM, s1", "[s1").replace("JM->s1, JM->s2, ", "").replace("        JM: {coordinator: true}\n", "")
"""The same for algorithms without a coordinator."""

BACK = """
    topology: {ring: 3}
    program: {kind: bank, everyone: 9, amounts: [1, 2]}
    recovery: true
"""
"""A bank that recovers as a whole, or process by process."""


SYSTEMS = {
    "chandy-lamport": (WILD, BACK),
    "uncoordinated": (WILD, BACK),
    "aligned": (FLOW,),
    "micro-batch": (FLOW,),
    "millwheel": (FREE,),
}
"""Algorithms that recover in different ways, and where they are tried."""


def wandering(system: System, seed: int, steps: int) -> tuple[tuple[int, int], ...]:
    """Return arbitrary choices, including faults; processes leave only in the second half."""
    draw, world = Random(seed), system.begin()
    chosen = []
    for number in range(steps):
        possible = enabled(system, world)
        if not possible:
            break
        ordinary = sum(1 for _, reason in options(system, world) if reason is None)
        index = draw.randrange(ordinary) if ordinary and draw.random() < 0.7 else draw.randrange(len(possible))
        if isinstance(possible[index], Crash | Leave) and not system.recovers and number < steps // 2:
            index = 0
        chosen.append((number, index))
        world, _ = step(system, world, possible[index])
    return tuple(chosen)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", SYSTEMS)
def test_they_do_so_after_any_faults(algorithm: str) -> None:
    rules = ALGORITHMS[algorithm]
    happened: set[str] = set()
    for system_text in SYSTEMS[algorithm]:
        wild = scenario(system_text)
        for discipline in DISCIPLINES if system_text == WILD else ("any" if system_text == FREE else "fifo",):
            for seed in range(6):
                key = RunKey(algorithm=algorithm, discipline=discipline, manual=True)
                system = record(wild, key).system
                made = record(wild, replace(key, choices=wandering(system, seed, 40)))
                happened |= {type(done.action).__name__ for done in made.steps}
                for number in range(seed, len(made.steps) + 1, 6):
                    check(made, number)
    back = {"rollback": {"Restore"}, "local": {"Restart"}, "retry": {"Restore", "Restart"}}[rules.RECOVERY.way]
    assert happened >= {"Crash"} | back
    if abandons(rules):
        assert "Abandon" in happened
    if algorithm == "chandy-lamport":
        assert happened >= {"Drop", "Duplicate", "Overtake", "Partition", "Heal", "Crash", "Join", "Leave"}


def keys(found: list[Option]) -> list[tuple[str, str]]:
    """Return the texts of options and the keys of their words."""
    return [(option.action, option.key) for option in found]


def test_the_latest_snapshot_comes_first_and_the_beginning_last() -> None:
    made = record(scenario(recovering.FLOW.split("\n", 2)[2]))
    back = [("restore 1", "action.restore.latest"), ("restore 0", "action.restore.beginning")]
    assert keys(everything(made, recovering.CRASHED, True)["options"])[:2] == back
    assert keys(of_process(made, recovering.CRASHED, "sum", True)["options"]) == back
    assert "restore 1" not in possible(of_process(made, recovering.CRASHED, "s1", True)), "it is not down"
    assert everything(made, recovering.CRASHED, False)["faults"] == []


def test_a_coordinator_without_logs_cannot_crash_and_says_why() -> None:
    made = record(scenario(recovering.FLOW.split("\n", 2)[2]))
    found = of_process(made, 4, "JM", True)
    assert reasons(found) == {"crash JM": "coordinator"} and possible(found) == ["start JM", "abandon 1"]
    assert reasons(of_process(made, 4, "JM", False)) == {}


def test_what_the_snapshot_holds_up_says_so() -> None:
    made = record(LIBRARY.scenario("stop-the-world"))
    found = [reasons(of_process(made, step, name, True)) for step in range(9) for name in made.system.topology.names]
    assert "paused" in {why for each in found for why in each.values()}


def test_a_save_of_one_process_is_not_called_a_snapshot() -> None:
    made = run(BACK, RunKey(algorithm="uncoordinated", manual=True))
    names = made.system.topology.names
    assert {
        key for name in names for text_, key in keys(of_process(made, 0, name, True)["options"]) if "start" in text_
    } == {"action.checkpoint"}


# --- as pieces of a page ----------------------------------------------------------------------------------------------


def lines(html: str) -> list[str]:
    """Return what a reader sees."""
    return [told for each in re.sub(r"<[^>]+>", "\n", html).split("\n") if (told := unescape(each).strip())]


def links(client: TestClient, page: str) -> dict[str, str]:
    """Return the addresses in a page of a run."""
    data = re.search(r'id="data-page">(.*?)</script>', client.get(page).text, re.S)
    assert data
    found: dict[str, str] = json.loads(data[1])["links"]
    return found


def test_a_message_says_why_it_waits(client: TestClient) -> None:
    answer = client.get(f"{BLUE}/menu?step=4&channel=P2-%3EP1&message=2&lang=en")
    assert lines(answer.text) == [
        "◆1 on P2→P1",
        "P1 receives marker 1 from P2→P1",
        "waits: a FIFO channel delivers its first message first",
        "What can go wrong",
        "Lose ◆1 on P2→P1",
        "Duplicate ◆1 on P2→P1",
        "Let ◆1 overtake on P2→P1",
    ]
    assert 'aria-label="◆1 on P2→P1"' in answer.text and answer.text.count('aria-disabled="true"') == 1


def test_a_channel_offers_what_can_arrive_and_a_process_what_it_can_do(client: TestClient) -> None:
    told = lines(client.get(f"{BLUE}/menu?step=4&channel=P2-%3EP1&lang=en").text)
    assert told == ["P2 → P1", "P1 receives M from P2→P1", "What can go wrong", "Partition P2→P1"]
    told = lines(client.get(f"{BLUE}/menu?step=4&process=P2&lang=zh").text)
    assert told[0] == "P2" and told.index("P2 发起快照") < told.index("P2 崩溃") < told.index("P2 重启")


def test_a_menu_says_send_once_and_then_what_goes_where(client: TestClient) -> None:
    html = client.get("/run/random-twelve/menu?step=0&process=P1&lang=en").text
    told = lines(html)
    assert told[:3] == ["P1", "P1 starts a snapshot", "P1 crashes"]
    sends = told.index("Send")
    assert told[sends + 1 : sends + 4] == ["5 on P1→P2", "7 on P1→P2", "20 on P1→P2"]
    assert sends > told.index("P1 leaves and hands over what it has") and "What can go wrong" not in told
    made = record(LIBRARY.scenario("random-twelve"))
    whole = possible(of_process(made, 0, "P1", True))
    assert sorted(map(unescape, re.findall(r'data-action="([^"]+)"', html))) == sorted(whole)
    told = lines(client.get("/run/random-twelve/menu?step=0&process=P1&lang=zh").text)
    assert told[1] == "P1 发起快照" and told[told.index("发送") + 1] == "5，经 P1→P2"


def test_a_process_says_its_verbs_and_why_it_cannot_do_some() -> None:
    made = record(scenario(recovering.FLOW.split("\n", 2)[2]))

    def told(step: int, name: str, faulty: bool = True) -> list[tuple[str, str | None]]:
        return [(each.key, each.reason) for each in of_process(made, step, name, faulty)["verbs"]]

    send, start, crash, back = "player.menu.send", "action.start", "action.crash", "player.menu.restart"
    assert told(4, "sum") == [(send, "idle"), (start, "coordinated"), (crash, None), (back, "up")]
    assert told(4, "JM") == [(send, "idle"), (start, None), (crash, "coordinator"), (back, "up")]
    assert told(4, "sum", False) == [(send, "idle"), (start, "coordinated")]
    assert told(recovering.CRASHED, "sum") == [(send, "down"), (start, "down"), (crash, "crashed")]
    assert told(recovering.CRASHED, "JM")[1] == (start, "others")


def test_with_nothing_to_do_a_menu_says_so(client: TestClient) -> None:
    told = lines(client.get(f"{BLUE}/menu?channel=P2-%3EP1&faulty=0&lang=en").text)
    assert told == ["P2 → P1", "Nothing right now."]


def test_the_panel_shows_a_few_and_counts_the_others(client: TestClient) -> None:
    html = client.get("/run/random-twelve/next?step=60&lang=en").text
    few, _, others = html.partition('<details class="further">')
    count = re.search(r"<summary>(\d+) more</summary>", others)
    assert few.count("<li") == 10 and count
    assert others.partition('<details class="faults">')[0].count("<li") == int(count[1]) > 0
    made = record(LIBRARY.scenario("random-twelve"))
    assert int(count[1]) == folded(everything(made, 60, True))["count"] - 10


def test_messages_that_wait_behind_the_first_are_one_line(client: TestClient) -> None:
    made = record(LIBRARY.scenario("random-twelve"))
    for number in range(len(made.steps)):
        behind = {c: len(queue) - 1 for c, queue in made.world(number).queues.items() if len(queue) > 2}
        if behind:
            break
    whole, short = everything(made, number, True), folded(everything(made, number, True))
    assert possible(short) == possible(whole)
    assert short["count"] == whole["count"] - sum(behind.values()) + len(behind) == len(short["options"])
    channel, count = next(iter(behind.items()))
    told = lines(client.get(f"/run/random-twelve/next?step={number}&lang=en").text)
    assert told.count(f"{count} more on {channel.replace('->', '→')} wait behind the first message") == 1
    told = lines(client.get(f"/run/random-twelve/next?step={number}&lang=zh").text)
    assert f"{channel.replace('->', '→')} 上还有 {count} 条消息排在第一条之后" in told


def test_at_the_end_of_a_finished_run_nothing_is_offered(client: TestClient) -> None:
    html = client.get("/run/acknowledgement-lost/next?step=16&lang=en").text
    assert lines(html)[0] == "Nothing: the run is over." and 'class="options"' in html, "but something can go wrong"
    assert lines(client.get("/run/acknowledgement-lost/next?step=15&lang=en").text)[0] != "Nothing: the run is over."


def test_what_the_links_lead_to_happens(client: TestClient) -> None:
    found = links(client, f"{BLUE}?step=4")
    for action in re.findall(r'data-action="([^"]+)"', client.get(f"{found['next']}&step=4").text):
        answer = client.get(found["branch"], params={"step": 4, "action": unescape(action)}, follow_redirects=False)
        assert answer.status_code == 303 and "choices=4:" in answer.headers["location"], action


def test_in_a_challenge_nothing_goes_wrong(client: TestClient) -> None:
    found = links(client, "/challenge/late-marker?choices=0:2")
    panel = client.get(f"{found['next']}&step=1").text
    assert "wake P markers 1" in unescape(panel) and "faults" not in panel and "leave" not in panel
    assert "faults" not in client.get(f"{found['menu']}&step=1&process=P").text


def test_a_piece_is_sent_once(client: TestClient) -> None:
    url = f"{BLUE}/next?step=4&lang=en"
    first = client.get(url)
    again = client.get(url, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"] and "Cookie" in again.headers["vary"]
    other = client.get(f"{BLUE}/next?step=3&lang=en", headers={"if-none-match": first.headers["etag"]})
    assert other.status_code == 200


@pytest.mark.parametrize(
    ("rest", "status", "says"),
    [
        ("menu?process=Z", 400, "no process Z; known: P1, P2"),
        ("menu?channel=Z", 400, "no channel Z; known: P1->P2, P2->P1"),
        ("menu", 400, "no channel"),
        ("menu?step=4&channel=P2-%3EP1&message=77", 404, "message 77 is not in this channel after step 4"),
        ("next?v=1-000000000000", 409, "has changed"),
    ],
)
def test_what_does_not_exist_is_refused_in_words(client: TestClient, rest: str, status: int, says: str) -> None:
    answer = client.get(f"{BLUE}/{rest}", headers={"accept": "application/json"})
    assert answer.status_code == status and says in answer.json()["error"]
