"""The oracle and faults: lost, duplicate or absent messages are not mistakes, and real mistakes are still found."""

from typing import Any

from app.core.oracle.checks import CHECKS, Verdict, demanded
from app.run.run import Run, record
from app.scenario.run_key import RunKey
from tests.tiny import made

HOLDS = dict.fromkeys(CHECKS, True)
BANK = {
    "topology": {"processes": ["P", "Q"], "channels": ["P->Q", "Q->P"]},
    "program": {"kind": "bank", "accounts": {"P": 10, "Q": 5}},
    "collect": False,
}
FAMILY = {
    "topology": {"processes": ["P", "Q", "N"], "channels": ["P->Q", "Q->P", "P->N", "N->P"]},
    "program": {"kind": "bank", "accounts": {"P": 10, "Q": 5, "N": 0}},
    "newcomers": {"N": "P"},
    "collect": False,
    "algorithm": "members",
}
TRIO = {
    "topology": {"complete": 3},
    "program": {"kind": "bank", "everyone": 4},
    "collect": False,
    "algorithm": "members",
}


def pays(channel: str, amount: int) -> dict[str, Any]:
    return {"send": {"on": channel, "message": amount}}


def ran(values: dict[str, Any], *script: dict[str, Any], **more: Any) -> Run:
    return record(made(values | more | {"script": list(script)}))


def judged(values: dict[str, Any], *script: dict[str, Any], **more: Any) -> Verdict:
    """Return the verdict on the last snapshot."""
    verdicts = ran(values, *script, **more).verdicts
    return verdicts[max(verdicts)]


# --- lost and duplicate ------------------------------------------------------------------------------------------


def test_a_message_that_was_lost_need_not_be_recorded() -> None:
    verdict = judged(BANK, pays("P->Q", 3), {"drop": "P->Q"}, {"start": "Q"})
    assert verdict.checks == HOLDS


def test_a_message_that_is_lost_after_the_cut_passed_it_need_not_be_recorded_either() -> None:
    verdict = judged(BANK, pays("P->Q", 3), {"start": "Q"}, {"drop": "P->Q"}, {"deliver": "Q->P"})
    assert verdict.checks == HOLDS


def test_a_message_that_was_sent_after_the_cut_and_lost_is_no_matter() -> None:
    verdict = judged(BANK, {"start": "P"}, pays("P->Q", 3), {"drop": "P->Q", "position": 1})
    assert verdict.checks == HOLDS


def test_a_lost_marker_leaves_the_snapshot_undecided() -> None:
    run = ran(BANK, {"start": "P"}, {"drop": "P->Q"})
    assert run.verdicts[1].checks == dict.fromkeys(HOLDS)
    assert run.history.recordings[1].completed is None


def test_a_copy_that_the_network_made_counts_as_a_message_of_its_own() -> None:
    verdict = judged(BANK, pays("P->Q", 3), {"duplicate": "P->Q"}, {"deliver": "P->Q"}, {"start": "Q"})
    assert verdict.checks == HOLDS
    run = ran(BANK, pays("P->Q", 3), {"duplicate": "P->Q"}, {"deliver": "P->Q"}, {"start": "Q"})
    assert dict(run.end.states) == {"P": (("", 7),), "Q": (("", 11),)}


def test_a_copy_that_the_network_makes_behind_the_marker_is_outside_the_cut() -> None:
    """It is behind the marker, so it was made after the cut: no process could record it, and none is blamed."""
    script = (pays("P->Q", 3), {"start": "P"}, {"duplicate": "P->Q"}, {"deliver": "P->Q"})
    assert judged(BANK, *script).checks == HOLDS
    assert ran(BANK, *script).end.states["Q"] == (("", 11),)


def test_a_copy_that_the_network_made_before_the_marker_must_be_recorded() -> None:
    script = (pays("P->Q", 3), {"duplicate": "P->Q"}, {"start": "Q"}, {"deliver": "P->Q"}, {"deliver": "P->Q"})
    run = ran(BANK, *script)
    crossing = run.history.crossing(run.history.recordings[1].cut)["P->Q"]
    assert [message.payload for message in crossing] == [(("", 3),), (("", 3),)]
    assert run.verdicts[1].checks == HOLDS


def test_a_message_that_overtakes_the_marker_is_an_orphan() -> None:
    verdict = judged(BANK, {"start": "P"}, pays("P->Q", 3), {"overtake": "P->Q"})
    assert verdict.broken == ("consistent", "conserved", "reachable")
    assert verdict.witnesses["consistent"]["fault"] == "orphan"


def test_two_messages_that_overtake_each_other_in_front_of_the_marker_do_no_harm() -> None:
    script = (pays("P->Q", 1), pays("P->Q", 2), {"start": "Q"}, {"overtake": "P->Q"})
    assert judged(BANK, *script).checks == HOLDS


def test_what_is_sent_again_is_the_same_message() -> None:
    script = (pays("P->Q", 3), {"drop": "P->Q"}, {"start": "Q"}, {"wake": "P"})
    run = ran(BANK, *script, algorithm="sequenced")
    crossing = run.history.crossing(run.history.recordings[1].cut)["P->Q"]
    assert [message.payload for message in crossing] == [(("", 3),)]
    assert run.verdicts[1].checks == HOLDS | {"cost": None}


def test_a_copy_that_a_process_threw_away_does_not_count() -> None:
    script = (pays("P->Q", 3), {"duplicate": "P->Q"}, {"deliver": "P->Q"}, {"deliver": "P->Q"}, {"start": "Q"})
    run = ran(BANK, *script, algorithm="sequenced")
    assert run.end.states["Q"] == (("", 8),)
    assert run.verdicts[1].checks == HOLDS | {"cost": None}


# --- absent and unusable -----------------------------------------------------------------------------------------


def test_a_newcomer_after_the_cut_is_missed_by_nobody() -> None:
    script = ({"start": "P"}, {"join": "N"}, pays("P->N", 4), {"deliver": "P->N"})
    assert judged(FAMILY, *script).checks == HOLDS


def test_a_newcomer_that_is_merged_in_is_judged_like_everybody() -> None:
    script = ({"start": "P"}, {"join": "N"}, pays("P->N", 4), {"deliver": "P->N"})
    run = ran(FAMILY, *script, algorithm="merge-joiner")
    assert run.history.recordings[1].absent == {} and run.end.snapshots[1].absent == ()
    assert run.verdicts[1].witnesses["consistent"]["message"]["payload"] == 4
    assert run.verdicts[1].witnesses["conserved"] == {"total": 15, "recorded": 19}


def test_what_a_crash_takes_along_is_missing_from_the_snapshot_that_was_under_way() -> None:
    verdict = judged(TRIO, {"start": "P1"}, {"crash": "P3"})
    assert verdict.checks["consistent"] is True
    assert verdict.witnesses["conserved"] == {"total": 12, "recorded": 8}


def test_no_marker_is_owed_to_who_crashed_after_it_had_recorded() -> None:
    script = ({"start": "P1"}, {"crash": "P1"}, {"deliver": "P1->P2"}, {"deliver": "P1->P3"})
    run = ran(TRIO, *script)
    assert run.history.recordings[1].unusable == ("P1",) and run.history.recordings[1].markers["P1->P2"] == 1
    assert "P2->P1" not in run.history.recordings[1].markers
    assert run.verdicts[1].checks["cost"] is True


def test_a_later_snapshot_is_not_blamed_for_it() -> None:
    script = (pays("P1->P3", 1), pays("P3->P2", 2), {"crash": "P3"}, {"start": "P1"})
    run = ran(TRIO, *script)
    assert run.history.recordings[1].unusable == ()
    assert run.verdicts[1].checks == HOLDS


def test_a_copy_from_who_never_recorded_is_demanded_like_its_message() -> None:
    run = ran(TRIO, pays("P3->P1", 1), {"crash": "P3"}, {"duplicate": "P3->P1"}, {"start": "P1"})
    found = demanded(run.system, run.history, run.history.recordings[1], {})
    assert len(found["P3->P1"]) == 2
    assert run.verdicts[1].checks == HOLDS


def test_who_left_in_order_is_missing_nowhere() -> None:
    run = ran(TRIO, {"leave": "P3"}, pays("P3->P1", 4), {"deliver": "P3->P1"}, {"start": "P2"})
    assert run.history.recordings[1].absent == {"P3": True}
    assert run.verdicts[1].checks == HOLDS


def test_a_snapshot_that_was_given_up_is_not_judged() -> None:
    run = ran(BANK, {"cut": "P->Q"}, {"start": "P"}, *[{"wake": "P"}] * 6, {"mend": "P->Q"}, algorithm="sequenced")
    first, second = run.verdicts[1], run.verdicts[2]
    assert run.history.recordings[1].aborted and set(first.checks.values()) == {None}
    assert second.checks == HOLDS | {"cost": None}


def test_the_same_faults_are_judged_under_every_algorithm() -> None:
    script = (pays("P->Q", 3), {"start": "Q"}, {"drop": "P->Q"}, pays("Q->P", 1))
    scenario = made(BANK | {"script": list(script)})
    for name in ("chandy-lamport", "blocked-channel", "sequenced", "members"):
        verdict = record(scenario, RunKey(algorithm=name)).verdicts[1]
        assert verdict.broken == () and verdict.checks["conserved"] is True, name
