"""An exploration that merges states finds the same as one that merges nothing, equally early."""

from collections.abc import Hashable
from itertools import count
from typing import Any

import pytest

from app.core.model.system import System
from app.run import explore as explorer
from app.run.explore import Exploration, Node, explore
from tests.tiny import made

TOKEN = {"kind": "token", "holders": {"P1": 1}}
BANK = {"kind": "bank", "everyone": 1}


def found(values: dict[str, Any]) -> tuple[set[str], dict[str, int], bool]:
    """The outcomes, the length of the shortest counter-example of each check, and whether a snapshot may never end."""
    exploration: Exploration = explore(made(values), most=20_000)
    assert not exploration.bounded
    outcomes = {repr((outcome.processes, outcome.channels)) for outcome in exploration.outcomes}
    lengths = {check: len(example.choices) for check, example in exploration.counterexamples.items()}
    return outcomes, lengths, exploration.incomplete > 0


@pytest.mark.parametrize(
    ("algorithm", "discipline", "program", "moves", "faults"),
    [
        ("lai-yang", "any", TOKEN, 1, {"duplicate": 1}),
        ("lai-yang", "any", TOKEN, 1, {"drop": 1}),
        ("lai-yang", "fifo", TOKEN, 1, {"duplicate": 1}),
        ("lai-yang", "any", BANK, 2, {}),
        ("colour-blind", "any", TOKEN, 1, {"duplicate": 1}),
        ("colour-blind", "any", TOKEN, 2, {}),
        ("acharya-badrinath", "causal", TOKEN, 1, {"duplicate": 1}),
        ("alagar-venkatesan", "causal", TOKEN, 1, {"drop": 1}),
        ("unicast-token", "any", TOKEN, 1, {"overtake": 1}),
        ("chandy-lamport", "fifo", TOKEN, 1, {"duplicate": 1, "overtake": 1}),
        ("chandy-lamport", "fifo", TOKEN, 2, {"drop": 1}),
        ("members", "fifo", TOKEN, 1, {"crash": 1}),
        ("node-data-silent", "any", TOKEN, 1, {"crash": 2}),
        ("node-record-first", "any", TOKEN, 2, {}),
        ("uncoordinated", "fifo", TOKEN, 1, {"crash": 1, "restart": 1}),
        ("uncoordinated", "fifo", TOKEN, 1, {"crash": 2, "restart": 1}),
        ("chandy-lamport", "fifo", TOKEN, 1, {"crash": 1, "restore": 1}),
    ],
)
def test_merging_misses_nothing(
    algorithm: str,
    discipline: str,
    program: dict[str, Any],
    moves: int,
    faults: dict[str, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = {
        "topology": {"processes": ["P1", "P2"], "channels": ["P1->P2", "P2->P1"]},
        "program": program,
        "algorithm": algorithm,
        "discipline": discipline,
        "explore": {"moves": moves, "starts": ["P1"], "faults": faults},
        "recovery": bool({"restart", "restore"} & set(faults)),
    }
    merged = found(values)
    each = count()

    def unlike_any_other(system: System, node: Node) -> Hashable:
        return 0, next(each)

    monkeypatch.setattr(explorer, "fingerprint", unlike_any_other)
    assert merged == found(values)


def test_a_message_that_the_network_doubled_is_not_the_first_where_histories_are_kept() -> None:
    values = {
        "topology": {"processes": ["P1", "P2"], "channels": ["P1->P2", "P2->P1"]},
        "program": TOKEN,
        "algorithm": "lai-yang",
        "discipline": "any",
        "explore": {"moves": 1, "starts": ["P1"], "faults": {"duplicate": 1}},
    }
    outcomes, lengths, _ = found(values)
    assert lengths == {"channels": 4, "conserved": 4}
    assert repr(({"P1": 0, "P2": 1}, {"P1->P2": ["T"], "P2->P1": []})) in outcomes
