"""``bluecut explore``: all interleavings of a small system."""

import json
import shlex
from collections.abc import Iterator

import click

from app.algorithms.registry import ALGORITHMS
from app.cli.check import counted
from app.cli.output import oneline, say, working, write
from app.cli.scenario import STDIN
from app.cli.scenario import scenario as scenario_named
from app.core.model import Json
from app.core.system import DISCIPLINES
from app.narration.witness import told as because
from app.simulator.expect import plain, unexplained
from app.simulator.explore import MOST_STATES, Exploration
from app.simulator.explore import explore as explored
from app.simulator.key import Choices, RunKey, written
from app.simulator.library import LIBRARY
from app.simulator.scenario import Scenario
from app.web.address import Address, canonical, stamp

LANGUAGE = "en"
"""What is said here has no other language yet."""


@click.command()
@click.argument("scenario")
@click.option("--algorithm", type=click.Choice(list(ALGORITHMS)), help="Another algorithm than the scenario's.")
@click.option("--discipline", type=click.Choice(list(DISCIPLINES)), help="Another order of delivery.")
@click.option(
    "--most",
    type=click.IntRange(1, 10_000_000),
    default=MOST_STATES,
    show_default=True,
    help="Stop at this many states. The default takes some seconds, also for a dozen processes.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explore(scenario: str, algorithm: str | None, discipline: str | None, most: int, as_json: bool) -> int:
    """Visit every state that SCENARIO can reach: how many there are, which snapshots are possible, what breaks first.

    Only small systems can be visited whole. The search stops at a bound, and then a check that did not fail may
    still fail beyond it: the last lines say how much was seen.

    The exit status is 1 where this is not what the scenario's explore block says; for another algorithm or
    discipline, and where there is no such block, 1 where a check can fail.
    """
    chosen = scenario_named(scenario)
    key = canonical(chosen, RunKey(algorithm=algorithm, discipline=discipline))
    with working(f"exploring {chosen.name}, at most {most:,} states") as status:

        def watch(states: int) -> None:
            if status:
                status.update(f"exploring {oneline(chosen.name)}: {states:,} of at most {most:,} states")

        found = explored(chosen, key, most=most, watch=watch)
    differences = unexplained(chosen, found) if chosen.own(key) and chosen.form.explore else []
    expected = chosen.form.explore if chosen.own(key) else None
    failed = bool(differences) if expected else bool(found.counterexamples)
    if as_json:
        write(json.dumps(told(chosen, key, found, differences), ensure_ascii=False, indent=2) + "\n")
    else:
        say(lines(scenario, chosen, key, found, differences))
    return 1 if failed else 0


def told(scenario: Scenario, key: RunKey, found: Exploration, differences: list[str]) -> Json:
    """What was found, as JSON."""
    return {
        "scenario": scenario.name,
        "algorithm": scenario.algorithm(key),
        "discipline": scenario.discipline(key),
        "states": found.states,
        "transitions": found.transitions,
        "bounded": found.bounded,
        "judged": found.judged,
        "complete": found.complete,
        "incomplete": found.incomplete,
        "outcomes": [
            {"processes": o.processes, "channels": o.channels, "choices": written(o.choices)} for o in found.outcomes
        ],
        "counterexamples": {
            check: {"witness": c.witness, "choices": written(c.choices), "steps": len(c.choices)}
            for check, c in found.counterexamples.items()
        },
        "mismatches": differences,
    }


def lines(named: str, scenario: Scenario, key: RunKey, found: Exploration, differences: list[str]) -> Iterator[str]:
    """What was found, for people."""
    yield (
        f"{scenario.name}, {scenario.algorithm(key)}, {scenario.discipline(key)}: "
        f"{counted(found.states, 'state')}, {counted(found.transitions, 'transition')}"
    )
    if found.bounded:
        yield f"Stopped at the bound of {counted(found.states, 'state')}: more is possible. Raise it with --most."
    if found.incomplete:
        yield f"{counted(found.incomplete, 'state')} at the end of a run with a snapshot that is not complete."
    yield ""
    yield counted(len(found.outcomes), "possible recorded global state") + (
        " so far:" if found.bounded and found.outcomes else " so far" if found.bounded else ":"
    )
    for outcome in found.outcomes:
        filled = {channel: content for channel, content in outcome.channels.items() if content}
        states = ", ".join(f"{name} = {plain(state)}" for name, state in outcome.processes.items())
        flight = ", ".join(f"{channel} = {plain(content)}" for channel, content in filled.items())
        yield f"  {states}; {flight or 'all channels empty'}"
    yield ""
    if not found.counterexamples:
        yield verdict(found)
    for check, example in found.counterexamples.items():
        reason = because(check, example.witness, LANGUAGE)
        yield f"✗ {check} fails after {counted(len(example.choices), 'step')}: {reason}"
        yield f"    {command(named, key, example.choices)}"
        if scenario.name in LIBRARY.names():
            yield f"    {address(scenario, key, example.choices)}"
    yield from differences


def verdict(found: Exploration) -> str:
    """What follows from finding no counter-example."""
    if found.complete and not found.bounded:
        return "No check can fail."
    if found.complete:
        looks = counted(found.complete, "complete snapshot")
        return f"No check failed in the {looks} judged before the bound. Beyond it one may fail: this proves nothing."
    if found.bounded:
        return (
            "Nothing can be concluded: no snapshot was complete before the bound, so no check was decided. "
            "Raise --most, or explore a smaller system."
        )
    return "Nothing to judge: no snapshot can become complete here."


def command(named: str, key: RunKey, choices: Choices) -> str:
    """The command that runs it again."""
    words = ["bluecut", "run", named]
    words += ["--algorithm", key.algorithm] if key.algorithm else []
    words += ["--discipline", key.discipline] if key.discipline else []
    words += ["--choices", written(choices), "--drain"]
    return shlex.join(words) + (" (with the scenario on standard input)" if named == STDIN else "")


def address(scenario: Scenario, key: RunKey, choices: Choices) -> str:
    """The path of the URL that opens it at its last step."""
    run = RunKey(key.algorithm, None, key.discipline, choices, True)
    return Address(scenario.name, scenario, run).url(step=len(choices), v=stamp(scenario))
