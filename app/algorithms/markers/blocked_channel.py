"""Chandy–Lamport over channels that lose messages: a channel waits until its marker has been acknowledged.

Markers are acknowledged and resent (``app.algorithms.shared.retransmission``). That alone breaks the rule that nothing
else goes on a channel between recording and the marker. Here the rule applies to the marker that arrives, whichever
copy it is: until the acknowledgement is back, the program cannot send on that channel. Its other channels, and its
inputs, work on.

Right, at the price of a round trip in which the program waits. Messages of the program that the network loses stay
lost; no snapshot is to blame for them.

Notes: those of Chandy–Lamport, and Deferred, Told, Aborted, Paused, Resumed.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.2: the marker is sent after the state is recorded and
before any further message on the channel.
"""

from app.algorithms.shared import retransmission
from app.algorithms.shared.pseudocode import changed
from app.algorithms.shared.retransmission import Memory
from app.core.model.algorithm import Reply
from app.core.model.notes import Paused, Resumed, Rule
from app.core.model.values import Message, Process, Todo

NAME = "blocked-channel"
BASE = retransmission
PROMISE: str | None = "exactly-once"
WRONG: str | None = None
PSEUDOCODE = (
    *changed(
        BASE.PSEUDOCODE,
        {"start-send": (("start-send", 1), ("hold", 1)), "send": (("send", 2), ("hold-too", 2))},
    ),
    ("on-answer", 0),
    ("release-channel", 1),
)


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Record, send markers, and block the outputs."""
    return _held(process, memory, retransmission.on_initiate(process, memory, state, snapshot))


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Do the same when a first marker arrives."""
    return _held(process, memory, retransmission.on_receive(process, memory, state, channel, message))


def on_told(
    process: Process, memory: Memory, state: object, source: str, snapshot: int | None, word: object
) -> Reply[Memory]:
    """Free the channel whose marker has arrived."""
    return _held(process, memory, retransmission.on_told(process, memory, state, source, snapshot, word))


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Send again; free a channel whose snapshot is aborted."""
    return _held(process, memory, retransmission.on_wake(process, memory, state, what))


def allows(process: Process, memory: Memory, channel: str | None) -> bool:
    """Is the channel free? It is not until its marker is acknowledged."""
    return channel is None or channel not in memory.waiting


HOLDING = ("hold", "hold-too")


def _held(process: Process, before: Memory, reply: Reply[Memory]) -> Reply[Memory]:
    """Return the same reply with notes of the channels that it blocks and frees. Freeing comes first: a snapshot that
    is started anew blocks a channel again."""
    memory, effects = reply
    free = tuple(Resumed(process.name, c) for c in process.outputs if c in before.waiting and c not in memory.waiting)
    busy = tuple(Paused(process.name, c) for c in process.outputs if c in memory.waiting and c not in before.waiting)
    lines = (("release-channel",) if free else ()) + (HOLDING if busy else ())
    return memory, (*free, *effects, *busy, *((Rule(lines),) if lines else ()))
