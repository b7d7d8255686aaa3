"""ProcessNode, first repair: a marker that was seen before is not forwarded. Still broken.

The storm is over. But the markers leave first, and the state is kept afterwards: what arrives in between comes from a
process that has recorded already, and is still in the state.

Notes: those of ``node-as-written``.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.2: record the state, then send the markers, before anything
else; and only "if q has not recorded its state".
"""

from app.algorithms.process_node import node_as_written
from app.algorithms.process_node.node_as_written import Memory, data, flagged, marked
from app.algorithms.shared.pseudocode import changed, without_lines
from app.core.model.algorithm import Reply
from app.core.model.notes import Rule
from app.core.model.values import Message, Process

NAME = "node-guarded"
BASE = node_as_written
COST = "|E| + …"
WRONG: str | None = "node-alias"
PSEUDOCODE = changed(
    BASE.PSEUDOCODE,
    {
        "node-self-maker": (("node-self-marker", 1),),
        "node-if-maker": (("node-if-first", 2),),
        "node-makers": (("node-markers", 3),),
        "node-else": (("node-elif-data", 2),),
        "node-makers-to-flagged": (("node-markers-to-flagged", 3),),
    },
)


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Send a marker to oneself."""
    memory, effects = marked(process, memory, snapshot, None)
    return memory, (*effects, Rule(("node-start", "node-self-marker", "node-flag", "node-markers")))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Forward the first marker."""
    if message.snapshot is None:
        memory, effects = data(process, memory, channel, message)
        lines = Rule(("node-get", "node-elif-data", "node-append", "node-markers-to-flagged"))
        return memory, (*without_lines(effects), lines)
    if message.snapshot in memory:
        return memory.set(message.snapshot, flagged(memory[message.snapshot], channel)), (Rule(("node-get",)),)
    memory, marking = marked(process, memory, message.snapshot, channel)
    return memory, (*marking, Rule(("node-get", "node-if-first", "node-flag", "node-markers")))
