"""What the page of a step says, by a scenario of five steps in which M crosses the cut."""

from app.core.kernel.enabled import enabled, options
from app.core.oracle.checks import CHECKS
from app.forms.yaml_source import Source
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.run_key import RunKey
from app.scenario.scenario import build
from app.web.shared import step_view
from app.wire.action_text import text
from app.wire.run_url import Address, stamp
from tests.tiny import made, run
from tests.web.conversation import FIVE

SCENARIO = build(Source("five", FIVE, {}))
RUN = record(SCENARIO)
AT = Address("five", SCENARIO, RUN.key)


def rows(step: int) -> list[tuple[str, str, object]]:
    (snapshot,) = step_view.snapshots(RUN, step)
    return [(row.element, row.mode, row.value) for row in snapshot.rows]


def test_before_a_snapshot_starts_nothing_is_recorded() -> None:
    assert step_view.snapshots(RUN, 0) == []
    assert step_view.sentence(RUN, 0, "en") == ""


def test_a_state_recorded_late_is_told_once() -> None:
    late = step_view.sentence(record(LIBRARY.scenario("node-as-written")), 6, "en").replace("**", "")
    assert late.startswith("P3 records its state only now, for snapshot 1.") and late.count("P3 records") == 1


def test_the_recorded_state_forms_step_by_step() -> None:
    nothing = [("P2", "none", None), ("P1->P2", "none", None)]
    assert rows(1) == [("P1", "recorded", {"X": 1}), *nothing, ("P2->P1", "recording", [])]
    assert rows(3) == [
        ("P1", "recorded", {"X": 1}),
        ("P2", "recorded", {}),
        ("P1->P2", "recorded", []),
        ("P2->P1", "recording", []),
    ]
    assert rows(4)[-1] == ("P2->P1", "recording", ["M"])
    assert rows(5)[-1] == ("P2->P1", "recorded", ["M"])


def test_a_check_has_no_verdict_before_it_is_decided() -> None:
    def verdicts(step: int) -> dict[str, bool | None]:
        return {check.name: check.holds for check in step_view.snapshots(RUN, step)[0].checks}

    assert verdicts(2) == dict.fromkeys(CHECKS)
    assert verdicts(3) == {**verdicts(2), "consistent": True}
    assert verdicts(5) == dict.fromkeys(CHECKS, True) | {"conserved": None}


def test_a_check_that_fails_has_its_witness() -> None:
    late = record(LIBRARY.scenario("late-marker"))
    failed = [c for s in step_view.snapshots(late, len(late.steps)) for c in s.checks if c.holds is False]
    assert failed
    assert all(check.witness for check in failed)


def test_what_can_happen_next_is_offered_and_what_cannot_says_why() -> None:
    found = step_view.choices(RUN, 4, AT)
    wrong = step_view.troubles(RUN, 4, AT)
    assert [o.action for o in [*found, *wrong] if o.reason is None] == [
        text(action, RUN.system.program.show) for action in enabled(RUN.system, RUN.world(4))
    ]
    behind = next(o for o in step_view.choices(RUN, 3, AT) if o.action == "deliver P2->P1 1")
    assert (behind.reason, behind.url) == ("behind", None)
    assert behind.key == "action.marker"
    first = next(o for o in step_view.choices(RUN, 3, AT) if o.action == "deliver P2->P1")
    assert first.fields == {"process": "P1", "channel": "P2->P1", "message": "M"}
    assert first.url == f"/run/five/branch?v={stamp(SCENARIO)}&step=3&action=deliver+P2-%3EP1"


def test_in_a_dataflow_a_marker_is_called_a_barrier() -> None:
    scenario = LIBRARY.scenario("barriers-wait")
    run, at = record(scenario), Address(scenario.name, scenario, RunKey())
    keys = {option.key for step in range(len(run.steps)) for option in step_view.choices(run, step, at)}
    assert "action.barrier" in keys and "action.marker" not in keys


def test_the_rule_that_fired_is_marked() -> None:
    fired = [line for line, _, now in step_view.rules(RUN, 3) if now]
    assert "record" in fired
    assert [line for line, _, now in step_view.rules(RUN, 0) if now] == []


def test_the_log_is_cut_around_its_step() -> None:
    long = record(LIBRARY.scenario("random-twelve"))
    lines = step_view.log(long, 80, AT.of_step, "en")
    assert [line.step for line in lines] == list(range(70, 91))
    assert [line.step for line in lines if line.now] == [80]
    assert step_view.log(RUN, 2, AT.of_step, "en")[0].text == "P1 starts snapshot 1"
    assert step_view.log(RUN, 2, AT.of_step, "en")[1].text == "P2 sends M"
    assert step_view.log(RUN, 2, AT.of_step, "zh")[1].text == "P2 经 P2→P1 发送 M"


def test_a_page_lists_so_many_next_actions_and_not_all() -> None:
    crowd = made({"topology": {"complete": 12}, "program": {"kind": "bank", "everyone": 1}})
    drained = record(crowd, RunKey(drain=True))
    assert len(list(options(drained.system, drained.begin))) == 12 * 11 + 12
    at = Address("crowd", crowd, drained.key)
    assert len(step_view.choices(drained, 0, at)) == step_view.OFFERED
    assert len(step_view.troubles(drained, 0, at)) == step_view.OFFERED


def test_what_can_go_wrong_stands_apart_and_is_a_run_of_its_own() -> None:
    found = {option.action: option for option in step_view.troubles(RUN, 3, AT)}
    assert found["drop P2->P1"].key == "action.drop"
    assert found["drop P2->P1"].fields == {"channel": "P2->P1", "message": "M"}
    assert found["duplicate P2->P1 1"].fields["message"] == "◆1"
    assert found["overtake P2->P1 1"].url == f"/run/five/branch?v={stamp(SCENARIO)}&step=3&action=overtake+P2-%3EP1+1"
    assert found["crash P1"].fields == {"process": "P1"}
    assert not any(option.action in found for option in step_view.choices(RUN, 3, AT))


def test_a_snapshot_names_who_takes_no_part_and_who_took_its_part_along() -> None:
    gone = run(
        """
        topology: {processes: [p, q, n], channels: [p->q, q->p, p->n, n->p]}
        newcomers: {n: p}
        program: {kind: bank, accounts: {p: 3, q: 3}}
        script: [{start: p}, {crash: q}]
        """
    )
    (told,) = step_view.snapshots(gone, 2)
    assert [(row.element, row.mode) for row in told.rows][:3] == [("p", "recorded"), ("q", "gone"), ("n", "absent")]
    assert told.unusable == ("q",)
