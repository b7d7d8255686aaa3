"""Is there an order in which everything can have happened? Each process does what its lines say, in sequence, and no
message arrives before it is sent: Lamport's relation "happened before" has no cycle.

References
----------
L. Lamport, Time, Clocks, and the Ordering of Events in a Distributed System, CACM 21(7), 1978; A. B. Kahn, Topological
Sorting of Large Networks, CACM 5(11), 1962.
"""

from collections.abc import Iterable, Mapping

Name = str | int

Happened = Iterable[tuple[Name, int, str, Name | None]]
"""Events: the process, the position in it, send, receive or internal, and the message."""


def circle(events: Happened, senders: Mapping[Name, Name]) -> tuple[Name, ...]:
    """Return messages each of which is sent only after the next one has arrived, and the last after the first; none if
    everything can have happened.

    ``events`` are those of all processes, in order within each process; ``senders`` gives the sender of each message.
    Takes time proportional to the number of events.
    """
    waiting = _stuck(events)
    if not waiting:
        return ()
    needs = {process: message for message, process in waiting.items()}
    path: dict[Name, Name] = {}
    process = next(iter(needs))
    while process not in path:
        path[process] = needs[process]
        process = senders[needs[process]]
    found = tuple(path)
    return tuple(path[one] for one in found[found.index(process) :])


def _stuck(events: Happened) -> dict[Name, Name]:
    """Let everything happen that can; return the messages that never arrive, and the processes waiting for them."""
    own: dict[Name, list[tuple[str, Name]]] = {}
    for process, _, kind, message in events:
        if message is not None:
            own.setdefault(process, []).append((kind, message))
    done = dict.fromkeys(own, 0)
    sent: set[Name] = set()
    waiting: dict[Name, Name] = {}
    able = list(own)
    while able:
        process = able.pop()
        mine = own[process]
        while done[process] < len(mine):
            kind, message = mine[done[process]]
            if kind == "receive" and message not in sent:
                waiting[message] = process
                break
            done[process] += 1
            if kind == "send":
                sent.add(message)
                if message in waiting:
                    able.append(waiting.pop(message))
    return waiting
