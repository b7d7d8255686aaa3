"""One moment of a run for a page: what was said, recorded and judged by then, and what can happen next."""

from collections.abc import Callable
from itertools import islice
from typing import Any, TypeAlias

from app.core.kernel.enabled import faults, options
from app.core.model.algorithm import Kind
from app.core.model.notes import Rule, only
from app.core.model.value import Frozen
from app.core.model.values import (
    CONTROL,
    MARKER,
    WORD,
    Action,
    Collect,
    Deed,
    Deliver,
    Forget,
    Into,
    Join,
    Json,
    Message,
    Move,
    OnMessage,
    Restore,
    Start,
    Wake,
)
from app.core.oracle import checks as oracle
from app.run.barrier_deadlock import deadlock
from app.run.run import Run
from app.wire.action_text import detail, text
from app.wire.frames import sentences_of_step
from app.wire.run_url import Address, stamp
from app.wire.snapshot_table import Row, rows
from app.words.catalogues import catalogue, pieces, plain, tell
from app.words.sentence_fields import control, sign

OFFERED = 100
"""The most next actions on a page: each needs a link, and a link may carry a whole scenario."""

AROUND = 10
"""The most lines of the log before and after a page's own step."""

Fields: TypeAlias = dict[str, Any]
"""The values in a text, by name."""
Worded: TypeAlias = tuple[str, Fields]
"""The key of a text, and its values."""


class Check(Frozen):
    """One check of a snapshot; ``holds`` is None until it is decided. ``witness`` shows where it fails, or why it
    cannot be decided."""

    name: str
    holds: bool | None
    witness: Json = None


class Recorded(Frozen):
    """What a snapshot has recorded so far, and what the oracle says of it; ``stuck``, at the end of a stopped run:
    which processes wait for which barriers (see ``app.run.barrier_deadlock``)."""

    number: int
    initiators: tuple[str, ...]
    complete: bool
    rows: tuple[Row, ...]
    checks: tuple[Check, ...]
    aborted: bool = False
    unusable: tuple[str, ...] = ()
    stuck: Json = None


class Option(Frozen):
    """Something that can happen next, or cannot for ``reason``. ``key`` and ``fields`` are its words."""

    action: str
    key: str
    fields: Fields
    reason: str | None
    url: str | None


class Line(Frozen):
    """One line of the event log."""

    step: int
    text: str
    url: str
    now: bool


def sentence(run: Run, step: int, language: str) -> str:
    """Return the sentence of step ``step``, with its marks; empty for the beginning."""
    return tell(sentences_of_step(run, run.steps[step - 1]), language) if step else ""


def caption(run: Run, step: int, language: str) -> str:
    """Return the author's words for the step, if there are any."""
    words = run.caption(step)
    return getattr(words, language) if words else ""


def rules(run: Run, step: int) -> list[tuple[str, int, bool]]:
    """Return the pseudocode: each line's name, its depth, and whether this step executed it."""
    notes = run.steps[step - 1].notes if step else ()
    fired = {line for note in only(Rule, notes) for line in note.lines}
    return [(line, depth, line in fired) for line, depth in run.system.algorithm.PSEUDOCODE]


def snapshots(run: Run, step: int) -> list[Recorded]:
    """Return every snapshot that has started by ``step``."""
    world = run.world(step)
    return [recorded(run, step, number, world.snapshots[number].initiators) for number in sorted(world.snapshots)]


def recorded(run: Run, step: int, number: int, initiators: tuple[str, ...]) -> Recorded:
    """Return one snapshot after ``step``."""
    progress = run.world(step).snapshots[number]
    verdict = run.verdicts.get(number)
    checks = []
    for name in oracle.CHECKS:
        decided = verdict is not None and verdict.since.get(name, step + 1) <= step
        holds = verdict.checks[name] if verdict and decided else None
        checks.append(Check(name, holds, verdict.witnesses.get(name) if verdict and decided else None))
    complete = progress.waiting == 0 and not progress.aborted
    table = rows(run, step, number)
    found = deadlock(run.system, run.world(step), number) if step == len(run.steps) else None
    stuck = found.as_json(run.system) if found else None
    return Recorded(number, initiators, complete, table, tuple(checks), progress.aborted, progress.unusable, stuck)


def choices(run: Run, step: int, at: Address) -> list[Option]:
    """Return what can happen after ``step``, and what cannot and why: the first OFFERED."""
    offered = islice(options(run.system, run.world(step)), OFFERED)
    return [option(run, step, at, action, reason) for action, reason in offered]


def troubles(run: Run, step: int, at: Address) -> list[Option]:
    """Return what can go wrong after ``step``, and which processes may join or leave: the first OFFERED."""
    return [option(run, step, at, fault, None) for fault in islice(faults(run.system, run.world(step)), OFFERED)]


def option(run: Run, step: int, at: Address | None, action: Action, reason: str | None = None) -> Option:
    """Return an action with its words and, if it is possible and ``at`` is given, its address."""
    name = text(action, run.system.program.show)
    key, fields = worded(run, step, action)
    url = None
    if at is not None and reason is None:
        url = at.url("run", "branch", v=stamp(at.scenario), lang=at.lang, step=step, action=name)
    return Option(name, key, fields, reason, url)


def worded(run: Run, step: int, action: Action) -> Worded:
    """Return the catalogue's key for an action, and its fields."""
    world, about = run.world(step), type(action).__struct_fields__[0]
    key, values = f"action.{action.key}", {about: getattr(action, about)}
    match action:
        case Move():
            return _moving(action, values, run.system.program.show)
        case Start() if run.system.algorithm.KIND is Kind.PRIVATE:
            return "action.checkpoint", values
        case Join():
            return key, values | {"parent": run.system.newcomers[action.process]}
        case Restore(snapshot=0):
            return "action.restore.beginning", values
        case Forget():
            return key, values | {"word": control(action.what.word)}
        case Wake():
            special = f"action.wake.{action.what.word}"
            values |= {"snapshot": action.what.about, "word": action.what.word}
            return special if special in catalogue("en") else key, values
        case Collect():
            return _coming(world.lanes[action.channel][0], action.channel)
        case OnMessage():
            message = world.queues[action.channel][action.position]
            if isinstance(action, Deliver):
                values["process"] = run.system.topology.channels[action.channel].target
                if message.kind == MARKER:
                    key = "action.barrier" if run.system.algorithm.COORDINATED else "action.marker"
                    return key, values | {"snapshot": message.snapshot or ""}
                key = "action.control" if message.kind == CONTROL else key
            return key, values | {"message": named(run, message)}
    return key, values


def _moving(move: Move, values: Fields, show: Callable[[object], object]) -> Worded:
    if move.channel is None and move.detail == Deed.READ:
        return "action.read", values
    if move.channel is None:
        return "action.change", values | {"state": detail(move)}
    values |= {"channel": move.channel, "message": show(move.payload)}
    if isinstance(move.detail, Into):  # the sender's next state, because several edges may send the same message
        return "action.send.into", values | {"state": move.detail.state}
    return "action.send", values


def _coming(message: Message, channel: str) -> Worded:
    """Return what travels beside a channel: a recorded part, or a message from one process to another."""
    if message.kind != WORD:
        return "action.collect", {"channel": channel, "part": message.payload}
    source, target, word = message.payload
    return "action.word", {"channel": channel, "source": source, "target": target, "word": control(word)}


def named(run: Run, message: Message) -> Json:
    """Return the name of a message."""
    if message.kind == MARKER:
        return sign(message.snapshot, run.system.algorithm.COORDINATED)
    return control(message.payload) if message.kind == CONTROL else run.system.program.show(message.payload)


def log(run: Run, step: int, to: Callable[[int], str], language: str) -> list[Line]:
    """Return the steps around ``step``; ``to`` is the address of each."""
    around = range(max(1, step - AROUND), min(len(run.steps), step + AROUND) + 1)
    return [Line(number, _headline(run, number, language), to(number), number == step) for number in around]


def walk(step: int, last: int, to: Callable[[int], str]) -> dict[str, str | None]:
    """Return the addresses of other steps from here, for those without scripts: ``first``, ``back``, ``next`` and
    ``last``; None where there is no such step, or it is this one."""
    places = {"first": 0, "back": step - 1, "next": step + 1, "last": last}
    return {name: to(at) if at != step and 0 <= at <= last else None for name, at in places.items()}


def _headline(run: Run, step: int, language: str) -> str:
    """Return the first, most important words of a step's sentence."""
    marked = pieces(sentence(run, step, language))
    words = next((words for matters, words in marked if matters), marked[0][1] if marked else "")
    return plain(words).rstrip(".,:。，：")
