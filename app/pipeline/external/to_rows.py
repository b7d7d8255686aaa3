"""All that the lines of one run of another system say: its processes, what happened, what was recorded."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from app.core.model.values import Json, Phrase
from app.forms.yaml_source import SourceError
from app.pipeline.external.acyclic import Name, circle
from app.pipeline.rows.from_run import Rows
from app.pipeline.rows.schema import KINDS

Line = Mapping[str, Any]

MOST = 1 << 53
"""The largest amount, and the largest sum of amounts: sums stay exact in every type of number."""


class Numbers:
    """Numbers for names: the names themselves if all are numbers, otherwise by first appearance."""

    def __init__(self) -> None:
        self.names: dict[Name, int] = {}

    def __len__(self) -> int:
        return len(self.names)

    def add(self, name: Name) -> None:
        """Add a name."""
        self.names.setdefault(name, len(self.names))

    def settle(self, most: int) -> None:
        """Fix the numbers after the last name: keep the names' own if each is a number from 0 to ``most``."""
        if all(isinstance(name, int) and 0 <= name <= most for name in self.names):
            self.names = {name: name for name in self.names if isinstance(name, int)}

    def __getitem__(self, name: Name) -> int:
        return self.names[name]

    def named(self) -> dict[int, Name]:
        """Return the names by their numbers."""
        return {number: name for name, number in self.names.items()}


@dataclass(slots=True)
class Sent:
    """A message that was sent: its channel, the number of its sender's event, its worth, and the line."""

    channel: str
    position: int
    line: int
    amount: int | None
    quantity: str


@dataclass(slots=True)
class Arrived:
    """A message that was received: its receiver, the number of the receiver's event, and the line; ``source`` and
    ``channel`` if the line gives them."""

    process: Name
    position: int
    line: int
    source: Name | None
    channel: str | None


@dataclass(slots=True)
class Record:
    """The recorded state of a process: after how many events, in which line, and how much of what is conserved."""

    cut: int
    line: int
    amounts: dict[str, int]


@dataclass(slots=True)
class Account:
    """What the lines of one run say. ``open`` has the snapshots that not every process has recorded, with those that
    have not: none if the trace itself says that the snapshot cannot be judged."""

    file: str
    processes: dict[Name, int] = field(default_factory=dict)
    counts: dict[Name, int] = field(default_factory=dict)
    channels: dict[str, tuple[Name, Name]] = field(default_factory=dict)
    ends: dict[Name, int] = field(default_factory=dict)
    sent: dict[Name, Sent] = field(default_factory=dict)
    arrived: dict[Name, Arrived] = field(default_factory=dict)
    lost: dict[Name, int] = field(default_factory=dict)
    stock: dict[tuple[Name, str], int] = field(default_factory=dict)
    events: list[tuple[Name, int, str, Name | None]] = field(default_factory=list)
    records: dict[Name, dict[Name, Record]] = field(default_factory=dict)
    first: dict[Name, int] = field(default_factory=dict)
    queues: dict[Name, dict[str, list[Name]]] = field(default_factory=dict)
    recorded: dict[Name, int] = field(default_factory=dict)
    logged: dict[tuple[Name, str, Name], tuple[int, ...]] = field(default_factory=dict)
    markers: dict[Name, dict[str, int]] = field(default_factory=dict)
    messages: Numbers = field(default_factory=Numbers)
    snapshots: Numbers = field(default_factory=Numbers)
    open: dict[Name, tuple[str, ...]] = field(default_factory=dict)
    total: int = 0

    def error(self, template: str, line: int | None, key: str = "", /, **fields: object) -> SourceError:
        """Return the error that points at a line, or at the file, with the Phrase of ``template`` and ``fields``."""
        return SourceError(self.file, line, key, Phrase(template, **fields))

    def take(self, number: int, line: Line) -> None:
        """Add a line. Raises SourceError if it contradicts an earlier one."""
        process, event = line["process"], line["event"]
        self.total += abs(line.get("amount", 0))
        if self.total > MOST:
            raise self.error("all amounts together are more than {most}", number, "amount", most=MOST)
        self.processes.setdefault(process, len(self.processes))
        if "snapshot" in line:
            self.snapshots.add(line["snapshot"])
            self.first.setdefault(line["snapshot"], number)
        if event in ("send", "receive", "internal"):
            position = self.counts[process] = self.counts.get(process, 0) + 1
            self.events.append((process, position, event, line.get("message")))
        getattr(self, f"on_{event}")(number, process, line)

    def channel(self, number: int, source: Name, target: Name, line: Line) -> str:
        """Return the channel from one process to another, which may have a name of its own."""
        name = str(line.get("channel", f"{source}->{target}"))
        known = self.channels.setdefault(name, (source, target))
        if known != (source, target):
            raise self.error(
                "{name} leads from {source} to {target}", number, "channel", name=name, source=known[0], target=known[1]
            )
        for end in (source, target):
            self.ends.setdefault(end, number)
        return name

    def on_start(self, number: int, process: Name, line: Line) -> None:
        """Note what a process has at first."""
        if "amount" in line:
            key = (process, line.get("quantity", ""))
            if key in self.stock:
                raise self.error("{process} has already given its initial amount", number, "amount", process=process)
            self.stock[key] = line["amount"]

    def on_send(self, number: int, process: Name, line: Line) -> None:
        """Note that a message is sent."""
        message = line["message"]
        if message in self.sent:
            before = self.sent[message].line
            raise self.error(
                "{message} is sent in line {line} already", number, "message", message=message, line=before
            )
        name = self.channel(number, process, line["to"], line)
        self.messages.add(message)
        self.sent[message] = Sent(name, self.counts[process], number, line.get("amount"), line.get("quantity", ""))

    def on_receive(self, number: int, process: Name, line: Line) -> None:
        """Note that a message arrives."""
        message = line["message"]
        if message in self.arrived:
            before = self.arrived[message].line
            raise self.error(
                "{message} is received in line {line} already", number, "message", message=message, line=before
            )
        channel = str(line["channel"]) if "channel" in line else None
        self.arrived[message] = Arrived(process, self.counts[process], number, line.get("from"), channel)

    def on_internal(self, number: int, process: Name, line: Line) -> None:
        """Count an internal event."""

    def on_record(self, number: int, process: Name, line: Line) -> None:
        """Note that a process records; more lines with other quantities belong to the first."""
        cut, quantity = self.counts.get(process, 0), line.get("quantity", "")
        seen = self.records.setdefault(line["snapshot"], {})
        one = seen.get(process)
        if one is None:
            one = seen[process] = Record(cut, number, {})
        elif quantity in one.amounts or one.cut != cut or "amount" not in line:
            raise self.again(number, process, line["snapshot"], one.line)
        if "amount" in line:
            one.amounts[quantity] = line["amount"]

    def again(self, number: int, process: Name, snapshot: Name, line: int) -> SourceError:
        """Return the mistake that a process records the same snapshot twice: which would count?"""
        return self.error(
            "{process} has recorded {snapshot} in line {line} already; a process records a snapshot once (with several"
            " quantities, in lines with no event between them), and the next one is another snapshot",
            *(number, "snapshot"),
            process=process,
            snapshot=snapshot,
            line=line,
        )

    def on_channel(self, number: int, process: Name, line: Line) -> None:
        """Note that a process recorded a message in a channel, or an empty channel."""
        name = self.channel(number, line["from"], process, line)
        queue = self.queues.setdefault(line["snapshot"], {}).setdefault(name, [])
        if "message" in line:
            queue.append(line["message"])
            self.recorded.setdefault(line["message"], number)
            one = (line["snapshot"], name, line["message"])
            self.logged[one] = (*self.logged.get(one, ()), number)

    def on_marker(self, number: int, process: Name, line: Line) -> None:
        """Note that a process sent a marker."""
        name = self.channel(number, process, line["to"], line)
        markers = self.markers.setdefault(line["snapshot"], {})
        markers[name] = markers.get(name, 0) + 1

    def on_lost(self, number: int, process: Name, line: Line) -> None:
        """Note that a message will never arrive."""
        self.lost.setdefault(line["message"], number)

    def cut(self, number: int, process: Name, snapshot: Name, events: int | None) -> None:
        """Put the cut of a snapshot behind so many events of a process; None if it has no cut that can be judged.

        Raises SourceError if it was elsewhere before.
        """
        self.snapshots.add(snapshot)
        self.first.setdefault(snapshot, number)
        if events is None:
            self.open[snapshot] = ()
            return
        one = self.records.setdefault(snapshot, {}).setdefault(process, Record(events, number, {}))
        if one.cut != events:
            raise self.again(number, process, snapshot, one.line)

    def check(self) -> None:
        """Check what only all lines together show. Raises SourceError for the first mistake."""
        mistakes = sorted(self.mistakes(), key=lambda mistake: mistake.line or 0)
        if mistakes:
            raise mistakes[0]
        self.possible()
        for snapshot in self.first:
            seen = self.records.get(snapshot, {})
            missing = tuple(str(name) for name in self.processes if name not in seen)
            if missing:
                self.open.setdefault(snapshot, missing)
        self.messages.settle((1 << 40) - 1)
        self.snapshots.settle((1 << 31) - 1)

    def mistakes(self) -> Iterator[SourceError]:
        """Yield all mistakes that only all lines together show."""
        for name, line in self.ends.items():
            if name not in self.processes:
                yield self.error("{process} has no line of its own; give it one, at least a start", line, process=name)
        for message, arrival in self.arrived.items():
            yield from self.misled(message, arrival)
        for message, line in self.recorded.items():
            if message not in self.sent:
                yield self.error("{message} is recorded, and never sent", line, "message", message=message)
        for message, line in self.lost.items():
            if message not in self.sent:
                yield self.error("{message} is lost, and never sent", line, "message", message=message)
            elif message in self.arrived:
                came = self.arrived[message].line
                yield self.error(
                    "{message} is lost, and received in line {line}", line, "message", message=message, line=came
                )
        for snapshot, line in self.first.items():
            queues = self.queues.get(snapshot, {}).values()
            worth = (abs(self.sent[name].amount or 0) for queue in queues for name in queue if name in self.sent)
            if sum(worth) > MOST:
                yield self.error(
                    "the amounts in its channels together are more than {most}", line, "snapshot", most=MOST
                )

    def possible(self) -> None:
        """Raise SourceError if every order of the events has a message received before it is sent."""
        senders = {message: self.channels[sent.channel][0] for message, sent in self.sent.items()}
        found = circle(self.events, senders)
        if not found:
            return
        lines = [self.arrived[message].line for message in found]
        at = lines.index(min(lines))
        message = found[at]
        raise self.error(
            "{message} is received before it can have been sent: {process} sends it in line {sent}, after line {line},"
            " which itself waits for it; write the lines of each process in the order in which they happened there",
            *(lines[at], "message"),
            message=message,
            process=senders[message],
            sent=self.sent[message].line,
            line=lines[(at + 1) % len(found)],
        )

    def misled(self, message: Name, arrival: Arrived) -> Iterator[SourceError]:
        """Yield the mistakes of a message that was not sent, or arrives elsewhere than it was sent to."""
        sent, at = self.sent.get(message), arrival.line
        if sent is None:
            yield self.error("{message} is received, and never sent", at, "message", message=message)
            return
        source, target = self.channels[sent.channel]
        if arrival.process != target:
            yield self.error(
                "{message} is sent to {target} in line {line}",
                *(at, "process"),
                message=message,
                target=target,
                line=sent.line,
            )
        elif arrival.source not in (None, source):
            yield self.error(
                "{message} is sent by {source} in line {line}",
                *(at, "from"),
                message=message,
                source=source,
                line=sent.line,
            )
        elif arrival.channel not in (None, sent.channel):
            yield self.error(
                "{message} is sent on {channel} in line {line}",
                *(at, "channel"),
                message=message,
                channel=sent.channel,
                line=sent.line,
            )

    def about(self, snapshot: Name | None, witness: Mapping[str, Json]) -> dict[str, Json]:
        """Return the ``file``, and the lines where the witness's message was sent and received, where its two ends
        recorded, and where the message was recorded in its channel; nothing if the witness has no message."""
        message, channel = witness.get("message"), witness.get("channel")
        if message is None or channel is None or snapshot is None:
            return {}
        records = self.records.get(snapshot, {})
        lines = {
            "sent": [self.sent[message].line] if message in self.sent else [],
            "received": [self.arrived[message].line] if message in self.arrived else [],
            "recorded": [records[end].line for end in self.channels.get(channel, ()) if end in records],
            "logged": list(self.logged.get((snapshot, channel, message), ())),
        }
        return {"file": self.file} | {what: those for what, those in lines.items() if those}

    def rows(self, run: int, url: str, *, ordered: bool) -> Rows:
        """Return the rows of the run, which is a single life."""
        rows: Rows = {kind: [] for kind in KINDS}
        place, at = self.processes, {name: number for number, name in enumerate(self.channels)}
        rows["process"] = [{"process": number, "name": str(name)} for name, number in place.items()]
        for name, (source, target) in self.channels.items():
            ends = {"source": place[source], "target": place[target]}
            rows["channel"].append({"channel": at[name], "name": name, **ends, "ordered": ordered})
        for message, sent in self.sent.items():
            arrival = self.arrived.get(message)
            rows["message"].append(
                {
                    "message": self.messages[message],
                    "channel": at[sent.channel],
                    "sent": sent.position,
                    "received": arrival.position if arrival else None,
                    "lost": message in self.lost,
                }
            )
            if sent.amount is not None:
                worth = {"message": self.messages[message], "quantity": sent.quantity, "amount": sent.amount}
                rows["worth"].append(worth)
        for process, position, event, carried in self.events:
            identity = None if carried is None else self.messages[carried]
            rows["event"].append({"process": place[process], "position": position, "event": event, "message": identity})
        for (process, quantity), amount in self.stock.items():
            rows["stock"].append({"process": place[process], "quantity": quantity, "amount": amount, "last": amount})
        for snapshot in self.first:
            self._snapshot(rows, snapshot, at)
        rows["run"] = [self._run(rows, url, ordered=ordered)]
        for kind, each in rows.items():
            for row in each:
                row["run"] = run
                if "life" in KINDS[kind]:
                    row["life"] = 0
        return rows

    def _run(self, rows: Rows, url: str, *, ordered: bool) -> dict[str, Any]:
        """Return the row of the run. It has no steps: no simulator made it."""
        return {
            "url": url,
            "scenario": self.file,
            "topology": "listed",
            "discipline": "fifo" if ordered else "any",
            "processes": len(rows["process"]),
            "channels": len(rows["channel"]),
            "events": len(rows["event"]),
            "snapshots": len(rows["snapshot"]),
            "messages": len(rows["message"]),
            "cuts": len(rows["cut"]),
            "lives": 1,
            "conserves": bool(self.stock),
            "full": False,
        }

    def _snapshot(self, rows: Rows, name: Name, at: Mapping[str, int]) -> None:
        """Add the rows of a snapshot."""
        number, place = self.snapshots[name], self.processes
        for process, record in self.records.get(name, {}).items():
            where = {"snapshot": number, "process": place[process]}
            rows["cut"].append(where | {"cut": record.cut, "step": 0, "records": 1, "part": True})
            for quantity, amount in record.amounts.items():
                rows["holding"].append(where | {"quantity": quantity, "amount": amount})
        for channel, queue in self.queues.get(name, {}).items():
            for position, message in enumerate(queue):
                identity = self.messages[message]
                row = {"snapshot": number, "channel": at[channel], "place": position, "message": identity}
                rows["recorded"].append(row)
        for channel, count in self.markers.get(name, {}).items():
            rows["marker"].append({"snapshot": number, "channel": at[channel], "count": count})
        rows["snapshot"].append(
            {
                "snapshot": number,
                "completed": 0 if name in self.queues else None,
                "aborted": False,
                "marked": name in self.markers,
                "recorded": sum(len(queue) for queue in self.queues.get(name, {}).values()),
                "markers": sum(self.markers.get(name, {}).values()),
            }
        )


def hopeful(accounts: Sequence[Account]) -> None:
    """Raise SourceError if there are snapshots, but none that can be judged."""
    snapshots = [(one, name, line) for one in accounts for name, line in one.first.items()]
    if any(name not in one.open for one, name, _ in snapshots):
        return
    for one, name, line in snapshots:
        if missing := one.open[name]:
            raise one.error(
                "{snapshot} is not recorded by {processes}", line, "snapshot", snapshot=name, processes=missing
            )
        raise one.error(
            "{snapshot} has no cut that can be judged, and no other snapshot has one", line, "snapshot", snapshot=name
        )
