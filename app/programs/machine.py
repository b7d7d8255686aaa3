"""State machines: each process has a state, and edges that send a message, receive one, or just change the state.

With two states for each of two processes this is the non-deterministic system of the 1985 paper: nothing decides
whether a message or an answer comes first.

Source: Chandy and Lamport 1985, section 2 (an event changes the state of one process and of at most one channel) and
example 2.2.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from app.core.model.value import Value
from app.core.model.values import Into, Json, Move, Phrase, Process, Refused

NAME = "machine"


class Edge(Value):
    """From ``source`` to ``target``, by sending ``send`` or receiving ``receive`` on ``channel``, or by neither."""

    source: str
    target: str
    channel: str | None = None
    send: str | None = None
    receive: str | None = None


@dataclass(frozen=True)
class Machine:
    """``first`` is the first state and ``edges`` the edges of each process; ``passive`` names the states in which
    a process has finished, where the system can terminate."""

    first: Mapping[str, str]
    edges: Mapping[str, tuple[Edge, ...]]
    passive: tuple[str, ...] = ()

    NAME = NAME
    EAGER = False
    REFUSES = True

    def start(self, process: Process) -> str:
        """Return the first state; ``idle`` for a process that is not named."""
        return self.first.get(process.name, "idle")

    def moves(self, process: Process, state: str) -> tuple[Move, ...]:
        """Return the edges that leave ``state`` without receiving anything, on channels to members."""
        return tuple(
            Move(process.name, edge.channel, edge.send, Into(edge.target))
            for edge in dict.fromkeys(self.edges.get(process.name, ()))
            if edge.source == state
            and edge.receive is None
            and (edge.channel is None or edge.channel in process.outputs)
        )

    def act(self, process: Process, state: str, move: Move) -> str:
        """Return the state at the end of the edge. Raises Refused where no edge fits."""
        for edge in self.edges.get(process.name, ()):
            fits = edge.source == state and edge.receive is None
            if (
                fits
                and (edge.channel, edge.send) == (move.channel, move.payload)
                and move.detail in (None, Into(edge.target))
            ):
                return edge.target
        what = Phrase("change its state")
        if move.channel:
            what = Phrase("send {message} on {channel}", message=move.payload, channel=move.channel)
        raise Refused("{process} in state {state} cannot {what}", process=process.name, state=state, what=what)

    def refuses(self, process: Process, state: str, channel: str, payload: str) -> bool:
        """Is there no edge that receives ``payload`` here?"""
        return self.after(process, state, channel, payload) is None

    def receive(self, process: Process, state: str, channel: str, payload: str, detail: str | None = None) -> str:
        """Return the state at the end of the edge that receives ``payload``."""
        after = self.after(process, state, channel, payload)
        if after is None:
            what = Phrase("receive {message} on {channel}", message=payload, channel=channel)
            raise Refused("{process} in state {state} cannot {what}", process=process.name, state=state, what=what)
        return after

    def awaits(self, process: Process, state: str) -> tuple[tuple[str, str], ...]:
        """Return the messages that edges from ``state`` receive, by channel, in the order of the edges."""
        edges = (edge for edge in self.edges.get(process.name, ()) if edge.source == state)
        return tuple(dict.fromkeys((e.channel, e.receive) for e in edges if e.channel and e.receive is not None))

    def after(self, process: Process, state: str, channel: str, payload: str) -> str | None:
        """Return where the first edge that receives ``payload`` in ``state`` leads, or None."""
        for edge in self.edges.get(process.name, ()):
            if (edge.source, edge.channel, edge.receive) == (state, channel, payload):
                return edge.target
        return None

    def hand_over(self, process: Process, state: str) -> Move | None:
        """Return None: no other process needs anything."""
        return None

    def view(self, state: str) -> Json:
        """Return the state's name."""
        return state

    def show(self, payload: str) -> Json:
        """Return the message's name."""
        return payload

    def amounts(self, state: str) -> None:
        """Return None: nothing is conserved."""
        return

    def worth(self, payload: str) -> dict[str, int]:
        """Return no amounts: nothing is conserved."""
        return {}

    def stable(self, states: Mapping[str, str], channels: Mapping[str, tuple[object, ...]]) -> bool | None:
        """Has the system terminated: all processes passive, all channels empty?"""
        if not self.passive:
            return None
        return all(s in self.passive for s in states.values()) and not any(channels.values())
