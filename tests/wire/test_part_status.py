"""Why a snapshot can never be used, as far as is known at a step."""

from app.run.run import record
from app.scenario.run_key import RunKey
from app.scenario.scenario import load
from app.wire.part_status import ruined

TWO_STARTERS = """
title: {en: The second starts upstream, zh: 第二个在上游发起}
topology: {chain: 3}
program: {kind: bank, everyone: 10, amounts: [1]}
schedule: {kind: seeded, seed: 1, moves: 6}
initiators: [{process: P2, at: 1}, {process: P1, at: 2}]
"""


def test_a_snapshot_that_reaches_nobody_upstream_never_completes_until_somebody_there_starts_it_too() -> None:
    run = record(load(TWO_STARTERS, "two-starters-of-a-chain"), RunKey(algorithm="merged"))
    first, second = (step.number for step in run.steps for note in step.notes if note.key == "started")
    assert [ruined(run, step, 1) for step in (first - 1, first, second)] == [None, "never", None]
    assert run.history.recordings[1].completed and ruined(run, len(run.steps), 1) is None
