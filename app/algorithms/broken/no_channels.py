"""Chandy–Lamport, broken: no process records the channels.

Markers flow as they should, so the cut is consistent; but a message that crosses it is in no recorded state at all. It
is lost when the system restarts from this snapshot.

Notes: those of Chandy–Lamport without Logged.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.1: the recorded state of a channel is what makes n = n'.
"""

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Memory
from app.core.model.algorithm import Reply
from app.core.model.values import APP, Message, Process

NAME = "no-channels"
BASE = chandy_lamport
PROMISE: str | None = None
WRONG: str | None = "log"


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Obey markers; ignore messages."""
    if message.kind == APP:
        return memory, ()
    return chandy_lamport.on_receive(process, memory, state, channel, message)
