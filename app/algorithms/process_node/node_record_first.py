"""ProcessNode, second repair: the state is kept first, and the markers leave in the same step. Still broken.

The cut is consistent now. But messages of the program make markers where one per channel is enough. They are also
appended to a list that is both the state and the snapshot, so what was in flight ends up in a process, and so does what
was sent after the cut.

Notes: those of ``node-guarded`` without Deferred.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.2: a message that arrives after recording belongs to the state
of the channel, and nothing but a marker makes markers.
"""

from app.algorithms.process_node import node_guarded
from app.algorithms.process_node.node_as_written import Copy, Memory, flagged, markers
from app.algorithms.shared.pseudocode import changed
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Done, Recorded, Rule
from app.core.model.values import Message, Process

NAME = "node-record-first"
BASE = node_guarded
WRONG: str | None = "node-markers-to-flagged"
PSEUDOCODE = changed(BASE.PSEUDOCODE, {"node-markers": (("node-alias", 3),), "node-alias": (("node-markers", 3),)})


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Send a marker to oneself."""
    return _keep(process, memory, state, snapshot, None)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Keep the state at the first marker."""
    if message.snapshot is None or message.snapshot in memory:
        return node_guarded.on_receive(process, memory, state, channel, message)
    return _keep(process, memory, state, message.snapshot, channel)


def _keep(process: Process, memory: Memory, state: object, snapshot: int, channel: str | None) -> Reply[Memory]:
    """Set the flag, keep the state, and send markers to all others, in one step."""
    copy = flagged(Copy(state, True, (), (), False), channel)
    begin = ("node-get", "node-if-first") if channel else ("node-start", "node-self-marker")
    effects: tuple[Effect, ...] = (
        Recorded(snapshot, process.name, state, channel),
        *markers(process, snapshot),
        Rule((*begin, "node-flag", "node-alias", "node-markers")),
        Done(snapshot, process.name),
    )
    return memory.set(snapshot, copy), effects
