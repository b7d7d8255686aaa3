"""Chandy–Lamport as in the paper: markers carry no label, and several processes may start the same snapshot.

A marker that finds its channel open closes it; one that finds that the process has not recorded makes it record.
Neither needs to know who started what, so processes that start by themselves at the same time begin one snapshot, not
two: their floods of markers meet and stop, and still each channel carries exactly one marker. The next snapshot may
start when this one is complete; none of its markers are left by then.

The number on a marker is for observers. The rules use it to name the recorded state, and to recognise a marker that the
network has duplicated; never to tell apart snapshots that run at the same time.

Notes: those of Chandy–Lamport.

References
----------
K. M. Chandy, L. Lamport, "Distributed Snapshots: Determining Global States of Distributed Systems", ACM TOCS 3(1),
1985, sections 3.2 (rules) and 3.3 (one or more processes record their states spontaneously).
"""

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Memory, close, log, record
from app.core.model.algorithm import Reply
from app.core.model.values import APP, Message, Process

NAME = "merged"
BASE = chandy_lamport
LABELLED = False


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Log a message; let a marker close its channel if it is open, and otherwise make the process record."""
    if message.kind == APP:
        return log(memory, channel, message) if memory else (memory, ())
    for number in sorted(memory):
        if channel in memory[number].open:
            return close(process, memory, number, channel)
    if message.snapshot is None or message.snapshot in memory:
        return memory, ()
    return record(process, memory, state, message.snapshot, channel)
