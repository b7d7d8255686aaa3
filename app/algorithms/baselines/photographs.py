"""Naive photographs: every process is photographed separately, at some time, and channels not at all.

No markers, no coordination: the pictures are put side by side and called a global state. A token that travels while the
photographers walk is in no picture, or in two.

Notes: Recorded, Done, Rule.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.1 (why neither more nor fewer tokens may be seen).
"""

from app.core.model.algorithm import Kind, Reply
from app.core.model.notes import Done, Recorded, Rule
from app.core.model.values import Message, Part, Process, Refused

NAME = "photographs"
REQUIRES = "any"
LABELLED = False
KIND = Kind.ALONE
COST = "0"
WRONG: str | None = "photograph"
PSEUDOCODE = (("on-photograph", 0), ("photograph", 1))

Memory = tuple[tuple[int, object], ...]
"""The photographs: (snapshot id, state), oldest first."""


def start(process: Process) -> Memory:
    """Return a memory without photographs."""
    return ()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Take the photograph. Raises Refused for a second one of the same snapshot."""
    if any(number == snapshot for number, _ in memory):
        raise Refused(
            "{process} has been photographed for snapshot {snapshot} already", process=process.name, snapshot=snapshot
        )
    taken = (
        Recorded(snapshot, process.name, state, None),
        Rule(("on-photograph", "photograph")),
        Done(snapshot, process.name),
    )
    return (*memory, (snapshot, state)), taken


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Ignore the channels."""
    return memory, ()


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return the photograph; every input channel is claimed to be empty."""
    for number, state in memory:
        if number == snapshot:
            return Part(process.name, state, tuple((c, ()) for c in process.inputs), ())
    return None
