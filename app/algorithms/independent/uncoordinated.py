"""Uncoordinated checkpoints: every process saves its state whenever it likes, without asking the others.

A start is a checkpoint of one process and belongs to no snapshot. Nothing is spent before a crash; afterwards the
system must search for a state in which every message received has been sent. A process that comes back tells its
neighbours what it retracts. A process that has received any of that rolls back too, one checkpoint at a time, until the
receipt is undone, and then tells its own neighbours. So one crash can push all processes back to the beginning: the
domino effect.

Rule. The time between two checkpoints is an interval. A message carries the sender's interval, and its number on the
channel; its receiver notes both. Intervals are numbered on across crashes (that number alone is written down at once),
so what a former life sent in an interval cannot be confused with what the present one sends.

A process that comes back, from a crash or because a neighbour did, tells each neighbour which intervals it retracts,
and the number of the last message that it has from there. The neighbour rolls back if it must, and resends what came
after that number: a message whose sending still stands has to arrive again where its receipt does not. Until the next
message in order comes, later ones are discarded; they come again as well.

Notes: Stored, Returned, Asked, Deferred, Discarded, Rule.

References
----------
B. Randell, "System Structure for Software Fault Tolerance", IEEE TSE SE-1(2), 1975 (the domino effect).
E. N. Elnozahy, L. Alvisi, Y.-M. Wang, D. B. Johnson, "A Survey of Rollback-Recovery Protocols in Message-Passing
Systems", ACM Computing Surveys 34(3), 2002, sections 2.2 and 3.1 (dependency tracking, recovery lines).
R. E. Strom, S. Yemini, "Optimistic Recovery in Distributed Systems", ACM TOCS 3(3), 1985 (numbers of former lives).
"""

from collections.abc import Iterable

from immutables import Map
from msgspec.structs import replace

from app.algorithms.shared.channel_history import EMPTY, Histories, longer, messages
from app.core.model.algorithm import Effect, Kind, Recovery, Reply
from app.core.model.notes import Rule
from app.core.model.topology import channel_name
from app.core.model.value import Value
from app.core.model.values import APP, Ask, Defer, Message, Part, Post, Process, Rollback, Save, Swallow, Todo

NAME = "uncoordinated"
REQUIRES = "fifo"
KIND = Kind.PRIVATE
RECOVERY = Recovery("local", patient=("back",))
PROMISE = "exactly-once"
COST = "0"
PSEUDOCODE = (
    ("on-checkpoint", 0),
    ("save-own", 1),
    ("on-sending-interval", 0),
    ("take-interval", 1),
    ("on-message", 0),
    ("note-interval", 1),
    ("on-return", 0),
    ("tell-taken-back", 1),
    ("on-back", 0),
    ("if-orphan", 1),
    ("one-checkpoint-back", 2),
    ("send-again", 1),
)


class Receipt(Value):
    """In which interval of its sender a message was sent, and how many checkpoints its receiver had taken."""

    interval: int
    taken: int


NONE: "Map[int, Receipt]" = Map()
NOTHING: "Map[str, Inbox]" = Map()


class Inbox(Value):
    """What arrived on a channel: the greatest number, and the receipts by number. ``waits``: is the next one in order
    still to come?"""

    last: int = 0
    receipts: "Map[int, Receipt]" = NONE
    waits: bool = False


class Memory(Value):
    """``interval`` is the present one, a number that is never used twice; ``taken`` counts the checkpoints, and
    ``moved`` says whether anything was sent or received since the last. ``sent`` keeps the messages by output,
    ``received`` what arrived by input. ``undone`` are the first and the last interval that the process retracts; if it
    is ``falling``, it must roll back beyond the present checkpoint. ``answer`` is the neighbour to which it then owes
    messages, and after which number."""

    interval: int = 0
    taken: int = 0
    moved: bool = False
    sent: Histories = EMPTY
    received: "Map[str, Inbox]" = NOTHING
    undone: tuple[int, int] | None = None
    falling: bool = False
    answer: tuple[str, int] | None = None


def start(process: Process) -> Memory:
    """Return a memory in the first interval, with nothing sent or received."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Save, and begin the next interval."""
    begun = replace(memory, interval=memory.interval + 1, taken=memory.taken + 1, moved=False)
    return begun, (Save(), Rule(("on-checkpoint", "save-own")))


def carries(process: Process, memory: Memory, channel: str) -> tuple[int, int]:
    """Return the interval, and the message's number on its channel."""
    before = memory.sent.get(channel)
    return memory.interval, (before.count if before else 0) + 1


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Keep what is sent: it may have to be resent."""
    sent = longer(memory.sent, channel, message)
    return replace(memory, sent=sent, moved=True), (Rule(("on-sending-interval", "take-interval")),)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Note where a message comes from. Discard one that is here already, or that comes too early after a return."""
    interval, number = message.tag
    inbox = memory.received.get(channel, Inbox())
    if number in inbox.receipts or (inbox.waits and number > inbox.last + 1):
        return memory, (Swallow(), Rule(("on-message",)))
    receipts = inbox.receipts.set(number, Receipt(interval, memory.taken))
    received = memory.received.set(channel, Inbox(max(inbox.last, number), receipts))
    return replace(memory, received=received, moved=True), (Rule(("on-message", "note-interval")),)


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Hear that a neighbour is back: a process that has received what it retracted rolls back by one checkpoint."""
    name, (_, first, last, number) = what.name, what.numbers
    inbox = memory.received.get(channel_name(name, process.name), Inbox())
    orphans = [r for _, r in sorted(inbox.receipts.items()) if first <= r.interval <= last]
    if not orphans:
        more = _again(process, memory, name, number)
        return memory, (*more, Rule(("on-back", *(("send-again",) if more else ()))))
    back = memory.taken if memory.moved and not memory.falling else memory.taken - 1  # it may have moved as it fell
    falling = any(receipt.taken < back for receipt in orphans)
    lines = Rule(("on-back", "if-orphan", "one-checkpoint-back"))
    owed = replace(memory, falling=falling, answer=None if falling else (name, number))
    return owed, (lines, Rollback(back), *((Defer(what),) if falling else ()))


def survives(process: Process, lost: Memory, memory: Memory) -> Memory:
    """Return the memory in a new interval, after all earlier ones; every input waits for what comes next in order."""
    waiting = {c: replace(memory.received.get(c, Inbox()), waits=True) for c in process.inputs}
    return replace(
        memory,
        interval=lost.interval + 1,
        received=memory.received.update(waiting),
        undone=(memory.interval, lost.interval),
        falling=lost.falling,
        answer=lost.answer,
    )


def on_return(process: Process, memory: Memory, state: object, saved: int) -> Reply[Memory]:
    """Tell the neighbours what is retracted and what is missing, unless the process must roll back further."""
    if memory.falling or memory.undone is None:
        return memory, ()
    first, last = memory.undone
    effects: list[Effect] = [Rule(("on-return", "tell-taken-back"))]
    effects += _again(process, memory, *memory.answer) if memory.answer else ()
    for name in _neighbours(process):
        inbox = memory.received.get(channel_name(name, process.name), Inbox())
        effects.append(Ask(name, Todo("back", (saved, first, last, inbox.last), process.name)))
    return replace(memory, undone=None, answer=None), effects


def _again(process: Process, memory: Memory, name: str, number: int) -> list[Post]:
    """Return what was sent to ``name`` after the message with ``number``, to be sent once more."""
    channel = channel_name(process.name, name)
    kept = messages(memory.sent, channel)
    return [Post(channel, APP, None, copy=message) for message in kept if message.tag[1] > number]


def _neighbours(process: Process) -> Iterable[str]:
    """Return the processes at the other ends of the channels."""
    ends = [channel.split("->") for channel in (*process.outputs, *process.inputs)]
    return dict.fromkeys(target if source == process.name else source for source, target in ends)


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return None: there is no snapshot of which this could be a part."""
    return None
