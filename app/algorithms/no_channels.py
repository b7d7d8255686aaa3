"""Chandy–Lamport, broken: no process records the channels.

Markers flow as they should, so the cut is consistent; but a message that crosses it is in no recorded state at all. It
is lost when the system restarts from this snapshot.

Notes: those of Chandy–Lamport without Logged.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 3.1: the recorded state of a channel is what makes n = n'.
"""

from typing import Any

from immutables import Map

from app.algorithms import chandy_lamport
from app.algorithms.chandy_lamport import Table
from app.core.algorithm import Reply
from app.core.model import APP, Message, Process

NAME = "no-channels"
BASE = chandy_lamport
PROMISE: str | None = None
WRONG: str | None = "log"


def on_receive(process: Process, memory: "Map[int, Table]", state: Any, channel: str, message: Message) -> Reply:
    """Obey markers; ignore messages."""
    if message.kind == APP:
        return memory, ()
    return chandy_lamport.on_receive(process, memory, state, channel, message)
