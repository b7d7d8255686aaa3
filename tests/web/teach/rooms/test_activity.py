"""The class is the system: who is who, what they may do, how rounds end, and what happens for those who are away."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count, product
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, get_args

import pytest
import yaml

from app.analysis.outcome import outcomes
from app.core.model.values import BluecutError
from app.course.activity import Deed, load
from app.course.activity_store import FOLDER, Activities
from app.course.live_run import DEEDS, LiveRun
from app.forms.yaml_source import SourceError
from app.run.run import Run, record
from app.web.teach.rooms.crowd import EVERY, options
from app.web.teach.rooms.play import AWAY, FEW, GROUPS, IDLE, Group, Play, groups_for
from tests.often import some
from tests.served import Host
from tests.web.teach.rooms.people import Person, leave, opened, phone

NAME = "eighty-coins"
KNOWN = Activities().known()
PLAYED = KNOWN[NAME]


@pytest.fixture(autouse=True)
def people(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let one client open as many rooms as there are tests; at the end everybody goes."""
    monkeypatch.setattr("app.web.teach.rooms.rooms.PER_HOUR", 10_000)
    yield
    leave()


class Clock:
    """A clock that a test turns."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time, in seconds."""
        return self.now


def begun(server: str, count: int, name: str = NAME) -> tuple[Person, list[Person]]:
    """Return a presenter, and people who have a seat and a role."""
    lead = opened(server)
    class_ = [phone(lead) for _ in range(count)]
    for each in class_:
        each.post("/seat")
    assert led(lead, "begin", name)["playing"]["stage"] == "play"
    return lead, class_


def led(lead: Person, act: str, name: str = "") -> Any:
    answer = lead.post("/activity", {"do": act, "name": name})
    assert answer.status_code == 200, answer.text
    return answer.json()


def seen(someone: Person, group: int | None = None) -> Any:
    """Return what somebody's group sees."""
    path = "/table/live" + ("" if group is None else f"?group={group}")
    with someone.http.stream("GET", f"/r/{someone.code}{path}") as answer:
        return next(json.loads(line[5:]) for line in answer.iter_lines() if line.startswith("data:{"))


def test_processes_are_given_out_first_then_channels_and_late_comers_share() -> None:
    play = Play(PLAYED, 2, Clock())
    for seat in range(1, 25):
        assert not play.seated(seat).crowd
    names, channels = list(play.scenario.topology.names), list(play.scenario.topology.channels)
    for group in play.groups:
        roles = list(group.roles.values())
        assert roles[:4] == names and roles[4:10] == channels and set(roles[10:]) <= set(names)
    assert play.seated(3) is play.groups[0]


def test_who_finds_no_role_is_the_network_of_one_more_system() -> None:
    play = Play(PLAYED, 2, Clock())
    for seat in range(1, 2 * FEW + 4):
        play.seated(seat)
    assert [(len(group.roles), group.crowd) for group in play.groups] == [(FEW, False), (FEW, False), (3, True)]
    assert play.seated(2 * FEW + 1) is play.groups[2]


def crowded(clock: Clock, round_: int) -> tuple[Play, Group]:
    """Return an activity with a crowd, in a round."""
    play = Play(PLAYED, 1, clock)
    for seat in range(1, FEW + 4):
        play.seated(seat)
    play.round = round_
    play.moved()
    return play, play.groups[1]


def test_what_most_of_the_network_vote_for_happens_and_votes_that_come_too_late_do_not_count() -> None:
    clock = Clock()
    play, crowd = crowded(clock, 0)
    clock.now += EVERY
    play.moved()  # nothing to vote on: somebody pays
    play.now()
    offered = [str(each["text"]) for each in options(crowd.run, play.form_of_round)]
    assert {each.split()[0] for each in offered} == {"deliver", "wake"}
    step, wanted, held = len(crowd.run.choices), "wake D hand-record 1", crowd.run.as_json()["processes"]["D"]["state"]
    votes = {16: (step, (wanted,)), 17: (step, (wanted,)), 18: (step, (offered[0],)), **_late(step, offered[0])}
    clock.now += EVERY - 0.1
    play.moved(votes)
    assert len(crowd.run.choices) == step, "it is not yet time"
    clock.now += 0.1
    play.moved(votes)
    assert crowd.run.as_json()["processes"]["D"]["copy"] == held
    assert crowd.last is not None and (crowd.last["text"], crowd.last["votes"]) == (wanted, 2)


def _late(step: int, text: str) -> dict[int, tuple[int, tuple[str, ...]]]:
    """Return many votes for an event after an earlier step."""
    return dict.fromkeys(range(20, 30), (step - 1, (text,)))


def test_however_the_network_votes_the_rule_is_right() -> None:
    for seed in range(6):
        clock, draw = Clock(), Random(seed)
        play, crowd = crowded(clock, 1)
        for _ in range(25):
            clock.now += EVERY
            offered = [str(each["text"]) for each in options(crowd.run, play.form_of_round)]
            assert not any(each.startswith("wake") for each in offered), "the processes follow the rule by themselves"
            vote = {16: (len(crowd.run.choices), (draw.choice(offered),))} if offered else {}
            play.moved(vote)
        play.over()
        (outcome,) = outcomes(record(play.scenario, crowd.run.key))
        assert outcome.end == "right"


@pytest.mark.slow
def test_the_network_votes_and_foretells_and_a_server_that_starts_again_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.web.teach.rooms.crowd.EVERY", 1e9)  # nothing happens meanwhile
    host = Host(tmp_path)
    try:
        lead, class_ = begun(host.address, FEW + 2)
        one, two = class_[-2:]
        led(lead, "now")
        table = seen(one)
        wanted = next(each["text"] for each in table["options"] if each["text"] == "wake C hand-record 1")
        said = {"action": wanted, "step": table["steps"]}
        for _ in range(2):  # the second one is a repetition
            assert one.post("/crowd", said).json()["action"] == wanted
        assert one.post("/crowd", {**said, "action": "wake D hand-record 1"}).json()["action"] == wanted, (
            "one vote each"
        )
        assert two.post("/crowd", {**said, "step": 99}).status_code == 409
        assert two.post("/crowd", {**said, "action": "crash A"}).status_code == 409
        assert class_[0].post("/crowd", said).status_code == 403, "who has a role has no vote"
        assert one.post("/crowd", {"verdict": "right", "turn": 1}).json()["verdict"] == "right"
        assert one.post("/crowd", {"verdict": "wrong", "turn": 2}).json()["verdict"] == "wrong"
        assert two.post("/act", {"action": "send A->B 1"}).status_code == 409
        for _ in range(2):
            with lead.live(lead=True) as counts:
                card = next(counts)["wall"][-1]
            assert card["people"] == 2 and card["foretold"] == [0, 1]
            assert {each["text"]: votes for each, votes in card["options"]}[wanted] == 1
            host.stop()
            host.start()
        assert wanted in one.get("/table").text
        led(lead, "over")
        assert one.get("/table/result").json()["tone"] in ("right", "wrong")
        assert one.post("/crowd", {"verdict": "right", "turn": 3}).status_code == 409
        led(lead, "begin", NAME)
        with lead.live(lead=True) as counts:
            assert next(counts)["wall"][-1]["foretold"] == [0, 0], "another activity begins anew"
    finally:
        host.stop()


@pytest.mark.parametrize(
    ("people", "groups"), [(0, 1), (8, 1), (FEW, 1), (FEW + 1, 1), (30, 3), (300, GROUPS), (2_000, GROUPS)]
)
def test_how_many_groups_so_many_people_make(people: int, groups: int) -> None:
    assert groups_for(people, 10) == groups


def test_a_photograph_round_is_wrong_if_coins_are_under_way_and_every_phone_gets_its_run(server: str) -> None:
    lead, class_ = begun(server, 5)
    assert seen(class_[0])["acts"]
    assert class_[0].post("/act", {"action": "send A->B 3", "turn": 1}).status_code == 200
    led(lead, "now")
    for each, name in zip(class_, "ABCD", strict=False):
        assert each.post("/act", {"action": f"wake {name} hand-record 1", "turn": 2}).status_code == 200
    assert led(lead, "over")["playing"]["stage"] == "over"
    shown = class_[1].get("/table/result").json()
    assert shown["tone"] == "wrong" and shown["sums"] == [["17 + 20 + 20 + 20 = 77 ≠ 80", False]]
    for key in ("run", "rule"):
        assert lead.http.get(shown[key]).status_code == 200
    assert seen(class_[0])["end"] == "wrong" and seen(class_[0])["acts"] == []


@pytest.mark.parametrize(
    ("name", "lost", "says"),
    [
        ("three-tokens", "send A->B T", {"sums": [["0 + 1 + 1 + 0 = 2 ≠ 3", False]], "claim": None, "crash": None}),
        ("work-done", "send A->B work active", {"sums": [], "claim": False, "crash": None}),
        ("save-and-crash", "send A->B 3", {"claim": None, "crash": ["B", 77, 80]}),
    ],
)
def test_what_a_photograph_misses_is_told_in_each_activity(
    server: str, name: str, lost: str, says: dict[str, Any]
) -> None:
    lead, class_ = begun(server, 5, name)
    assert class_[0].post("/act", {"action": lost, "turn": 1}).status_code == 200
    led(lead, "now")
    led(lead, "over")
    shown = class_[0].get("/table/result").json()
    assert shown["tone"] == "wrong" and {**shown, **says} == shown
    for key in ("run", "rule"):
        assert lead.http.get(shown[key]).status_code == 200
    with lead.live(lead=True) as counts:
        card = next(each["wall"] for each in counts)[0]
    assert (card["end"], card["claim"], card["crash"]) == ("wrong", says["claim"], says["crash"])
    assert not any(closed for *_, closed in card["channels"]), "a photograph records no channel"
    led(lead, "next")
    led(lead, "now")
    led(lead, "over")  # the right rule does it all
    again = class_[0].get("/table/result").json()
    assert again["tone"] == "right" and again["crash"] in (None, ["B", 80, 80])


def test_by_the_rule_the_count_is_right_if_everybody_follows_it(server: str) -> None:
    lead, class_ = begun(server, 4)
    led(lead, "over")
    led(lead, "next")
    turns = iter(range(1, 10_000))
    class_[0].post("/act", {"action": "send A->B 5", "turn": next(turns)})
    class_[0].post("/act", {"action": "start A", "turn": next(turns)})
    assert seen(class_[0])["stage"] == "snapshot"
    led(lead, "over")  # the right rule does the rest
    shown = class_[0].get("/table/result").json()
    assert shown["tone"] == "right" and "= 80" in shown["sums"][0][0]


def test_nobody_does_what_is_somebody_elses_or_not_of_this_round_or_gone(server: str) -> None:
    lead, class_ = begun(server, 6)
    for action in ("send B->C 1", "deliver A->B", "start A", "crash A", "nonsense"):
        assert class_[0].post("/act", {"action": action}).status_code == 409, action
    assert class_[0].post("/act", {"action": "send A->B 1"}).status_code == 200
    assert class_[4].post("/act", {"action": "deliver A->B"}).status_code == 200, "the fifth is the first channel"
    assert class_[4].post("/act", {"action": "deliver A->B"}).status_code == 409
    led(lead, "freeze")
    assert class_[0].post("/act", {"action": "send A->B 1"}).status_code == 409
    led(lead, "freeze")
    assert class_[0].post("/act", {"action": "send A->B 1"}).status_code == 200


def test_a_repeated_request_is_done_once(server: str) -> None:
    _, class_ = begun(server, 4)
    for _ in range(3):
        assert class_[0].post("/act", {"action": "send A->B 2", "turn": 1}).status_code == 200
    assert seen(class_[0])["processes"]["A"]["state"] == 18


def test_who_stops_a_round_twice_because_the_answer_was_lost_has_stopped_it(server: str) -> None:
    lead, class_ = begun(server, 2)
    for seen_so in (False, False, True, True):
        assert lead.post("/activity", {"do": "freeze", "frozen": seen_so}).status_code == 200
        assert seen(class_[0])["frozen"] is not seen_so


def test_a_refused_request_that_is_repeated_is_refused_again(server: str) -> None:
    """Its first answer may have been lost: who is told that it was done would believe it."""
    _, class_ = begun(server, 5)
    for _ in range(2):
        assert class_[4].post("/act", {"action": "deliver A->B", "turn": 1}).status_code == 409
    assert class_[0].post("/act", {"action": "send A->B 2", "turn": 1}).status_code == 200
    for _ in range(2):
        assert class_[4].post("/act", {"action": "deliver A->B", "turn": 1}).status_code == 200
    assert seen(class_[0])["processes"]["B"]["state"] == 22


def test_students_cannot_lead_it_or_act_for_others_and_the_presenter_can(server: str) -> None:
    lead, class_ = begun(server, 4)
    assert class_[0].post("/activity", {"do": "over"}).status_code == 403
    assert class_[0].post("/act", {"action": "send B->C 1", "group": 0, "role": "B"}).status_code == 403
    assert class_[0].get("/table?group=0").status_code == 403
    assert phone(lead).get("/table").status_code == 403, "without a seat there is no role"
    assert lead.post("/act", {"action": "send B->C 1", "group": 0, "role": "B"}).status_code == 200
    assert lead.get("/table?group=0&role=B").status_code == 200
    assert lead.get("/table?group=9").status_code == 404


@pytest.mark.slow
def test_the_wall_shows_every_group(server: str) -> None:
    lead, class_ = begun(server, 20)
    led(lead, "now")
    class_[0].post("/act", {"action": "wake A hand-record 1"})
    class_[0].post("/act", {"action": "send A->B 1"})
    with lead.live(lead=True) as counts:
        wall = next(each["wall"] for each in counts if any(card["recorded"] for card in each["wall"]))
    assert [card["total"] for card in wall] == [80, 80]
    assert [card["recorded"] for card in wall] == [20, 0]
    assert wall[0]["channels"][0] == ["A", "B", [False], False]
    assert wall[0]["processes"][:2] == [["A", 19, 20], ["B", 20, None]]


def test_what_people_did_is_there_after_the_server_has_started_again(tmp_path: Path) -> None:
    host = Host(tmp_path)
    try:
        lead, class_ = begun(host.address, 6)
        class_[0].post("/act", {"action": "send A->B 3", "turn": 1})
        led(lead, "now")
        class_[1].post("/act", {"action": "wake B hand-record 1", "turn": 1})
        before = seen(class_[0])
        host.stop()
        host.start()
        after = seen(class_[0])
        assert {**after, "version": 0} == {**before, "version": 0}
        assert class_[0].post("/act", {"action": "send A->B 3", "turn": 1}).status_code == 200
        assert seen(class_[0])["processes"]["A"]["state"] == 17, "the repeated request was done before"
        assert class_[5].get("/table").status_code == 200
    finally:
        host.stop()


def test_messages_that_wait_arrive_by_themselves_and_the_rule_plays_for_those_who_are_away() -> None:
    clock = Clock()
    play = Play(PLAYED, 1, clock)
    for seat in range(1, 4):
        play.seated(seat)  # A, B, C; nobody is D
    play.round = 1
    group = play.groups[0]
    play.act(group, "A", "send A->B 3")
    play.moved()
    clock.now = IDLE - 1
    assert play.moved() == []
    clock.now = IDLE + 1
    assert len(play.moved()) == 1 and group.run.world.states["B"] == ((("", 23)),)
    play.act(group, "A", "start A")
    play.act(group, "A", "wake A hand-record 1")
    for channel in ("A->B", "A->C"):
        play.act(group, "A", f"wake A hand-send {channel} 1")
    for _ in range(8):
        clock.now += IDLE + 1
        play.moved()
    assert group.run.as_json()["processes"]["D"]["done"] or group.run.as_json()["processes"]["B"]["done"]
    clock.now += AWAY + 1
    for _ in range(20):
        clock.now += AWAY + 1
        play.moved()
    assert not group.run.running, "the rule has finished it for all who were silent"


def stage(lead: Person, act: str, seen: list[Any] | None = None) -> tuple[int, str, bool]:
    """Lead on; return the round, its stage, and whether something can be undone."""
    answer = lead.post("/activity", {"do": act, **({"seen": seen} if seen else {})})
    assert answer.status_code == 200, answer.text
    now = answer.json()["playing"]
    return now["round"], now["stage"], now["undo"]


@pytest.mark.slow
def test_the_presenter_undoes_the_end_of_a_round_its_snapshot_and_the_next_round(tmp_path: Path) -> None:
    host = Host(tmp_path)
    try:
        lead, class_ = begun(host.address, 5)
        assert lead.post("/activity", {"do": "undo"}).status_code == 400, "nothing has been led to yet"
        class_[0].post("/act", {"action": "send A->B 3", "turn": 1})
        sent = seen(class_[0])
        led(lead, "now")
        class_[1].post("/act", {"action": "wake B hand-record 1", "turn": 1})
        recorded = seen(class_[0])
        assert stage(lead, "over") == (0, "over", True)
        judged = seen(class_[0])
        assert stage(lead, "next") == (1, "play", True)
        class_[0].post("/act", {"action": "send A->B 5", "turn": 2})
        for _ in range(2):  # the second one is a repetition: its answer was lost
            assert stage(lead, "undo", [1, "play"]) == (0, "over", True)
        assert same(seen(class_[0]), judged) and judged["end"] == "wrong"
        assert class_[0].get("/table/result").json()["tone"] == "wrong"
        host.stop()
        host.start()
        assert stage(lead, "undo") == (0, "snapshot", True)
        assert same(seen(class_[0]), recorded), "what people had done is there, what the end had added is not"
        assert class_[2].post("/act", {"action": "wake C hand-record 1", "turn": 1}).status_code == 200
        assert stage(lead, "undo") == (0, "play", False)
        assert same(seen(class_[0]), sent)
        host.stop()
        host.start()
        assert same(seen(class_[0]), sent), "what was undone is not on the disk either"
        assert class_[0].post("/act", {"action": "send A->B 3", "turn": 1}).status_code == 200
        assert same(seen(class_[0]), sent), "a request that was done before is not done twice"
    finally:
        host.stop()


def test_what_was_undone_while_it_was_judged_has_no_verdict(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lead, class_ = begun(server, 5)
    led(lead, "now")
    judging, judged = [Event(), Event()], [Event(), Event()]
    turns = count()

    def slowly(run: Run) -> Any:
        turn = next(turns)
        judging[turn].set()
        assert judged[turn].wait(30)
        return outcomes(run)

    monkeypatch.setattr("app.web.teach.rooms.activity_routes.outcomes", slowly)
    with ThreadPoolExecutor() as pool:
        over = pool.submit(led, lead, "over")
        assert judging[0].wait(30)
        table = pool.submit(class_[0].get, "/table")  # it finds no verdict, and judges too
        assert judging[1].wait(30)
        judged[0].set()
        over.result()
        assert stage(lead, "undo") == (0, "snapshot", True)
        judged[1].set()
        assert table.result().status_code == 200
    assert seen(class_[0])["end"] == ""


def same(one: Any, other: Any) -> bool:
    """Is it the same table, whatever happened in between?"""
    return {**one, "version": 0, "again": 0} == {**other, "version": 0, "again": 0}


@pytest.mark.slow
def test_a_round_is_played_again_from_its_beginning(tmp_path: Path) -> None:
    host = Host(tmp_path)
    try:
        lead, class_ = begun(host.address, 5)
        first = seen(class_[0])
        class_[0].post("/act", {"action": "send A->B 3", "turn": 1})
        led(lead, "freeze")
        assert stage(lead, "over") == (0, "over", True)
        for _ in range(2):
            assert stage(lead, "again", [0, "over"]) == (0, "play", False)
        again = seen(class_[0])
        assert same(again, first) and not again["frozen"]
        assert class_[0].post("/act", {"action": "send A->B 1", "turn": 2}).status_code == 200
        host.stop()
        host.start()
        assert seen(class_[0])["steps"] == 1 and seen(class_[0])["again"] == 1
        assert stage(lead, "over") == (0, "over", True)
        assert stage(lead, "next") == (1, "play", True)
        for _ in range(2):
            assert stage(lead, "next", [0, "over"]) == (1, "play", True), "a repeated request skips no round"
        assert lead.post("/activity", {"do": "next"}).status_code == 400, "nor does one that comes too early"
    finally:
        host.stop()


def test_what_is_begun_or_played_again_twice_loses_nothing(server: str) -> None:
    """The answer to the first request was lost, and people have gone on since."""
    lead, class_ = begun(server, 5)
    now = lead.post("/activity", {"do": "freeze", "frozen": True}).json()["playing"]  # it was not: nothing changes
    asked: list[dict[str, Any]] = [
        {"do": "begin", "name": NAME, "begun": 0},
        {"do": "again", "seen": [0, "play"], "again": 0},
    ]
    for turn, repeated in enumerate(asked, 1):
        if repeated["do"] == "again":
            assert lead.post("/activity", repeated).json()["playing"]["again"] == 1
        class_[0].post("/act", {"action": "send A->B 3", "turn": turn})
        assert seen(class_[0])["steps"] == 1
        now = lead.post("/activity", repeated).json()["playing"]
        assert seen(class_[0])["steps"] == 1
    other = lead.post("/activity", {"do": "begin", "name": NAME, "begun": now["begun"]}).json()["playing"]
    assert other["begun"] > now["begun"] and seen(class_[0])["steps"] == 0, "this one is asked for"


@pytest.mark.slow
def test_votes_of_the_network_on_what_is_undone_are_forgotten(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.web.teach.rooms.crowd.EVERY", 1e9)
    lead, class_ = begun(server, FEW + 1)
    led(lead, "now")
    one = class_[-1]
    table = seen(one)
    for says in ({"action": table["options"][0]["text"], "step": table["steps"]}, {"verdict": "right", "turn": 1}):
        assert one.post("/crowd", says).status_code == 200
    assert stage(lead, "undo") == (0, "play", False)
    with lead.live(lead=True) as counts:
        assert next(counts)["wall"][-1]["foretold"] == [0, 0]
    led(lead, "now")
    assert one.post("/crowd", {"action": table["options"][0]["text"], "step": table["steps"]}).status_code == 200
    led(lead, "over")
    led(lead, "next")
    assert one.post("/crowd", {"verdict": "wrong", "turn": 2}).status_code == 200
    assert stage(lead, "undo") == (0, "over", True)
    with lead.live(lead=True) as counts:
        assert next(counts)["wall"][-1]["foretold"] == [0, 0]


def test_people_can_do_what_a_run_by_hand_takes() -> None:
    assert get_args(Deed) == DEEDS


def test_a_mistake_in_an_activity_is_told_with_file_and_field() -> None:
    text = Path("scenarios/activities/eighty-coins.yaml")
    good = (Path(__file__).parents[4] / text).read_text("utf-8")
    assert load(good, "x.yaml").form.scenario == NAME
    with pytest.raises(SourceError, match=r"x\.yaml.*scenario"):
        load(good.replace("scenario: eighty-coins", "scenario: nothing"), "x.yaml")
    with pytest.raises(SourceError, match=r"x\.yaml.*deeds"):
        load(good.replace("[send, deliver, record]", "[send, fly]"), "x.yaml")

    crashing = good.replace("ends: rule", "ends: rule\n    crash: B")
    with pytest.raises(SourceError, match=r"x\.yaml.*crash.*cannot crash and come back"):
        load(crashing, "x.yaml")
    crashing = crashing.replace("scenario: eighty-coins", "scenario: save-and-crash")
    assert load(crashing, "x.yaml").form.rounds[1].crash == "B"
    with pytest.raises(SourceError, match="cannot crash and come back"):
        load(crashing.replace("crash: B", "crash: Q"), "x.yaml")


@pytest.mark.parametrize(("name", "language"), some(product(KNOWN, ["en", "zh"]), 3))
def test_there_is_a_sheet_for_a_room_without_any_network(server: str, language: str, name: str) -> None:
    page = Person(server).http.get(f"/activities/{name}/sheet?lang={language}").text
    assert page.count("sheet-marker") == 6 and page.count("sheet-channel") == 6
    assert getattr(KNOWN[name].form.paper, language) in page
    for other in KNOWN:
        assert (f'sheet">{getattr(KNOWN[other].form.title, language)}</a>' in page) == (other != name)
    assert Person(server).http.get("/activities/nothing/sheet").status_code == 404


def test_every_activity_can_be_played_to_its_end() -> None:
    for each in KNOWN.values():
        for round_ in each.form.rounds:
            live = LiveRun(each.scenario)
            assert live.possible(round_.deeds)
            live.started()
            assert live.photographed() if round_.ends == "photograph" else live.settled()
            assert not live.running
            assert round_.crash is None or live.crashed(round_.crash)


def test_a_teachers_own_activities_are_offered_and_what_is_wrong_with_them_is_told(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.mkdir()
    good = (FOLDER / f"{NAME}.yaml").read_text("utf-8")
    (mine / "my own.yaml").write_text(good.replace("You are the system", "Pay as you like"), "utf-8")
    (mine / "wrong.yaml").write_text(good.replace("[send, deliver, record]", "[send, fly]"), "utf-8")
    (mine / "work-done.yaml").write_text("title: nothing", "utf-8")
    host = Host(tmp_path / "data", activities_in=(mine,))
    try:
        lead, (someone,) = begun(host.address, 1, "my own")
        assert seen(someone)["acts"]
        menu = lead.get("/present").text
        assert (
            'data-begin="my own"' in menu and "Pay as you like" in menu and 'href="/activities/my%20own/sheet"' in menu
        )
        assert lead.http.get("/activities/my%20own/sheet").status_code == 200
        assert re.search(r"wrong\.yaml, line \d+: rounds\[0\]\.deeds", menu) and "work-done.yaml" in menu
        assert 'data-begin="work-done"' in menu, "what is wrong replaces nothing"
        led(lead, "over")
        led(lead, "next")
        one_round = yaml.safe_load(good)
        one_round["rounds"] = one_round["rounds"][:1]
        (mine / "my own.yaml").write_text(yaml.safe_dump(one_round), "utf-8")
        assert seen(someone)["round"] == 1, "what has begun goes on"
        host.stop()
        host.start()
        assert lead.get("/present").status_code == 200 and someone.get("/table").status_code == 404
        assert led(lead, "begin", "my own")["playing"]["last"], "the file is read again"
    finally:
        host.stop()


OWN = """
title: {en: Three purses, zh: 三个钱包}
topology:
  processes: [A, B, C]
  channels: [A->B, B->C, C->A]
program: {kind: bank, accounts: {A: 9, B: 9, C: 9}, amounts: [1, 2]}
"""


@pytest.mark.slow
def test_a_teachers_activity_brings_its_own_scenario_and_phones_get_its_runs(tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    (mine / "scenarios").mkdir(parents=True)
    good = (FOLDER / f"{NAME}.yaml").read_text("utf-8")
    (mine / "purses.yaml").write_text(good.replace("scenario: eighty-coins", "scenario: purses"), "utf-8")
    host = Host(tmp_path / "data", activities_in=(mine,))
    try:
        menu = opened(host.address).get("/present").text
        assert re.search(r"purses\.yaml, line 6: scenario: no scenario is called .*scenarios/purses\.yaml", menu)
        (mine / "scenarios" / "purses.yaml").write_text(OWN.replace("C->A", "C->Q"), "utf-8")
        menu = opened(host.address).get("/present").text
        assert re.search(r"scenarios/purses\.yaml, line 5: topology\.channels\[2\]", menu)
        assert 'data-begin="purses"' not in menu
        (mine / "scenarios" / "purses.yaml").write_text(OWN, "utf-8")
        lead, class_ = begun(host.address, 3, "purses")
        assert lead.http.get("/activities/purses/sheet").text.count("sheet-channel") == 3
        assert class_[0].post("/act", {"action": "send A->B 2", "turn": 1}).status_code == 200
        host.stop()
        host.start()
        led(lead, "now")
        led(lead, "over")
        shown = class_[0].get("/table/result").json()
        assert shown["tone"] == "wrong" and shown["sums"] == [["7 + 9 + 9 = 25 ≠ 27", False]]
        for key in ("run", "rule"):
            answer = lead.http.get(shown[key])
            assert answer.status_code == 200 and "Three purses" in answer.text
        assert lead.post("/show", {"at": shown["run"]}).status_code == 200, "and everybody can be shown it"
    finally:
        host.stop()


@pytest.mark.parametrize(
    ("scenario", "says"),
    [
        (OWN + "channels: 3", r"scenarios/own\.yaml, line 6: channels"),
        (OWN.replace("A: 9", "A: nine"), r"scenarios/own\.yaml, line 5: program\.accounts\.A"),
        ("title: [", r"scenarios/own\.yaml, line 1: not YAML"),
        (OWN + "surprise: {en: " + "x" * 20_000 + ", zh: x}", r"scenarios/own\.yaml: .*bytes; at most 16,384"),
    ],
)
def test_a_mistake_in_a_scenario_beside_an_activity_is_told_with_file_line_and_field(
    tmp_path: Path, scenario: str, says: str
) -> None:
    file = tmp_path / "own.yaml"
    file.write_text(scenario.lstrip(), "utf-8")
    good = (FOLDER / f"{NAME}.yaml").read_text("utf-8").replace("scenario: eighty-coins", "scenario: own")
    with pytest.raises(SourceError, match=says):
        load(good, "x.yaml", {"own": file})
    file.unlink()
    with pytest.raises(BluecutError, match=r"own\.yaml"):
        load(good, "x.yaml", {"own": file})


def test_an_activity_in_which_nobody_could_do_anything_and_a_misplaced_scenario_are_told() -> None:
    good = (FOLDER / f"{NAME}.yaml").read_text("utf-8")
    with pytest.raises(SourceError, match=r"x\.yaml, line \d+: rounds\[0\]\.deeds: nobody can do any of this"):
        load(good.replace("[send, deliver, record]", "[log, close]"), "x.yaml")
    with pytest.raises(SourceError, match=r"x\.yaml, line 2: topology: this is a scenario; put it into"):
        load(OWN.lstrip(), "x.yaml")


def test_who_asks_while_activities_are_read_gets_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    store, reading, asked = Activities(), Event(), Event()

    def slowly(*given: Any) -> Any:
        if not reading.is_set():
            reading.set()
            assert asked.wait(30)
        return load(*given)

    monkeypatch.setattr("app.course.activity_store.load", slowly)
    with ThreadPoolExecutor() as pool:
        first = pool.submit(store.known)
        assert reading.wait(30)
        try:
            assert [*store.known()] == [*KNOWN]
        finally:
            asked.set()
        assert [*first.result()] == [*KNOWN]
