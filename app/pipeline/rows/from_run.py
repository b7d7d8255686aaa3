"""A run as rows: facts about what happened and what was recorded, in the schema of ``app.pipeline.rows.schema``.

They come from the history of the run and the parts of its snapshots. The verdicts of the simulator's oracle are written
beside them, so that verifiers of the rows can say whether they agree.
"""

from collections.abc import Iterator
from typing import Any

from app.analysis.cost import blocked, pauses, size
from app.analysis.ledger import ledger
from app.core.model.recorded_state import channels, parts
from app.core.model.value import Frozen
from app.core.model.values import Drop, Duplicate, Overtake
from app.core.oracle.history import History, Recording
from app.core.oracle.replay import in_order
from app.pipeline.rows.schema import KINDS, VERDICT_COLUMNS
from app.run.run import Run

Rows = dict[str, list[dict[str, Any]]]
"""By kind, the rows, each with at most the columns of its kind."""


class Origin(Frozen):
    """What a sweep knows about a run besides the run itself: its number, its cell, where it can be seen, and the
    sweep's shape, delay and interval."""

    run: int
    url: str
    cell: int = 0
    scenario: str = ""
    topology: str = ""
    delay: str | None = None
    interval: int | None = None


def trace(run: Run, origin: Origin) -> Rows:
    """Return the rows of a run."""
    rows: Rows = {kind: [] for kind in KINDS}
    lives = [*run.history.lives, run.history]
    judged = {number: seen.life or run.history for number, seen in run.history.recordings.items()}
    for life, history in enumerate(lives):
        mine = [n for n, one in judged.items() if one is history]
        if not mine and history is not run.history:
            continue  # it is not judged
        _happened(rows, run, history)
        worth: set[int] = set(history.twins) | {i for i in history.vanished if history.lost(i)}
        for number in mine:
            worth |= _snapshot(rows, run, number)
        _conserved(rows, run, history, worth)
        for kind in KINDS:
            for row in rows[kind]:
                row.setdefault("life", life)
    rows["run"] = [_about(run, origin, rows)]
    for each in rows.values():
        for row in each:
            row["run"] = origin.run
    return rows


def _about(run: Run, origin: Origin, rows: Rows) -> dict[str, Any]:
    topology, scenario = run.system.topology, run.scenario
    return {
        "url": origin.url,
        "cell": origin.cell,
        "scenario": origin.scenario or scenario.name,
        "topology": origin.topology or _shape(run),
        "program": run.system.program.NAME,
        "algorithm": run.system.algorithm.NAME,
        "discipline": run.system.discipline,
        "delay": origin.delay,
        "interval": origin.interval,
        "seed": scenario.seed(run.key) if scenario.draws(run.key) else None,
        "processes": len(topology.names),
        "channels": len(topology.channels),
        "diameter": topology.diameter,
        "steps": len(run.steps),
        "events": len(rows["event"]),
        "snapshots": len(rows["snapshot"]),
        "messages": len(rows["message"]),
        "cuts": len(rows["cut"]),
        "lives": len({row["life"] for row in rows["process"]}),
        "paused": pauses(run)[0],
        "blocked": blocked(run)[0],
        "loss": _loss(run),
        "faults": sum(isinstance(step.action, Drop | Duplicate | Overtake) for step in run.steps),
        "conserves": _conserves(run),
        "full": run.full,
    }


def _shape(run: Run) -> str:
    """Return the named shape of the scenario's graph, or ``listed``."""
    given = run.scenario.form.topology.model_dump(exclude_none=True)
    return next((name for name in given if name not in ("processes", "channels")), "listed")


def _loss(run: Run) -> int | None:
    """Return how often an item was read or taken again after crashes; None without a crash or a dataflow."""
    book = ledger(run) if run.falls or run.history.lives else None
    return None if book is None else book.again


def _conserves(run: Run) -> bool:
    first = next(iter(run.system.topology.processes.values()))
    program = run.system.program
    return program.amounts(program.start(first)) is not None


def _happened(rows: Rows, run: Run, history: History) -> None:
    """Add the processes and channels, and what happened in one life."""
    system = run.system
    place, at = system.topology.process_order, system.topology.channel_order
    rows["process"] += [{"process": place[name], "name": name} for name in system.topology.names]
    for name, ends in system.topology.channels.items():
        rows["channel"].append(
            {
                "channel": at[name],
                "name": name,
                "source": place[ends.source],
                "target": place[ends.target],
                "ordered": in_order(system, history, name),
            }
        )
    rows["message"] += _messages(run, history)
    for event in history.events:
        rows["event"].append(
            {
                "process": place[event.process],
                "position": event.index,
                "event": event.kind,
                "message": event.message.identity if event.message else None,
                "step": event.step,
            }
        )


def _messages(run: Run, history: History) -> Iterator[dict[str, Any]]:
    """Yield one row for each message of the program, in the order of sending; the network's copies come last."""
    at = run.system.topology.channel_order
    found: dict[int, dict[str, Any]] = {}
    for event in history.events:
        if event.message is None or event.channel is None:
            continue
        identity = event.message.identity
        row = found.setdefault(identity, {"message": identity, "channel": at[event.channel], "lost": False})
        row.setdefault("sent" if event.kind == "send" else "received", event.index)
    for identity in history.twins:
        first = history.sends[identity]
        known = {"message": identity, "lost": False, "sent": first.index, "copied": history.copied.get(identity)}
        if first.channel is not None and first.message is not None and first.message.identity in found:
            found[identity] = found.pop(identity, {}) | known | {"channel": at[first.channel]}
    for identity, row in found.items():
        if identity in history.undone:
            row["sent"] = None
        row["lost"] = history.lost(identity)
    yield from found.values()


def _snapshot(rows: Rows, run: Run, number: int) -> set[int]:
    """Add what one snapshot recorded and cost; return the messages recorded in its channels."""
    system, seen = run.system, run.history.recordings[number]
    recorded = parts(system, run.end, number)
    logged = channels(system, recorded)
    order = system.topology.channel_order
    rows["cut"] += _cuts(run, seen, set(recorded))
    for name, queue in logged.items():
        for place, message in enumerate(queue):
            row = {"snapshot": number, "channel": order[name], "place": place, "message": message.identity}
            rows["recorded"].append(row)
    rows["marker"] += [
        {"snapshot": number, "channel": order[name], "count": count} for name, count in seen.markers.items()
    ]
    for name, part in recorded.items():
        for quantity, amount in (system.program.amounts(part.state) or {}).items():
            where = {"snapshot": number, "process": system.topology.process_order[name]}
            rows["holding"].append(where | {"quantity": quantity, "amount": amount})
    there = [message for queue in logged.values() for message in queue]
    checks = run.verdicts[number].checks
    rows["snapshot"].append(
        {
            "snapshot": number,
            "started": seen.started,
            "completed": seen.completed,
            "aborted": seen.aborted is not None,
            "marked": system.algorithm.MARKERS,
            "duration": None if seen.completed is None else seen.completed - seen.started,
            "ticks": _ticks(run, seen),
            "markers": sum(seen.markers.values()),
            "controls": sum(seen.markers.values()) + seen.controls,
            "recorded": len(there),
            "bytes": sum(size(system.program.show(message.payload)) for message in there),
            "state": sum(size(system.program.view(part.state)) for part in recorded.values()),
            **{column: checks[name] for name, column in VERDICT_COLUMNS.items()},
        }
    )
    return {message.identity for message in there}


def _cuts(run: Run, seen: Recording, recorded: set[str]) -> Iterator[dict[str, Any]]:
    for name in run.system.topology.names:
        if name in seen.cut or name in seen.absent or name in recorded:
            yield {
                "snapshot": seen.id,
                "process": run.system.topology.process_order[name],
                "cut": seen.cut.get(name, 0),
                "step": seen.recorded.get(name),
                "records": seen.records.get(name, 0),
                "part": name in recorded,
                "absent": seen.absent.get(name),
                "unusable": name in seen.unusable,
            }


def _ticks(run: Run, seen: Recording) -> int | None:
    """Return the duration of the snapshot in virtual time."""
    if seen.completed is None:
        return None
    first, last = run.steps[seen.started - 1].at, run.steps[seen.completed - 1].at
    return None if first is None or last is None else last - first


def _conserved(rows: Rows, run: Run, history: History, worth: set[int]) -> None:
    """Add the conserved amounts: at the beginning and at the end of this life, and of the messages in ``worth``."""
    program, topology = run.system.program, run.system.topology
    last = {event.process: event.state for event in history.events}
    for name, process in topology.processes.items():
        first = program.amounts(program.start(process)) or {}
        end = program.amounts(last.get(name, program.start(process))) or {}
        for quantity in dict.fromkeys((*first, *end)):
            row = {"process": topology.process_order[name], "quantity": quantity}
            rows["stock"].append(row | {"amount": first.get(quantity, 0), "last": end.get(quantity, 0)})
    for identity in sorted(worth):
        send = history.sends.get(identity)
        message = history.twins.get(identity) or (send.message if send else None)
        if message is not None:
            for quantity, amount in program.worth(message.payload).items():
                rows["worth"].append({"message": identity, "quantity": quantity, "amount": amount})
