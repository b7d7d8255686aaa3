"""Small systems for tests: a scenario from a few lines, a run from a scenario."""

from textwrap import dedent
from typing import Any

from app.core.kernel.step import step
from app.core.model.notes import Note
from app.core.model.system import System
from app.core.model.values import Action, Deliver, World
from app.forms.yaml_source import Source
from app.run.run import OWN, Run, record
from app.scenario.run_key import RunKey
from app.scenario.scenario import Scenario, build, load

TOKEN = """
    topology: {processes: [p, q], channels: [p->q, q->p]}
    program: {kind: token, holders: {p: 1}}
"""
"""The single token of the 1985 paper: p holds it, c = p->q, c' = q->p."""
CROSSING = (
    TOKEN
    + """
    script:
      - start: q
      - send: {on: p->q}
      - deliver: q->p
      - deliver: p->q
      - deliver: p->q
"""
)
"""q records before the token comes: it is in flight at the cut."""


def scenario(text: str, name: str = "tiny") -> Scenario:
    """Return the scenario that some lines of YAML describe; a title is added."""
    return load("title: {en: Tiny, zh: 小}\n" + dedent(text), name)


def made(values: dict[str, Any], name: str = "made") -> Scenario:
    """Return the scenario that plain values describe; a title is added."""
    return build(Source(name, {"title": {"en": "Made", "zh": "生成"}, **values}, {}))


def run(text: str, key: RunKey = OWN) -> Run:
    """Return the run of a scenario in YAML."""
    return record(scenario(text), key)


def actions(run: Run) -> list[Action]:
    """Return the actions of a run."""
    return [step.action for step in run.steps]


def notes(run: Run, *keys: str) -> list[Note]:
    """Return the notes of a run, of the kinds given."""
    return [note for step in run.steps for note in step.notes if not keys or note.key in keys]


def delivered(run: Run) -> list[Deliver]:
    """Return the deliveries of a run."""
    return [action for action in actions(run) if isinstance(action, Deliver)]


def after(system: System, *actions: Action) -> World:
    """Return the world of a system after some actions."""
    world = system.begin()
    for action in actions:
        world, _ = step(system, world, action)
    return world


def said(run: Run, step: int, *kinds: type[Note]) -> list[Note]:
    """Return the notes of some kinds of a step."""
    return [note for note in run.steps[step - 1].notes if isinstance(note, kinds)]
