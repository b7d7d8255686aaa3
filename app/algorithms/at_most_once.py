"""At most once: nothing is recorded, nothing is read again, and a crash is made good by nobody.

A source keeps its place: it writes its offset down with every record that it sends, before anybody has taken it. Who
crashes begins anew with nothing: what it had in memory is lost, and what it had sent and nobody had taken yet goes with
its connections; only what a source has sent and written down stays on its way. Everybody else goes on. So no record
takes effect twice, and some never do.

Notes: Stored (by the kernel), Rule.

References
----------
Apache Flink documentation, "Fault Tolerance via State Snapshots", section "Exactly Once Guarantees" (2020 and later):
what comes out where no effort is made to recover. The offset that is written down before the record is processed is
how consumers of a log do it: Apache Kafka documentation, "Message Delivery Semantics" (2017 and later).
"""

from typing import Any

from app.core.algorithm import Reply
from app.core.model import APP, Message, Part, Process, Save
from app.core.notes import Rule

NAME = "at-most-once"
REQUIRES = "any"
GRAPH = "rooted"
FLOODS = False
RECOVERY = "local"
SNAPSHOTS = False
COST = "0"
PSEUDOCODE = (
    ("on-reading", 0),
    ("keep-offset", 1),
    ("begin-anew", 0),
    ("with-nothing", 1),
)


def start(process: Process) -> bool:
    """The memory says whether anything has ever come here: where nothing has, what is sent was read."""
    return False


def on_initiate(process: Process, memory: bool, state: Any, snapshot: int) -> Reply:
    """Never: nothing is recorded."""
    return memory, ()


def on_send(process: Process, memory: bool, channel: str, message: Message) -> Reply:
    """A source writes its offset down; others keep nothing."""
    return memory, () if memory else (Save(), Rule(("on-reading", "keep-offset")))


def on_receive(process: Process, memory: bool, state: Any, channel: str, message: Message) -> Reply:
    """Whoever is sent something is no source."""
    return memory or message.kind == APP, ()


def on_return(process: Process, memory: bool, state: Any, saved: int) -> Reply:
    """Go on with what there is."""
    return memory, (Rule(("begin-anew",) if saved else ("begin-anew", "with-nothing")),)


def result(process: Process, memory: bool, snapshot: int) -> Part | None:
    """Nothing is ever recorded."""
    return None
