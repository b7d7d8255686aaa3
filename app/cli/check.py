"""``bluecut check``: scenarios against what they expect."""

import click

from app.cli.output import say, working
from app.cli.scenario import scenario as scenario_named
from app.simulator.expect import mismatches, unexplained
from app.simulator.explore import explore
from app.simulator.library import LIBRARY
from app.simulator.run import record
from app.simulator.scenario import Scenario


@click.command()
@click.argument("scenarios", metavar="[SCENARIO]...", nargs=-1)
def check(scenarios: tuple[str, ...]) -> int:
    """Run each SCENARIO (all of the library, where none is given) and compare it with what it expects.

    Where a scenario has an explore block, all its interleavings are visited too. The exit status is 1 where one
    scenario is not what it expects.
    """
    chosen = [scenario_named(name) for name in scenarios or LIBRARY.names()]
    lines: list[str] = []
    failed = 0
    with working("checking") as status:
        for place, scenario in enumerate(chosen, 1):
            if status:
                status.update(f"checking {place} of {len(chosen)}: {scenario.name}")
            headline, differences = judged(scenario)
            lines += [f"{'✗' if differences else '✓'} {headline}", *(f"    {sentence}" for sentence in differences)]
            failed += bool(differences)
    say([*lines, f"{counted(len(chosen), 'scenario')}, {failed} failed"])
    return 1 if failed else 0


def judged(scenario: Scenario) -> tuple[str, list[str]]:
    """One line about a scenario, and where it differs from what it expects."""
    run = record(scenario)
    differences = mismatches(run)
    said = [counted(len(run.steps), "step"), counted(len(run.verdicts), "snapshot")]
    if scenario.form.explore:
        found = explore(scenario)
        differences += unexplained(scenario, found)
        said.append(counted(found.states, "state") + " explored")
    return f"{scenario.name}: {', '.join(said)}", differences


def counted(number: int, noun: str) -> str:
    """``1 step``, ``2 steps``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")
