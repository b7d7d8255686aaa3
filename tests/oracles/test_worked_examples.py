"""Recorded global states from papers, textbooks and lectures, and composites that they call inconsistent."""

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

import pytest

from app.algorithms.registry import algorithm
from app.core.kernel.step import step
from app.core.model import recorded_state
from app.core.model.algorithm import Algorithm
from app.core.model.notes import Received
from app.core.model.system import System
from app.core.model.values import APP, MARKER, Message, Part
from app.core.oracle import checks
from app.core.oracle.history import History, Recording
from app.run.run import Run, channels, record, summary
from app.scenario.scenario import Scenario
from tests.oracles.shared import ORACLES, needs
from tests.tiny import made

FILE = ORACLES / "worked_examples.json"
EXAMPLES = json.loads(FILE.read_text()) if FILE.exists() else {"positive": [], "negative": []}
POSITIVE = {e["name"]: e for e in EXAMPLES["positive"]} or {"the examples": {}}
NEGATIVE = {e["name"]: e for e in EXAMPLES["negative"]} or {"the examples": {}}


def channel(name: str) -> str:
    """Return ``p>q`` in Bluecut's form."""
    return name.replace(">", "->")


def scripted(example: Any) -> Scenario:
    """Return the example as a scenario: its steps are the script. ``+A`` appends A to a state, which is a list."""
    states = dict(example["initial"])

    def becomes(process: str, state: Any) -> Any:
        appended = isinstance(states[process], list) and isinstance(state, str) and state.startswith("+")
        states[process] = [*states[process], state[1:]] if appended else state
        return states[process]

    script: list[Any] = []
    for op in example["steps"]:
        if op["op"] == "snapshot":
            script.append({"start": op["p"]})
            continue
        source, target = op["ch"].split(">")
        if op["op"] == "send":
            send = {"on": channel(op["ch"]), "message": op["msg"], "state": becomes(source, op["state"])}
            script.append({"send": send})
        elif op["op"] == "recv":
            script.append({"deliver": channel(op["ch"]), "state": becomes(target, op["state"])})
        else:
            script.append({"deliver": channel(op["ch"])})
    return made(
        {
            "topology": {"processes": example["processes"], "channels": [channel(c) for c in example["channels"]]},
            "program": {"kind": "scripted", "states": example["initial"]},
            "collect": False,
            "script": script,
        }
    )


def expected(example: Any) -> Any:
    """Return the published global state."""
    published = example["expected"]
    return published["states"], {channel(c): messages for c, messages in published["channels"].items()}


@pytest.mark.parametrize("name", POSITIVE)
def test_the_published_global_state_is_recorded(name: str) -> None:
    needs(FILE)
    example = POSITIVE[name]
    run = record(scripted(example))
    first = summary(run)["snapshots"][0]
    assert (first["processes"], first["channels"]) == expected(example)
    assert first["complete"] and False not in first["checks"].values()
    kinds = {"recv": APP, "marker": MARKER}
    for op, made_step in zip(example["steps"], run.steps, strict=False):
        if op["op"] in kinds:
            assert [n.message.kind for n in made_step.notes if isinstance(n, Received)] == [kinds[op["op"]]]


@pytest.mark.parametrize("name", POSITIVE)
def test_with_unlabelled_markers_all_starts_make_one_snapshot(name: str) -> None:
    """The paper's own setting: markers carry no id, and every spontaneous start joins the same snapshot."""
    needs(FILE)
    example = POSITIVE[name]
    merged = cast(Algorithm[Any], SimpleNamespace(**{**vars(algorithm("chandy-lamport")), "LABELLED": False}))
    scenario = scripted(example)
    system = System(scenario.topology, scenario.program, merged, collect=False)
    history, world = History(system.topology.names), system.begin()
    for entry in scenario.entries:
        world, notes = step(system, world, entry.action)
        history.watch(entry.action, notes)
    assert list(history.recordings) == [1]
    recorded = recorded_state.parts(system, world, 1)
    states = {process: scenario.program.view(part.state) for process, part in recorded.items()}
    assert (states, channels(system, recorded)) == expected(example)
    seen = history.recordings[1]
    assert seen.initiators == [op["p"] for op in example["steps"] if op["op"] == "snapshot"]
    assert seen.markers == {channel(c): 1 for c in example["channels"]}
    assert checks.Oracle(system, history).judge(world, 1).broken == ()


# --- composites that are no global state of the run -----------------------------------------------------------------


def bank(accounts: dict[str, int], script: list[Any]) -> Run:
    """Return a run between two accounts with a channel each way."""
    a, b = accounts
    return record(
        made(
            {
                "topology": {"processes": [a, b], "channels": [f"{a}->{b}", f"{b}->{a}"]},
                "program": {"kind": "bank", "accounts": accounts},
                "script": script,
            }
        )
    )


def composite(run: Run, cut: dict[str, int], states: dict[str, int], held: dict[str, list[Message]]) -> dict[str, Any]:
    """Return the oracle's verdict on states and channels put together by hand: which checks fail, and why."""
    system, history = run.system, run.history
    recorded = {n: Part(n, ((("", s)),), (), ()) for n, s in states.items()}
    seen, oracle = Recording(1, 0, cut=cut), checks.Oracle(system, history)
    evidence = checks.Evidence(system, history, seen, recorded, held, checks.Verdict(), oracle)
    same, totals = checks.conserved(evidence)
    return {
        "channels": checks.channel_fault(system, history.crossing(cut), held, history),
        "conserved": None if same else totals,
        "reachable": checks.unreachable(evidence),
    }


def messages(run: Run) -> list[Message]:
    """Return the program's messages in the order sent."""
    return [event.message for event in run.history.sends.values() if event.message]


def two_tokens(example: Any) -> None:
    """Record p with the token, then c with the token in it."""
    run = bank({"p": 1, "q": 0}, [{"send": {"on": "p->q", "message": 1}}])
    (token,) = messages(run)
    found = composite(run, {"p": 0, "q": 0}, {"p": 1, "q": 0}, {"p->q": [token], "q->p": []})
    assert found["conserved"] == {"total": 1, "recorded": example["total"]}
    assert found["channels"]["fault"] == "extra" and found["channels"]["channel"] == "p->q"
    assert found["reachable"] is not None


def zero_tokens(example: Any) -> None:
    """Record c while p has the token, then p without it."""
    run = bank({"p": 1, "q": 0}, [{"send": {"on": "p->q", "message": 1}}])
    found = composite(run, {"p": 1, "q": 0}, {"p": 0, "q": 0}, {"p->q": [], "q->p": []})
    assert found["conserved"] == {"total": 1, "recorded": example["total"]}
    assert found["channels"]["fault"] == "missing" and found["channels"]["channel"] == "p->q"
    assert found["reachable"] is not None


def too_much_money(example: Any) -> None:
    """Record S1 before it sends 50, and the 50 in the channel."""
    script = [{"send": {"on": "S1->S2", "message": 50}}, {"send": {"on": "S2->S1", "message": 80}}]
    run = bank({"S1": 600, "S2": 200}, script)
    fifty, eighty = messages(run)
    states = {"S1": example["composite"]["S1"], "S2": example["composite"]["S2"]}
    found = composite(run, {"S1": 0, "S2": 1}, states, {"S1->S2": [fifty], "S2->S1": [eighty]})
    assert found["conserved"] == {"total": example["true_total"], "recorded": example["total"]}
    assert found["channels"]["fault"] == "extra" and found["channels"]["message"]["payload"] == 50
    assert found["reachable"] is not None


def knows_only_itself(example: Any) -> bool:
    """With A(P1 sends) → B(P2 receives), C(P2 sends) → D(P1 receives): does no event of the cut know one outside it?"""
    run = record(
        made(
            {
                "topology": {"processes": ["P1", "P2"], "channels": ["P1->P2", "P2->P1"]},
                "program": {"kind": "scripted"},
                "script": [
                    {"send": {"on": "P1->P2", "message": "a"}},
                    {"deliver": "P1->P2"},
                    {"send": {"on": "P2->P1", "message": "c"}},
                    {"deliver": "P2->P1"},
                ],
            }
        )
    )
    events = dict(zip("ABCD", run.history.events, strict=True))
    inside = {(events[letter].process, events[letter].index) for letter in example["cut"]}
    for letter in example["cut"]:
        event = events[letter]
        clock = dict(zip(run.history.names, run.history.clocks[event.process, event.index], strict=True))
        known = {(process, index + 1) for process, count in clock.items() for index in range(count)}
        if not known <= inside:
            return False
    return True


def consistent(example: Any) -> None:
    """Check the consistent cut; it consists of prefixes, so the oracle can judge it, too."""
    assert knows_only_itself(example)


def inconsistent(example: Any) -> None:
    """Check that an event of the cut knows of one outside it."""
    assert not knows_only_itself(example)


def overtaken(example: Any) -> None:
    """Let the marker overtake 7 on an unordered channel."""
    run = record(
        made(
            {
                "topology": {"processes": ["0", "1"], "channels": ["0->1"]},
                "program": {"kind": "scripted"},
                "discipline": "any",
                "collect": False,
                "script": [
                    {"send": {"on": "0->1", "message": 7}},
                    {"start": "0"},
                    {"deliver": "0->1", "position": 1},
                    {"deliver": "0->1"},
                ],
            }
        )
    )
    (told,) = summary(run)["snapshots"]
    assert told["channels"] == {"0->1": example["recorded_channel"]}
    assert told["checks"]["channels"] is False
    missing = told["witnesses"]["channels"]
    assert (missing["fault"], [missing["message"]["payload"]]) == ("missing", example["required_channel"])


def unreachable(example: Any) -> None:
    """Check an initiator without a channel to the other process."""
    topology = {"processes": ["0", "1"], "channels": []}
    run = record(made({"topology": topology, "program": {"kind": "scripted"}, "script": [{"start": "0"}]}))
    (told,) = summary(run)["snapshots"]
    assert not told["complete"]
    assert told["witnesses"]["complete"]["unreachable"] == ["1"]


JUDGED: dict[str, Callable[[Any], None]] = {
    "CL85-ex3.1 two tokens (n<n')": two_tokens,
    "CL85-ex3.1 zero tokens (n>n')": zero_tokens,
    "KS $850": too_much_money,
    "Kuper-L7 good cut": consistent,
    "Kuper-L7 bad left": inconsistent,
    "Kuper-L7 bad right": inconsistent,
    "Lean non_fifo_anomaly": overtaken,
    "Lean unreachable process": unreachable,
}


@pytest.mark.parametrize("name", NEGATIVE)
def test_a_composite_is_judged_as_published(name: str) -> None:
    needs(FILE)
    JUDGED[name](NEGATIVE[name])
