"""Lai–Yang, broken: a process ignores the colour of what arrives.

A process records at a time of its own choice, not before it processes a red message. So a message that its sender sent
after recording can be in the receiver's recorded state: an orphan.

Notes: those of Lai–Yang.

References
----------
T.-H. Lai, T.-H. Yang, "On Distributed Snapshots", Information Processing Letters 25(3), 1987: a white process takes its
snapshot before it processes a red message; this module drops that.
"""

from app.algorithms.colours import lai_yang
from app.algorithms.colours.lai_yang import Memory, remembered
from app.core.model.algorithm import Reply
from app.core.model.notes import Rule
from app.core.model.values import Message, Process

NAME = "colour-blind"
BASE = lai_yang
WRONG: str | None = "red-first"


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Remember what was received, whatever its colour."""
    return remembered(memory, channel, message), (Rule(("on-message", "note-received", "process")),)
