"""At most once: nothing is recorded, nothing is read again, and nothing makes up for a crash.

A source keeps its place: it writes down its offset with every item that it sends, before any process has taken it. A
process that crashes begins anew with nothing: what it had in memory is lost, and what it had sent and no process had
taken yet goes with its connections; only what a source has sent and written down stays in flight. All others continue.
So no item takes effect twice, and some never do.

Notes: Stored (by the kernel), Rule.

References
----------
Apache Flink documentation, "Fault Tolerance via State Snapshots", section "Exactly Once Guarantees" (2020 and later):
the result where no effort is made to recover. The offset that is written down before the item is processed is
how consumers of a log do it: Apache Kafka documentation, "Message Delivery Semantics" (2017 and later).
"""

from app.core.model.algorithm import Kind, Recovery, Reply
from app.core.model.notes import Rule
from app.core.model.values import APP, Message, Part, Process, Save

NAME = "at-most-once"
REQUIRES = "any"
GRAPH = "rooted"
KIND = Kind.ITEMS
RECOVERY = Recovery("local")
PROMISE = "at-most-once"
COST = "0"
PSEUDOCODE = (
    ("on-reading", 0),
    ("keep-offset", 1),
    ("begin-anew", 0),
    ("with-nothing", 1),
)


def start(process: Process) -> bool:
    """Return the memory: has anything ever arrived here? Where nothing has, what is sent was read."""
    return False


def on_initiate(process: Process, memory: bool, state: object, snapshot: int) -> Reply[bool]:
    """Do nothing: nothing is ever recorded."""
    return memory, ()


def on_send(process: Process, memory: bool, channel: str, message: Message) -> Reply[bool]:
    """Write down the offset of a source; others keep nothing."""
    return memory, () if memory else (Save(), Rule(("on-reading", "keep-offset")))


def on_receive(process: Process, memory: bool, state: object, channel: str, message: Message) -> Reply[bool]:
    """Remember that something arrived: a process that receives is not a source."""
    return memory or message.kind == APP, ()


def on_return(process: Process, memory: bool, state: object, saved: int) -> Reply[bool]:
    """Continue with what is left."""
    return memory, (Rule(("begin-anew",) if saved else ("begin-anew", "with-nothing")),)


def result(process: Process, memory: bool, snapshot: int) -> Part | None:
    """Return None: nothing is ever recorded."""
    return None
