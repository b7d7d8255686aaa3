"""``bluecut run``: one run of a scenario, for people or as JSON."""

import sys
from collections.abc import Iterator
from typing import Any

import click
from msgspec import to_builtins

from app.analysis.checkpoint_sizes import stores
from app.analysis.checkpoint_sizes import summary as weighed
from app.analysis.expectations import mismatches
from app.analysis.ledger import ledger
from app.analysis.ledger import summary as booked
from app.analysis.membership_log import membership
from app.analysis.phases import phases
from app.analysis.recovery_cost import recovery_cost
from app.analysis.recovery_cost import summary as paid
from app.cli.report import lines, show
from app.cli.run_options import in_language, key, named_run
from app.cli.scenario_argument import scenario as scenario_named
from app.cli.terminal import oneline, say, terminal, working, write_json
from app.core.kernel.enabled import enabled
from app.core.model.values import BluecutError
from app.run.run import Run, record, summary
from app.web.shared.step_view import worded
from app.words.catalogues import word


@click.command()
@click.argument("scenario")
@named_run
@in_language
@click.option(
    "--actions",
    "at",
    type=click.IntRange(0),
    metavar="STEP",
    help="List instead what can happen after STEP steps, each with its STEP:INDEX for --choices.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def run(scenario: str, lang: str, at: int | None, as_json: bool, **options: Any) -> int:
    """Run SCENARIO: what happens in each step, what is recorded, what the checks say.

    The exit status is 1 if the run is not what the scenario expects. Another algorithm, seed or discipline, or
    choices, make it another run; then the only expectation is that no check fails.
    """
    chosen = scenario_named(scenario)
    with working(f"running {chosen.name}"):
        made = record(chosen, key(**options))
        if at is not None:
            say(_possible(made, at, lang))
            return 0
        differences = mismatches(made)
        told = summary(made)
        known, changed = phases(made), membership(made)
        for snapshot in told["snapshots"]:
            snapshot["phases"] = [to_builtins(phase) for phase in known[snapshot["id"]]]
            if snapshot["id"] in changed:
                snapshot["membership"] = [
                    {"process": c.process, "event": c.event, "step": c.step, "stands": c.stands(len(made.steps))}
                    for c in changed[snapshot["id"]]
                ]
        if (book := ledger(made)) is not None:
            told["ledger"] = booked(book)
        if (cost := recovery_cost(made)) is not None:
            told["recovery"] = paid(cost)
        if (found := stores(made)) is not None:
            told["files"] = weighed(found)
    if as_json:
        write_json(told)
        for sentence in differences:
            print(oneline(sentence), file=sys.stderr)
    elif terminal():
        show(made, told, differences, lang)
    else:
        say(lines(made, told, differences, lang))
    return 1 if differences else 0


def _possible(run: Run, step: int, language: str) -> Iterator[str]:
    """Yield one line for each action possible after ``step`` steps. Raises BluecutError if the run is shorter."""
    if step > len(run.steps):
        raise BluecutError("step {step} does not exist; the run has {steps} steps", step=step, steps=len(run.steps))
    actions = enabled(run.system, run.world(step))
    numbers = [f"{step}:{index}" for index in range(len(actions))]
    width = max(map(len, numbers), default=0)
    for number, action in zip(numbers, actions, strict=True):
        key, fields = worded(run, step, action)
        yield f"{number:<{width}}  {word(key, language, **fields)}"
    if not actions:
        yield word("step.next.nothing", language)
