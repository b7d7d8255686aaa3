"""``bluecut check``: compare scenarios with what they expect."""

import click

from app.analysis.expectations import mismatches, unexplained
from app.cli.run_options import in_language
from app.cli.scenario_argument import scenario as scenario_named
from app.cli.terminal import oneline, say, working
from app.run.explore import explore
from app.run.run import record
from app.scenario.library import LIBRARY
from app.scenario.scenario import Scenario
from app.words.catalogues import JOIN, word


@click.command()
@click.argument("scenarios", metavar="[SCENARIO]...", nargs=-1)
@in_language
def check(scenarios: tuple[str, ...], lang: str) -> int:
    """Run each SCENARIO (by default the whole library) and compare it with what it expects.

    If a scenario has an explore block, all its interleavings are visited too. The exit status is 1 if a scenario is
    not what it expects.
    """
    chosen = [scenario_named(name) for name in scenarios or LIBRARY.names()]
    lines: list[str] = []
    failed = 0
    with working(word("cli.check.working", lang)) as status:
        for place, scenario in enumerate(chosen, 1):
            if status:
                status.update(
                    word("cli.check.place", lang, place=place, count=len(chosen), scenario=oneline(scenario.name))
                )
            headline, differences = _judged(scenario, lang)
            lines += [f"{'✗' if differences else '✓'} {headline}", *(f"    {sentence}" for sentence in differences)]
            failed += bool(differences)
    say([*lines, word("cli.check.sum", lang, scenarios=counted(len(chosen), "scenario", lang), failed=failed)])
    return 1 if failed else 0


def _judged(scenario: Scenario, language: str) -> tuple[str, list[str]]:
    """Return one line about a scenario, and how it differs from what it expects."""
    run = record(scenario)
    differences = mismatches(run)
    said = [counted(len(run.steps), "step", language), counted(len(run.verdicts), "snapshot", language)]
    if scenario.form.explore:
        found = explore(scenario)
        differences += unexplained(scenario, found)
        said.append(word("cli.check.explored", language, states=counted(found.states, "state", language)))
    return word("cli.check.judged", language, scenario=scenario.name, facts=JOIN[language].join(said)), differences


def counted(number: int, noun: str, language: str) -> str:
    """Return ``1 step`` or ``2 steps`` in the words of the language."""
    return word(f"cli.count.{noun}" + (".one" if number == 1 else ""), language, count=f"{number:,}")
