"""Duplicate removal: every item is made safe individually, and no process ever rolls back to a snapshot.

The id of a message follows from its cause: the item of a source, and the path that it has taken. Its sender keeps it
until it is acknowledged, and resends it each time the timer of the channel expires. Its receiver keeps the ids of what
it has processed. A message whose id it knows is discarded and acknowledged once more; any other is given to the
program. Then, in one atomic deferred step, the new state, the id and what is to be sent are saved together; only after
that the acknowledgement goes out, and what is to be sent is sent (strong productions).

So a process that crashes comes back alone, with what it saved last. It may have done something that was not saved; that
was not acknowledged either, and arrives again. It may have sent something of which it no longer knows; it sends that
again under the same id. A source saves nothing: its log can be read again from the beginning, and the ids are the same.
In whatever order messages arrive, each takes effect once.

The stored ids would grow without limit. The number of a message is that of its cause at the source: how many messages
the source had sent by then on that output. Where it sends every item on every output, that is the item's place in its
log. The low watermark that a message carries is a promise about its channel: no message with a smaller number is
unacknowledged there, and none will ever be sent there for the first time. It is the least of the number of the oldest
message that is kept for the channel, of the number of what is being sent, and of the watermarks of all inputs. A
receiver drops all ids below the watermark of their channel, and treats whatever still arrives from below it as a
delayed copy. Round a loop the watermark never rises, and no id is dropped.

Notes: Stored, Asked, Discarded, Catalogued, Deferred, Rule.

References
----------
T. Akidau et al., "MillWheel: Fault-Tolerant Stream Processing at Internet Scale", PVLDB 6(11), 2013, section 6.1.
R. Lax, "After Lambda: Exactly-once processing in Google Cloud Dataflow", parts 1 to 3, Google Cloud blog, 2017.
"""

from immutables import Map
from msgspec import structs
from msgspec.structs import replace

from app.core.model.algorithm import Effect, Kind, Recovery, Reply
from app.core.model.notes import Catalogued, Rule
from app.core.model.topology import source_of
from app.core.model.value import Value
from app.core.model.values import APP, Ask, Defer, Message, Part, Post, Process, Save, Swallow, Todo

NAME = "millwheel"
REQUIRES = "any"
KIND = Kind.ITEMS
RECOVERY = Recovery("local", repeats=True, timers=("resend",), asked=("ack",))
PROMISE = "exactly-once"
COST = "m"
PSEUDOCODE = (
    ("on-id", 0),
    ("if-known", 1),
    ("throw-away", 2),
    ("ack-again", 2),
    ("else-run", 1),
    ("on-commit", 0),
    ("save-together", 1),
    ("let-go", 1),
    ("ack-sender", 1),
    ("send-productions", 1),
    ("on-ack", 0),
    ("forget-copy", 1),
    ("on-timer", 0),
    ("send-unsaved", 1),
    ("on-coming-back", 0),
    ("saved-again", 1),
)


class Memory(Value):
    """What a process knows. ``doing`` is the message that its program has taken and that is not saved yet, as (input,
    id, watermark); ``cause`` the last one that it took, as (input, id), None in a source. ``made`` counts by output
    what was sent for that cause, in a source all that was sent; ``kept`` is what is not acknowledged. ``seen`` are the
    ids of what was processed, ``marks`` the watermarks, both by input; ``timed`` the outputs whose timer runs."""

    doing: tuple[str, str, int] | None = None
    cause: tuple[str, str] | None = None
    made: "Map[str, int]" = Map()
    kept: "Map[str, tuple[Message, ...]]" = Map()
    seen: "Map[str, tuple[str, ...]]" = Map()
    marks: "Map[str, int]" = Map()
    timed: tuple[str, ...] = ()


def start(process: Process) -> Memory:
    """Return a memory with nothing processed or kept."""
    return Memory()


def on_initiate(process: Process, memory: Memory, state: object, snapshot: int) -> Reply[Memory]:
    """Do nothing: there are no snapshots."""
    return memory, ()


def carries(process: Process, memory: Memory, channel: str) -> tuple[str, int]:
    """Return the message's id, and the low watermark of the channel."""
    mine = _fresh(process, memory, channel)
    return mine, _watermark(process, memory, channel, mine)


def on_send(process: Process, memory: Memory, channel: str, message: Message) -> Reply[Memory]:
    """Keep what is sent until it is acknowledged."""
    memory = replace(
        memory,
        made=memory.made.set(channel, memory.made.get(channel, 0) + 1),
        kept=memory.kept.set(channel, (*memory.kept.get(channel, ()), message)),
    )
    memory, timers = _timing(memory, channel)
    return memory, (Rule(("send-productions",)), *timers)


def on_receive(process: Process, memory: Memory, state: object, channel: str, message: Message) -> Reply[Memory]:
    """Discard what is known; else let the program have it, and defer saving."""
    ident, mark = message.tag
    if ident in memory.seen.get(channel, ()) or number(ident) < memory.marks.get(channel, 0):
        rule = Rule(("on-id", "if-known", "throw-away", "ack-again"))
        return memory, (Swallow(), rule, _acknowledgement(channel, ident))
    memory = replace(memory, doing=(channel, ident, mark), cause=(channel, ident), made=Map())
    return memory, (Rule(("on-id", "else-run")), Defer(Todo("commit", item=ident)))


def on_wake(process: Process, memory: Memory, state: object, what: Todo) -> Reply[Memory]:
    """Save, take an acknowledgement, or resend."""
    if what.word == "commit":
        return _commit(process, memory)
    if what.word == "ack":
        left = tuple(message for message in memory.kept.get(what.name, ()) if message.tag[0] != what.item)
        return replace(memory, kept=memory.kept.set(what.name, left)), (Rule(("on-ack", "forget-copy")),)
    return _resend(process, replace(memory, timed=tuple(c for c in memory.timed if c != what.name)), what.name)


def on_return(process: Process, memory: Memory, state: object, saved: int) -> Reply[Memory]:
    """Wait again for what was not acknowledged when it was saved."""
    effects: list[Effect] = [Rule(("on-coming-back", "saved-again"))]
    memory = replace(memory, timed=())
    for channel in process.outputs:
        if memory.kept.get(channel):
            memory, more = _timing(memory, channel)
            effects += more
    return memory, effects


def allows(process: Process, memory: Memory, channel: str | None) -> bool:
    """May the program send? What follows from a message is sent only after it is saved."""
    return memory.doing is None


def accepts(process: Process, memory: Memory, channel: str, message: Message) -> bool:
    """May the process take the message? It takes the next one only after this one is saved."""
    return memory.doing is None


def result(process: Process, memory: Memory, snapshot: int) -> Part | None:
    """Return None: nothing is ever recorded."""
    return None


# --- one item -----------------------------------------------------------------------------------------------------


def _commit(process: Process, memory: Memory) -> Reply[Memory]:
    """Save state, id and productions together; only then do other processes hear of it."""
    assert memory.doing is not None
    channel, ident, mark = memory.doing
    mark = max(mark, memory.marks.get(channel, 0))
    known = (*memory.seen.get(channel, ()), ident)
    seen = tuple(one for one in known if number(one) >= mark)
    memory = replace(memory, doing=None, seen=memory.seen.set(channel, seen), marks=memory.marks.set(channel, mark))
    kept = sum(len(memory.seen.get(one, ())) for one in process.inputs)
    collected = len(known) - len(seen)
    lines = ("on-commit", "save-together", *(("let-go",) if collected else ()), "ack-sender")
    effects = (Save(), Rule(lines), Catalogued(process.name, kept, collected), _acknowledgement(channel, ident))
    return memory, effects


def _resend(process: Process, memory: Memory, channel: str) -> Reply[Memory]:
    """Resend, at the expiry of the timer, what is not acknowledged, with the present watermark."""
    due = memory.kept.get(channel, ())
    if not due:
        return memory, (Rule(("on-timer",)),)
    copies = (structs.replace(m, tag=(m.tag[0], _watermark(process, memory, channel, m.tag[0]))) for m in due)
    again = tuple(Post(channel, APP, None, copy=copy) for copy in copies)
    memory, timers = _timing(memory, channel)
    return memory, (*again, Rule(("on-timer", "send-unsaved")), *timers)


def _acknowledgement(channel: str, ident: str) -> Ask:
    """Return the acknowledgement to the sender of a message: it need not resend it."""
    return Ask(source_of(channel), Todo("ack", name=channel, item=ident))


def _timing(memory: Memory, channel: str) -> tuple[Memory, tuple[Defer, ...]]:
    """Start the timer of an output, unless it runs."""
    if channel in memory.timed:
        return memory, ()
    return replace(memory, timed=(*memory.timed, channel)), (Defer(Todo("resend", name=channel)),)


# --- ids and watermarks -------------------------------------------------------------------------------------------


def _fresh(process: Process, memory: Memory, channel: str) -> str:
    """Return the id of what is sent next: in a source its number, elsewhere that of its cause. Where paths meet, the
    path that the cause has taken is added, and where several messages follow from one, which of them it is."""
    made = memory.made.get(channel, 0) + 1
    if memory.cause is None:
        return f"{process.name}.{made}"
    came, ident = memory.cause
    way = f"/{source_of(came)}" if len(process.inputs) > 1 else ""
    return f"{ident}{way}" if made == 1 else f"{ident}{way}+{made}"


def number(ident: str) -> int:
    """Return the number of a message's cause on the output of its source."""
    return int(ident.partition("/")[0].partition("+")[0].rpartition(".")[2])


def _watermark(process: Process, memory: Memory, channel: str, sending: str) -> int:
    """Return the watermark: below it nothing is unacknowledged on an output, and nothing new will be sent there;
    ``sending`` is the id of what is being sent."""
    oldest = [number(sending), *(number(message.tag[0]) for message in memory.kept.get(channel, ()))]
    if memory.cause is not None:
        oldest += [number(memory.cause[1]), *(memory.marks.get(c, 0) for c in process.inputs)]
    return min(oldest)
