"""ProcessNode, last repair: one queue per channel, and what was in flight is written down. Right.

This is the algorithm of Chandy and Lamport, in the words of the note.

Notes: those of Chandy–Lamport.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots", ACM TOCS 3(1), 1985, section 3.2.
"""

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Memory
from app.algorithms.shared.pseudocode import reworded
from app.core.model.algorithm import Reply
from app.core.model.notes import Rule
from app.core.model.values import Message, Process

NAME = "node-channels"
BASE = chandy_lamport
PSEUDOCODE = (
    ("node-send-on", 0),
    ("node-put-on", 1),
    ("node-start", 0),
    ("node-self-marker", 1),
    ("node-run", 0),
    ("node-loop", 1),
    ("node-if-all-idle", 2),
    ("node-work", 3),
    ("node-continue", 3),
    ("node-get-from", 2),
    ("node-if-marker", 2),
    ("node-if-unset", 3),
    ("node-set", 4),
    ("node-copy-now", 4),
    ("node-markers-now", 4),
    ("node-close", 3),
    ("node-else", 2),
    ("node-log", 3),
    ("node-append", 3),
)
WORDS = {
    "on-start": ("node-start",),
    "start-record": ("node-self-marker", "node-if-unset", "node-set", "node-copy-now"),
    "start-send": ("node-markers-now",),
    "on-marker": ("node-get-from", "node-if-marker"),
    "if-first": ("node-if-unset",),
    "record": ("node-set", "node-copy-now"),
    "send": ("node-markers-now",),
    "empty": ("node-close",),
    "close": ("node-close",),
    "on-message": ("node-get-from", "node-else"),
    "log": ("node-log",),
    "process": ("node-append",),
}
"""The lines of Chandy and Lamport's rules in the words of the note."""


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Send a marker to oneself."""
    return _worded(chandy_lamport.on_initiate(process, memory, state, snapshot))


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Name the lines by which the program sends."""
    return memory, (Rule(("node-send-on", "node-put-on")),)


def on_change(process: Process, memory: Memory, state: object) -> Reply[Memory]:
    """Name the lines by which an idle process works."""
    return memory, (Rule(("node-if-all-idle", "node-work", "node-continue")),)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Obey markers, and write down what was in flight."""
    return _worded(chandy_lamport.on_receive(process, memory, state, channel, message))


def _worded(reply: Reply[Memory]) -> Reply[Memory]:
    memory, effects = reply
    return memory, reworded(
        effects, lambda lines: dict.fromkeys(word for line in lines for word in WORDS.get(line, ()))
    )
