"""ProcessNode, third repair: messages of the program make no markers, and the snapshot is a copy. Still broken.

One marker on each channel, a consistent cut, and states that do not change afterwards. But what was in flight is
nowhere: each process looks at its own state only, and with one queue for everything it could not say on which channel
something came.

Notes: those of ``node-record-first`` without Folded.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.1: the recorded state of a channel is what makes n = n'.
"""

from app.algorithms.process_node import node_record_first
from app.algorithms.process_node.node_as_written import IDLE, Memory
from app.algorithms.shared.pseudocode import changed, reworded
from app.core.model.algorithm import Reply
from app.core.model.notes import Rule
from app.core.model.values import APP, Message, Process

NAME = "node-data-silent"
BASE = node_record_first
COST = "|E|"
WRONG: str | None = "node-append"
PSEUDOCODE = changed(BASE.PSEUDOCODE, {"node-alias": (("node-copy", 3),), "node-markers-to-flagged": ()})


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Send a marker to oneself."""
    return _copied(node_record_first.on_initiate(process, memory, state, snapshot))


def on_change(process: Process, memory: Memory, state: object) -> Reply[Memory]:
    """Name the lines by which an idle process works; what was recorded is a copy."""
    return memory, (Rule(IDLE),)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Obey the first marker; leave messages to the program."""
    if message.kind == APP:
        return memory, (Rule(("node-get", "node-elif-data", "node-append")),)
    return _copied(node_record_first.on_receive(process, memory, state, channel, message))


def _copied(reply: Reply[Memory]) -> Reply[Memory]:
    """Return the same reply; the line that keeps the state makes a copy now."""
    memory, effects = reply
    return memory, reworded(effects, lambda lines: ("node-copy" if line == "node-alias" else line for line in lines))
