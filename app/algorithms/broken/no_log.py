"""Barriers in loops, broken: what goes round is not logged.

As with loops, but a process lets what comes back from the loop pass without copying it. It is processed after the copy
of the state was made, and its sender has recorded it as sent: it is in no state and in no log. While nothing fails,
this has no effect; after a restore it is gone, with everything that would have followed from it.

Notes: those of loops, without Logged.

References
----------
P. Carbone et al., "Lightweight Asynchronous Snapshots for Distributed Dataflows", arXiv:1506.08603, 2015, section 4.3:
the backup log of Algorithm 2, which this module leaves out. Apache Flink ran iterations in this way when it was forced
to checkpoint them (pull request 812, 2015).
"""

from app.algorithms.barriers import loops
from app.algorithms.shared.barriers import Memory
from app.core.model.algorithm import Reply
from app.core.model.values import APP, END, Message, Process

NAME = "no-log"
BASE = loops
PROMISE: str | None = None
WRONG: str | None = "copy-record"


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Do as loops do, but ignore items."""
    if message.kind == APP and message.payload is not END:
        return memory, ()
    return loops.on_receive(process, memory, state, channel, message)
