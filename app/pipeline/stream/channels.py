"""What all rows of a run together say: in numbers, and about I2: did each channel record exactly what was in flight?

In flight are the messages that were sent before the cut and not received before it, in the order of sending. Messages
that the network lost, and copies that it made after the sender had recorded, may be recorded or not. Another order is
wrong only if the channel keeps the order. If the receiver takes no part, its channels cannot have been recorded.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from app.pipeline.rows.channel_fault import fault
from app.pipeline.stream.orphans import Channel, Cut, Known, Sent, Snapshot
from app.pipeline.stream.results import BROKEN


class Wrong(NamedTuple):
    """A channel whose recorded state is not what was in flight: a ``message`` is ``missing``, or there but should not
    be (``extra``), or there more than once (``doubled``), or the order differs (``order``; the message is the first
    one)."""

    life: int
    snapshot: int
    channel: str
    fault: str
    message: int


def wrong(known: Known) -> Iterator[Wrong]:
    """Find the wrong channels of all complete snapshots that can be judged, in a complete run. The channels of an
    inconsistent cut have no state."""
    judged, queues, messages = known.judged(), _recorded(known), _sent(known)
    orphaned = {(one.life, one.snapshot) for one in known.orphans()}
    channels: dict[int, list[Channel]] = {}
    for channel in known.channels:
        channels.setdefault(channel.life, []).append(channel)
    for one in known.snapshots:
        key = (one.life, one.snapshot)
        if one.done and key in judged and key not in orphaned:
            for channel in channels.get(one.life, ()):
                if judged[key][channel.target].absent is None:
                    mine = messages.get((one.life, channel.channel), [])
                    queue = queues.get((*key, channel.channel), [])
                    if found := _compared(channel, judged[key], mine, queue):
                        yield Wrong(*key, channel.name, *found)


def _sent(known: Known) -> dict[tuple[int, int], list[Sent]]:
    """Return by life and channel its messages in order."""
    found: dict[tuple[int, int], list[Sent]] = {}
    for one in known.messages:
        found.setdefault((one.life, one.channel), []).append(one)
    for messages in found.values():
        messages.sort(key=_turn)
    return found


def _recorded(known: Known) -> dict[tuple[int, int, int], list[int]]:
    """Return by life, snapshot and channel the messages that were recorded, in order."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for one in sorted(known.recorded):
        found.setdefault((one.life, one.snapshot, one.channel), []).append(one.message)
    return found


def _compared(
    channel: Channel, cut: dict[int, Cut], messages: Sequence[Sent], queue: Sequence[int]
) -> tuple[str, int] | None:
    """Return what is wrong with what was recorded in a channel, and with which of its ``messages``, which are in order;
    None if nothing is."""
    source, target, there = cut[channel.source], cut[channel.target], set(queue)
    lost = {one.message for one in messages if one.lost and one.inside(source)}
    have = [message for message in queue if message not in lost]
    need = [
        one.message
        for one in messages
        if one.inside(source) and not one.arrived(target) and not one.lost
        if one.message in there or not _later(one, source)
    ]
    same = have == need if channel.ordered else sorted(have) == sorted(need)
    return None if same else fault(need, have)


def _turn(message: Sent) -> tuple[bool, int, int, int]:
    """Return the place of a message in its channel: copies are behind all others."""
    return message.copied is not None, message.sent or 0, message.copied or 0, message.message


def _later(message: Sent, source: Cut) -> bool:
    """Is it a copy that was made after the sender had recorded?"""
    return message.copied is not None and source.step is not None and message.copied > source.step


def sums(known: Known, channels: Iterable[Wrong]) -> dict[str, int]:
    """Return a complete run, whose wrong channels these are, in numbers. ``judged`` counts the snapshots whose cut can
    be judged; those of BROKEN, by check, the snapshots that fail it: those with orphans, the others with wrong
    channels, and what the simulator says on the other checks; ``differs`` those with another verdict by the simulator
    on the first two."""
    judged = known.judged()
    orphaned = {(one.life, one.snapshot) for one in known.orphans()}
    misheard = {(one.life, one.snapshot) for one in channels}

    def same(one: Snapshot) -> bool:
        key = (one.life, one.snapshot)
        consistent = None if key not in judged else key not in orphaned
        exact = None if key not in judged or not one.done or key in orphaned else key not in misheard
        return one.verdict("consistent") is consistent and one.verdict("channels") is exact

    simulated = {check: sum(one.verdict(check) is False for one in known.snapshots) for check in BROKEN}
    broken = simulated | {"consistent": len(orphaned), "channels": len(misheard)}
    return {
        "messages": known.about.messages if known.about else 0,
        "snapshots": len(known.snapshots),
        "judged": len(judged),
        "differs": sum(not same(one) for one in known.snapshots),
        **{BROKEN[check]: count for check, count in broken.items()},
    }
