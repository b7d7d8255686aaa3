"""Chandy–Lamport among members that come and go.

Membership is part of the cut. A newcomer is brought in by its parent: if the parent has not recorded, its recorded
state will know of the newcomer, which then takes part like every other member; if it has, the newcomer belongs to the
time after the cut, and takes no part. A leaver hands over what it has and goes when nothing from it is in flight. The
kernel does both.

What is left for the algorithm is a neighbour that crashes. Its markers will never come, and without them its neighbours
would wait forever. So a process that finds the end of a channel from a member that has gone closes it, with what it
logged there. The snapshot completes, but without the part of the crashed member the system cannot restart from it: it
is unusable.

Notes: those of Chandy–Lamport, and Absent, Unusable.

References
----------
K. M. Chandy, L. Lamport, ACM TOCS 3(1), 1985, section 2 (the processes are fixed, which this module drops).
S. Moriya, T. Araragi, "Dynamic Snapshot Algorithm and Partial Rollback Algorithm for Internet Agents", DISC 2001 (brief
announcements).
"""

from app.algorithms.markers import chandy_lamport
from app.algorithms.markers.chandy_lamport import Memory
from app.core.model.algorithm import Effect, Reply
from app.core.model.notes import Rule
from app.core.model.values import Process

NAME = "members"
BASE = chandy_lamport
PSEUDOCODE = (*chandy_lamport.PSEUDOCODE, ("on-gone", 0), ("close-gone", 1))
_GONE = Rule(("on-gone", "close-gone"))


def on_gone(process: Process, memory: Memory, state: object, gone: str) -> Reply[Memory]:
    """Close the channels still open from ``gone``: nothing more comes from there."""
    channel = f"{gone}->{process.name}"
    effects: list[Effect] = []
    for snapshot in sorted(memory):
        memory, more = chandy_lamport.close(process, memory, snapshot, channel, _GONE)
        effects += more
    return memory, effects
