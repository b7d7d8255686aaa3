"""``bluecut explore``: all interleavings of a small system."""

import shlex
from collections.abc import Iterator

import click

from app.analysis.expectations import plain, unexplained
from app.cli.check import counted
from app.cli.run_options import another_algorithm, in_language
from app.cli.scenario_argument import STDIN
from app.cli.scenario_argument import scenario as scenario_named
from app.cli.terminal import oneline, say, working, write_json
from app.core.model.system import DISCIPLINES
from app.core.model.values import Json
from app.core.oracle.checks import CHECKS
from app.run.chance import Chances, chances
from app.run.explore import MOST_STATES, Exploration, Outcome, limits
from app.run.explore import explore as explored
from app.scenario.format import ExploreForm
from app.scenario.library import LIBRARY
from app.scenario.run_key import Choices, RunKey, written
from app.scenario.scenario import Scenario
from app.wire.run_url import Address, canonical, stamp
from app.words.catalogues import JOIN, PAUSE, word
from app.words.witness_words import witness_sentence


@click.command()
@click.argument("scenario")
@another_algorithm
@click.option("--discipline", type=click.Choice(list(DISCIPLINES)), help="Use this order of delivery.")
@click.option(
    "--most",
    type=click.IntRange(1, 10_000_000),
    default=MOST_STATES,
    show_default=True,
    help="Stop at this many states. The default takes seconds, even with a dozen processes.",
)
@click.option(
    "--moves", type=click.IntRange(0, 50), help="Let the programs make this many moves, not as many as SCENARIO says."
)
@click.option("--chance", is_flag=True, help="Say also how likely each check fails in a random run, if seeded.")
@in_language
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def explore(
    scenario: str,
    algorithm: str | None,
    discipline: str | None,
    most: int,
    moves: int | None,
    chance: bool,
    lang: str,
    as_json: bool,
) -> int:
    """Visit the states that SCENARIO can reach: how many there are, which snapshots are possible, what breaks first.

    Only small systems can be visited completely. The programs make as many moves as the scenario's explore block says,
    4 where it says nothing, and the search stops at a limit; a check that did not fail may still fail beyond. The first
    lines say how far the search went.

    The exit status is 1 if the result is not what the scenario's explore block says. For another algorithm, discipline
    or number of moves, or without such a block, it is 1 if a check can fail.
    """
    chosen = scenario_named(scenario)
    key = canonical(chosen, RunKey(algorithm=algorithm, discipline=discipline))
    shown, bound = oneline(chosen.name), f"{most:,}"
    with working(word("cli.explore.working", lang, scenario=shown, most=bound)) as status:

        def watch(states: int) -> None:
            if status:
                so_far = word("cli.explore.so-far", lang, scenario=shown, states=f"{states:,}", most=bound)
                status.update(so_far)

        usual = limits(chosen)
        bounds = usual if moves is None else usual.model_copy(update={"moves": moves})
        found = explored(chosen, key, most=most, watch=watch, bounds=bounds)
        failing = _failing(chances(chosen, key, most=most)) if chance else None
    expected = chosen.form.explore if chosen.own(key) and bounds == usual else None
    differences = unexplained(chosen, found) if expected else []
    failed = bool(differences) if expected else bool(found.counterexamples)
    if as_json:
        told = _exploration_json(chosen, key, bounds, found, differences) | (
            {} if failing is None else {"chances": failing}
        )
        write_json(told)
    else:
        say(_lines(scenario, chosen, key, bounds, found, differences, lang))
        say(() if failing is None else _chances(failing, lang))
    return 1 if failed else 0


def _failing(found: Chances) -> dict[str, float]:
    """Return by check how likely a random run breaks it."""
    each = {check: sum(part for failing, part in found.items() if check in failing) for check in CHECKS}
    return {check: chance for check, chance in each.items() if chance}


def _chances(failing: dict[str, float], language: str) -> Iterator[str]:
    """Yield how likely each check fails in a random run."""
    yield ""
    if not failing:
        yield word("cli.explore.chance.none", language)
    for check, chance in failing.items():
        yield word("cli.explore.chance", language, check=check, percent=f"{100 * chance:.3f}")


def _exploration_json(
    scenario: Scenario, key: RunKey, bounds: ExploreForm, found: Exploration, differences: list[str]
) -> Json:
    return {
        "scenario": scenario.name,
        "algorithm": scenario.algorithm(key),
        "discipline": scenario.discipline(key),
        "limits": {"moves": bounds.moves, "starts": bounds.starts, "faults": bounds.faults},
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


def _lines(
    named: str,
    scenario: Scenario,
    key: RunKey,
    bounds: ExploreForm,
    found: Exploration,
    differences: list[str],
    language: str,
) -> Iterator[str]:
    """Yield what was found, for people."""

    def count(number: int, noun: str) -> str:
        return counted(number, noun, language)

    yield word(
        "cli.explore.headline",
        language,
        scenario=scenario.name,
        algorithm=scenario.algorithm(key),
        discipline=scenario.discipline(key),
        states=count(found.states, "state"),
        transitions=count(found.transitions, "transition"),
    )
    yield _within(bounds, language)
    if found.bounded:
        yield word("cli.explore.bounded", language, states=count(found.states, "state"))
    if found.incomplete:
        yield word("cli.explore.incomplete", language, states=count(found.incomplete, "state"))
    yield ""
    ending = "" if not found.bounded else ".so-far" if found.outcomes else ".none"
    yield word(f"cli.explore.outcomes{ending}", language, outcomes=count(len(found.outcomes), "outcome"))
    for outcome in found.outcomes:
        yield "  " + _possible(outcome, language)
    yield ""
    if not found.counterexamples:
        yield _verdict(found, language)
    for check, example in found.counterexamples.items():
        steps, reason = count(len(example.choices), "step"), witness_sentence(example.witness, language)
        yield "✗ " + word("cli.explore.fails", language, check=check, steps=steps, reason=reason)
        yield f"    {_command(named, key, example.choices, language)}"
        if scenario.name in LIBRARY.names():
            yield f"    {_address(scenario, key, example.choices)}"
    yield from differences


def _within(bounds: ExploreForm, language: str) -> str:
    """Return how far the search goes."""
    faults = [f"{name} ≤ {most}" for name, most in bounds.faults.items() if most]
    return word(
        "cli.explore.within",
        language,
        moves=bounds.moves,
        starts=bounds.starts or word("cli.explore.within.nobody", language),
        faults=JOIN[language].join(faults) or word("cli.explore.within.none", language),
    )


def _possible(outcome: Outcome, language: str) -> str:
    """Return a recorded global state in one line, without empty channels."""
    filled = {channel: content for channel, content in outcome.channels.items() if content}
    states, flight = (
        JOIN[language].join(f"{name} = {plain(value)}" for name, value in values.items())
        for values in (outcome.processes, filled)
    )
    return states + PAUSE[language] + (flight or word("cli.explore.empty", language))


def _verdict(found: Exploration, language: str) -> str:
    if found.complete and not found.bounded:
        return word("cli.explore.holds", language)
    if found.complete:
        return word("cli.explore.unproved", language, snapshots=counted(found.complete, "complete", language))
    return word("cli.explore.undecided" if found.bounded else "cli.explore.nothing", language)


def _command(named: str, key: RunKey, choices: Choices, language: str) -> str:
    words = ["bluecut", "run", named]
    words += ["--algorithm", key.algorithm] if key.algorithm else []
    words += ["--discipline", key.discipline] if key.discipline else []
    words += ["--choices", written(choices), "--drain"]
    return shlex.join(words) + (f" {word('cli.explore.stdin', language)}" if named == STDIN else "")


def _address(scenario: Scenario, key: RunKey, choices: Choices) -> str:
    """Return the URL path that opens the run at its last step."""
    run = RunKey(key.algorithm, None, key.discipline, choices, True)
    return Address(scenario.name, scenario, run).url(step=len(choices), v=stamp(scenario))
