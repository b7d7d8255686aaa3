"""A second oracle, which shares only the notes with the first.

It uses Dijkstra's colours (EWD864a): a process is white until it records and red from then on, and a message has its
sender's colour. A message sent white and received red is in the channel; one sent red and received white must not
exist. The cut is judged by reachability in the graph of what happened before what, not by vector clocks.
"""

from dataclasses import dataclass, field
from typing import Any

import networkx as nx

from app.core.model.notes import Changed, Note, Received, Recorded, Sent
from app.run.run import Run


@dataclass
class Colours:
    """One snapshot, seen in colours."""

    red: dict[str, int] = field(default_factory=dict)
    """The processes that have recorded, and in which step."""
    sent_red: dict[int, bool] = field(default_factory=dict)
    received_red: dict[int, bool] = field(default_factory=dict)
    sent: dict[str, list[int]] = field(default_factory=dict)
    """By channel, the ids of what was sent on it, in order."""
    steps: dict[int, list[int]] = field(default_factory=dict)
    """By message id, the steps in which it was sent and received."""
    graph: Any = field(default_factory=lambda: nx.DiGraph())
    white_events: set[int] = field(default_factory=set)

    def orphans(self) -> set[int]:
        """Return the messages sent red and received white."""
        return {i for i, red in self.received_red.items() if not red and self.sent_red[i]}

    def in_channel(self, channel: str) -> list[int]:
        """Return the messages sent white and not received white, in the order sent."""
        return [i for i in self.sent.get(channel, ()) if not self.sent_red[i] and self.received_red.get(i, True)]

    def closed_downwards(self) -> bool:
        """Is every event before a white event white?"""
        return all(nx.ancestors(self.graph, event) <= self.white_events for event in sorted(self.white_events))


def colours(run: Run, snapshot: int) -> Colours:
    """Watch a run's notes, one by one."""
    seen = Colours()
    last: dict[str, int] = {}
    sends: dict[int, int] = {}
    event = 0
    for step in run.steps:
        message: Note | None = None
        for note in step.notes:
            if isinstance(note, Recorded) and note.snapshot == snapshot:
                seen.red.setdefault(note.process, step.number)
            elif isinstance(note, Sent | Received) and note.message.kind == "app":
                message = note
                is_red = note.process in seen.red
                if isinstance(note, Sent):
                    seen.sent_red[note.message.id] = is_red
                    seen.sent.setdefault(note.channel, []).append(note.message.id)
                    sends[note.message.id] = event + 1
                seen.steps.setdefault(note.message.id, []).append(step.number)
            elif isinstance(note, Changed):
                event += 1
                seen.graph.add_node(event)
                if note.process in last:
                    seen.graph.add_edge(last[note.process], event)
                last[note.process] = event
                if isinstance(message, Received):
                    seen.graph.add_edge(sends[message.message.id], event)
                    seen.received_red[message.message.id] = note.process in seen.red
                if note.process not in seen.red:
                    seen.white_events.add(event)
    return seen
