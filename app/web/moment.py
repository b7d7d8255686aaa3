"""One moment of a run as a page tells it: what was said, recorded and judged by then, and what can happen next."""

from dataclasses import dataclass
from itertools import islice
from typing import Any

from app.core import oracle
from app.core.enabled import options
from app.core.model import APP, MARKER, Action, Collect, Deliver, Json, Move, Start, Wake
from app.core.notes import Rule
from app.core.recorded import channels, open_channels
from app.narration.tell import pieces, plain, tell
from app.simulator.run import Run
from app.view.frames import compact, said, text
from app.web.address import Address, stamp

OFFERED = 100
"""How many of the next actions a page lists: with each goes a link, and a link may carry a whole scenario."""

AROUND = 50
"""How many lines of the log a page shows before and after its own step."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a recorded global state. ``mode`` is ``none``, ``recording``, ``recorded`` or, for a channel at which
    the algorithm does not look, ``unwatched``."""

    element: str
    kind: str
    mode: str
    value: Json = None


@dataclass(frozen=True, slots=True)
class Check:
    """One check of a snapshot; ``holds`` is None as long as it is not decided."""

    name: str
    holds: bool | None
    witness: Json = None


@dataclass(frozen=True, slots=True)
class Recorded:
    """What a snapshot has recorded so far, and what the oracle says of it."""

    number: int
    initiators: tuple[str, ...]
    complete: bool
    rows: tuple[Row, ...]
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """Something that can happen next, or cannot for ``reason``. ``key`` and ``fields`` are its words."""

    action: str
    key: str
    fields: dict[str, Any]
    reason: str | None
    url: str | None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the event log."""

    step: int
    text: str
    url: str
    now: bool


def sentence(run: Run, step: int, language: str) -> str:
    """What step ``step`` says, with its marks; nothing for the beginning."""
    return tell(said(run, run.steps[step - 1]), language) if step else ""


def caption(run: Run, step: int, language: str) -> str:
    """The author's words for the step, if there are any."""
    words = run.caption(step)
    return getattr(words, language) if words else ""


def rules(run: Run, step: int) -> list[tuple[str, int, bool]]:
    """The pseudocode: each line's name, its depth, and whether this step executed it."""
    notes = run.steps[step - 1].notes if step else ()
    fired = {line for note in notes if isinstance(note, Rule) for line in note.lines}
    return [(line, depth, line in fired) for line, depth in run.system.algorithm.PSEUDOCODE]


def snapshots(run: Run, step: int) -> list[Recorded]:
    """Every snapshot that has started by ``step``."""
    world = run.world(step)
    return [recorded(run, step, number, world.snapshots[number].initiators) for number in sorted(world.snapshots)]


def recorded(run: Run, step: int, number: int, initiators: tuple[str, ...]) -> Recorded:
    """One snapshot as it is after ``step``."""
    system, world = run.system, run.world(step)
    parts = oracle.parts(system, world, number)
    rows = [
        Row(name, "process", "recorded", system.program.view(parts[name].state))
        if name in parts
        else Row(name, "process", "none")
        for name in system.topology.names
    ]
    still_open = open_channels(parts)
    held = {c: (messages, c in still_open) for c, messages in channels(system, parts).items()}
    for channel in system.topology.channels:
        if channel not in held:
            rows.append(Row(channel, "channel", "none"))
            continue
        messages, still = held[channel]
        if not still and run.history.recordings[number].closed.get(channel, step + 1) > step:
            rows.append(Row(channel, "channel", "unwatched"))
            continue
        content = [system.program.show(message.payload) for message in messages]
        rows.append(Row(channel, "channel", "recording" if still else "recorded", content))
    verdict = run.verdicts.get(number)
    checks = []
    for name in oracle.CHECKS:
        decided = verdict is not None and verdict.since.get(name, step + 1) <= step
        holds = verdict.checks[name] if verdict and decided else None
        checks.append(Check(name, holds, verdict.witnesses.get(name) if verdict and holds is False else None))
    return Recorded(number, initiators, world.snapshots[number].waiting == 0, tuple(rows), tuple(checks))


def choices(run: Run, step: int, at: Address) -> list[Option]:
    """What can happen after ``step``, and what cannot and why: the first OFFERED."""
    found = []
    for action, reason in islice(options(run.system, run.world(step)), OFFERED):
        name = text(action, run.system.program.show)
        key, fields = worded(run, step, action)
        url = None if reason else at.url("run", "branch", v=stamp(at.scenario), lang=at.lang, step=step, action=name)
        found.append(Option(name, key, fields, reason, url))
    return found


def worded(run: Run, step: int, action: Action) -> tuple[str, dict[str, Any]]:
    """The catalogue's key for an action, and its fields."""
    show, world = run.system.program.show, run.world(step)
    if isinstance(action, Start):
        return "action.start", {"process": action.process}
    if isinstance(action, Wake):
        return "action.wake", {"process": action.process}
    if isinstance(action, Collect):
        part = world.lanes[action.channel][0].payload
        return "action.collect", {"channel": action.channel, "part": part}
    if isinstance(action, Deliver):
        message = world.queues[action.channel][action.position]
        target = run.system.topology.channels[action.channel].target
        if message.kind == MARKER:
            return "action.marker", {"process": target, "channel": action.channel, "snapshot": message.snapshot or ""}
        assert message.kind == APP
        return "action.deliver", {"process": target, "channel": action.channel, "message": show(message.payload)}
    assert isinstance(action, Move)
    if action.channel is None:
        return "action.change", {"process": action.process, "state": compact(action.detail)}
    fields = {"process": action.process, "channel": action.channel, "message": show(action.payload)}
    if isinstance(action.detail, str):  # the state that the sender is in afterwards; several edges may send the same
        return "action.send.into", fields | {"state": action.detail}
    return "action.send", fields


def log(run: Run, step: int, at: Address, language: str) -> list[Line]:
    """The steps around ``step``, each a link to its own page."""
    lines = []
    for number in range(max(1, step - AROUND), min(len(run.steps), step + AROUND) + 1):
        url = at.url("run", "step", number, lang=at.lang)
        lines.append(Line(number, headline(run, number, language), url, number == step))
    return lines


def headline(run: Run, step: int, language: str) -> str:
    """The first, most important words of a step's sentence."""
    marked = pieces(sentence(run, step, language))
    words = next((words for matters, words in marked if matters), marked[0][1] if marked else "")
    return plain(words).rstrip(".,:。，：")
