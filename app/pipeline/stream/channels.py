"""What the rows of a run say of I2 when all of them are there: did each channel record just what was in flight?

In flight are the messages that were sent before the cut and not received before it, in the order of sending; those that
the network lost are in flight or not, and so are copies that it made when the sender had recorded already. Another
order is wrong only where the channel keeps the order. Where the receiver takes no part, nobody can have recorded.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.pipeline.rows.fault import fault
from app.pipeline.stream.orphans import Channel, Cut, Known, Sent


class Wrong(NamedTuple):
    """A channel of which a snapshot recorded something else than what was in flight: a ``message`` of it is
    ``missing``, or is there and should not be (``extra``), or more than once (``doubled``), or the order is another
    (``order``; the message is the first)."""

    life: int
    snapshot: int
    channel: str
    fault: str
    message: int


def wrong(known: Known) -> Iterator[Wrong]:
    """The wrong channels of all complete snapshots that can be judged, of a run that is whole."""
    judged, queues, messages = known.judged(), recorded(known), sent(known)
    channels: dict[int, list[Channel]] = {}
    for channel in known.channels:
        channels.setdefault(channel.life, []).append(channel)
    for one in known.snapshots:
        key = (one.life, one.snapshot)
        if one.done and key in judged:
            for channel in channels.get(one.life, ()):
                if judged[key][channel.target].absent is None:
                    mine = messages.get((one.life, channel.channel), [])
                    queue = queues.get((*key, channel.channel), [])
                    if found := compared(channel, judged[key], mine, queue):
                        yield Wrong(*key, channel.name, *found)


def sent(known: Known) -> dict[tuple[int, int], list[Sent]]:
    """By life and channel, its messages in their turns."""
    found: dict[tuple[int, int], list[Sent]] = {}
    for one in known.messages:
        found.setdefault((one.life, one.channel), []).append(one)
    for messages in found.values():
        messages.sort(key=turn)
    return found


def recorded(known: Known) -> dict[tuple[int, int, int], list[int]]:
    """By life, snapshot and channel, the messages that were recorded, in their order."""
    found: dict[tuple[int, int, int], list[int]] = {}
    for one in sorted(known.recorded):
        found.setdefault((one.life, one.snapshot, one.channel), []).append(one.message)
    return found


def compared(
    channel: Channel, cut: dict[int, Cut], messages: Sequence[Sent], queue: Sequence[int]
) -> tuple[str, int] | None:
    """What is wrong with what was recorded in a channel, and with which of its ``messages``, which are in their turns;
    None where nothing is."""
    source, target, there = cut[channel.source], cut[channel.target], set(queue)
    lost = {one.message for one in messages if one.lost and one.inside(source)}
    have = [message for message in queue if message not in lost]
    need = [
        one.message
        for one in messages
        if one.inside(source) and not one.arrived(target) and not one.lost
        if one.message in there or not later(one, source)
    ]
    same = have == need if channel.ordered else sorted(have) == sorted(need)
    return None if same else fault(need, have)


def turn(message: Sent) -> tuple[bool, int, int, int]:
    """Where a message is in its channel: copies are behind all others."""
    return message.copied is not None, message.sent or 0, message.copied or 0, message.message


def later(message: Sent, source: Cut) -> bool:
    """Is it a copy that was made when the sender had recorded already?"""
    return message.copied is not None and source.step is not None and message.copied > source.step
