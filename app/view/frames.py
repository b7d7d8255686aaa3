"""Frames: a run as the browser receives it. One scene, then one small change a step, then the end.

The browser folds the changes into scenes and keeps them all. Nothing in a frame is in a language.

Scene
-----
``run``         scenario, algorithm, discipline, seed, choices, drain, digest, engine, own, steps (how many)
``processes``   [{name, x, y, state, can}], x and y in 0..1, ``can`` what the program may do: action texts, or
                [action text, reason, message, state] where there is more to say: why it cannot be done now (or null),
                and, where it is a send that leads into a state of its own, the message and that state
``channels``    ["P1->P2", …] in the scenario's order
``layers``      is the graph drawn in layers, from left to right? ``back`` then names the channels that lead back, the
                back-edges of a depth-first search; elsewhere it is empty
``pseudocode``  [[line, depth], …]; ``wrong`` names the wrong line of a broken variant, or is null
``labelled``    does every start make a snapshot of its own? ``most`` snapshots a run; ``first`` id
``order``       the order in which channels deliver: fifo, causal or any; ``orders`` {channel: order} of single ones
``serial``      is there one initiator, which starts one snapshot after the other?
``settled``     can nobody join while a snapshot is under way?
``newcomers``   {process: parent}: who is no member yet, and who will bring it in
``captions``    {step: {en, zh}}: the author's words

Step (the event's id is the step's number, from 1)
--------------------------------------------------
``a``  the action as text: ``start P1``, ``send P1->P2 5``, ``change P1 …``, ``deliver P1->P2``, ``deliver P1->P2 2``
       (the position), ``collect P1->P2``, ``wake P1 markers 1``; faults: ``drop P1->P2 2``, ``duplicate P1->P2``,
       ``overtake P1->P2 1``, ``cut P1->P2``, ``mend P1->P2``, ``crash P1``, ``join P3``, ``leave P3``,
       ``abandon 1``, ``forget P1 ack 3``, ``restore 1``, ``restart P1``; of a dataflow: ``read s1``, ``output out 5``
``n``  the notes: [key, …]; see NOTES for what follows the key
``s``  the sentences: [[key, value, …], …]; the names of the values are in ``app.narration.sentence.FIELDS``
``t``  the virtual time of the step, in ticks; only where the schedule knows one (timed)

End
---
``full`` (stopped at the limit), ``undisturbed`` (I6), ``stable`` ({snapshot: {before, recorded, after}})
"""

import json
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

from app.algorithms import usual
from app.core import enabled, oracle, order
from app.core.model import (
    Abandon,
    Action,
    Collect,
    Crash,
    Cut,
    Deliver,
    Drop,
    Duplicate,
    Forget,
    Join,
    Json,
    Leave,
    Mend,
    Move,
    Overtake,
    Restart,
    Restore,
    Start,
    Wake,
    World,
)
from app.core.notes import (
    Acted,
    Blocked,
    Changed,
    Crashed,
    Deferred,
    Derived,
    Discarded,
    Doubled,
    Down,
    Folded,
    Hurried,
    Joined,
    Leaving,
    Left,
    Logged,
    Lost,
    Mended,
    Note,
    Output,
    Overtook,
    Parted,
    Paused,
    Received,
    Recorded,
    Restored,
    Resumed,
    Returned,
    Rule,
    Sent,
    Stored,
    Told,
    Unblocked,
    Unreachable,
)
from app.core.program import OUT, READ
from app.core.system import System
from app.narration.fields import Sentence
from app.narration.sentence import Ending, sentences
from app.simulator.key import ENGINE, written
from app.simulator.run import Run, Step

NOTES = {
    "sent": ("channel", "id", "kind", "payload", "snapshot", "tag"),
    "received": ("channel", "id"),
    "changed": ("process", "state"),
    "started": ("snapshot", "process"),
    "recorded": ("snapshot", "process", "channel"),
    "opened": ("snapshot", "channel"),
    "logged": ("snapshot", "channel", "id"),
    "closed": ("snapshot", "channel"),
    "done": ("snapshot", "process"),
    "completed": ("snapshot",),
    "unreachable": ("snapshot", "processes"),
    "assembled": ("snapshot", "process"),
    "uncollected": ("snapshot", "process"),
    "deferred": ("process", "what"),
    "derived": ("snapshot", "channel", "messages"),
    "folded": ("snapshot", "process", "state"),
    "absent": ("snapshot", "process", "inside"),
    "merged": ("snapshot", "process"),
    "unusable": ("snapshot", "process"),
    "aborted": ("snapshot", "process"),
    "told": ("process", "source", "snapshot", "word"),
    "paused": ("process", "channel"),
    "resumed": ("process", "channel"),
    "region": ("snapshot", "process", "master", "border"),
    "round": ("snapshot", "process", "known"),
    "counted": ("snapshot", "process", "missing"),
    "discarded": ("channel", "id"),
    "lost": ("channel", "id"),
    "doubled": ("channel", "id", "copy"),
    "overtook": ("channel", "id"),
    "parted": ("channel",),
    "mended": ("channel",),
    "crashed": ("process",),
    "output": ("process", "outside"),
    "hurried": ("channel", "id", "position"),
    "blocked": ("snapshot", "process", "channel"),
    "unblocked": ("snapshot", "process", "channel"),
    "acked": ("snapshot", "process"),
    "asked": ("process", "target", "what"),
    "forgotten": ("process", "what"),
    "stored": ("process", "saved", "state"),
    "down": ("process",),
    "restored": ("snapshot", "states", "queues"),
    "returned": ("process", "saved", "state", "retracted"),
    "joined": ("process", "parent"),
    "leaving": ("process",),
    "left": ("process",),
    "rule": ("lines",),
    "can": ("process", "moves"),
    "held": ("channel", "id", "reason"),
    "judged": ("snapshot", "check", "holds", "witness"),
}
"""What follows a note's key.

``changed`` is left out where the state looks the same as before. ``recorded`` copies the state that the process has at
that very point of the list; ``held`` says why a message cannot be handled, whatever its place in a FIFO queue and
whether or not the channel is cut (null: it can again; the message takes the reason with it when it leaves). A message
that is too early and would not be handled besides has both reasons, as in ``early refused``. ``can`` replaces a
process's moves.
``sent`` stops at its last value that is not null. ``derived`` gives its messages as [[id, payload], …]: the channel is
final without its messages having been logged one by one. ``folded`` replaces the recorded state of a process.
``output`` gives all that has left the system at a sink, ``hurried`` the new place of a message in its queue. After
``restored`` the processes have these states ({process: state}) and the channels these messages
({channel: [[id, payload], …]}, others none), the control lanes are empty, nothing is put off, nobody is down, nothing
is blocked. After ``returned`` one process has this state, is not down and has put nothing off, and ``retracted``
([[channel, id], …]) are gone from the queues.
"""


Moves: TypeAlias = tuple[tuple[Move, str | None], ...]
"""What a program may do, each with the reason why it cannot be done now, or None."""


def text(action: Action, show: Callable[[Any], Any]) -> str:
    """The action as text; no two enabled actions share one."""
    if isinstance(action, Start):
        return f"start {action.process}"
    if isinstance(action, Collect):
        return f"collect {action.channel}"
    if isinstance(action, Wake):
        return f"wake {action.process} {action.what}"
    if isinstance(action, Deliver | Drop | Duplicate | Overtake):
        position = f" {action.position}" if action.position else ""
        return f"{type(action).__name__.lower()} {action.channel}{position}"
    if isinstance(action, Cut | Mend):
        return f"{type(action).__name__.lower()} {action.channel}"
    if isinstance(action, Crash | Join | Leave | Restart):
        return f"{type(action).__name__.lower()} {action.process}"
    if isinstance(action, Abandon | Restore):
        return f"{type(action).__name__.lower()} {action.snapshot}"
    if isinstance(action, Forget):
        return f"forget {action.process} {action.what}"
    if action.channel is None and action.detail == READ:
        return f"read {action.process}"
    if action.channel is None and action.detail == OUT:
        return f"output {action.process} {compact(show(action.payload))}"
    if action.channel is None:
        return f"change {action.process} {compact(action.detail)}"
    payload = compact(show(action.payload))
    if not isinstance(action.detail, str):
        return f"send {action.channel} {payload}"
    if " " in payload or payload.startswith('"'):
        payload = json.dumps(payload, ensure_ascii=False)  # where it ends must be seen
    return f"send {action.channel} {payload} {action.detail}"


def compact(value: Json) -> str:
    """A value in few characters."""
    if isinstance(value, str | int):
        return str(value)
    if isinstance(value, tuple):
        return ",".join("=".join(map(str, pair)) for pair in value)
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def scene(run: Run) -> Json:
    """What there is before the first step."""
    system, scenario, key = run.system, run.scenario, run.key
    layout = system.topology.layout
    return {
        "run": {
            "scenario": scenario.name,
            "algorithm": system.algorithm.NAME,
            "discipline": system.discipline,
            "seed": scenario.seed(key),
            "choices": written(key.choices),
            "drain": key.drain,
            "digest": scenario.digest,
            "engine": ENGINE,
            "own": scenario.own(key),
            "steps": len(run.steps),
        },
        "processes": [
            {
                "name": name,
                "x": round(layout[name][0], 4),
                "y": round(layout[name][1], 4),
                "state": system.program.view(run.begin.states[name]),
                "can": can(run, moves(run, name, run.begin)),
            }
            for name in system.topology.names
        ],
        "channels": list(system.topology.channels),
        "layers": system.topology.layers,
        "back": list(system.topology.back_edges) if system.topology.layers else [],
        "pseudocode": [list(line) for line in system.algorithm.PSEUDOCODE],
        "wrong": system.algorithm.WRONG,
        "labelled": system.algorithm.LABELLED,
        "first": system.first,
        "most": system.most,
        "order": system.discipline,
        "orders": dict(system.exceptions),
        "serial": system.algorithm.SERIAL,
        "settled": system.algorithm.SETTLED,
        "newcomers": dict(system.newcomers),
        "captions": {
            step.number: {"en": words.en, "zh": words.zh} for step in run.steps if (words := run.caption(step.number))
        },
    }


def can(run: Run, moves: Moves) -> list[Json]:
    """The moves of a process as the wire has them."""
    show = run.system.program.show
    found: list[Json] = []
    for move, reason in moves:
        more: list[Json] = [reason]
        if move.channel is not None and isinstance(move.detail, str):
            more += [show(move.payload), move.detail]
        told = text(move, show)
        found.append(told if more == [None] else [told, *more])
    return found


def moves(run: Run, name: str, world: World) -> Moves:
    """What the program of a process may do, each with the reason why it cannot be done now, or None."""
    offered = enabled.moves(run.system, world, name)
    return tuple((move, enabled.hindrance(run.system, world, move)) for move in offered)


def frames(run: Run) -> Iterator[Json]:
    """One change a step, in order."""
    verdicts = judgements(run)
    offered = {name: moves(run, name, run.begin) for name in run.system.topology.names}
    held: dict[str, dict[int, str]] = {}
    for step in run.steps:
        before = run.world(step.number - 1)
        notes = [wire(run, note) for note in step.notes if not unseen(run, note, before)]
        notes += changes(run, step, offered, held)
        notes += verdicts.get(step.number, [])
        frame = {
            "a": text(step.action, run.system.program.show),
            "n": notes,
            "s": [[s.key, *s.values] for s in said(run, step)],
        }
        yield frame if step.at is None else frame | {"t": step.at}


def said(run: Run, step: Step) -> tuple[Sentence, ...]:
    """What a step says."""
    program = run.system.program

    def logged(snapshot: int, channel: str) -> list[Any]:
        target = run.system.topology.channels[channel].target
        process = run.system.topology.processes[target]
        part = run.system.algorithm.result(process, step.world.memories[target], snapshot)
        messages = dict(part.channels)[channel] if part else ()
        return [program.show(m.payload) for m in messages]

    return sentences(
        step.action,
        step.notes,
        show=program.show,
        view=program.view,
        logged=logged,
        ending=lambda snapshot: ending(run, step, snapshot),
        photographs=run.system.algorithm.ALONE,
        barriers=run.system.algorithm.COORDINATED,
    )


def ending(run: Run, step: Step, snapshot: int) -> Ending:
    """How a snapshot stands after a step."""
    topology, progress = run.system.topology, step.world.snapshots[snapshot]
    closed = run.history.recordings[snapshot].closed
    away = (*progress.absent, *progress.unusable)
    between = [name for name, c in topology.channels.items() if c.source not in away and c.target not in away]
    return Ending(
        complete=progress.waiting == 0 and not progress.aborted,
        lacking=progress.unusable,
        absent=progress.absent,
        watched=not between or any(closed.get(name, step.number + 1) <= step.number for name in between),
        parts=tuple(oracle.parts(run.system, step.world, snapshot)),
    )


def unseen(run: Run, note: Note, before: World) -> bool:
    """Is this a change that nobody could see?"""
    view = run.system.program.view
    if isinstance(note, Acted):
        return True
    return isinstance(note, Changed) and view(note.state) == view(before.states[note.process])


def wire(run: Run, note: Note) -> list[Any]:
    """A note as NOTES describes it."""
    program = run.system.program
    if isinstance(note, Sent):
        message = note.message
        payload = program.show(message.payload) if message.kind == "app" else message.payload
        if message.kind == "marker":
            payload = None  # what a marker overtook is told by the queue
        values = [note.channel, message.id, message.kind, payload, message.snapshot, message.tag]
        while values[-1] is None:
            values.pop()
        return ["sent", *values]
    if isinstance(note, Received):
        return ["received", note.channel, note.message.id]
    if isinstance(note, Changed):
        return ["changed", note.process, program.view(note.state)]
    if isinstance(note, Recorded):
        return ["recorded", note.snapshot, note.process, note.channel]
    if isinstance(note, Logged):
        return ["logged", note.snapshot, note.channel, note.message.id]
    if isinstance(note, Unreachable):
        return ["unreachable", note.snapshot, list(note.processes)]
    if isinstance(note, Deferred):
        return ["deferred", note.process, note.what]
    if isinstance(note, Derived):
        messages = [[m.id, program.show(m.payload)] for m in note.messages]
        return ["derived", note.snapshot, note.channel, messages]
    if isinstance(note, Folded):
        return ["folded", note.snapshot, note.process, program.view(note.state)]
    if isinstance(note, Crashed):
        return ["crashed", note.process]
    if isinstance(note, Discarded | Lost | Overtook):
        return [note.key, note.channel, note.message.id]
    if isinstance(note, Doubled):
        return ["doubled", note.channel, note.message.id, note.copy.id]
    if isinstance(note, Rule):
        return ["rule", list(note.lines)]
    if isinstance(note, Output):
        return ["output", note.process, [program.show(one) for one in note.outside]]
    if isinstance(note, Hurried):
        return ["hurried", note.channel, note.message.id, note.position]
    if isinstance(note, Stored):
        return ["stored", note.process, note.saved, program.view(note.state)]
    if isinstance(note, Restored):
        states = {name: program.view(state) for name, state in note.states}
        queues = {c: [[m.id, program.show(m.payload)] for m in messages] for c, messages in note.queues}
        return ["restored", note.snapshot, states, queues]
    if isinstance(note, Returned):
        retracted = [[channel, m.id] for channel, m in note.retracted]
        return ["returned", note.process, note.saved, program.view(note.state), retracted]
    return [note.key, *note.values()]


WELCOMING = ("bank", "scripted", "token")
"""Programs that take every message in every state."""

MEMBERSHIP = (Joined, Leaving, Left, Crashed, Down, Restored, Returned)
"""After these, others may have other moves than before."""


def changes(run: Run, step: Step, offered: dict[str, Moves], held: dict[str, dict[int, str]]) -> Iterator[list[Any]]:
    """What the step changed of what can happen next, beyond what the queues show by themselves."""
    system, world = run.system, step.world
    touched: dict[str, None] = {}
    channels: dict[str, None] = {}
    if any(isinstance(note, MEMBERSHIP) for note in step.notes):
        touched.update(dict.fromkeys(system.topology.names))
        channels.update(dict.fromkeys(system.topology.channels))
    for note in step.notes:
        if isinstance(note, Paused | Resumed) or (
            system.algorithm.PAUSES and isinstance(note, Sent | Received | Told | Recorded)
        ):
            touched[note.process] = None
        if isinstance(note, Told | Paused | Resumed):
            channels.update(dict.fromkeys(system.topology.processes[note.process].inputs))
        if isinstance(note, Lost | Doubled | Parted | Mended):
            target = system.topology.channels[note.channel].target
            channels.update(dict.fromkeys(system.topology.processes[target].inputs))
        if isinstance(note, Changed):
            touched[note.process] = None
        if isinstance(note, Changed | Sent | Received):
            channels.update(dict.fromkeys(system.topology.processes[note.process].inputs))
        if isinstance(note, Sent):
            channels[note.channel] = None
        if isinstance(note, Received | Lost) and note.channel in system.capacity:
            touched[system.topology.channels[note.channel].source] = None
        if isinstance(note, Blocked | Unblocked | Hurried):
            channels[note.channel] = None
    for name in touched:
        possible = moves(run, name, world)
        if possible != offered[name]:
            offered[name] = possible
            yield ["can", name, can(run, possible)]
    for channel in channels:
        was, now = held.pop(channel, {}), obstacles(run, world, channel)
        if now:
            held[channel] = now
        waiting = {message.id for message in world.queues.get(channel, ())}
        yield from (["held", channel, id, None] for id in was if id not in now and id in waiting)
        yield from (["held", channel, id, reason] for id, reason in now.items() if reason != was.get(id))


def obstacles(run: Run, world: World, channel: str) -> dict[int, str]:
    """Why messages of a channel cannot be handled, by their ids."""
    system = run.system
    queue = world.queues.get(channel, ())
    kept = system.order(channel)
    # Of a long queue that nobody refuses anything from, only the head is asked.
    asked = queue[:1] if kept == "fifo" and system.program.NAME in WELCOMING and takes_all(system) else queue
    found = {}
    for message in asked:
        reasons = [] if kept != "causal" or not order.early(system, world, channel, message) else ["early"]
        if unwelcome := enabled.unwelcome(system, world, channel, message):
            reasons.append(unwelcome)
        if reasons:
            found[message.id] = " ".join(reasons)
    return found


def takes_all(system: System) -> bool:
    """Does the algorithm never hold a message back?"""
    return system.algorithm.accepts is usual.accepts


def judgements(run: Run) -> dict[int, list[list[Any]]]:
    """The oracle's decisions as notes, by the step in which they became possible."""
    found: dict[int, list[list[Any]]] = {}
    for number, verdict in run.verdicts.items():
        for check in oracle.CHECKS:
            holds = verdict.checks[check]
            if holds is not None:
                note = ["judged", number, check, holds]
                if not holds:
                    note.append(verdict.witnesses[check])
                found.setdefault(verdict.since[check], []).append(note)
    return found


def end(run: Run) -> Json:
    """What is known when the run is over."""
    stable = {number: told for number in run.verdicts if (told := run.stable(number)) is not None}
    return {"full": run.full, "undisturbed": run.undisturbed, "stable": stable}
